/// The question whether the terminal has processed all output. Frames of a video end with the same question, and a
/// terminal answers in order.
struct StatusCheck: Equatable {
  /// The longest wait for the answer when the terminal is handed back, in milliseconds. A late answer would reach the
  /// shell as input.
  static let answerLimit = 10_000

  /// Questions at the end of video frames that have not been answered.
  private var videoQuestionCount = 0
  private var question: Question?

  private struct Question: Equatable {
    /// The answers to come before this question's own.
    var answersBefore: Int
    var time: Int
  }

  /// Whether an answer is outstanding.
  var isPending: Bool { question != nil }

  mutating func countVideoQuestion() { videoQuestionCount += 1 }

  mutating func begin(at now: Int) { question = Question(answersBefore: videoQuestionCount, time: now) }

  /// Returns true if the answer belongs to this question, false if it belongs to a video frame.
  mutating func handleAnswer() -> Bool {
    if question?.answersBefore == 0 {
      question = nil
      return true
    }
    question?.answersBefore -= 1
    videoQuestionCount = max(0, videoQuestionCount - 1)
    return false
  }

  /// The milliseconds during which an answer may still arrive; 0 when none is expected.
  func remainingTime(at now: Int) -> Int { question.map { max(0, $0.time + Self.answerLimit - now) } ?? 0 }
}

extension CursesTerminal {
  /// Asks the terminal for its status. Returns false if it cannot be asked now.
  public func requestStatus() -> Bool {
    guard phase == .active, !device.isGone, device.write(Self.statusQuery) else { return false }
    statusCheck.begin(at: now)
    return true
  }

  /// Whether the terminal has not answered `requestStatus()` yet; reading input receives the answer.
  public var isAwaitingStatus: Bool { statusCheck.isPending }
}
