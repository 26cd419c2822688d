struct SegmentRequest: Equatable, Sendable {
  private var ticket: Ticket?
  /// The ID of the video of the last request.
  private var video: String?
  private var failedVideo: String?

  /// Requests the segments of a video that is on YouTube, and cancels the request for the previous one.
  mutating func begin(for item: PlayItem, _ tickets: inout TicketOffice) -> [AppEffect] {
    failedVideo = nil
    let canceled = ticket.map { [AppEffect.cancel($0)] } ?? []
    (ticket, video) = (nil, item.youTubeID)
    guard let video else { return canceled }
    let new = tickets.next()
    ticket = new
    return canceled + [.requestSegments(video, new)]
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
    guard ticket == self.ticket else { return nil }
    self.ticket = nil
    return video
  }
}
