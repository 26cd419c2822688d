import FeedfallText

/// What a person should know before a video is played.
public struct VideoFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The feed calls it sensitive.
  public static let sensitive = VideoFlags(rawValue: 1)
  /// Who wants to see it needs a password.
  public static let needsPassword = VideoFlags(rawValue: 2)
  /// There is sound but no picture.
  public static let audioOnly = VideoFlags(rawValue: 4)
}
