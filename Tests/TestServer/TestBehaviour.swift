/// A server's reaction to a request, proper or faulty.
public enum TestBehaviour: Equatable, Sendable {
  case answer(TestAnswer)
  /// A proper answer on a connection that stays open for the next request.
  case answerAndStay(TestAnswer)
  /// Never answers.
  case silence
  /// The head, then one byte of the body at each interval.
  case drip(TestAnswer, everyMilliseconds: Int)
  /// The whole answer at a limited rate.
  case slow(TestAnswer, bytesPerSecond: Int)
  /// Answers after a delay.
  case late(TestAnswer, afterMilliseconds: Int)
  /// Sends nothing more after this many bytes of the body, until the client closes the connection.
  case stall(TestAnswer, after: Int)
  /// Closes the connection after this many bytes of the body.
  case cut(TestAnswer, after: Int)
  /// Resets the connection after this many bytes of the body.
  case reset(TestAnswer, after: Int)
  /// Only these bytes.
  case raw([UInt8])
}
