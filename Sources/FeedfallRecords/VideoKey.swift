import FeedfallFeeds
import FeedfallText

/// Identifies a video in the user's records: the same video in two tabs has the same key.
///
/// The key is the video's ID without a user name and a password, and with hashes in place of other secrets. An ID that
/// is unique only within its feed is prefixed with the feed and a blank, one that is unique only on its server with the
/// host that plays the video.
public struct VideoKey: Hashable, Sendable {
  private let exact: ExactText

  public var text: String { exact.text }

  /// In bytes; records with longer keys are neither stored nor read.
  public static let maximumLength = 2_048

  public init(_ video: borrowing Video) { self.init(unchecked: Self.text(of: video).hashingSecrets) }

  /// Returns the text with the secrets in an ID that is an address.
  private static func text(of video: borrowing Video) -> String {
    guard let scope = video.scope, !video.hasUniqueID else { return textWithoutFeed(of: video) }
    return scope.text + " " + video.id
  }

  private init(_ video: Video, id: String) {
    var other = video
    other.id = id
    self.init(other)
  }

  /// The key of a video whose ID other videos have, too, from the time when it was the only one with it.
  fileprivate static func shared(by video: Video) -> VideoKey? { video.sharedID.map { VideoKey(video, id: $0) } }

  /// The key of a film of an item with several, from the time when the item was one video, which played its first film.
  fileprivate static func whole(of film: Video) -> VideoKey? {
    let suffix = "/" + film.title
    guard film.group != nil, film.id.hasSuffix(suffix) else { return nil }
    return VideoKey(film, id: String(film.id.dropLast(suffix.count)))
  }

  /// The key of a video from the time when its feed used its ID for other videos, too.
  fileprivate static func distinct(of video: Video) -> VideoKey { VideoKey(video, id: video.distinctID) }

  private static func textWithoutFeed(of video: Video) -> String {
    if video.id.isAddress || video.id.isPath && video.isLocal { return video.id.removingUser }
    return video.playbackHost.map { $0 + " " + video.id } ?? video.id
  }

  /// Creates a key from the text of a record.
  public init(text: String) { self.init(unchecked: text.removingUser.hashingSecrets) }

  init(unchecked text: String) { exact = ExactText(text) }

  /// Whether the key can be stored: it is neither empty nor too long, and has no control characters.
  public var isValid: Bool {
    !text.isEmpty && text.utf8.count <= Self.maximumLength && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }
}

extension VideoKey {
  /// Whether the text has the form of an ID that the program prints: one that is unique by itself, or one after its
  /// feed or its host. Other texts are probably mistyped.
  package var isUnique: Bool {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      let isWeb = ["http:", "https:"].contains { text.lowercased().hasPrefix($0) }
      return Video(id: text, title: "", playback: .unknown).hasUniqueID && (!isWeb || WebAddress(text) != nil)
    }
    let feed = parts[0].split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let (host, hash) = (String(feed[0]), feed.dropFirst().first)
    let hasHash = hash.map { (8...16).contains($0.utf8.count) && $0.allSatisfy(\.isHexDigit) }
    let isHost =
      WebAddress("http://\(host)/").map { address in
        [address.host, "\(address.host):\(address.port ?? 0)"].contains(host)
      } ?? false
    return !parts[1].isEmpty && hasHash != false
      && (isHost && (hasHash == true || host.contains(".") && !host.hasSuffix(".")) || host.isEmpty && hasHash == true)
  }
}

extension UserData {
  /// Returns the key of a video's record. A feed may begin or cease to use an ID for several videos. A record under the
  /// ID alone belongs to the video whose facts it stores, also after a change, unless all facts contradict. A
  /// downloaded file has the record of its video.
  public func key(of video: Video) -> VideoKey {
    if let original = original(of: video) { return original }
    let key = VideoKey(video)
    guard count > 0, video.scope != nil || video.sharedID != nil else { return key }
    if video.sharedID == nil {
      let distinct = VideoKey.distinct(of: video)
      if hasRecord(of: distinct) { return distinct }
    }
    if hasRecord(of: key) { return isOfOther(key, video) ? VideoKey.distinct(of: video) : key }
    if let shared = VideoKey.shared(by: video), storedVideo(shared)?.isOf(video, shared) == true { return shared }
    if let whole = VideoKey.whole(of: video), storedVideo(whole)?.hasFile(of: video, whole) == true { return whole }
    return key
  }

  /// Whether the record under an ID that is unique only within its feed is that of another video with the ID.
  private func isOfOther(_ key: VideoKey, _ video: Video) -> Bool {
    guard video.scope != nil, video.sharedID == nil, !video.hasUniqueID else { return false }
    return storedVideo(key)?.isOfOther(than: video, key) ?? false
  }
}

extension String {
  fileprivate var isPath: Bool { utf8.first == UInt8(ascii: "/") }

  /// Whether the text contains `://`, several times as fast as `contains`.
  fileprivate var isAddress: Bool {
    var rest = utf8[...]
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[colon...].dropFirst()
      if rest.starts(with: "//".utf8) { return true }
    }
    return false
  }
}

extension Video {
  /// Whether the ID is unique beyond its feed and its server: an address, a URI of a scheme for names, or a UUID.
  fileprivate var hasUniqueID: Bool {
    id.isAddress || ["tag:", "urn:", "yt:"].contains { id.hasPrefix($0) } || isUUID
  }

  fileprivate var isLocal: Bool { playbackURL?.file != nil }

  private var isUUID: Bool {
    let digits = id.utf8
    guard digits.count == 36 else { return false }
    return digits.enumerated().allSatisfy { offset, byte in
      [8, 13, 18, 23].contains(offset) ? byte == UInt8(ascii: "-") : Character(UnicodeScalar(byte)).isHexDigit
    }
  }

  /// The host of the first address that plays the video, or the path of a local file.
  fileprivate var playbackHost: String? {
    switch playback {
    case .direct(let files): files.first.map { $0.url.web?.host ?? $0.url.stream?.server ?? $0.url.text }
    case .page(let page), .details(_, let page?): page.host
    case .list(let list): list.address.web?.host
    case .details(_, nil), .unknown: players.first?.host
    }
  }
}
