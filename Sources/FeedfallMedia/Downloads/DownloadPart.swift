import FeedfallRecords
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Glibc
import Synchronization

/// The part of a file that has been downloaded: `NAME.part`, with facts about the whole in `NAME.part.json`; each
/// address has its own. The rest is requested only with a validator, from a little before the end of the part: the
/// overlapping bytes must be equal, because some servers ignore validators. Else the part is restarted.
final class DownloadPart: FileSink {
  private let name: String
  private let folder: DownloadFolder
  private let file: LockedFile
  private let host: String
  private let progress: @Sendable (DownloadProgress) -> Void
  private let now: @Sendable () -> Int
  private let state: Mutex<State>

  private struct State {
    var byteCount = 0
    var facts: Facts
    var isUnsaved = false
    var requested = 0
    /// The place of the next byte; below `byteCount`, it must be equal to the one there.
    var position = 0
    var isAccepted = false
    var fault: DownloadFailure?
    /// The place after the last byte that the current answer has announced.
    var rangeEnd: Int?
    var uncheckedByteCount = 0
    var trickle = Trickle()
    /// Whether the content of the complete part is in a file of its own.
    var isUnpacked = false

    mutating func empty(_ facts: Facts) {
      (byteCount, position) = (0, 0)
      let spent = (self.facts.receivedByteCount, self.facts.highestByteCount)
      self.facts = facts
      (self.facts.receivedByteCount, self.facts.highestByteCount) = spent
      isUnsaved = true
    }
  }

  /// In bytes, between checks of the free space.
  private static let checkedByteCount = 8 << 20
  /// In bytes that are requested again.
  static let overlap = 64 << 10
  /// The limit for the received bytes, as a multiple of the size.
  private static let maximumShare = 3
  /// In bytes. Smaller files count as this size for that limit.
  private static let leastSize = 1 << 20

  init(_ job: DownloadJob, of address: WebAddress, _ index: Int) throws(DownloadFailure) {
    name = Self.names(job.entry.stem)[index]
    folder = job.folder
    (host, progress, now) = (address.host, job.progress, job.tools.now)
    file = try LockedFile(folder.path(of: name + Self.ending))
    let known = Facts(readFrom: folder.path(of: Self.factsName(name)))
    // A file of the user may have the name.
    if known == nil, file.mark?.byteCount != 0 {
      throw .file(SystemError(EEXIST), path: folder.path(of: name + Self.ending))
    }
    let own = Facts(job.entry.key.text, index, address)
    let facts = known.flatMap { $0.isSameFile(as: own) ? $0 : nil } ?? own
    let size = file.mark?.byteCount ?? 0
    let isUsable = facts.validator != nil && (facts.byteCount.map { size <= $0 } ?? true)
    state = Mutex(State(byteCount: isUsable ? size : 0, facts: facts))
  }

  static let ending = ".part"

  static func names(_ stem: String) -> [String] {
    [stem] + (2...DownloadRequest.maximumAddressCount).map { "\(stem).\($0)" }
  }

  static func factsName(_ name: String) -> String { name + ending + ".json" }

  /// A program that is killed may leave them.
  private static func newFactsName(_ name: String) -> String { ".\(factsName(name)).new" }

  var byteCount: Int { state.withLock { $0.byteCount } }
  var highestByteCount: Int { state.withLock { $0.facts.highestByteCount } }

  /// At least; nil if it is unknown.
  var missingByteCount: Int? {
    state.withLock { state in
      if let total = state.facts.byteCount { return total - state.byteCount }
      let highest = state.facts.highestByteCount
      return highest > state.byteCount ? highest - state.byteCount : nil
    }
  }

  private static func unpackedName(_ name: String) -> String { ".\(name)\(ending).unpacked" }

  private var path: String { folder.path(of: name + Self.ending) }
  private var unpackedPath: String { folder.path(of: Self.unpackedName(name)) }
  var contentPath: String { state.withLock { $0.isUnpacked } ? unpackedPath : path }

  func declaredExtensions(_ address: WebAddress) -> [String] {
    let facts = state.withLock { $0.facts }
    return facts.extensions + DownloadExtension.declared(contentType: facts.contentType, address)
  }

  /// Whether only the end of the connection has marked the end of the file.
  var hasUnstatedEnd: Bool { state.withLock { $0.facts.byteCount == nil && !$0.facts.isChunked } }

  // MARK: - Receiving

  func begin() -> (start: Int, validator: HeaderValue?) {
    state.withLock { state in
      let start = state.facts.validator == nil ? 0 : max(0, state.byteCount - Self.overlap)
      (state.requested, state.isAccepted, state.fault, state.trickle) = (start, false, nil, Trickle())
      return (start, start > 0 ? state.facts.validator : nil)
    }
  }

