import FeedfallText

/// What a live broadcast is doing.
public enum LiveState: Equatable, Sendable {
  case live
  /// When it is planned to begin, where the feed tells.
  case upcoming(UnixTime?)
  case ended
}
