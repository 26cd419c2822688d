import FeedfallText

/// The way to play a video.
public enum Playback: Equatable, Sendable {
  /// Plays media files, the preferred one first; never empty.
  case direct([MediaFile])
  /// Plays a web page in which a helper program finds the video.
  case page(WebAddress)
  /// Plays the files in the answer to a details request; until then the page.
  case details(WebAddress, page: WebAddress?)
  case unknown
}

/// One media file or stream of a video.
public struct MediaFile: Equatable, Sendable {
  public var url: MediaAddress
  public var mimeType: String?
  /// In pixels; 0 means that there is only audio.
  public let height: Int?
  /// The languages of the audio in the spelling of the feed, such as `deu-eng`.
  public var language: String?
  /// The headers of its request; nil for the player's own.
  public var headers: RequestHeaders?

  /// A height outside 0...100,000 counts as unknown.
  public init(url: MediaAddress, mimeType: String? = nil, height: Int? = nil, language: String? = nil) {
    self.url = url
    self.mimeType = mimeType
    self.height = height.flatMap { (0...PixelSize.maximum).contains($0) ? $0 : nil }
    self.language = language
  }

  public init(url: WebAddress, mimeType: String? = nil, height: Int? = nil, language: String? = nil) {
    self.init(url: .web(url), mimeType: mimeType, height: height, language: language)
  }
}

/// Facts about a video that matter before it is played.
public struct VideoFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The feed marks the video as sensitive.
  public static let sensitive = VideoFlags(rawValue: 1)
  /// The video requires a password.
  public static let needsPassword = VideoFlags(rawValue: 2)
  /// The video has no picture.
  public static let audioOnly = VideoFlags(rawValue: 4)
  /// The source lists the video among its Shorts.
  public static let short = VideoFlags(rawValue: 64)
}