  func receive(_ piece: UnsafeRawBufferPointer, of head: FileHead) -> Bool {
    state.withLock { state -> Bool in
      do throws(DownloadFailure) {
        if !state.isAccepted {
          guard try accept(head, start: piece, &state) else { return false }
        }
        try append(piece, &state)
        let isTrickle = state.trickle.isFound(adding: piece.count, at: now())
        if isTrickle, state.byteCount != state.facts.byteCount { throw .tooSlow(host: host) }
        return true
      } catch {
        state.fault = error
        return false
      }
    }
  }

  private func accept(
    _ head: FileHead, start: UnsafeRawBufferPointer, _ state: inout State
  ) throws(DownloadFailure) -> Bool {
    let range = ContentRange(head.headers["content-range"] ?? "")
    // Some servers send a range with the status of the whole file.
    let status = head.status == 200 && range != nil ? 206 : head.status
    state.rangeEnd = status == 206 ? range?.end : nil
    switch status {
    case 200: try restart(head, nil, start: start, &state)
    case 206 where state.requested == 0:
      guard let range, range.start == 0 else { throw .contradictory }
      try restart(head, range, start: start, &state)
    case 206:
      guard let range else { throw .contradictory }
      try acceptRest(head, range, &state)
    default: return false
    }
    state.isAccepted = true
    try folder.checkSpace(for: state.facts.byteCount.map { $0 - state.byteCount })
    return true
  }

  /// - Parameter range: that of an answer which may be only the beginning of the file.
  private func restart(
    _ head: FileHead, _ range: ContentRange?, start: UnsafeRawBufferPointer, _ state: inout State
  ) throws(DownloadFailure) {
    if let type = head.unusableType(start: Array(start.prefix(MediaStart.byteCount))) { throw .notMedia(type: type) }
    guard ftruncate(file.descriptor, 0) == 0 else { throw .file(SystemError(), path: path) }
    let facts = state.facts.replaced(by: head, range)
    // The highest byte counts only for one version of the file.
    if facts.validator != state.facts.validator { state.facts.highestByteCount = 0 }
    state.empty(facts)
    try save(&state)
  }

  private func acceptRest(_ head: FileHead, _ range: ContentRange, _ state: inout State) throws(DownloadFailure) {
    guard range.start <= state.requested, range.total.map({ $0 >= state.byteCount }) ?? true,
      range.total == nil || state.facts.byteCount == nil || range.total == state.facts.byteCount
    else { throw .contradictory }
    if let tag = head.headers["etag"], let before = state.facts.entityTag, tag != before.text { throw .contradictory }
    if let date = head.headers["last-modified"], let before = state.facts.lastModified, date != before.text {
      throw .contradictory
    }
    state.position = range.start
    state.facts.isChunked = head.headers["transfer-encoding"] != nil
    state.facts.byteCount = state.facts.byteCount ?? range.total
  }

  private func append(_ piece: UnsafeRawBufferPointer, _ state: inout State) throws(DownloadFailure) {
    state.facts.receivedByteCount += piece.count
    state.isUnsaved = true
    let size = max(state.facts.byteCount ?? state.facts.highestByteCount, Self.leastSize)
    guard state.facts.receivedByteCount / Self.maximumShare <= size else {
      let received = state.facts.receivedByteCount
      // Another attempt of the user starts from zero.
      state.facts.receivedByteCount = 0
      try save(&state)
      throw .neverComplete(receivedByteCount: received)
    }
    if let end = state.rangeEnd, piece.count > end - state.position { throw .contradictory }
    let knownCount = min(piece.count, max(0, state.byteCount - state.position))
    guard try isKnown(piece[..<knownCount], at: state.position) else { throw .contradictory }
    state.position += knownCount
    if knownCount < piece.count { try write(UnsafeRawBufferPointer(rebasing: piece[knownCount...]), &state) }
  }

  private func isKnown(_ piece: Slice<UnsafeRawBufferPointer>, at place: Int) throws(DownloadFailure) -> Bool {
    guard !piece.isEmpty else { return true }
    do {
      return try Files.read(descriptor: file.descriptor, at: place, count: piece.count).elementsEqual(piece)
    } catch {
      throw .file(error, path: path)
    }
  }

  private func write(_ piece: UnsafeRawBufferPointer, _ state: inout State) throws(DownloadFailure) {
    if let total = state.facts.byteCount, state.byteCount + piece.count > total { throw .contradictory }
    state.uncheckedByteCount += piece.count
    if state.uncheckedByteCount > Self.checkedByteCount {
      state.uncheckedByteCount = 0
      try folder.checkSpace(for: nil)
    }
    do { try Files.write(piece, to: file.descriptor, at: state.byteCount) } catch {
      if error.number == ENOSPC || error.number == EDQUOT {
        throw .noSpace(neededByteCount: nil, freeByteCount: 0, folder: folder.path)
      }
      throw .file(error, path: path)
    }
    state.byteCount += piece.count
    state.position = state.byteCount
    state.facts.highestByteCount = max(state.facts.highestByteCount, state.byteCount)
    progress(DownloadProgress(byteCount: state.byteCount, totalByteCount: state.facts.byteCount))
  }

