import FeedfallFeeds
import FeedfallText

/// An address that a video may be played from.
public struct PlayCandidate: Equatable, Sendable {
  public var address: MediaAddress
  /// Whether it is a page in which a helper must find the film.
  public var isPage: Bool
  /// In pixels, where the feed tells.
  public var height: Int?
  /// Whether there are pictures of several heights behind the one address.
  var holdsAllHeights: Bool

  public init(address: MediaAddress, isPage: Bool = false, height: Int? = nil) {
    self.address = address
    self.isPage = isPage
    self.height = height
    holdsAllHeights = isPage
  }

  init(_ file: MediaFile) {
    self.init(address: file.url, height: file.height)
    holdsAllHeights = file.isStream
  }

  /// How far it is from what is wished for, the nearest first: as high or lower, then of unknown height, then higher.
  func distance(from height: Int) -> Int {
    guard !holdsAllHeights else { return 0 }
    guard let own = self.height else { return Self.beyondHeights }
    return own <= height ? height - own : Self.beyondHeights + own
  }

  /// No picture is higher.
  private static let beyondHeights = 100_000
}

extension MediaFile {
  /// Whether it is a list of streams, of which the player chooses one.
  fileprivate var isStream: Bool {
    if let mimeType = mimeType?.lowercased() {
      return mimeType.hasSuffix("mpegurl") || mimeType == "application/dash+xml"
    }
    let path = url.text.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return path.hasSuffix(".m3u8") || path.hasSuffix(".mpd")
  }
}
