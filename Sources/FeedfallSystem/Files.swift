import Glibc
import Synchronization

package enum FileError: Error, Equatable, Sendable {
  case system(SystemError)
  /// It is a folder, a pipe or a device.
  case notRegular
  case tooLarge
}

package enum Reading<Value> {
  case none
  case value(Value)
  /// There is a file whose content is unknown; it must not be replaced.
  case unreadable(SystemError)

  package var value: Value? { if case .value(let value) = self { value } else { nil } }

  package func map<Result>(_ transform: (Value) -> Result) -> Reading<Result> {
    switch self {
    case .none: .none
    case .value(let value): .value(transform(value))
    case .unreadable(let error): .unreadable(error)
    }
  }
}

extension Reading: Equatable where Value: Equatable {}
extension Reading: Sendable where Value: Sendable {}

package enum Files {
  /// Opens a file with a predictable name, whose place others may have taken. Throws for a symbolic link, a pipe, a
  /// device or another user's file, without waiting for it or changing it. `flags` lack `O_TRUNC`, because the file
  /// is checked after it was opened. `isAlone` forbids another hard link, because the content will be deleted.
  package static func openOwn(
    _ path: String, _ flags: Int32, mode: mode_t = 0o600, isAlone: Bool = false
  ) throws(SystemError) -> Int32 {
    let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode)
    guard descriptor >= 0 else { throw errno == ELOOP ? .isLink : SystemError() }
    do throws(SystemError) { try checkOwner(descriptor, path, isAlone) } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func checkOwner(_ descriptor: Int32, _ path: String, _ isAlone: Bool) throws(SystemError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    guard isOwn(status, path) else { throw .ofAnotherUser }
    guard !isAlone || status.st_nlink <= 1 else { throw .hasOtherName }
  }

  /// Whether a file or a folder at a path belongs to the user or the administrator, or to the owner of its folder, who
  /// owns all files on FAT and on some network file systems.
  package static func isOwn(_ status: stat, _ path: String) -> Bool {
    if status.st_uid == geteuid() || status.st_uid == 0 { return true }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    var parent = stat()
    return stat(folder, &parent) == 0 && parent.st_uid == status.st_uid
  }

  package static func stored(_ path: some Collection<UInt8>, limit: Int) -> Reading<[UInt8]> {
    do { return .value(try read(path, limit: limit)) } catch {
      switch error {
      case .system(let error): return error.number == ENOENT ? .none : .unreadable(error)
      case .notRegular: return .unreadable(.notAFile)
      case .tooLarge: return .unreadable(SystemError(EFBIG))
      }
    }
  }

  /// The names in a folder, sorted, except `.` and `..`; those that are not UTF-8 are repaired.
  package static func names(in folder: String) -> Reading<[String]> {
    guard let stream = opendir(folder) else { return errno == ENOENT ? .none : .unreadable(SystemError()) }
    let (names, error) = names(in: stream, limit: .max)
    return error.map { .unreadable($0) } ?? .value(names)
  }

  /// Returns the names in an open folder, at most `limit`; those before the failure if it cannot be read to its end.
  package static func names(inOpen folder: Int32, limit: Int) -> [String] {
    // Its own place in the folder.
    let descriptor = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      return []
    }
    return names(in: stream, limit: limit).names
  }

  private static func names(in stream: OpaquePointer, limit: Int) -> (names: [String], error: SystemError?) {
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while names.count < limit, let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    let error = errno == 0 ? nil : SystemError()
    return (names.sorted(), error)
  }

  /// Renames a damaged file to `PATH.damaged`, or `PATH.damaged-2` and so on, so that no earlier copy is lost; returns
  /// the new path. With `staysUntilReplaced` the file keeps its old name as well, if the file system has links: a
  /// program that is killed before it has replaced the file loses nothing.
  package static func setAside(_ path: String, staysUntilReplaced: Bool = false) throws(SystemError) -> String {
    for number in 1...maximumDamagedCount {
      let target = number == 1 ? "\(path).damaged" : "\(path).damaged-\(number)"
      // Unlike a rename, a link never replaces a file.
      if link(path, target) == 0 {
        // To replace a symbolic link is to replace its target.
        guard staysUntilReplaced && !isLink(path) || unlink(path) == 0 else { throw SystemError() }
        return target
      }
      switch errno {
      case EEXIST: continue
      case EPERM, EOPNOTSUPP, ENOSYS:
        // The file system has no links.
        if exists(target) { continue }
        guard rename(path, target) == 0 else { throw SystemError() }
        return target
      default: throw SystemError()
      }
    }
    throw SystemError(EEXIST)
  }

  private static let maximumDamagedCount = 1_000

  /// With `acceptsPipes`, waits for the writer of a pipe. Once `isCancelled` returns true, only a part is returned.
  package static func read(
    _ path: some Collection<UInt8>, limit: Int, acceptsPipes: Bool = false, isCancelled: () -> Bool = { false }
  ) throws(FileError) -> [UInt8] {
    let descriptor = open(path.cString, O_RDONLY | O_CLOEXEC | (acceptsPipes ? 0 : O_NONBLOCK | O_NOCTTY))
    guard descriptor >= 0 else { throw .system(SystemError()) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(SystemError()) }
    guard acceptsPipes || status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    guard status.st_size <= limit else { throw .tooLarge }
    return try read(descriptor: descriptor, limit: limit, isCancelled: isCancelled)
  }

  package static func readOwn(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    let descriptor: Int32
    do throws(SystemError) { descriptor = try openOwn(path, O_RDONLY) } catch { throw .system(error) }
    defer { close(descriptor) }
    return try read(descriptor: descriptor, limit: limit)
  }

  package static func read(
    descriptor: Int32, limit: Int, isCancelled: () -> Bool = { false }
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while !isCancelled() {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(SystemError()) }
      if count == 0 { break }
      guard bytes.count + count <= limit else { throw .tooLarge }
      bytes += piece[..<count]
    }
    return bytes
  }

  /// Reads at most `count` bytes at an offset; returns none at the end of the file.
  package static func read(descriptor: Int32, at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var error: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      var result: Int
      repeat {
        result = pread(descriptor, buffer.baseAddress, buffer.count, offset)
      } while result < 0 && errno == EINTR
      if result < 0 { error = SystemError() }
      initializedCount = max(0, result)
    }
    if let error { throw error }
    return bytes
  }

  /// Whether the last line of an open file lacks its newline, because it was not written completely.
  package static func hasTornLine(_ descriptor: Int32) throws(SystemError) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError() }
    // Empty for an empty file.
    let last = try read(descriptor: descriptor, at: max(0, status.st_size - 1), count: 1)
    return !last.isEmpty && last != [UInt8(ascii: "\n")]
  }

  /// Writes all bytes to a descriptor, and waits where it has no room: a parent may have left it in non-blocking mode.
  package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, -1) >= 0 || errno == EINTR else { throw SystemError() }
        continue
      }
      guard count > 0 else { throw SystemError() }
      rest = rest.dropFirst(count)
    }
  }

  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int
  ) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = pwrite(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written, offset + written)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError() }
      written += count
    }
  }

  /// Replaces a file atomically: after a crash or a power failure, either the old or the new content is complete.
  /// `mode` is for a new file, with `forcesMode` also for an existing one. A symbolic link is replaced, and its target
  /// is unchanged.
  /// `temporary` is the path of the new file until it is complete, for a file that only one program writes at a time:
  /// it can be found after a crash; nil for a path with the process ID.
  package static func replace(
    _ path: String, with bytes: [UInt8], mode: mode_t, forcesMode: Bool = false, temporary: String? = nil
  ) throws(SystemError) {
    var status = stat()
    let isKept = !forcesMode && lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let mode = isKept ? status.st_mode & 0o777 : mode
    let temporary = temporary ?? "\(path).\(getpid()).new"
    // A crashed program may have left one.
    unlink(temporary)
    do throws(SystemError) {
      try writeNew(temporary, bytes, mode)
      guard rename(temporary, path) == 0 else { throw SystemError() }
    } catch {
      unlink(temporary)
      throw error
    }
    synchronizeFolder(of: path)
  }

  private static func writeNew(_ path: String, _ bytes: [UInt8], _ mode: mode_t) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw SystemError() }
    defer { close(descriptor) }
    // The umask may have cleared permissions.
    guard fchmod(descriptor, mode) == 0 else { throw SystemError() }
    try write(bytes[...], to: descriptor)
    try synchronize(descriptor)
  }

  package static func synchronize(_ descriptor: Int32) throws(SystemError) {
    var result: Int32
    repeat { result = fdatasync(descriptor) } while result != 0 && errno == EINTR
    // Some network folders and FUSE file systems cannot: the content is then as durable as it can be.
    guard result == 0 || [EINVAL, ENOSYS, EOPNOTSUPP, EROFS].contains(errno) else { throw SystemError() }
  }

  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Whether there is something at a path, such as a symbolic link without a target.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Makes a rename, a link or a new file durable.
  package static func synchronizeFolder(of path: String) {
    guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
    let descriptor = open(String(path[...end]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Creates a folder and its missing parents, and returns its permissions.
  @discardableResult
  package static func makeFolder(_ path: String, mode: mode_t) throws(SystemError) -> mode_t {
    var status = stat()
    if stat(path, &status) != 0 {
      let ends = path.utf8.indices.dropFirst().filter { path.utf8[$0] == UInt8(ascii: "/") }
      for end in ends + [path.endIndex] { try makeSingleFolder(String(path[..<end]), mode) }
      guard stat(path, &status) == 0 else { throw SystemError() }
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(ENOTDIR) }
    return status.st_mode & 0o777
  }

  /// The reason why no file can be created in a folder, or in the one that `makeFolder` would create.
  package static func obstacle(toWritingIn folder: String) -> SystemError? {
    var (status, path) = (stat(), folder)
    while stat(path, &status) != 0 {
      let error = SystemError()
      guard error.number == ENOENT, let slash = path.lastIndex(of: "/"), path != "/" else { return error }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return SystemError(ENOTDIR) }
    return access(path, W_OK | X_OK) == 0 ? nil : SystemError()
  }

  package static func obstacle(toWriting file: String) -> SystemError? {
    var status = stat()
    guard stat(file, &status) == 0, access(file, W_OK) == 0 else { return SystemError() }
    return status.st_mode & S_IFMT == S_IFDIR ? SystemError(EISDIR) : nil
  }

  /// Throws the first reason why a folder is missing: an existing one may lie in one without write permission.
  private static func makeSingleFolder(_ path: String, _ mode: mode_t) throws(SystemError) {
    if mkdir(path, mode) == 0 { return synchronizeFolder(of: path) }
    let error = SystemError()
    guard error.number == EEXIST || exists(path) else { throw error }
  }

  /// Returns the path without symbolic links; nil if there is no such file, or if the path is not UTF-8.
  package static func absolutePath(_ path: String) -> String? {
    absolutePathBytes(path).flatMap { String(validating: $0, as: UTF8.self) }
  }

  package static func absolutePathBytes(_ path: String) -> [UInt8]? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  package enum Lock: Equatable, Sendable {
    case held
    case busy
    /// The file system has no locks, as some network folders. Nothing is excluded.
    case unsupported
  }

  private static let unlocked = Mutex<String?>(nil)

  package static var unlockedPath: String? { unlocked.withLock { $0 } }

  /// Locks an open file or folder against other programs until `unlock`, without waiting. Where `flock` does not work,
  /// `fcntl` is tried, which locks the open file as well and not the process. `path` is for messages.
  package static func tryLock(_ descriptor: Int32, of path: String) -> Lock {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return .busy
      default:
        if setRecordLock(descriptor, F_WRLCK) { return .held }
        if errno == EAGAIN || errno == EACCES { return .busy }
        unlocked.withLock { $0 = $0 ?? path }
        return .unsupported
      }
    }
    return .held
  }

  /// As `tryLock`, but waits for other programs. Throws `EWOULDBLOCK` after all attempts, which are 20 ms apart.
  package static func lock(_ descriptor: Int32, of path: String, attempts: Int) throws(SystemError) -> Lock {
    for attempt in 1... {
      let lock = tryLock(descriptor, of: path)
      guard lock == .busy else { return lock }
      guard attempt < attempts else { break }
      usleep(lockPause)
    }
    throw SystemError(EWOULDBLOCK)
  }

  /// Returns a descriptor of `PATH.lock` that excludes other programs until `unlock`. Throws `EWOULDBLOCK` after all
  /// attempts, which are 20 ms apart. On a file system without locks, excludes nothing.
  package static func lock(_ path: String, attempts: Int = lockAttempts) throws(SystemError) -> Int32 {
    let descriptor = try openOwn(lockPath(of: path), O_RDWR | O_CREAT)
    do throws(SystemError) { _ = try lock(descriptor, of: path, attempts: attempts) } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  package static func lockPath(of path: String) -> String { path + ".lock" }

  /// Releases a lock. Closing the descriptor is not enough: a child has a copy of it until `exec`.
  package static func release(_ descriptor: Int32) {
    // Each call releases only the lock of its kind.
    flock(descriptor, LOCK_UN)
    _ = setRecordLock(descriptor, F_UNLCK)
  }

  package static func unlock(_ descriptor: Int32) {
    release(descriptor)
    close(descriptor)
  }

  private static func setRecordLock(_ descriptor: Int32, _ type: Int32) -> Bool {
    var range = Glibc.flock()
    (range.l_type, range.l_whence) = (Int16(type), Int16(SEEK_SET))
    var result: Int32
    repeat { result = fcntl(descriptor, openFileLock, &range) } while result != 0 && errno == EINTR
    return result == 0
  }

  /// `F_OFD_SETLK` of Linux, which Glibc declares only for `_GNU_SOURCE`.
  private static let openFileLock: Int32 = 37

  /// Those of about four seconds.
  package static let lockAttempts = 200

  package static func lockAttempts(until deadline: ContinuousClock.Instant) -> Int {
    let pauses = ContinuousClock.now.duration(to: deadline) / .microseconds(Int(lockPause))
    return 1 + Int(min(max(pauses, 0), 1_000_000))
  }

  /// In microseconds.
  private static let lockPause: UInt32 = 20_000
}
