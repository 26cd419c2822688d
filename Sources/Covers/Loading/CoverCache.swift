import FeedSources
import SQLite
import Screen
import Synchronization
import VideoFeed

/// What is known of covers from before: thumbnails on disk, and where there was no picture.
///
/// Only what came from the web is kept, and nothing with a name or a password in its address.
final class CoverCache: Sendable {
  private let file: Mutex<CacheFile<CoverStore>>
  private let pages: AnswerCache
  /// Where there was none in this run, even where nothing is kept on disk.
  private let missing = Mutex<[MediaAddress: FeedFailure]>([:])

  /// What the thumbnails on disk may take, in bytes.
  static let usualByteCount = 64 << 20
  /// For how long nobody asks again where there was no picture, in seconds.
  private static let missingSeconds = 6 * 3600
  private static let largestMissingCount = 4_096

  /// Keeps the covers where the pages are kept.
  init(beside pages: AnswerCache, maximumByteCount: Int) {
    self.pages = pages
    file = Mutex(
      pages.folder.map { CacheFile(folder: $0, maximumByteCount: maximumByteCount) } ?? CacheFile())
  }

  private func use<Value: Sendable>(_ work: @Sendable (CoverStore) throws(DatabaseError) -> Value) -> Value? {
    let (value, notice) = file.withLock { file in (file.use(work), file.takeNotice()) }
    if let notice { pages.tell(notice) }
    return value
  }

  func thumbnail(of address: MediaAddress) -> KeptThumbnail? {
    guard let key = address.key else { return nil }
    return use { store throws(DatabaseError) in try store.thumbnail(of: key, at: .now) } ?? nil
  }

  /// The colours that are known.
  func averages(of addresses: [MediaAddress]) -> [MediaAddress: RGB] {
    let keys = addresses.compactMap { address in address.key.map { (address, $0) } }
    return use { store throws(DatabaseError) in
      var averages: [MediaAddress: RGB] = [:]
      for (address, key) in keys { averages[address] = try store.average(of: key) }
      return averages
    } ?? [:]
  }

  func keep(_ thumbnail: Thumbnail, of address: MediaAddress) {
    guard let key = address.key else { return }
    _ = use { store throws(DatabaseError) in try store.keep(thumbnail, of: key, at: .now) }
  }

  /// Takes away what turned out to be no picture.
  func forget(_ address: MediaAddress) {
    guard let key = address.key else { return }
    _ = use { store throws(DatabaseError) in try store.forget(key) }
  }

  // MARK: where there is none

  /// Why there is no picture at an address, as far as that is known; a file may be there at any time.
  func missing(_ address: MediaAddress) -> FeedFailure? {
    guard address.web != nil else { return nil }
    if let failure = missing.withLock({ $0[address] }) { return failure }
    guard let key = address.key else { return nil }
    return use { store throws(DatabaseError) in try store.missing(key, at: .now) } ?? nil
  }

  /// Notes that there is no picture at an address: for this run, and on disk for some hours unless the reason is this
  /// machine's own.
  func note(missing address: MediaAddress, _ failure: FeedFailure, onDisk: Bool) {
    guard address.web != nil else { return }
    missing.withLock { missing in
      if missing.count >= Self.largestMissingCount { missing = [:] }
      missing[address] = failure
    }
    guard onDisk, let key = address.key else { return }
    let until = UnixTime(seconds: UnixTime.now.seconds + Self.missingSeconds)
    _ = use { store throws(DatabaseError) in try store.note(missing: key, failure, until: until) }
  }
}

extension MediaAddress {
  /// Under which it is kept on disk; nil where it is not to be.
  fileprivate var key: String? {
    guard let web, !web.namesUser else { return nil }
    return web.text
  }
}
