import FeedfallFeeds
import FeedfallSystem
import FeedfallUserData
import Glibc

/// The user's records while the program starts. Those of the first videos are there long before all records.
final class StartRecords {
  private enum Outcome {
    case all(UserData)
    case indexed(IndexedLogs)
  }

  private let log: UserLog
  private let reading: BackgroundWork<Outcome>
  private var outcome: Outcome?
  /// Started once the first videos are known, so that it does not delay them.
  private var readingAll: BackgroundWork<UserData>?

  /// Starts to read a log.
  init(_ log: UserLog) {
    self.log = log
    reading = BackgroundWork { log.index().map { .indexed($0) } ?? .all(log.load()) }
  }

  /// Returns the records on which a screen with some pages depends; nil if it depends on all records, or if those are
  /// known by now.
  func first(_ pages: [FeedPage]) -> UserData? {
    guard case .indexed(let logs) = wait() else { return nil }
    var keys: [VideoKey] = []
    for page in pages { for video in page.videos { keys += VideoKey.all(of: video) } }
    return logs.records(of: keys)
  }

  /// Blocks until all records are read. Must be called at most once.
  func all() -> UserData {
    let last = wait()
    // Another reference would lead to a copy with the first change.
    outcome = nil
    return switch last {
    case .all(let records): records
    case .indexed: readingAll?.value() ?? log.load()
    }
  }

  private func wait() -> Outcome {
    let outcome = outcome ?? reading.value()
    self.outcome = outcome
    if case .indexed = outcome, readingAll == nil { readingAll = BackgroundWork { [log] in log.load() } }
    return outcome
  }
}

/// The open logs of all devices with their indices.
struct IndexedLogs: Sendable {
  static let maximumCount = 16

  private struct Log: Sendable {
    let file: File
    let device: String
    let length: Int
    var index = LogIndex()
  }

  /// An open file, which is closed with the last reference to it.
  private final class File: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
  }

  /// In bytes: shorter logs are read about as fast as indexed.
  private static let minimumLength = 1 << 20
  /// In bytes, of the lines of the first videos.
  private static let maximumLength = 4 << 20

  private let device: String
  private var logs: [Log] = []
  /// In milliseconds since 1970.
  private let now = time(nil) * 1_000

  /// - Parameter device: the name of this device.
  init(device: String) { self.device = device }

  var areLong: Bool { logs.reduce(0) { $0 + $1.length } >= Self.minimumLength }

  /// Adds an open log, which `self` closes.
  mutating func add(_ descriptor: Int32, length: Int, of device: String) {
    logs.append(Log(file: File(descriptor), device: device, length: length))
  }

  /// Reads the logs. `read` reads one in pieces.
  mutating func read(
    _ read: (_ descriptor: Int32, _ piece: (UnsafeBufferPointer<UInt8>, _ offset: Int) -> Int) -> Int
  ) {
    for number in logs.indices {
      var index = LogIndex()
      index.reserveCapacity(forLog: logs[number].length)
      _ = read(logs[number].file.descriptor) { index.read($0, at: $1) }
      logs[number].index = index
    }
  }

  /// Returns the records of some keys, and of others, so that the same fields have values as in all records. Returns nil
  /// if they cannot be read or are too many.
  func records(of keys: [VideoKey]) -> UserData? {
    guard let selection = LogIndex.Selection(keys, in: logs.map(\.index)) else { return nil }
    let ranges = logs.map { $0.index.ranges(of: selection) }
    guard ranges.joined().reduce(0, { $0 + $1.count }) <= Self.maximumLength else { return nil }
    var records = UserData(device: device)
    for (log, ranges) in zip(logs, ranges) {
      for range in ranges {
        let piece = try? Files.read(descriptor: log.file.descriptor, at: range.lowerBound, count: range.count)
        guard let piece, piece.count == range.count else { return nil }
        _ = piece.withUnsafeBufferPointer { records.read($0, of: log.device, now: now) }
      }
    }
    return selection.isExact(records) ? records : nil
  }
}
