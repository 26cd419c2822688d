import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import FeedfallUserData

/// The videos that earlier checks have seen: a file with a line for each source, with the hash of its address and those
/// of its last videos. Hashes, because addresses may contain secrets.
struct SeenVideos {
  private let path: String
  private var hashes: [String: [String]] = [:]

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
    let bytes = (try? Files.read(path.utf8, limit: Self.maximumByteCount)) ?? []
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(Self.maximumSourceCount) {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
      guard let source = words.first, words.allSatisfy(Self.isHash) else { continue }
      hashes[source] = Array(words.dropFirst())
    }
  }

  /// Adds the videos of a source's first page. Returns those that no earlier check has seen, in the order of the page;
  /// nil at the first check.
  mutating func add(_ videos: [Video], of address: String) -> [Video]? {
    let source = Self.hash(address)
    let old = hashes[source]
    let known = Set(old ?? [])
    var page: Set<String> = []
    var (new, order): ([Video], [String]) = ([], [])
    for video in videos {
      let hash = Self.hash(VideoKey(video).text)
      guard page.insert(hash).inserted else { continue }
      order.append(hash)
      if !known.contains(hash) { new.append(video) }
    }
    let earlier = (old ?? []).filter { !page.contains($0) }
    hashes[source] = order + earlier.prefix(max(0, Self.maximumVideoCount - order.count))
    return old == nil ? nil : new
  }

  /// Replaces the file. Returns the reason of a failure.
  func save() -> SystemError? {
    let lines = hashes.sorted { $0.key < $1.key }.map { ([$0.key] + $0.value).joined(separator: " ") + "\n" }
    do throws(SystemError) {
      try Files.makeFolder(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)), mode: 0o700)
      try Files.replace(path, with: Array(lines.joined().utf8), mode: 0o600)
      return nil
    } catch {
      return error
    }
  }

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
