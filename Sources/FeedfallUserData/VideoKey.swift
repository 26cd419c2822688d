import FeedfallFeeds
import FeedfallText

/// Identifies a video in the user's records: the same video in two tabs has the same key.
///
/// The key is the video's ID without a user name and a password, and with hashes in place of other secrets. An ID that is unique only within its feed is prefixed
/// with the feed and a blank, one that is unique only on its server with the host that plays the video.
public struct VideoKey: Hashable, Sendable {
  public let text: String

  /// In bytes; records with longer keys are neither stored nor read.
  public static let maximumLength = 2_048

  public init(_ video: Video) { text = Self.text(of: video).hashingSecrets }

  /// Returns the text with the secrets in an ID that is an address.
  private static func text(of video: Video) -> String {
    guard let scope = video.scope, !video.hasUniqueID else { return VideoKey(withoutFeed: video).text }
    return scope.text + " " + video.id
  }

  /// The keys of earlier versions, which stored secrets, hashed another part of the feed's address, did not distinguish
  /// the feeds of a host, or regarded a path as unique.
  fileprivate static func earlier(of video: Video) -> [VideoKey] {
    var keys = VideoKey(video).hasHash ? [VideoKey(unchecked: text(of: video))] : []
    if let scope = video.scope, !video.hasUniqueID {
      if let earlier = scope.earlierText { keys.append(VideoKey(unchecked: earlier + " " + video.id)) }
      keys.append(VideoKey(withoutFeed: video))
    }
    if video.id.isPath, !video.isLocal { keys.append(VideoKey(unchecked: video.id)) }
    return keys
  }

  private init(withoutFeed video: Video) {
    if video.id.isAddress || video.id.isPath && video.isLocal {
      text = video.id.removingUser
    } else if let host = video.playbackHost {
      text = host + " " + video.id
    } else {
      text = video.id
    }
  }

  /// Creates a key from the text of a record.
  public init(text: String) {
    self.text = text.removingUser.hashingSecrets
  }

  /// Creates a key from the text of another one.
  init(unchecked text: String) {
    self.text = text
  }

  /// Whether it may contain a hash in place of a secret.
  fileprivate var hasHash: Bool { text.utf8.contains(UInt8(ascii: "~")) }

  /// Whether the key can be stored: it is neither empty nor too long, and has no control characters.
  public var isValid: Bool {
    !text.isEmpty && text.utf8.count <= Self.maximumLength && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }
}

extension UserData {
  /// Returns the key of a video's record: that of an earlier version if only it has recorded the video.
  public func key(of video: Video) -> VideoKey {
    let key = VideoKey(video)
    let mayHaveEarlier = video.scope != nil || video.id.isPath || key.hasHash
    guard count > 0, mayHaveEarlier, !hasRecord(of: key) else { return key }
    // Not by `first(where:)`, whose closure would copy the records.
    for earlier in VideoKey.earlier(of: video) where hasRecord(of: earlier) { return earlier }
    return key
  }
}

extension String {
  fileprivate var isPath: Bool { utf8.first == UInt8(ascii: "/") }

  /// Whether the text contains `://`. Several times as fast as `contains`.
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

  /// Whether it is a file of this computer, which its path identifies.
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
    case .direct(let files): files.first.map { $0.url.web?.host ?? $0.url.text }
    case .page(let page), .details(_, let page?): page.host
    case .details(_, nil), .unknown: players.first?.host
    }
  }
}
