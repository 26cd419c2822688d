import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import Glibc

/// The time and the memory of loading the user's records, beside reading the same file.
enum RecordBenchmarks {
  private static let pieceLength = 256 << 10

  static func run(_ report: (_ name: String, _ value: Double, _ unit: String) -> Void) {
    for count in [100_000, 1_000_000] {
      let path = "/tmp/feedfall-bench-\(getpid()).jsonl"
      guard let file = fopen(path, "w") else { return }
      defer { unlink(path) }
      let byteCount = write(count, to: file)
      fclose(file)
      report("log of \(count) records", Double(byteCount) / 1e6, "MB")
      let before = residentBytes
      let data = loaded(path)
      report("memory of \(count) records", Double(residentBytes - before) / 1e6, "MB")
      report("read the log of \(count) records", minimum { read(path) { _ in } }, "ms")
      report("load \(count) records", minimum { _ = loaded(path) }, "ms")
      let keys = data.keys(with: .watched)
      report("list \(keys.count) watched videos", minimum { _ = data.keys(with: .watched) }, "ms")
    }
  }

  private static var residentBytes: Int {
    let pages = contents(of: "/proc/self/statm").map { String(decoding: $0, as: UTF8.self) }?.split(separator: " ")
    return (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Writes a log and returns its length in bytes.
  static func write(_ count: Int, to file: UnsafeMutablePointer<FILE>) -> Int {
    (0..<count).reduce(0) { sum, number in
      lines(of: number).reduce(sum) { fputs($1, file) >= 0 ? $0 + $1.utf8.count : $0 }
    }
  }

  static func log(of count: Int) -> [UInt8] { (0..<count).flatMap { lines(of: $0).flatMap(\.utf8) } }

  /// Each video is watched, a third has a position and its duration, and each tenth is described.
  private static func lines(of number: Int) -> [String] {
    var video = Video(
      id: "https://www.youtube.com/watch?v=\(number)", title: "The long way down, part \(number)", playback: .unknown)
    video.pageURL = WebAddress(video.id)
    video.channel = "Channel \(number % 7)"
    let (key, time) = (VideoKey(video), 1_700_000_000_000 + number)
    var values: [UserValue] = [.watched(UnixTime(seconds: time / 1_000))]
    if number % 3 == 0 { values += [.position(number % 3_000 + 1), .duration(4_000)] }
    if number % 10 == 0 { values.append(.video(StoredVideo(video))) }
    return values.map { UserEvent(time: time, device: "a", key: key, value: $0).line }
  }

  private static func minimum(_ work: () -> Void) -> Double {
    (0..<7).map { _ in ProcessorTime.milliseconds(work) }.min() ?? 0
  }

  private static func loaded(_ path: String) -> UserData {
    var data = UserData(device: "a")
    var status = stat()
    guard stat(path, &status) == 0 else { return data }
    data.reserveCapacity(forLog: Int(status.st_size))
    read(path) { _ = data.read($0, of: "a", now: 1_800_000_000_000) }
    return data
  }

  /// Reads a file in pieces that end behind a line.
  private static func read(_ path: String, _ piece: (UnsafeBufferPointer<UInt8>) -> Void) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: pieceLength)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = pread(descriptor, buffer, pieceLength, offset)
      guard count > 0 else { return }
      let end =
        UnsafeBufferPointer(start: buffer, count: count).lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? count
      piece(UnsafeBufferPointer(start: buffer, count: end))
      offset += end
    }
  }
}
