import FeedfallScreen
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Synchronization
import WaterfallEngine

/// The on-disk cache of thumbnails, sizes of pictures, and addresses without a picture. Covers that need a login, or
/// whose address contains a user name or a password, are not stored; of local pictures only the size is.
package final class CoverCache: Sendable {
  private let file: Mutex<CacheFile<CoverStore>>
  private let pages: AnswerCache
  /// Addresses without a picture found in this run, until a time in seconds since 1970; also without a disk cache.
  private let missing = Mutex<[MediaAddress: (failure: CoverFailure, until: Int)]>([:])

  package static let usualByteCount = 64 << 20
  private static let largestMissingCount = 4_096

  init(beside pages: AnswerCache, maximumByteCount: Int) {
    self.pages = pages
    file = Mutex(
      pages.folder.map { CacheFile(folder: $0, maximumByteCount: maximumByteCount) } ?? CacheFile())
  }

  private func use<Value: Sendable>(_ work: @Sendable (CoverStore) throws(DatabaseError) -> Value) -> Value? {
    let (value, notice) = file.withLock { file in (file.use(work), file.dequeueNotice()) }
    if let notice { pages.notify(notice) }
    return value
  }

  func thumbnail(of address: MediaAddress) -> CoverStore.Entry? {
    guard let key = key(of: address) else { return nil }
    return use { store throws(DatabaseError) in try store.thumbnail(of: key, at: .now) } ?? nil
  }

  func averages(of addresses: [MediaAddress]) -> [MediaAddress: RGB] {
    let keys = addresses.compactMap { address in key(of: address).map { (address, $0) } }
    return use { store throws(DatabaseError) in
      var averages: [MediaAddress: RGB] = [:]
      for (address, key) in keys { averages[address] = try store.average(of: key) }
      return averages
    } ?? [:]
  }

  func version(of address: MediaAddress) -> AnswerVersion? {
    guard let web = address.web, let key = key(of: address) else { return nil }
    return use { store throws(DatabaseError) in try store.version(of: key, web) } ?? nil
  }

  func confirm(_ address: MediaAddress, until end: UnixTime) {
    guard let key = key(of: address) else { return }
    _ = use { store throws(DatabaseError) in try store.confirm(key, until: end, at: .now) }
  }

  /// Delays the next request for a thumbnail that could not be renewed.
  func keep(_ address: MediaAddress, until end: UnixTime) {
    guard let key = key(of: address) else { return }
    _ = use { store throws(DatabaseError) in try store.keep(key, until: end) }
  }

  /// - Parameter size: that of the picture, to be stored too; nil if its feed names it.
  func insert(
    _ thumbnail: Thumbnail, of address: MediaAddress, at fetched: UnixTime, freshUntil: UnixTime,
    version: AnswerVersion?, size: Size?
  ) {
    guard let key = key(of: address) else {
      if let size { insert(size, of: address) }
      return
    }
    _ = use { store throws(DatabaseError) in
      try store.insert(
        thumbnail, of: key, at: fetched, freshUntil: freshUntil, version: version,
        answeredElsewhere: version?.address != address.web?.forStorage, size: size.map { ($0, SizeTable.key(key)) })
    }
  }

  func remove(_ address: MediaAddress) {
    guard let key = key(of: address) else { return }
    _ = use { store throws(DatabaseError) in try store.remove(key) }
  }

  func sizes(of addresses: [MediaAddress]) -> [Size?] {
    let keys = addresses.map(sizeKey)
    let sizes = use { store throws(DatabaseError) in try store.sizes.sizes(of: keys) }
    return sizes ?? Array(repeating: nil, count: addresses.count)
  }

  func size(of address: MediaAddress) -> Size? { sizeKey(of: address) == nil ? nil : sizes(of: [address])[0] }

  func insert(_ size: Size, of address: MediaAddress) {
    guard let key = sizeKey(of: address) else { return }
    _ = use { store throws(DatabaseError) in try store.insert(size, of: key) }
  }

  private func sizeKey(of address: MediaAddress) -> Int? { (address.file?.text ?? key(of: address)).map(SizeTable.key) }

  /// Nil also for a local picture or a source with a login, which may be corrected.
  func missing(_ address: MediaAddress) -> CoverFailure? {
    guard isRecordable(address) else { return nil }
    let now = UnixTime.now.seconds
    if let missing = missing.withLock({ $0[address] }), missing.until > now { return missing.failure }
    guard let key = key(of: address) else { return nil }
    return use { store throws(DatabaseError) in try store.missing(key, at: .now) } ?? nil
  }

  func insertMissing(_ address: MediaAddress, _ failure: CoverFailure, seconds: Int, onDisk: Bool) {
    guard isRecordable(address) else { return }
    let until = UnixTime(seconds: UnixTime.now.seconds + seconds)
    missing.withLock { missing in
      if missing.count >= Self.largestMissingCount { missing = [:] }
      missing[address] = (failure, until.seconds)
    }
    guard onDisk, let key = key(of: address) else { return }
    _ = use { store throws(DatabaseError) in try store.insertMissing(key, failure, until: until) }
  }

  func removeMissing(_ address: MediaAddress) {
    missing.withLock { _ = $0.removeValue(forKey: address) }
    guard let key = key(of: address) else { return }
    _ = use { store throws(DatabaseError) in try store.removeMissing(key) }
  }

  private func isRecordable(_ address: MediaAddress) -> Bool {
    address.file == nil && address.web.flatMap(pages.authorization(forCover:)) == nil
  }

  /// Nil if the cover must not be stored.
  private func key(of address: MediaAddress) -> String? {
    switch address {
    case .web(let web): web.namesUser || pages.authorization(forCover: web) != nil ? nil : web.text.hashingSecrets
    case .file, .stream: nil
    case .frame: address.text
    }
  }
}
