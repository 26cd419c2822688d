/// Chooses when the next video frame starts, and its quality, from the duration of earlier frames.
///
/// The duration is the time until the terminal answers the query at a frame's end. For terminals without answers, it is
/// the time until the last byte is written, which is too short by buffered bytes. All times are in milliseconds.
struct VideoPace {
  private(set) var quality: Quality
  private var best: Quality
  private var lastBegin: Int?
  private var unanswered: [Int] = []
  /// How many of these, the oldest, are no longer on the screen: their answers say nothing.
  private var ignoredCount = 0
  private var isAnswering = false
  private var shortestRoundTrip: Int?
  private var slowFrameCount = 0
  private var fastSince = 0
  private var lastRaise = -1_000_000
  /// How long frames must be fast before the quality rises.
  private var raiseDelay = Self.initialRaiseDelay

  static let initialRaiseDelay = 4000
  private static let maximumRaiseDelay = 60_000
  /// Frames that take longer than this count as slow.
  private static let slow = 45
  private static let verySlow = 250
  static let answerLimit = 1000

  init(best: Quality = .full) {
    self.best = best
    quality = best
  }

  mutating func setBest(_ best: Quality) {
    guard best != self.best else { return }
    let roundTrip = shortestRoundTrip
    self = VideoPace(best: best)
    shortestRoundTrip = roundTrip
  }

  mutating func recordRoundTrip(_ milliseconds: Int) {
    shortestRoundTrip = min(shortestRoundTrip ?? milliseconds, milliseconds)
  }

  /// Nil if the next frame may start.
  func delay(at now: Int) -> Int? {
    let rest = (lastBegin ?? .min / 2) + quality.interval - now
    if rest > 0 { return rest }
    // A round trip alone does not mean a slow terminal.
    guard isAnswering, let oldest = unanswered.dropFirst(ignoredCount).first, now - oldest >= shortestRoundTrip ?? 0
    else { return nil }
    let remaining = oldest + Self.answerLimit - now
    return remaining > 0 ? remaining : nil
  }

  func remainingAnswerTime(at now: Int) -> Int {
    isAnswering ? unanswered.last.map { max(0, $0 + Self.answerLimit - now) } ?? 0 : 0
  }

  mutating func beginFrame(at now: Int) {
    lastBegin = now
    guard let oldest = unanswered.first, now - oldest >= Self.answerLimit else { return }
    if isAnswering, ignoredCount == 0 { evaluate(now - oldest, at: now) }
    dropUnansweredFrames()
    isAnswering = false
  }

  /// Records that a frame's last byte is written. `expectsAnswer`: whether it ends with a query.
  mutating func endFrame(at now: Int, expectsAnswer: Bool) {
    guard let begin = lastBegin else { return }
    if expectsAnswer { unanswered.append(begin) }
    if !isAnswering { evaluate(now - begin, at: now) }
  }

  mutating func recordAnswer(at now: Int) {
    guard !unanswered.isEmpty else { return }
    isAnswering = true
    let duration = now - unanswered.removeFirst()
    guard ignoredCount == 0 else {
      ignoredCount -= 1
      return
    }
    // Only a short query sets the first round trip: a slow terminal is slow with every frame.
    shortestRoundTrip = shortestRoundTrip.map { min($0, duration) }
    evaluate(duration - (shortestRoundTrip ?? 0), at: now)
  }

  /// Stops waiting for answers to frames that were lost.
  mutating func dropUnansweredFrames() {
    unanswered = []
    ignoredCount = 0
  }

  /// Ignores the answers to the frames so far, which will still arrive.
  mutating func ignoreUnansweredFrames() { ignoredCount = unanswered.count }

  private mutating func evaluate(_ milliseconds: Int, at now: Int) {
    if milliseconds > Self.slow {
      slowFrameCount += 1
      fastSince = now
      if slowFrameCount >= 3 || milliseconds > Self.verySlow { lower(at: now) }
    } else {
      slowFrameCount = 0
      if milliseconds > Self.slow / 2 { fastSince = now }
      if now - fastSince >= raiseDelay { raise(at: now) }
    }
  }

  private mutating func lower(at now: Int) {
    guard let lower = quality.lower else { return }
    quality = lower
    slowFrameCount = 0
    // Wait longer if the last increase failed at once.
    raiseDelay = now - lastRaise < 3000 ? min(raiseDelay * 2, Self.maximumRaiseDelay) : Self.initialRaiseDelay
  }

  private mutating func raise(at now: Int) {
    fastSince = now
    guard quality < best, let higher = quality.higher else { return }
    quality = higher
    lastRaise = now
  }

  enum Quality: Int, Comparable, CaseIterable, Sendable {
    case full
    /// Cells with hardly changed colors are not rewritten.
    case tolerant
    /// The nearest of 256 colors.
    case indexed
    /// Palette colors and at most 15 frames a second.
    case seldom
    /// Palette colors and at most 6 frames a second.
    case rare

    static func < (one: Quality, other: Quality) -> Bool { one.rawValue > other.rawValue }

    static func best(for depth: ColorDepth) -> Quality? {
      switch depth {
      case .none, .eight, .sixteen: nil
      case .indexed: .indexed
      case .direct: .full
      }
    }

    var usesPalette: Bool { self <= .indexed }

    /// The allowed difference of a channel.
    var tolerance: Int { self == .tolerant ? 6 : 0 }

    /// The minimum time between the starts of frames, in milliseconds.
    var interval: Int {
      switch self {
      case .full, .tolerant, .indexed: 0
      case .seldom: 66
      case .rare: 160
      }
    }

    var lower: Quality? { Quality(rawValue: rawValue + 1) }
    var higher: Quality? { Quality(rawValue: rawValue - 1) }
  }
}
