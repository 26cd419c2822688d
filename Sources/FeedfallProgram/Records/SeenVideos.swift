import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText

/// The videos that earlier checks have seen. The file has a line for each source, with the hash of its address and
/// those of its last videos; addresses may contain secrets. The sources are in the order of their last checks, not by
/// time, because the clock may be wrong; the oldest ones are dropped.
struct SeenVideos: Sendable {
  /// The first eight bytes of a SHA-256, in the file as 16 hexadecimal digits.
  private typealias Hash = UInt64

  private struct Source {
    var address: Hash
    /// From the newest on.
    var videos: [Hash]
    var byteCount: Int { (1 + videos.count) * (SeenVideos.digitCount + 1) }
  }

  private let path: String
  private let maximumSourceCount: Int
  private var videos: [Hash: [Hash]] = [:]
  /// The sources that `save` moves to the end of the file, in the order of their checks.
  private var checked: [Hash] = []
  /// Those in `checked` whose lines `save` changes.
  private var changed: Set<Hash> = []

  /// Of the file, for the reader and the writer.
  private static let maximumByteCount = 16 << 20
  /// Of a source; a check that finds more keeps all it finds, at most `maximumNewCount`.
  private static let maximumVideoCount = 400
  /// Keeps one source from filling the file.
  private static let maximumNewCount = 200_000
  private static let digitCount = 16

  static var userPath: String? { Environment.process.stateFolder.map { $0 + "/feedfall/checked" } }

  /// Throws if an existing file cannot be read. Invalid lines and ends of lines are skipped.
  init(path: String, maximumSourceCount: Int = 2_000) throws(SystemError) {
    (self.path, self.maximumSourceCount) = (path, maximumSourceCount)
    for source in try Self.stored(path) { videos[source.address] = source.videos }
  }

  private static func stored(_ path: String) throws(SystemError) -> [Source] {
    switch Files.stored(path.utf8, limit: maximumByteCount) {
    case .none: []
    case .value(let bytes): bytes.split(separator: UInt8(ascii: "\n")).compactMap { source($0) }
    case .unreadable(let error): throw error
    }
  }

  private static func source(_ line: ArraySlice<UInt8>) -> Source? {
    var hashes: [Hash] = []
    for word in line.split(separator: UInt8(ascii: " ")) {
      guard let hash = hash(digits: word) else { break }
      hashes.append(hash)
    }
    return hashes.first.map { Source(address: $0, videos: Array(hashes.dropFirst())) }
  }

  private static func hash(digits: ArraySlice<UInt8>) -> Hash? {
    guard digits.count == digitCount else { return nil }
    var hash: Hash = 0
    for digit in digits {
      guard let value = digit.hexDigitValue else { return nil }
      hash = hash << 4 | Hash(value)
    }
    return hash
  }

  /// Each once, in their order; nil at the first check.
  func new(_ videos: [Video], of address: String) -> [Video]? {
    guard let known = self.videos[Self.hash(address)] else { return nil }
    var seen = Set(known)
    return videos.filter { seen.insert(Self.hash(of: $0)).inserted }
  }

  /// Whether an earlier check has seen a video of the page, or none has seen the source.
  func isLast(_ page: [Video], of address: String) -> Bool {
    guard let known = videos[Self.hash(address)].map(Set.init) else { return true }
    return page.contains { known.contains(Self.hash(of: $0)) }
  }

  mutating func add(_ found: [Video], of address: String) {
    let source = Self.hash(address)
    var unique: Set<Hash> = []
    let order = found.map(Self.hash(of:)).filter { unique.insert($0).inserted }
    videos[source] = Self.merged(order, videos[source] ?? [])
    checked.append(source)
    changed.insert(source)
  }

  /// Keeps a source that could not be checked from becoming the oldest one.
  mutating func use(_ address: String) { checked.append(Self.hash(address)) }

  private static func merged(_ new: [Hash], _ old: [Hash]) -> [Hash] {
    let known = Set(new)
    let earlier = old.filter { !known.contains($0) }
    return Array(new.prefix(maximumNewCount)) + earlier.prefix(max(0, maximumVideoCount - new.count))
  }

  /// Other checks wait meanwhile. If it throws, the file is unchanged.
  func save() throws(SystemError) {
    try Files.makeFolder(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)), mode: 0o700)
    let lock = try Files.lock(path)
    defer { Files.unlock(lock) }
    // Another check may have saved other sources since.
    let saved = try Self.stored(path)
    let lines = latest(of: saved).map { source in
      ([source.address] + source.videos).map(Self.digits).joined(separator: " ") + "\n"
    }
    try Files.replace(path, with: Array(lines.joined().utf8), mode: 0o600)
  }

  /// The oldest ones are left out where they are too many.
  private func latest(of saved: [Source]) -> [Source] {
    let old = Dictionary(saved.map { ($0.address, $0.videos) }) { $1 }
    var latest: [Source] = []
    var (seen, byteCount) = (Set<Hash>(), 0)
    for address in (saved.map(\.address) + checked).reversed() where seen.insert(address).inserted {
      let new = changed.contains(address) ? videos[address] : nil
      guard let videos = new.map({ Self.merged($0, old[address] ?? []) }) ?? old[address] else { continue }
      let source = Source(address: address, videos: videos)
      byteCount += source.byteCount
      guard latest.count < maximumSourceCount, byteCount <= Self.maximumByteCount else { break }
      latest.append(source)
    }
    return latest.reversed()
  }

  private static func hash(of video: Video) -> Hash { hash(VideoKey(video).text) }

  private static func hash(_ text: String) -> Hash {
    SHA256.hash(Array(text.utf8)).prefix(digitCount / 2).reduce(0) { $0 << 8 | Hash($1) }
  }

  private static func digits(_ hash: Hash) -> String { hash.hexadecimal(digitCount: digitCount) }
}
