import CFeedfall
import FeedfallSystem
import Glibc
import Synchronization

/// Waits for changes of the files in a folder, also after the folder was replaced: by a clone, a sync tool or a mount.
///
/// Its ancestors are watched for their removal, and the nearest existing one for a new folder. Network folders report
/// nothing that another computer changes, so they are checked once a minute.
final class FolderWatch: Sendable {
  enum Change: Equatable, Sendable {
    case files(Set<String>)
    case all
    /// The folder or one of its ancestors, and perhaps files.
    case folder
  }

  private let folder: String
  private let descriptor: Int32
  private let watched = Mutex(Watched())

  private struct Watched {
    /// -1 while the folder does not exist.
    var number: Int32 = -1
    /// The device and the number of the folder.
    var identity: [UInt64]?
  }

  private static let fileEvents = UInt32(IN_MODIFY | IN_MOVED_TO | IN_CREATE)
  private static let selfEvents = UInt32(IN_DELETE_SELF | IN_MOVE_SELF)
  private static let maximumAncestorCount = 64
  /// In milliseconds.
  private static let remotePause: Int32 = 60_000

  /// Returns nil if the system has no watch left, or the folder does not exist.
  init?(_ folder: String) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    self.folder = folder
    guard descriptor >= 0 else { return nil }
    _ = renew()
    if watched.withLock({ $0.number < 0 }) { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  var isReplaced: Bool {
    let identity = identity
    return identity != nil && watched.withLock { $0.identity != identity }
  }

  private var identity: [UInt64]? {
    var status = stat()
    return stat(folder, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }

  /// Returns whether the path leads to another folder now.
  func renew() -> Bool {
    watched.withLock { watched in
      watchAncestors()
      let identity = identity
      guard identity != watched.identity else { return false }
      if watched.number >= 0 { inotify_rm_watch(descriptor, watched.number) }
      watched.number = inotify_add_watch(descriptor, folder, Self.fileEvents | Self.selfEvents)
      watched.identity = watched.number >= 0 ? identity : nil
      return watched.number >= 0
    }
  }

  /// Ends the watch of a folder that was moved or removed: a new one may have the same identity.
  private func forget(_ number: Int32) {
    inotify_rm_watch(descriptor, number)
    watched.withLock { $0 = Watched() }
  }

  /// Repeats the watch where the next folder has appeared in between, of which its parent has reported nothing.
  private func watchAncestors() {
    for _ in 0..<Self.maximumAncestorCount {
      guard let missing = watchExistingAncestors(), Files.exists(missing) else { return }
    }
  }

  /// Returns the ancestor that the nearest existing one lacks; nil if none is missing.
  private func watchExistingAncestors() -> String? {
    var path = Substring(folder)
    var missing: String?
    var events = Self.selfEvents | UInt32(IN_CREATE | IN_MOVED_TO)
    for _ in 0..<Self.maximumAncestorCount {
      guard let end = path.lastIndex(of: "/"), path != "/" else { break }
      path = end == path.startIndex ? "/" : path[..<end]
      // Only the nearest one is watched for new folders: others would wake the program for nothing.
      if inotify_add_watch(descriptor, String(path), events) >= 0 {
        events = Self.selfEvents
      } else if events != Self.selfEvents {
        missing = String(path)
      }
    }
    return missing
  }

  func next() -> Change? {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&request, 1, guard_is_remote(folder) != 0 ? Self.remotePause : -1)
      if count == 0 { return isReplaced ? .folder : .all }
      guard count > 0 || errno == EINTR else { return nil }
      let length = read(descriptor, &buffer, buffer.count)
      if length > 0 { return change(in: buffer[..<length]) }
      guard length < 0, errno == EINTR || errno == EAGAIN else { return nil }
    }
  }

  private func change(in events: ArraySlice<UInt8>) -> Change {
    let number = watched.withLock { $0.number }
    var (names, hasFolderChange) = (Set<String>(), false)
    var rest = events
    let header = MemoryLayout<inotify_event>.size
    while rest.count >= header {
      let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
      let name = rest.dropFirst(header).prefix(Int(event.len)).prefix { $0 != 0 }
      rest = rest.dropFirst(header + Int(event.len))
      if event.wd == number, event.mask & Self.fileEvents != 0 {
        names.insert(String(decoding: name, as: UTF8.self))
      } else {
        // Behind the event of an ancestor there may be one of the folder, and an overflow may hide one.
        if event.wd == number || event.mask & UInt32(IN_Q_OVERFLOW) != 0 { forget(number) }
        hasFolderChange = true
      }
    }
    return hasFolderChange ? .folder : .files(names)
  }
}
