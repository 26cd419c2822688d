/// What a server does with a request, good or bad.
public enum TestBehaviour: Equatable, Sendable {
  case answer(TestAnswer)
  /// A proper answer on a connection that stays open for the next request.
  case answerAndStay(TestAnswer)
  /// Never answers.
  case silence
  /// The head, then a byte of the body every so often.
  case drip(TestAnswer, everyMilliseconds: Int)
  /// The whole, but no faster than this.
  case slow(TestAnswer, bytesPerSecond: Int)
  /// Answers after a while.
  case late(TestAnswer, afterMilliseconds: Int)
  /// Ends the connection in good order after this many bytes of the body.
  case cut(TestAnswer, after: Int)
  /// Resets the connection after this many bytes of the body.
  case reset(TestAnswer, after: Int)
  /// These bytes and nothing else.
  case raw([UInt8])
}
