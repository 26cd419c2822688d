/// What a live broadcast is doing.
public enum LiveState: Equatable, Sendable {
  case live
  case upcoming
  case ended
}
