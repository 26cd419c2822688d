import FeedfallDocuments
import FeedfallSystem
import FeedfallText
import FeedfallUserData
import FeedfallWeb
import Glibc
import Synchronization

/// The part of a file that has been downloaded: `NAME.part`, with facts about the whole in `NAME.part.json`.
///
/// The rest is requested only if these facts belong to the same address and include a validator. A part that cannot be
/// continued is begun again.
final class DownloadPart: FileSink {
  private let name: String
  private let folder: DownloadFolder
  private let file: LockedFile
  private let progress: @Sendable (DownloadProgress) -> Void
  private let state: Mutex<State>

  private struct State {
    var byteCount = 0
    var facts: PartFacts
    /// Whether the file on the disk is of this address, rather than of another address of the video.
    var isOwn: Bool
    /// Of the answer that is being received.
    var isAccepted = false
    var fault: DownloadFailure?
    var uncheckedByteCount = 0
  }

  /// The number of bytes between checks of the free space.
  private static let checkedByteCount = 8 << 20

  /// Opens or creates the part of a file at an address.
  ///
  /// - Parameter name: the name of the file without its extension.
  init(
    _ name: String, of address: WebAddress, in folder: DownloadFolder,
    progress: @escaping @Sendable (DownloadProgress) -> Void
  ) throws(DownloadFailure) {
    self.name = name
    self.folder = folder
    self.progress = progress
    file = try LockedFile(folder.path(of: Self.partName(name)))
    let known = PartFacts(readFrom: folder.path(of: Self.factsName(name)))
    // A file of the user may have the name.
    if known == nil, file.mark?.byteCount != 0 {
      throw .file(SystemError(EEXIST), path: folder.path(of: Self.partName(name)))
    }
    let facts = known.flatMap { $0.isOf(address) ? $0 : nil } ?? PartFacts(address: PartFacts.place(of: address))
    var status = stat()
    fstat(file.descriptor, &status)
    let isUsable = facts.validator != nil && (facts.byteCount.map { status.st_size <= $0 } ?? true)
    let isOwn = known?.isOf(address) ?? true
    state = Mutex(State(byteCount: isUsable ? Int(status.st_size) : 0, facts: facts, isOwn: isOwn))
  }

  static func partName(_ name: String) -> String { name + ".part" }
  static func factsName(_ name: String) -> String { name + ".part.json" }

  var byteCount: Int { state.withLock { $0.byteCount } }

  /// The path of the part.
  var path: String { folder.path(of: Self.partName(name)) }

  /// The first byte to request, and the validator for the range.
  var start: (Int, validator: String?) {
    state.withLock { $0.facts.validator == nil ? (0, nil) : ($0.byteCount, $0.facts.validator) }
  }

  /// The content type of the file.
  var contentType: String { state.withLock { $0.facts.contentType } }

  // MARK: - Receiving

  /// Prepares for another answer.
  func begin() {
    state.withLock { ($0.isAccepted, $0.fault) = (false, nil) }
  }

  func receive(_ piece: UnsafeRawBufferPointer, of head: FileHead) -> FileSinkStep {
    state.withLock { state -> FileSinkStep in
      do throws(DownloadFailure) {
        if !state.isAccepted {
          guard try accept(head, &state) else { return .enough }
        }
        try write(piece, &state)
        return .more
      } catch {
        state.fault = error
        return .enough
      }
    }
  }

  /// Returns whether the answer is the file or its rest.
  private func accept(_ head: FileHead, _ state: inout State) throws(DownloadFailure) -> Bool {
    switch head.status {
    case 200: try restart(head, &state)
    case 206 where state.byteCount > 0: try acceptRest(head, &state)
    default: return false
    }
    state.isAccepted = true
    try folder.checkSpace(for: state.facts.byteCount.map { $0 - state.byteCount })
    return true
  }

  private func restart(_ head: FileHead, _ state: inout State) throws(DownloadFailure) {
    if let type = head.unusableType { throw .notMedia(type: type) }
    guard ftruncate(file.descriptor, 0) == 0 else { throw .file(SystemError(), path: path) }
    (state.byteCount, state.isOwn) = (0, true)
    state.facts = PartFacts(address: state.facts.address, head)
    let path = folder.path(of: Self.factsName(name))
    do { try state.facts.write(to: path) } catch { throw .file(error, path: path) }
  }

  private func acceptRest(_ head: FileHead, _ state: inout State) throws(DownloadFailure) {
    guard let range = ContentRange(head.headers["content-range"] ?? ""), range.start == state.byteCount,
      range.total == nil || state.facts.byteCount == nil || range.total == state.facts.byteCount
    else { throw .contradictory }
    if let tag = head.headers["etag"], state.facts.entityTag != nil, tag != state.facts.entityTag {
      throw .contradictory
    }
    if let date = head.headers["last-modified"], let before = state.facts.lastModified, date != before {
      throw .contradictory
    }
    state.facts.byteCount = state.facts.byteCount ?? range.total
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
    progress(DownloadProgress(byteCount: state.byteCount, totalByteCount: state.facts.byteCount))
  }

  /// Reports why the last attempt failed, before a retry.
  func reportInterruption(_ reason: String) {
    let facts = state.withLock { (byteCount: $0.byteCount, total: $0.facts.byteCount) }
    progress(DownloadProgress(byteCount: facts.byteCount, totalByteCount: facts.total, interruption: reason))
  }

  // MARK: - Ending

  var fault: DownloadFailure? { state.withLock { $0.fault } }

  enum Outcome: Equatable { case complete, incomplete, changed }

