import CFeedfallGuard
import FeedfallSystem
import Glibc

/// The folder in which a download is stored.
struct DownloadFolder: Sendable {
  let path: String
  /// Returns the free bytes of a folder's disk for the user; nil if they are unknown.
  var freeByteCount: @Sendable (String) -> Int? = DownloadFolder.freeByteCount

  /// The bytes that remain free on the disk.
  static let reservedByteCount = 64 << 20
  private static let maximumNumber = 1_000

  func path(of name: String) -> String { "\(path)/\(name)" }

  func create() throws(DownloadFailure) {
    do { try Files.makeFolder(path, mode: 0o755) } catch { throw .folder(error, path: path) }
  }

  /// Throws if the disk has no room for further bytes.
  ///
  /// - Parameter count: nil if it is unknown.
  func checkSpace(for count: Int?) throws(DownloadFailure) {
    guard let free = freeByteCount(path), free - Self.reservedByteCount < count ?? 0 else { return }
    throw .noSpace(neededByteCount: count, freeByteCount: free, folder: path)
  }

  /// The failure if the disk has no room for further bytes.
  var shortage: DownloadFailure? {
    do throws(DownloadFailure) { try checkSpace(for: nil) } catch { return error }
    return nil
  }

  private static func freeByteCount(_ path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (count, isTooLarge) = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
    return isTooLarge ? .max : count
  }

  /// Moves a complete file to its final name, or a numbered one if there is such a file already. Never replaces a file.
  ///
  /// - Parameter choose: is called with each name before it is tried.
  func publish(
    _ file: FinishedFile, as stem: String, _ pathExtension: String,
    choose: (StoredFile) throws(DownloadFailure) -> Void
  ) throws(DownloadFailure) -> StoredFile {
    for number in 1...Self.maximumNumber {
      let name = "\(DownloadName.numbered(stem, number)).\(pathExtension)"
      var status = stat()
      if lstat(path(of: name), &status) == 0 { continue }
      try choose(StoredFile(name: name, mark: file.mark))
      if guard_rename_new(file.folder, file.name, path(of: name)) == 0 {
        try check(file, at: name)
        Files.synchronizeFolder(of: path(of: name))
        return StoredFile(name: name, mark: mark(of: name))
      }
      let error = SystemError()
      guard error.number == EEXIST else { throw .file(error, path: path(of: name)) }
    }
    throw .file(SystemError(EEXIST), path: path(of: stem))
  }

  /// Undoes a renaming if another program had replaced the file just before it.
  private func check(_ file: FinishedFile, at name: String) throws(DownloadFailure) {
    if mark(of: name)?.isSameFile(as: file.mark) == true { return }
    if file.folder == AT_FDCWD { _ = guard_rename_new(AT_FDCWD, path(of: name), file.name) }
    throw .busy
  }

  /// Moves a file beside a video file, unless there is one with the name.
  func move(_ file: FinishedFile, to name: String) -> StoredFile? {
    guard guard_rename_new(file.folder, file.name, path(of: name)) == 0 else { return nil }
    return StoredFile(name: name, mark: mark(of: name))
  }

  /// Writes a small file, unless there is one with the name; a part of it is never visible.
  func create(_ name: String, with bytes: [UInt8]) -> StoredFile? {
    let temporary = path(of: ".\(name).new")
    guard (try? Files.replace(temporary, with: bytes, mode: 0o644)) != nil else { return nil }
    defer { unlink(temporary) }
    guard guard_rename_new(AT_FDCWD, temporary, path(of: name)) == 0 else { return nil }
    return StoredFile(name: name, mark: mark(of: name))
  }

  /// Returns the mark of a regular file; nil if there is none.
  func mark(of name: String) -> FileMark? {
    var status = stat()
    return lstat(path(of: name), &status) == 0 ? FileMark(status) : nil
  }

  func hasFile(_ name: String) -> Bool { mark(of: name) != nil }

  /// Deletes a file if it is the stored one. Returns false if another one has its name.
  func remove(_ file: StoredFile) -> Bool {
    guard let mark = mark(of: file.name) else { return true }
    guard mark == file.mark else { return false }
    return unlink(path(of: file.name)) == 0
  }

  /// Deletes the parts of a download, unless another program downloads it.
  ///
  /// - Parameter proceed: is called before, while the parts are locked; nothing is deleted if it throws.
  func removeParts(
    _ stem: String, proceed: () throws(DownloadFailure) -> Void = {}
  ) throws(DownloadFailure) {
    let part = try LockedFile(existing: path(of: DownloadPart.partName(stem)), isFolder: false)
    let parts = try PartsFolder(existing: path(of: PartsFolder.name(stem)))
    try proceed()
    if let part { DownloadPart.remove(part, stem, in: self) } else { DownloadPart.removeFacts(stem, in: self) }
    parts?.remove()
  }

  /// Returns the names in an open folder without `.` and `..`, at most 10,000.
  static func names(in descriptor: Int32) -> [String] {
    let folder = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return [] }
    guard let stream = fdopendir(folder) else {
      close(folder)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < 10_000, let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
