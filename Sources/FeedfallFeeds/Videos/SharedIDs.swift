import FeedfallText

extension Video {
  /// Distinguishes videos that share an ID by hashes of title, page and first medium, which are the same in each run.
  package struct Digest: Hashable, Sendable {
    private let title: UInt64
    private let page: UInt64?
    private let medium: UInt64?

    package init(_ video: Video) { self.init(video, Self.unsigned) }

    private static let timesOfSignatures: Set<String> = [
      "exp", "expire", "expires", "x-amz-date", "x-amz-expires", "x-goog-date", "x-goog-expires",
    ]

    /// The address without its secrets, which records lack, and without the times of signatures: servers sign addresses
    /// anew for each request.
    private static func unsigned(_ address: String) -> String {
      let plain = address.removingSecrets
      guard let mark = plain.firstIndex(of: "?") else { return plain }
      let parameters = plain[plain.index(after: mark)...].split(separator: "&")
        .filter { !timesOfSignatures.contains($0.prefix { $0 != "=" }.lowercased()) }
      return parameters.isEmpty ? String(plain[..<mark]) : plain[...mark] + parameters.joined(separator: "&")
    }

    private init(_ video: Video, _ medium: (String) -> String) {
      title = FNV1a.hash(video.title)
      page = video.pageURL.map { FNV1a.hash($0.withoutUser.text) }
      self.medium = (video.playbackURL ?? video.players.first.map(MediaAddress.web))
        .map { FNV1a.hash(medium(($0.web?.withoutUser).map(\.text) ?? $0.text)) }
    }

    /// The digest by which videos on different pages of a source are compared. It ignores the queries of media
    /// addresses, which servers sign anew for each page.
    package static func ofPage(_ video: Video) -> Digest {
      Digest(video) { medium in
        // Bytes are several times as fast as characters.
        medium.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }.map { String(medium[..<$0]) }
          ?? medium
      }
    }

    /// Whether it belongs to another video: at least two of title, page and medium differ. A later version of the same
    /// video may have a new title or a new address.
    package func contradicts(_ other: Digest) -> Bool {
      let differences = [
        title != other.title, zip(page, other.page).map(!=) ?? false, zip(medium, other.medium).map(!=) ?? false,
      ]
      return differences.count { $0 } >= 2
    }

    fileprivate var text: String { FNV1a.hash([title, page ?? 0, medium ?? 0]).hexadecimal(digitCount: Self.length) }

    fileprivate static let length = 16
  }

  /// The ID with the video's digest, which it has where its feed uses the ID for other videos, too.
  package var distinctID: String { "\(id) \(Digest(self).text)" }

  /// The ID in the feed, if it has the video's digest; else nil.
  package var sharedID: String? {
    let bytes = id.utf8
    guard bytes.count > Digest.length + 1, bytes.suffix(Digest.length + 1).first == UInt8(ascii: " "),
      let blank = bytes.index(bytes.endIndex, offsetBy: -(Digest.length + 1), limitedBy: bytes.startIndex),
      id[bytes.index(after: blank)...] == Digest(self).text
    else { return nil }
    return String(id[..<blank])
  }
}

private func zip<Value>(_ left: Value?, _ right: Value?) -> (Value, Value)? {
  if let left, let right { (left, right) } else { nil }
}

extension FeedDocumentReader {
  /// Gives different videos of a document that share an ID IDs of their own.
  ///
  /// An ID that is shared by videos with different titles, pages or media identifies none of them. All get their
  /// digest, whatever their order, so that a new item never gets the marks of another one. Repetitions stay one video.
  /// Of a document that is read in parts, a video of an earlier part keeps its ID.
  struct SharedIDs {
    private enum Use {
      case one(Video.Digest)
      /// `first` is the video that has kept the ID.
      case shared(first: Video.Digest?)
    }

    /// By the hash of the ID.
    private var uses: [UInt64: Use] = [:]

    /// Distinguishes the videos of the next part. Digests are only made of those with the same ID, and while further
    /// parts follow.
    mutating func distinguish(_ videos: inout [Video], isLast: Bool) {
      let hashes = videos.map { FNV1a.hash($0.id) }
      let firsts = findShared(videos, hashes)
      for (index, hash) in hashes.enumerated() {
        guard case .shared(let first)? = uses[hash], first == nil || first != Video.Digest(videos[index]) else {
          continue
        }
        videos[index].id = videos[index].distinctID
      }
      guard !isLast else { return }
      for (hash, index) in firsts where uses[hash] == nil { uses[hash] = .one(Video.Digest(videos[index])) }
    }

    /// Finds the IDs of different videos, and returns the index of the first video with each new one.
    private mutating func findShared(_ videos: [Video], _ hashes: [UInt64]) -> [UInt64: Int] {
      var firsts: [UInt64: Int] = [:]
      firsts.reserveCapacity(videos.count)
      for (index, hash) in hashes.enumerated() {
        switch uses[hash] {
        case .one(let digest): if digest != Video.Digest(videos[index]) { uses[hash] = .shared(first: digest) }
        case .shared: break
        case nil:
          guard let first = firsts[hash] else {
            firsts[hash] = index
            continue
          }
          if Video.Digest(videos[first]) != Video.Digest(videos[index]) { uses[hash] = .shared(first: nil) }
        }
      }
      return firsts
    }
  }
}

/// Assigns distinct IDs to different videos that share one on the pages of a source, and drops repetitions. The first
/// video keeps its ID, because it may have been printed already.
package struct PageIDs: Sendable {
  private struct Key: Hashable {
    var id: ExactText
    var scope: FeedScope?

    /// Without the scope: equal IDs of several feeds are rare.
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  private var seen: [Key: Video.Digest] = [:]
  private var shared: Set<Key> = []

  package init() {}

  package var isEmpty: Bool { seen.isEmpty }
  package var count: Int { seen.count }

  /// Returns a video that is not known yet; nil for a repetition.
  package mutating func new(_ video: Video) -> Video? {
    let digest = Video.Digest.ofPage(video)
    let sharedID = video.sharedID
    let key = Key(id: ExactText(sharedID ?? video.id), scope: video.scope)
    let first = seen[key]
    if first == digest { return nil }
    guard first != nil || sharedID != nil || shared.contains(key) else {
      seen[key] = digest
      return video
    }
    shared.insert(key)
    var distinct = video
    if sharedID == nil { distinct.id = video.distinctID }
    let own = Key(id: ExactText(distinct.id), scope: video.scope)
    return seen.updateValue(digest, forKey: own) == nil ? distinct : nil
  }
}

/// Lets equal texts of consecutive videos, such as the name of the channel, share their storage.
struct SharedTexts {
  private var recent: [String] = []
  private var next = 0

  private static let count = 24

  mutating func shared(_ text: String?) -> String? {
    // Up to 15 bytes are stored in the value itself.
    guard let text, text.utf8.count > 15 else { return text }
    if let known = recent.first(where: { $0 == text }) { return known }
    if recent.count < Self.count {
      recent.append(text)
    } else {
      recent[next] = text
      next = (next + 1) % Self.count
    }
    return text
  }

  mutating func shared(_ address: WebAddress?) -> WebAddress? {
    shared(address?.text).map { WebAddress(unchecked: $0) }
  }
}