  func reportInterruption(_ reason: String) {
    let facts = state.withLock { (byteCount: $0.byteCount, total: $0.facts.byteCount) }
    progress(DownloadProgress(byteCount: facts.byteCount, totalByteCount: facts.total, interruption: reason))
  }

  // MARK: - Facts

  /// Stores the number of received bytes, which also limits attempts after a restart.
  func saveFacts() {
    state.withLock { state in
      // Otherwise the next answer stores them.
      if state.isUnsaved, state.facts.receivedByteCount > 0 { try? save(&state) }
    }
  }

  private func save(_ state: inout State) throws(DownloadFailure) {
    let path = folder.path(of: Self.factsName(name))
    let temporary = folder.path(of: Self.newFactsName(name))
    do { try state.facts.write(to: path, temporary: temporary) } catch { throw .file(error, path: path) }
    state.isUnsaved = false
  }

  // MARK: - Ending

  var fault: DownloadFailure? { state.withLock { $0.fault } }

  enum Outcome: Equatable { case complete, incomplete, changed }

  func outcome(_ head: FileHead, host: String) throws(DownloadFailure) -> Outcome {
    let state = state.withLock { $0 }
    if let fault = state.fault {
      if fault == .contradictory { return .changed }
      throw fault
    }
    switch head.status {
    case 200, 206:
      if !state.isAccepted {
        if let type = head.unusableType(start: []) { throw .notMedia(type: type) }
        throw .empty
      }
      guard let total = state.facts.byteCount else { return state.byteCount > 0 ? .complete : .incomplete }
      return state.byteCount == total ? .complete : .incomplete
    case 416: return .changed
    default: throw .web(.status(head.status, retryAfter: head.retryAfter), host: host)
    }
  }

  func discard() {
    state.withLock { state in
      ftruncate(file.descriptor, 0)
      removeFacts()
      state.empty(state.facts.withoutFile)
    }
  }

  /// Deletes the part unless it can be continued. The facts remain after a failure that is not one of the address,
  /// since the received bytes limit the attempts.
  func close(after failure: DownloadFailure) {
    state.withLock { state in
      if state.isUnpacked { unlink(unpackedPath) }
      let isUseless = state.facts.validator == nil || state.byteCount == 0
      let isRetried = failure.obstacle != nil && failure != .cancelled && file.isAt(path)
      if isRetried, state.facts.receivedByteCount > 0, isUseless {
        ftruncate(file.descriptor, 0)
        state.empty(state.facts.withoutFile)
        try? save(&state)
      } else if isUseless {
        Self.remove(file, name, in: folder)
      }
    }
    file.unlock()
  }

  /// Deletes a part with its facts, unless another program has replaced it, or it is a file of the user.
  static func remove(_ file: LockedFile, _ name: String, in folder: DownloadFolder) {
    let (path, facts) = (folder.path(of: name + ending), folder.path(of: factsName(name)))
    guard file.isAt(path), file.mark?.byteCount == 0 || Facts(readFrom: facts) != nil else { return }
    for path in [path, facts, folder.path(of: newFactsName(name)), folder.path(of: unpackedName(name))] { unlink(path) }
  }

  /// Removes bytes of an earlier and longer part, and makes the file durable.
  func synchronize() throws(DownloadFailure) {
    guard ftruncate(file.descriptor, byteCount) == 0, fsync(file.descriptor) == 0 else {
      throw .file(SystemError(), path: path)
    }
  }

  /// Returns whether the end of the content is missing. The ranges of the answers were those of the compressed file.
  func unpack() async throws(DownloadFailure) -> Bool {
    let packed = PackedFile(descriptor: file.descriptor, byteCount: byteCount, folder: folder)
    guard packed.isPacked else { return false }
    // Meanwhile the executor of the downloads handles other ones, and the removal of this one.
    let result = await DetachedThread.run { [unpackedPath] isCancelled in
      Result { () throws(DownloadFailure) in try packed.unpack(to: unpackedPath, isCancelled: isCancelled) }
    }
    do throws(DownloadFailure) {
      guard let result else { throw .file(SystemError(EAGAIN), path: unpackedPath) }
      let isCut = try result.get()
      state.withLock { $0.isUnpacked = true }
      return isCut
    } catch {
      unlink(unpackedPath)
      // Another attempt would end in the same way.
      if error.concernsAddress { discard() }
      throw error
    }
  }

  func contentStart() -> [UInt8] {
    guard let descriptor = try? Files.openOwn(contentPath, O_RDONLY) else { return [] }
    defer { Glibc.close(descriptor) }
    return (try? Files.read(descriptor: descriptor, at: 0, count: DownloadExtension.startByteCount)) ?? []
  }

