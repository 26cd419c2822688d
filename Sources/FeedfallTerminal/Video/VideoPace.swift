/// When the next frame of a video may begin and how good it may be, from how long the frames before took.
///
/// Where the terminal answers the question at each frame's end, the time to the answer tells; else the time until the
/// last byte could be written, which is less true: bytes wait on their way. All times are milliseconds of the steady clock.
struct VideoPace {
  /// What a frame is painted with.
  private(set) var quality: VideoQuality
  private var best: VideoQuality
  private var lastBegin: Int?
  /// When the frames began that the terminal has not answered yet.
  private var unanswered: [Int] = []
  /// Whether it answers them.
  private var isAnswering = false
  /// What the way to the terminal and back takes by itself, as far as that is known.
  private var shortestWay: Int?
  private var slowFrameCount = 0
  private var calmSince = 0
  private var lastRaise = -1_000_000
  /// For how long all must go well before more is tried.
  private var patience = Self.usualPatience

  static let usualPatience = 4000
  private static let longestPatience = 60_000
  /// A frame that takes longer than this delays the next one.
  private static let slow = 45
  private static let verySlow = 250
  /// A terminal that has not answered by then is not waited for.
  static let answerLimit = 1000

  init(best: VideoQuality = .full) {
    self.best = best
    quality = best
  }

  /// The terminal turns out to have more colours, or fewer.
  mutating func allow(_ best: VideoQuality) {
    guard best != self.best else { return }
    let way = shortestWay
    self = VideoPace(best: best)
    shortestWay = way
  }

  /// How long the terminal took to answer a question that came after little else.
  mutating func takeWay(_ milliseconds: Int) { shortestWay = min(shortestWay ?? milliseconds, milliseconds) }

  /// How long the next frame has to wait; nil where it may begin.
  func delay(at now: Int) -> Int? {
    let rest = (lastBegin ?? .min / 2) + quality.interval - now
    if rest > 0 { return rest }
    // What is on its way anyway is no sign of a slow terminal.
    guard isAnswering, let oldest = unanswered.first, now - oldest >= shortestWay ?? 0 else { return nil }
    let patience = oldest + Self.answerLimit - now
    return patience > 0 ? patience : nil
  }

  /// For how long it may take until the last frame is answered; 0 where that is not to be expected.
  func restOfAnswers(at now: Int) -> Int {
    guard isAnswering, let last = unanswered.last else { return 0 }
    return max(0, last + Self.answerLimit - now)
  }

  mutating func begin(at now: Int) {
    lastBegin = now
    guard let oldest = unanswered.first, now - oldest >= Self.answerLimit else { return }
    if isAnswering { judge(now - oldest, at: now) }
    unanswered = []
    isAnswering = false
  }

  /// The last byte is written, of a frame that ended with a question or without.
  mutating func end(at now: Int, isAsking: Bool) {
    guard let begin = lastBegin else { return }
    if isAsking { unanswered.append(begin) }
    if !isAnswering { judge(now - begin, at: now) }
  }

  mutating func answer(at now: Int) {
    guard !unanswered.isEmpty else { return }
    isAnswering = true
    let way = now - unanswered.removeFirst()
    // A frame's own way tells nothing of a terminal that is slow with every frame.
    shortestWay = shortestWay.map { min($0, way) }
    judge(way - (shortestWay ?? 0), at: now)
  }

  /// What was on its way is lost.
  mutating func forgetFrames() { unanswered = [] }

  private mutating func judge(_ milliseconds: Int, at now: Int) {
    if milliseconds > Self.slow {
      slowFrameCount += 1
      calmSince = now
      if slowFrameCount >= 3 || milliseconds > Self.verySlow { lower(at: now) }
    } else {
      slowFrameCount = 0
      if milliseconds > Self.slow / 2 { calmSince = now }
      if now - calmSince >= patience { raise(at: now) }
    }
  }

  private mutating func lower(at now: Int) {
    guard let lower = quality.lower else { return }
    quality = lower
    slowFrameCount = 0
    // What was too much a moment ago is not tried again at once.
    patience = now - lastRaise < 3000 ? min(patience * 2, Self.longestPatience) : Self.usualPatience
  }

  private mutating func raise(at now: Int) {
    calmSince = now
    guard quality < best, let higher = quality.higher else { return }
    quality = higher
    lastRaise = now
  }
}
