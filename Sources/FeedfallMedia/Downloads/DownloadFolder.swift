import CFeedfall
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Glibc

struct DownloadFolder: Sendable {
  let path: String
  var disk: @Sendable (String) -> Disk = Disk.init(of:)

  static let reservedByteCount = 64 << 20
  private static let maximumNumber = 1_000

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Returns the identity of the disk. `known` is the earlier one: if the folder is missing or empty on another one,
  /// its own is not mounted.
  func create(on known: String? = nil) throws(DownloadFailure) -> String? {
    if let known, facts.identity != known, isMissingOrEmpty { throw .notMounted(path: path) }
    do { try Files.makeFolder(path, mode: 0o755) } catch { throw .folder(error, path: path) }
    return facts.identity
  }

  private var isMissingOrEmpty: Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    return Self.names(in: descriptor).isEmpty
  }

  /// Of the folder, or of the nearest one above it that exists.
  private var facts: Disk {
    var existing = path[...]
    while !Files.exists(String(existing)), let end = existing.lastIndex(of: "/"), end > existing.startIndex {
      existing = existing[..<end]
    }
    return disk(String(existing))
  }

  var maximumStemByteCount: Int { DownloadName.maximumStemByteCount(nameLimit: facts.nameByteCount) }

  func checkSpace(for count: Int?) throws(DownloadFailure) {
    guard let free = disk(path).freeByteCount, free - Self.reservedByteCount < count ?? 0 else { return }
    throw .noSpace(neededByteCount: count, freeByteCount: free, folder: path)
  }

  var shortage: DownloadFailure? {
    do throws(DownloadFailure) { try checkSpace(for: nil) } catch { return error }
    return nil
  }

  /// Adds a number if the name is taken; never replaces a file. Calls `choose` with each name before it is tried.
  func publish(
    _ file: FinishedFile, as stem: String, _ pathExtension: String, mayBeIncomplete: Bool = false,
    choose: (StoredFile) throws(DownloadFailure) -> Void
  ) throws(DownloadFailure) -> StoredFile {
    for number in 1...Self.maximumNumber {
      let name = "\(DownloadName.numbered(stem, number)).\(pathExtension)"
      if Files.exists(path(of: name)) { continue }
      try choose(StoredFile(name: name, mark: file.mark, mayBeIncomplete: mayBeIncomplete))
      if guard_rename_new(file.folder, file.name, path(of: name)) == 0 {
        try check(file, at: name)
        Files.synchronizeFolder(of: path(of: name))
        return StoredFile(name: name, mark: mark(of: name) ?? file.mark, mayBeIncomplete: mayBeIncomplete)
      }
      let error = SystemError()
      guard error.number == EEXIST else { throw .file(error, path: path(of: name)) }
    }
    throw .file(SystemError(EEXIST), path: path(of: stem))
  }

  /// Undoes a renaming if another program had replaced the file just before it.
  private func check(_ file: FinishedFile, at name: String) throws(DownloadFailure) {
    if mark(of: name) == file.mark { return }
    if file.folder == AT_FDCWD { _ = guard_rename_new(AT_FDCWD, path(of: name), file.name) }
    throw .busy
  }

  func move(_ file: FinishedFile, to name: String) -> StoredFile? {
    guard guard_rename_new(file.folder, file.name, path(of: name)) == 0 else { return nil }
    return stored(name)
  }

  /// Never replaces a file, and never shows a part of one.
  func create(_ name: String, with bytes: [UInt8]) -> StoredFile? {
    let (temporary, part) = (path(of: ".\(name).new"), path(of: ".\(name).part"))
    guard (try? Files.replace(temporary, with: bytes, mode: 0o644, temporary: part)) != nil else { return nil }
    defer { unlink(temporary) }
    guard guard_rename_new(AT_FDCWD, temporary, path(of: name)) == 0 else { return nil }
    return stored(name)
  }

  func mark(of name: String) -> StoredFile.Mark? {
    var status = stat()
    return lstat(path(of: name), &status) == 0 ? StoredFile.Mark(status) : nil
  }

  private func stored(_ name: String) -> StoredFile? { mark(of: name).map { StoredFile(name: name, mark: $0) } }

  /// Returns false if another file has its name.
  func remove(_ file: StoredFile) -> Bool {
    guard let mark = mark(of: file.name) else { return true }
    guard mark == file.mark else { return false }
    return unlink(path(of: file.name)) == 0
  }

  /// Deletes nothing while another program downloads it, or if `proceed` throws, which runs while the parts are locked.
  func removeParts(
    _ stem: String, proceed: () throws(DownloadFailure) -> Void = {}
  ) throws(DownloadFailure) {
    let names = DownloadPart.names(stem)
    var locked: [(name: String, part: LockedFile?)] = []
    for name in names {
      locked.append((name, try LockedFile(existing: path(of: name + DownloadPart.ending), isFolder: false)))
    }
    let folder = try PartsFolder(existing: path(of: PartsFolder.name(stem)))
    try proceed()
    for (name, part) in locked {
      if let part { DownloadPart.remove(part, name, in: self) } else { DownloadPart.removeFacts(name, in: self) }
    }
    folder?.remove()
  }

  /// Returns false if no thread could be started.
  func waitForRelease(_ stem: String, then: @escaping @Sendable () -> Void) -> Bool {
    let paths = (DownloadPart.names(stem).map { $0 + DownloadPart.ending } + [PartsFolder.name(stem)]).map(path(of:))
    return DetachedThread.start {
      for path in paths { LockedFile.waitForRelease(of: path) }
      then()
    }
  }

  static func names(in descriptor: Int32) -> [String] { Files.names(inOpen: descriptor, limit: 10_000) }

  struct Disk: Equatable, Sendable {
    /// For the user; nil if it is unknown, as on file systems that report 0 of 0 bytes.
    var freeByteCount: Int?
    /// The ID of the file system, which distinguishes it from that of its mount point; nil if it is unknown.
    var identity: String?
    /// The limit for a name: 143 with eCryptfs, 255 on most others.
    var nameByteCount = 255
  }

  /// A complete file under its temporary name.
  struct FinishedFile: Sendable {
    /// The descriptor of its folder, or `AT_FDCWD`.
    var folder: Int32
    var name: String
    var mark: StoredFile.Mark
  }
}