  /// The complete file, unless another program has replaced it.
  func finished() throws(DownloadFailure) -> DownloadFolder.FinishedFile {
    guard file.isAt(path), let mark = file.mark else { throw .busy }
    guard state.withLock({ $0.isUnpacked }) else {
      return DownloadFolder.FinishedFile(folder: AT_FDCWD, name: path, mark: mark)
    }
    guard let mark = folder.mark(of: Self.unpackedName(name)) else { throw .busy }
    return DownloadFolder.FinishedFile(folder: AT_FDCWD, name: unpackedPath, mark: mark)
  }

  func removeRest() {
    if state.withLock({ $0.isUnpacked }) { Self.remove(file, name, in: folder) }
    removeFacts()
  }

  private func removeFacts() {
    for name in [Self.factsName(name), Self.newFactsName(name)] { unlink(folder.path(of: name)) }
  }

  /// Deletes the facts about a part that was published, unless it is a file of the user.
  static func removeFacts(_ name: String, in folder: DownloadFolder) {
    let path = folder.path(of: factsName(name))
    if Facts(readFrom: path) != nil { unlink(path) }
    for name in [newFactsName(name), unpackedName(name)] { unlink(folder.path(of: name)) }
  }

  /// Finds an answer that arrives so slowly that a film would take years, although no pause in it is long enough for
  /// the time-out. A slow line, such as one with 1 kB a second, has no limit.
  struct Trickle {
    /// In bytes, within `seconds`.
    static let leastByteCount = 4_000
    static let seconds = 60

    /// The time before the first byte of the current span of `seconds`; nil before the first byte of all.
    private var start: Int?
    private var byteCount = 0

    /// Returns whether a span had too few bytes. `now` is in seconds.
    mutating func isFound(adding count: Int, at now: Int) -> Bool {
      guard let start else {
        self.start = now
        return false
      }
      byteCount += count
      guard now - start >= Self.seconds else { return false }
      defer { (self.start, byteCount) = (now, 0) }
      return byteCount < Self.leastByteCount
    }
  }
}

extension DownloadPart {
  struct PackedFile: Sendable {
    let descriptor: Int32
    let byteCount: Int
    let folder: DownloadFolder

    private static let pieceByteCount = 256 << 10
    /// The limit for the content, as a multiple of the file, and in bytes for small ones. Media hardly shrink.
    private static let maximumShare = 64
    private static let leastLimit = 16 << 20

    var isPacked: Bool {
      (try? Files.read(descriptor: descriptor, at: 0, count: 16)).map { Gzip.isStarted(by: $0) } ?? false
    }

    /// Returns whether the end of the content is missing. Blocks its thread.
    func unpack(to path: String, isCancelled: @escaping () -> Bool) throws(DownloadFailure) -> Bool {
      let target: Int32
      // Left by a program that was killed.
      unlink(path)
      do throws(SystemError) {
        target = try Files.openOwn(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o644, isAlone: true)
      } catch { throw .file(error, path: path) }
      defer { Glibc.close(target) }
      var (place, written) = (0, 0)
      var fault: DownloadFailure?
      let source = { () -> [UInt8] in
        let count = min(Self.pieceByteCount, byteCount - place)
        guard count > 0, fault == nil else { return [] }
        guard let piece = try? Files.read(descriptor: descriptor, at: place, count: count) else {
          fault = .file(SystemError(EIO), path: path)
          return []
        }
        place += piece.count
        return piece
      }
      let sink = { (piece: UnsafeRawBufferPointer) -> Bool in
        do throws(DownloadFailure) {
          if isCancelled() { throw .cancelled }
          try write(piece, to: target, at: written, path)
        } catch { fault = error }
        written += piece.count
        return fault == nil
      }
      var isCut = false
      let limit = max(Self.leastLimit, min(byteCount, .max / Self.maximumShare) * Self.maximumShare)
      do throws(Gzip.Fault) {
        isCut = try Gzip.unpack(limit: limit, read: source, write: sink)
      } catch {
        let words = error == .damaged ? "damaged gzip data" : "gzip data that unpack to more than \(limit >> 20) MB"
        throw fault ?? .notMedia(type: words)
      }
      if let fault { throw fault }
      if written == 0 { throw .notMedia(type: "damaged gzip data") }
      guard fsync(target) == 0 else { throw .file(SystemError(), path: path) }
      return isCut
    }

    private func write(
      _ piece: UnsafeRawBufferPointer, to target: Int32, at place: Int, _ path: String
    ) throws(DownloadFailure) {
      try folder.checkSpace(for: piece.count)
      do { try Files.write(piece, to: target, at: place) } catch { throw .file(error, path: path) }
    }
  }
}
