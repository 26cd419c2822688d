struct SegmentRequest: Sendable {
  private var pending: (ticket: Ticket, video: String)?
  private var failedVideo: String?

  /// Requests the segments of a video that is on YouTube, and cancels the request for the previous one.
  mutating func begin(for item: PlayItem, _ tickets: inout TicketOffice) -> [AppEffect] {
    failedVideo = nil
    let canceled = pending.map { [AppEffect.cancel($0.ticket)] } ?? []
    pending = item.youTubeID.map { (tickets.next(), $0) }
    return canceled + (pending.map { [.requestSegments($0.video, $0.ticket)] } ?? [])
  }

  mutating func retry(for item: PlayItem, _ tickets: inout TicketOffice) -> [AppEffect] {
    guard let failedVideo, failedVideo == item.youTubeID else { return [] }
    return begin(for: item, &tickets)
  }

  /// Returns false for an old ticket.
  mutating func fail(_ ticket: Ticket) -> Bool {
    guard let video = finish(ticket) else { return false }
    failedVideo = video
    return true
  }

  /// Returns the ID of the video whose request has ended; nil for an old ticket.
  mutating func finish(_ ticket: Ticket) -> String? {
    guard let pending, pending.ticket == ticket else { return nil }
    self.pending = nil
    return pending.video
  }
}
