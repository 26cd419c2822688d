import FeedfallScreen
import Glibc

extension KittyVideo {
  /// POSIX shared memory that passes pixels to a terminal on the same machine, which removes each object it has read.
  /// Each is locked while this process runs, so that other programs recognize objects left by a crash, also in another
  /// container, where they do not see this process.
  struct SharedFrames {
    private var count = 0
    /// The objects that the terminal may not have read yet, oldest first.
    private var objects: [Object] = []

    private struct Object {
      var name: String
      /// Holds the lock.
      var file: Int32
      var index: Int

      var isRead: Bool {
        var facts = stat()
        return fstat(file, &facts) == 0 && facts.st_nlink == 0
      }
    }

    /// A terminal that leaves more unread is too slow.
    static let maximumUnread = 3
    private static let prefix = "feedfall-"
    /// Names that another process uses are skipped, at most this many: processes of two containers may have the same
    /// number.
    private static let maximumAttempts = 32
    /// Where glibc and musl keep the objects.
    private static let folder = "/dev/shm"

    var hasRoom: Bool { objects.count { !$0.isRead } < Self.maximumUnread }

    /// Returns the name of a new object; nil if it cannot be created. `index` increases with each frame.
    mutating func write(_ bytes: [UInt8], index: Int = 0) -> String? {
      removeReadObjects()
      guard let (name, file) = create() else { return nil }
      guard flock(file, LOCK_EX | LOCK_NB) == 0, Self.writeAll(bytes, to: file) else {
        shm_unlink(name)
        close(file)
        return nil
      }
      objects.append(Object(name: name, file: file, index: index))
      return name
    }

    private mutating func create() -> (name: String, file: Int32)? {
      for _ in 0..<Self.maximumAttempts {
        count += 1
        let name = "/\(Self.prefix)\(getpid())-\(count)"
        let file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
        if file >= 0 { return (name, file) }
        guard errno == EEXIST else { return nil }
      }
      return nil
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
      var done = 0
      while done < bytes.count {
        let count = bytes[done...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }

    var areAllRead: Bool { !objects.isEmpty && objects.allSatisfy(\.isRead) }

    func hasUnread(before index: Int) -> Bool { objects.contains { $0.index < index && !$0.isRead } }

    private mutating func removeReadObjects() {
      let read = objects.filter(\.isRead)
      guard !read.isEmpty else { return }
      for object in read { close(object.file) }
      objects.removeAll { object in read.contains { $0.file == object.file } }
    }

    mutating func removeAll() {
      for object in objects {
        if !object.isRead { shm_unlink(object.name) }
        close(object.file)
      }
      objects = []
    }

    static func removeLeftovers() {
      guard let entries = opendir(folder) else { return }
      defer { closedir(entries) }
      while let entry = readdir(entries) {
        let name = withUnsafePointer(to: entry.pointee.d_name) {
          String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
        if isObject(name) { removeUnlocked("/\(name)") }
      }
    }

    private static func removeUnlocked(_ name: String) {
      let file = shm_open(name, O_RDWR, 0)
      guard file >= 0 else { return }
      defer { close(file) }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { shm_unlink(name) }
    }

    private static func isObject(_ name: String) -> Bool {
      let parts = name.dropFirst(prefix.utf8.count).split(separator: "-", omittingEmptySubsequences: false)
      return name.hasPrefix(prefix) && parts.count == 2 && parts.allSatisfy { UInt($0) != nil }
    }
  }

  /// Any answer confirms the protocol. The terminal reads shared memory if the answer says so and the object is gone.
  struct Proof {
    private var objects = SharedFrames()
    private(set) var phase = Phase.unknown

    enum Phase: Equatable {
      case unknown, asked
      case shared
      /// Pixels must be transmitted as text.
      case direct
    }

    /// Nil while the protocol is not confirmed.
    var isShared: Bool? {
      switch phase {
      case .unknown, .asked: nil
      case .shared: true
      case .direct: false
      }
    }

    /// The number of the image in the query, which the answer repeats.
    static let number = 31
    /// An object that does not exist. The answer is an error then, which confirms the protocol.
    private static let missingName = "/feedfall-none"

    mutating func query() -> [UInt8] {
      guard phase == .unknown else { return [] }
      SharedFrames.removeLeftovers()
      phase = .asked
      return KittyGraphics().sharedQuery(objects.write([0, 0, 0]) ?? Self.missingName, number: Self.number)
    }

    mutating func handleAnswer(number: Int, isOK: Bool) {
      guard phase == .asked, number == Self.number else { return }
      phase = isOK && objects.areAllRead ? .shared : .direct
      objects.removeAll()
    }

    /// Removes an object that the terminal has not read. A query without an answer can be repeated then.
    mutating func end() {
      objects.removeAll()
      if phase == .asked { phase = .unknown }
    }
  }
}