extension DownloadFolder.Disk {
  @Sendable init(of path: String) {
    var status = statvfs()
    self = statvfs(path, &status) == 0 ? Self(status) : Self()
  }

  init(_ status: statvfs) {
    if status.f_blocks > 0 {
      let (count, isTooLarge) = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
      freeByteCount = isTooLarge ? .max : count
    }
    // FUSE reports zero, which still differs from the ID of the mount point's own file system.
    identity = String(status.f_fsid, radix: 16)
    if status.f_namemax > 0 { nameByteCount = Int(clamping: status.f_namemax) }
  }
}

/// The names of the files of a download, which are valid on every file system.
package enum DownloadName {
  /// Leaves room for a number and an extension in a name of 200 bytes.
  package static let maximumStemByteCount = 180
  /// The bytes of a name that are not its stem: a number, an extension with a language, the ending of a temporary file.
  private static let endingByteCount = 40
  /// Has room for an ID and a few letters.
  private static let minimumStemByteCount = 48
  private static let maximumIDByteCount = 24
  /// Not in names, on Windows or for a shell. yt-dlp replaces variables after a dollar sign.
  private static let reserved = Array("/\\:*?\"<>|$".utf8)

  package static func stem(title: String, key: VideoKey, limit: Int = maximumStemByteCount) -> String {
    let tag = " [\(tag(of: key))]"
    let title = cleaned(title, limit: limit - tag.utf8.count)
    return (title.isEmpty ? "video" : title) + tag
  }

  static func maximumStemByteCount(nameLimit: Int) -> Int {
    max(minimumStemByteCount, min(maximumStemByteCount, nameLimit - endingByteCount))
  }

  static func numbered(_ stem: String, _ number: Int) -> String { number < 2 ? stem : "\(stem) (\(number))" }

  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
      && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
  }

  private static func cleaned(_ title: String, limit: Int) -> String {
    let bytes = cleanedLine(title, limit: 4 * limit).utf8.map { reserved.contains($0) ? UInt8(ascii: "-") : $0 }
    var name = ""
    for character in String(decoding: bytes, as: UTF8.self) {
      guard name.utf8.count + character.utf8.count <= limit else { break }
      name.append(character)
    }
    let blanks = " .-"
    return String(name.drop(while: blanks.contains).reversed().drop(while: blanks.contains).reversed())
  }

  private static func tag(of key: VideoKey) -> String {
    let id = key.text.split(separator: " ").last.map(String.init) ?? ""
    let isPlain = id.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    if isPlain, (4...maximumIDByteCount).contains(id.utf8.count) { return id }
    return (FNV1a.hash(key.text) & 0xFFFF_FFFF).hexadecimal(digitCount: 8)
  }
}

