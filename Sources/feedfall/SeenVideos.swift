import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import FeedfallUserData

/// The videos that earlier checks have seen: a file with a line for each source, with the hash of its address and those
/// of its last videos. Hashes, because addresses may contain secrets.
struct SeenVideos {
  private let path: String
  private var hashes: [String: [String]]
  /// The hashes of the addresses whose lines `save` changes.
  private var checked: Set<String> = []

  private static let maximumByteCount = 16 << 20
  private static let maximumSourceCount = 2_000
  /// Of a source; a page may have more.
  private static let maximumVideoCount = 400
  /// In hexadecimal digits.
  private static let hashLength = 16

  /// Reads `checked` in the state folder; nil if the environment names none.
  static func ofUser() -> SeenVideos? {
    Environment.process.stateFolder.map { SeenVideos(path: $0 + "/feedfall/checked") }
  }

  /// Reads a file. Invalid lines are skipped; so is a file that is too large.
  init(path: String) {
    self.path = path
    hashes = Self.stored(path)
  }

  private static func stored(_ path: String) -> [String: [String]] {
    var hashes: [String: [String]] = [:]
    let bytes = (try? Files.read(path.utf8, limit: maximumByteCount)) ?? []
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(maximumSourceCount) {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
      guard let source = words.first, words.allSatisfy(isHash) else { continue }
      hashes[source] = Array(words.dropFirst())
    }
    return hashes
  }

  /// Returns the videos of a source's first page that no earlier check has seen, each once, in the order of the page; nil
  /// at the first check.
  func new(_ videos: [Video], of address: String) -> [Video]? {
    guard let known = hashes[Self.hash(address)] else { return nil }
    var old = Set(known)
    return videos.filter { old.insert(Self.hash(of: $0)).inserted }
  }

  /// Adds the videos of a source's first page.
  mutating func add(_ videos: [Video], of address: String) {
    let source = Self.hash(address)
    var page: Set<String> = []
    let order = videos.map(Self.hash(of:)).filter { page.insert($0).inserted }
    hashes[source] = Self.merged(order, hashes[source])
    checked.insert(source)
  }

  private static func merged(_ new: [String], _ old: [String]?) -> [String] {
    let known = Set(new)
    let earlier = (old ?? []).filter { !known.contains($0) }
    return new + earlier.prefix(max(0, maximumVideoCount - new.count))
  }

  /// Replaces the lines of the checked sources in the file, while other checks wait. Returns the reason of a failure.
  func save() -> SystemError? {
    do throws(SystemError) {
      try Files.makeFolder(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)), mode: 0o700)
      let lock = try Files.lock(path)
      defer { Files.unlock(lock) }
      // Another check may have saved other sources since.
      var saved = Self.stored(path)
      for source in checked { saved[source] = Self.merged(hashes[source] ?? [], saved[source]) }
      let lines = saved.sorted { $0.key < $1.key }.map { ([$0.key] + $0.value).joined(separator: " ") + "\n" }
      try Files.replace(path, with: Array(lines.joined().utf8), mode: 0o600)
      return nil
    } catch {
      return error
    }
  }

  private static func hash(of video: Video) -> String { hash(VideoKey(video).text) }

  private static func hash(_ text: String) -> String {
    let digits = SHA256.hash(Array(text.utf8)).prefix(hashLength / 2).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return digits.joined()
  }

  private static func isHash(_ text: String) -> Bool {
    text.utf8.count == hashLength && text.allSatisfy(\.isHexDigit)
  }
}
