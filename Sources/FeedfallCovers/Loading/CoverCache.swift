import FeedfallScreen
import FeedfallSources
import FeedfallStorage
import FeedfallText
import Synchronization

/// What is known of covers from before: thumbnails on disk, and where there was no picture.
///
/// Only what came from the web is kept, and nothing with a name or a password in its address.
final class CoverCache: Sendable {
  private let file: Mutex<CacheFile<CoverStore>>
  private let pages: AnswerCache
  /// Where there was none in this run, even where nothing is kept on disk.
  private let missing = Mutex<[MediaAddress: Missing]>([:])

  /// What the thumbnails on disk may take, in bytes.
  static let usualByteCount = 64 << 20
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
    let now = UnixTime.now.seconds
    if let missing = missing.withLock({ $0[address] }), missing.until > now { return missing.failure }
    guard let key = address.key else { return nil }
    return use { store throws(DatabaseError) in try store.missing(key, at: .now) } ?? nil
  }

  /// Notes that there is no picture at an address, which is believed for so many seconds: in this run, and by those that
  /// are started in this time where it is to be on disk.
  func note(missing address: MediaAddress, _ failure: FeedFailure, seconds: Int, onDisk: Bool) {
    guard address.web != nil else { return }
    let until = UnixTime(seconds: UnixTime.now.seconds + seconds)
    missing.withLock { missing in
      if missing.count >= Self.largestMissingCount { missing = [:] }
      missing[address] = Missing(failure: failure, until: until.seconds)
    }
    guard onDisk, let key = address.key else { return }
    _ = use { store throws(DatabaseError) in try store.note(missing: key, failure, until: until) }
  }

  private struct Missing {
    var failure: FeedFailure
    /// In seconds since 1970.
    var until: Int
  }
}

extension MediaAddress {
  /// Under which it is kept on disk; nil where it is not to be.
  fileprivate var key: String? {
    guard let web, !web.namesUser else { return nil }
    return web.text
  }
}