/// The hidden folder beside the final file in which programs download. It is locked, remains after an interruption, and
/// is used by its descriptor, because another program may have replaced it. Each identity has its own folder in it: a
/// program would append to the parts of another video, and a fallback must not delete those of the address that failed.
struct PartsFolder: Sendable {
  private let path: String
  private let lock: LockedFile

  /// Programs nest their folders less.
  private static let maximumDepth = 8

  static func name(_ stem: String) -> String { ".\(stem).parts" }

  init(_ path: String) throws(DownloadFailure) {
    do { try Files.makeFolder(path, mode: 0o700) } catch { throw .folder(error, path: path) }
    (self.path, lock) = (path, try LockedFile(path, isFolder: true))
  }

  init?(existing path: String) throws(DownloadFailure) {
    guard let lock = try LockedFile(existing: path, isFolder: true) else { return nil }
    (self.path, self.lock) = (path, lock)
  }

  struct Parts: Sendable {
    fileprivate let folder: LockedFile

    var names: [String] { DownloadFolder.names(in: folder.descriptor) }

    func file(_ name: String) -> DownloadFolder.FinishedFile? {
      var status = stat()
      guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, let mark = StoredFile.Mark(status)
      else { return nil }
      return DownloadFolder.FinishedFile(folder: folder.descriptor, name: name, mark: mark)
    }

    /// Deletes links, pipes and devices that others have put there, because a program would write to them.
    fileprivate func removeLinks() {
      for name in names {
        var status = stat()
        guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: continue
        case S_IFREG where status.st_nlink == 1: continue
        default: unlinkat(folder.descriptor, name, 0)
        }
      }
    }
  }

  func parts(_ identity: String) throws(DownloadFailure) -> Parts {
    let path = "\(path)/\(identity)"
    do { try Files.makeFolder(path, mode: 0o700) } catch { throw .folder(error, path: path) }
    let parts = Parts(folder: try LockedFile(path, isFolder: true))
    parts.removeLinks()
    return parts
  }

  func remove() {
    if Self.clear(lock.descriptor, depth: 0), lock.isAt(path) { rmdir(path) }
  }

  private static func clear(_ folder: Int32, depth: Int) -> Bool {
    while true {
      let names = DownloadFolder.names(in: folder)
      if names.isEmpty { return true }
      guard names.count(where: { remove($0, in: folder, depth) }) > 0 else { return false }
    }
  }

  private static func remove(_ name: String, in folder: Int32, _ depth: Int) -> Bool {
    if unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0 { return true }
    let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard inner >= 0 else { return false }
    defer { close(inner) }
    return depth < maximumDepth && clear(inner, depth: depth + 1) && unlinkat(folder, name, AT_REMOVEDIR) == 0
  }
}
