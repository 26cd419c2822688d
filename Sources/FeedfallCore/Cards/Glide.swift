import FeedfallLoading

/// The animation of a change of the offset: a few frames, at first fast. The state has the new offset at once; only the
/// drawing follows.
struct Glide: Equatable, Sendable {
  static let frameCount = 6
  private static let frameTime = Duration.milliseconds(30)

  /// The distance from the start to the new offset.
  private var distance = 0
  private var frame = 0
  private var waiting: Ticket?

  /// The distance from the drawn offset to the new one.
  var remaining: Int {
    let left = Self.frameCount - frame
    return distance * left * left / (Self.frameCount * Self.frameCount)
  }

  /// Starts with the first frame, also during another animation.
  mutating func begin(_ distance: Int) { (self.distance, frame) = (distance, 1) }

  mutating func end() { self = Glide() }

  /// Waits for the next frame, if there is one.
  mutating func update(_ tickets: inout TicketOffice) -> [AppEffect] {
    guard distance != 0, waiting == nil else { return [] }
    let ticket = tickets.next()
    waiting = ticket
    return [.wait(Self.frameTime, .glide(ticket))]
  }

  mutating func waitElapsed(_ ticket: Ticket) {
    guard ticket == waiting else { return }
    waiting = nil
    frame += 1
    if frame == Self.frameCount { end() }
  }
}
