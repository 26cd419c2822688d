struct SegmentRequest: Equatable, Sendable {
  private var ticket: Ticket?
  private var video: String?
  private var failedVideo: String?

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

  mutating func fail(_ ticket: Ticket) -> Bool {
    guard let video = finish(ticket) else { return false }
    failedVideo = video
    return true
  }

  mutating func finish(_ ticket: Ticket) -> String? {
    guard ticket == self.ticket else { return nil }
    self.ticket = nil
    return video
  }
}
