import Glibc
import Synchronization

extension Files {
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
