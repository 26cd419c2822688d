/// The animation of a change of the offset: a few frames, at first fast. The state has the new offset at once; only the
/// drawing follows.
struct Glide: Equatable, Sendable {
  /// The frames of a turn of the carousel.
  static let frameCount = 6

  private let frameCount: Int
  private let frameTime: Duration
  /// The distance from the start to the new offset.
  private var distance = 0
  private var frame = 0
  private(set) var waiting: Ticket?

  init(frameCount: Int = Self.frameCount, frameTime: Duration = .milliseconds(30)) {
    self.frameCount = frameCount
    self.frameTime = frameTime
  }

  /// The distance from the drawn offset to the new one.
  var remaining: Int { remaining(of: distance) }

  /// The part of a distance that is left in the current frame.
  func remaining(of distance: Int) -> Int {
    let left = frameCount - frame
    return distance * left * left / (frameCount * frameCount)
  }

  var isRunning: Bool { distance != 0 }

  /// Starts with the first frame, also during another animation.
  mutating func begin(_ distance: Int) { (self.distance, frame) = (distance, 1) }

  mutating func end() { (distance, frame, waiting) = (0, 0, nil) }

  /// Waits for the next frame, if there is one.
  mutating func update(_ tickets: inout TicketOffice) -> [AppEffect] {
    guard isRunning, waiting == nil else { return [] }
    let ticket = tickets.next()
    waiting = ticket
    return [.wait(frameTime, .glide(ticket))]
  }

  /// Goes on to the next frame, or to the one that is due if others are late.
  mutating func waitElapsed(_ ticket: Ticket, due: Int = 0) {
    guard ticket == waiting else { return }
    waiting = nil
    frame = max(frame + 1, due)
    if frame >= frameCount { end() }
  }
}
