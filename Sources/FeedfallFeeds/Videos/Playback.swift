import FeedfallText

/// The way to play a video.
public enum Playback: Equatable, Sendable {
  /// Plays media files, the preferred one first; never empty.
  case direct([MediaFile])
  /// Plays a web page in which a helper program finds the video.
  case page(WebAddress)
  /// Plays the files in the answer to a details request; until then the page.
  case details(WebAddress, page: WebAddress?)
  /// There is no film: the card opens a list.
  indirect case list(ListLink)
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
  /// Whether it is only an extract, such as a trailer.
  public private(set) var isSample = false
  /// The kind according to the feed; nil if the type and the address determine it.
  private var statedKind: MediaKind?
  /// The headers of its request; nil for the player's own.
  public var headers: RequestHeaders?

  /// A height outside 0...100,000 counts as unknown.
  public init(url: MediaAddress, mimeType: String? = nil, height: Int? = nil, language: String? = nil) {
    (self.url, self.mimeType, self.language) = (url, mimeType, language)
    self.height = height.flatMap { (0...PixelSize.maximum).contains($0) ? $0 : nil }
  }

  /// - Parameter traits: the traits of the file. Its kind may differ from that of the type and the address.
  package init(url: MediaAddress, mimeType: String? = nil, _ traits: FileTraits) {
    self.init(url: url, mimeType: mimeType, height: traits.height, language: traits.language)
    (isSample, statedKind) = (traits.isSample, traits.kind)
  }

  public init(url: WebAddress, mimeType: String? = nil, height: Int? = nil, language: String? = nil) {
    self.init(url: .web(url), mimeType: mimeType, height: height, language: language)
  }

  package var kind: MediaKind {
    if let statedKind { return statedKind }
    return MediaKind(type: mimeType.map { String($0.prefix { $0 != ";" }).lowercased() }, address: url)
  }

  /// - Parameter language: that of the video, which applies to a file without one.
  package func traits(in language: String?) -> FileTraits {
    FileTraits(kind: kind, height: height, language: self.language ?? language, isSample: isSample)
  }
}

/// Facts about a video that matter before it is played.
public struct VideoFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The feed marks the video as sensitive.
  public static let sensitive = VideoFlags(rawValue: 1)
  /// The video requires a password.
  public static let needsPassword = VideoFlags(rawValue: 2)
  /// The video has no picture.
  public static let audioOnly = VideoFlags(rawValue: 4)
  /// The video is encrypted, and only some programs may decrypt it.
  public static let protected = VideoFlags(rawValue: 16)
  /// The video is not free.
  public static let paid = VideoFlags(rawValue: 32)
  /// The video is not available in all countries; see `VideoExtras.countries`.
  public static let restricted = VideoFlags(rawValue: 64)
  /// The publisher has deleted the video.
  public static let deleted = VideoFlags(rawValue: 128)
  /// The publisher has blocked the video.
  public static let blocked = VideoFlags(rawValue: 256)
  /// The source lists the video among its Shorts.
  public static let short = VideoFlags(rawValue: 512)
  /// The source has more than `Video.maximumFileCount` files of the video. The others are left out.
  public static let filesLeftOut = VideoFlags(rawValue: 1_024)
}

/// A list of videos that stands in a feed in place of a film, such as a channel among the results of a search.
public struct ListLink: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable { case channel, playlist, podcast, folder }

  public let kind: Kind
  /// The address that the list is opened by.
  public let address: MediaAddress
  /// The number of videos in the list, as far as it is known.
  public let videoCount: Int?
  /// The number of subscribers, as far as it is known.
  public let followerCount: Int?

  private static let maximumCount = 100_000_000_000

  /// Numbers outside 0...100,000,000,000 count as unknown.
  public init(_ kind: Kind, _ address: MediaAddress, videoCount: Int? = nil, followerCount: Int? = nil) {
    func plausible(_ count: Int?) -> Int? { count.flatMap { (0...Self.maximumCount).contains($0) ? $0 : nil } }
    (self.kind, self.address) = (kind, address)
    (self.videoCount, self.followerCount) = (plausible(videoCount), plausible(followerCount))
  }
}

extension Video {
  /// The list that the card opens; nil for a film.
  public var list: ListLink? { if case .list(let list) = playback { list } else { nil } }

  /// The address to copy: that of the film or of the list.
  public var address: MediaAddress? { list?.address ?? playbackURL }
}

/// A report on the playback of a video, for the server that stores the position.
public struct PlaybackReport: Equatable, Sendable {
  public enum Moment: Equatable, Sendable {
    case started
    /// The position has changed, or playback was paused or resumed.
    case progress(isPaused: Bool)
    case stopped
  }

  /// The address that is played.
  public var address: MediaAddress
  /// The headers of its request; `account` names the source.
  public var headers: RequestHeaders?
  public var moment: Moment
  /// The position in seconds.
  public var seconds: Double
  /// In seconds; nil if the player does not know it.
  public var duration: Double?
  /// Whether the position is one from which on the user counts the video as watched.
  public var isWatched: Bool

  public init(
    _ moment: Moment, of address: MediaAddress, headers: RequestHeaders? = nil, seconds: Double,
    duration: Double? = nil, isWatched: Bool = false
  ) {
    (self.address, self.headers, self.moment, self.seconds) = (address, headers, moment, seconds)
    (self.duration, self.isWatched) = (duration, isWatched)
  }
}
