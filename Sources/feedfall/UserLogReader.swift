import FeedfallSystem
import FeedfallText
import FeedfallUserData
import Glibc
import Synchronization

/// Reads the logs of a folder, and the lines appended to them later.
final class UserLogReader: Sendable {
  private let folder: String
  private let device: String
  /// The part of each file that was read.
  private let places = Mutex<[String: Place]>([:])

  struct Place: Equatable, Sendable {
    var inode: UInt
    /// The end of the last complete line, in bytes.
    var offset: Int
  }

  private static let maximumFileCount = 1_000
  /// In bytes; a larger file is not read.
  private static let maximumLength = 512 << 20
  private static let pieceLength = 256 << 10
  private static let ending = ".jsonl"

  /// - Parameter device: the name of this device, whose log is read first.
  init(folder: String, device: String) {
    (self.folder, self.device) = (folder, device)
  }

  func readAll(into data: inout UserData) {
    for name in [device + Self.ending] + names.prefix(Self.maximumFileCount) { read(name, into: &data) }
    // A log that does not exist yet has been read as well.
    places.withLock { places in
      if places[device + Self.ending] == nil { places[device + Self.ending] = Place(inode: 0, offset: 0) }
    }
  }

  /// Starts a thread that waits for changes of the folder, which is made if it does not exist, and reports new events.
  /// Without inotify, other devices are read at the next start.
  func watch(_ report: @escaping @Sendable (UserData) -> Void) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return }
    // A failure is reported by the first write.
    _ = try? Files.makeFolder(folder, mode: 0o700)
    let events = UInt32(IN_MODIFY | IN_MOVED_TO | IN_CREATE)
    guard inotify_add_watch(descriptor, folder, events) >= 0,
      DetachedThread.start({ self.wait(descriptor, report) })
    else {
      close(descriptor)
      return
    }
  }

  private func wait(_ descriptor: Int32, _ report: (UserData) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    // The logs may have changed before the watch.
    readAndReport(names, report)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      readAndReport(Self.names(in: buffer[..<count], orAll: { names }), report)
    }
    close(descriptor)
  }

  private func readAndReport(_ names: some Sequence<String>, _ report: (UserData) -> Void) {
    var data = UserData()
    for name in names { read(name, into: &data) }
    if data.count > 0 { report(data) }
  }

  /// The names of the logs in events of inotify; all logs if events were lost.
  private static func names(in events: ArraySlice<UInt8>, orAll all: () -> [String]) -> Set<String> {
    var names: Set<String> = []
    var rest = events
    let header = MemoryLayout<inotify_event>.size
    while rest.count >= header {
      let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return Set(all()) }
      let name = rest.dropFirst(header).prefix(Int(event.len)).prefix { $0 != 0 }
      names.insert(String(decoding: name, as: UTF8.self))
      rest = rest.dropFirst(header + Int(event.len))
    }
    return names.filter(isLog)
  }

  /// The names of the logs, sorted.
  private var names: [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if Self.isLog(name) { names.append(name) }
    }
    return names.sorted()
  }

  private static func isLog(_ name: String) -> Bool { name.hasSuffix(ending) && !name.hasPrefix(".") }

  /// Appends to the log of this device by `write`, which returns the place that it has written up to and the count of
  /// bytes. They are not read again, so that a change by this program does not wake the main loop.
  func append(_ write: () throws(SystemError) -> (end: Place, count: Int)) throws(SystemError) {
    let name = device + Self.ending
    let result = places.withLock { places -> Result<Void, SystemError> in
      do throws(SystemError) {
        let (end, count) = try write()
        // Before the first reading, and behind lines of another program on this device, the place stays.
        if let start = places[name], start.inode == end.inode || start.inode == 0, start.offset == end.offset - count {
          places[name] = end
        }
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  /// Skips the content that replaces the log of this device, if the log was read to its end.
  func replace(_ end: Place, by new: Place) {
    places.withLock { places in
      if places[device + Self.ending] == end { places[device + Self.ending] = new }
    }
  }

  private func read(_ name: String, into data: inout UserData) {
    places.withLock { places in
      guard places[name] != nil || places.count < Self.maximumFileCount else { return }
      let device = String(name.dropLast(Self.ending.count))
      places[name] = Self.read("\(folder)/\(name)", of: device, from: places[name], into: &data) ?? places[name]
    }
  }

  /// Reads a log behind a place, or from its start if it was replaced or has become shorter. Returns the place reached;
  /// nil if the file cannot be read. After an error, the place is before the end.
  ///
  /// - Parameter now: in milliseconds since 1970.
  static func read(
    _ path: String, of device: String, from place: Place?, now: Int = time(nil) * 1_000, into data: inout UserData
  ) -> Place? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumLength else {
      return nil
    }
    var reached = Place(inode: UInt(status.st_ino), offset: 0)
    if let place, place.inode == reached.inode, place.offset <= status.st_size { reached.offset = place.offset }
    data.reserveCapacity(forLog: status.st_size - reached.offset)
    while let piece = try? Files.read(descriptor: descriptor, at: reached.offset, count: pieceLength), !piece.isEmpty {
      let count = piece.withUnsafeBufferPointer { data.read($0, of: device, now: now) }
      // A piece without a newline is one long line, or the last line before its end is written.
      guard count > 0 || piece.count == pieceLength else { break }
      reached.offset += count > 0 ? count : piece.count
    }
    return reached
  }
}
