/// A video as a feed tells it; every text is clean and every address checked.
public struct Video: Equatable, Sendable, Identifiable {
  /// Stable within its source; the key by which repeated items are recognised.
  public var id: String
  public var title: String
  public var duration: VideoDuration?
  /// The covers that the feed offers, in the feed's order.
  public var covers: [Cover]
  /// The picture's width and height in pixels, where the feed says both.
  public var pictureSize: PixelSize?
  /// Width divided by height, where the feed says only that.
  public var aspectRatio: Double?
  public var playback: Playback
  public var pageURL: WebAddress?
  public var author: String?
  public var channel: String?
  public var published: UnixTime?
  public var views: Int?
  /// The size of the file in bytes.
  public var byteCount: Int?
  public var summary: String?
  public var licence: String?
  public var licenceURL: WebAddress?
  public var live: LiveState?

  public init(id: String, title: String, playback: Playback) {
    self.id = id
    self.title = title
    self.playback = playback
    covers = []
  }
}

/// How long a video is.
public enum VideoDuration: Equatable, Sendable {
  case seconds(Int)
  /// The feed's own words, where they are no number.
  case text(String)
}

/// A width and a height in pixels, both positive.
public struct PixelSize: Equatable, Sendable {
  public var width: Int
  public var height: Int

  public init?(width: Int, height: Int) {
    guard (1...100_000).contains(width), (1...100_000).contains(height) else { return nil }
    self.width = width
    self.height = height
  }
}

/// A picture that stands for a video.
public struct Cover: Equatable, Sendable {
  public var url: WebAddress
  public var width: Int?
  public var height: Int?

  public init(url: WebAddress, width: Int? = nil, height: Int? = nil) {
    self.url = url
    self.width = width
    self.height = height
  }
}

/// Where a video can be played from.
public enum Playback: Equatable, Sendable {
  /// Media addresses, the preferred one first; never empty.
  case direct([MediaFile])
  /// A web page from which a player finds the video itself.
  case page(WebAddress)
  /// A second request tells; `page` plays until then, where the player can.
  case details(WebAddress, page: WebAddress?)
  case unknown
}

/// One media file or stream of a video.
public struct MediaFile: Equatable, Sendable {
  public var url: WebAddress
  public var mimeType: String?
  public var height: Int?

  public init(url: WebAddress, mimeType: String? = nil, height: Int? = nil) {
    self.url = url
    self.mimeType = mimeType
    self.height = height
  }
}

public enum LiveState: Equatable, Sendable {
  case live
  case upcoming
  case ended
}

/// Seconds since 1970-01-01 00:00 UTC.
public struct UnixTime: Hashable, Comparable, Sendable {
  public var seconds: Int

  public init(seconds: Int) {
    self.seconds = seconds
  }

  public static func < (left: UnixTime, right: UnixTime) -> Bool { left.seconds < right.seconds }
}

extension Video {
  /// The address that a player is given and a person copies: the preferred media file, else the page.
  public var playbackURL: WebAddress? {
    switch playback {
    case .direct(let files): files.first?.url
    case .page(let page): page
    case .details(_, let page): page
    case .unknown: nil
    }
  }

  /// The request that would complete this video, where its feed needs one.
  public var detailsURL: WebAddress? {
    if case .details(let request, _) = playback { request } else { nil }
  }
}