  /// Interprets an answer that has ended without a failure of the network.
  func outcome(_ head: FileHead) throws(DownloadFailure) -> Outcome {
    let state = state.withLock { $0 }
    if let fault = state.fault {
      if fault == .contradictory { return .changed }
      throw fault
    }
    switch head.status {
    case 200, 206:
      if !state.isAccepted {
        if let type = head.unusableType { throw .notMedia(type: type) }
        throw .empty
      }
      guard let total = state.facts.byteCount else { return state.byteCount > 0 ? .complete : .incomplete }
      return state.byteCount == total ? .complete : .incomplete
    case 416:
      let isComplete = state.byteCount > 0 && state.byteCount == state.facts.byteCount
      return isComplete ? .complete : .changed
    default: throw .web(.status(head.status, retryAfter: head.retryAfter))
    }
  }

  /// Forgets the part, so that the whole file is requested. A part of another address remains.
  func discard() {
    state.withLock { state in
      guard state.isOwn else { return }
      ftruncate(file.descriptor, 0)
      removeFacts()
      (state.byteCount, state.facts) = (0, PartFacts(address: state.facts.address))
    }
  }

  /// Deletes the part unless it can be continued, or is of another address, which may continue it.
  func close() {
    let isUseless = state.withLock { $0.isOwn && ($0.facts.validator == nil || $0.byteCount == 0) }
    if isUseless { Self.remove(file, name, in: folder) }
    file.unlock()
  }

  /// Deletes a part with its facts, unless another program has replaced it, or it is a file of the user.
  static func remove(_ file: LockedFile, _ name: String, in folder: DownloadFolder) {
    let (path, facts) = (folder.path(of: partName(name)), folder.path(of: factsName(name)))
    guard file.isAt(path), file.mark?.byteCount == 0 || PartFacts(readFrom: facts) != nil else { return }
    unlink(path)
    unlink(facts)
  }

  /// Removes bytes of an earlier and longer part, and makes the file durable.
  func synchronize() throws(DownloadFailure) {
    guard ftruncate(file.descriptor, byteCount) == 0, fsync(file.descriptor) == 0 else {
      throw .file(SystemError(), path: path)
    }
  }

  /// The complete file, unless another program has replaced it.
  func finished() throws(DownloadFailure) -> FinishedFile {
    guard file.isAt(path), let mark = file.mark else { throw .busy }
    return FinishedFile(folder: AT_FDCWD, name: path, mark: mark)
  }

  func removeFacts() { unlink(folder.path(of: Self.factsName(name))) }

  /// Deletes the facts about a part that was published, unless it is a file of the user.
  static func removeFacts(_ name: String, in folder: DownloadFolder) {
    let path = folder.path(of: factsName(name))
    if PartFacts(readFrom: path) != nil { unlink(path) }
  }
}

/// The value of a Content-Range header (RFC 9110, 14.4).
struct ContentRange: Equatable {
  var start: Int
  /// Nil if the server does not know it.
  var total: Int?

  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, ends.count == 2, let start = ends[0], let end = ends[1], 0 <= start, start <= end else {
      return nil
    }
    self.start = start
    guard parts[1] != "*" else { return }
    guard let total = Int(parts[1]), end < total else { return nil }
    self.total = total
  }
}

/// The facts about the file on the server to which a part belongs.
struct PartFacts: Equatable {
  /// Without a user and a query, in which servers put signatures that expire.
  var address: String
  var entityTag: String?
  var lastModified: String?
  var byteCount: Int?
  var contentType = ""

  private static let maximumByteCount = 64 << 10
  private static let maximumHeaderLength = 500

  init(address: String) { self.address = address }

  init(address: String, _ head: FileHead) {
    self.address = address
    entityTag = Self.header("etag", head).flatMap { $0.hasPrefix("\"") ? $0 : nil }
    lastModified = Self.header("last-modified", head)
    contentType = Self.header("content-type", head) ?? ""
    byteCount = head.headers["content-length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  private static func header(_ name: String, _ head: FileHead) -> String? {
    head.headers[name].flatMap { text in
      text.utf8.count <= maximumHeaderLength && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil
    }
  }

  /// Reads the file of an earlier program; nil if it is missing or invalid.
  init?(readFrom path: String) {
    guard let bytes = try? Files.read(path.utf8, limit: Self.maximumByteCount),
      let object = JSONObject(document: bytes),
      let address = object["address"]?.string
    else { return nil }
    self.address = address
    entityTag = object["etag"]?.string
    lastModified = object["lastModified"]?.string
    byteCount = object.count("byteCount")
    contentType = object["contentType"]?.string ?? ""
  }

  func write(to path: String) throws(SystemError) {
    let line = JSONLine([
      ("address", .text(address)), ("etag", .text(entityTag)), ("lastModified", .text(lastModified)),
      ("byteCount", .number(byteCount)), ("contentType", .text(contentType)),
    ])
    try Files.replace(path, with: Array((line.text + "\n").utf8), mode: 0o644)
  }

  var validator: String? { entityTag ?? lastModified }

  func isOf(_ address: WebAddress) -> Bool { self.address == Self.place(of: address) }

  static func place(of address: WebAddress) -> String {
    String(address.withoutUser.text.prefix { $0 != "?" && $0 != "#" })
  }
}

extension FileHead {
  /// The type of the content if it is no file with a video: a page, a list of streams, or compressed.
  fileprivate var unusableType: String? {
    if let encoding = headers["content-encoding"]?.lowercased(), encoding != "identity" { return "\(encoding) data" }
    let type = (headers["content-type"] ?? "").prefix { $0 != ";" }.lowercased()
    let isUnusable =
      ["text/html", "application/xhtml+xml", "application/json", "application/problem+json"].contains(type)
      || MediaKind.isStreamType(type)
    return isUnusable ? cleanedLine(type, limit: 80) : nil
  }
}
