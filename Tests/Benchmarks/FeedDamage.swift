import FeedfallFeeds
import FeedfallText
import Glibc

/// Truncates documents and changes bytes in them at random. Checks that decoding does not crash, takes at most one
/// second, and needs at most ten times the memory of the document.
///
/// The same files are damaged in the same way in every run. Without arguments the paths come from standard input, one
/// per line. After a crash, the path of the damaged document is on standard error.
enum FeedDamage {
  private static let cutsPerFile = 10
  private static let changesPerFile = 10
  /// The number of bytes for each changed byte.
  private static let changeInterval = 100
  private static let maximumSeconds = 1.0
  private static let maximumGrowth = 10
  /// The fixed allowance for memory, in bytes: pages of the program and the C library's encoding tables.
  private static let allowance = 512 << 10
  /// The smallest document whose growth is reported, in bytes: the allowance distorts that of smaller ones.
  private static let minimumReportedSize = 64 << 10

  static func run(files: [String]) -> Int32 {
    var tally = Tally()
    let paths = files.isEmpty ? Array(AnyIterator { readLine() }) : files
    // The first host beyond ASCII loads the library that converts it, whose pages are not of a document.
    _ = WebAddress("https://ü.example/")
    for path in paths {
      guard let body = contents(of: path) else {
        print("feedfall-bench: \(path) could not be read")
        return 2
      }
      CrashNote.name(path)
      // The first decoding includes one-time allocations of the program; it is not measured.
      _ = decoding(body)
      for damaged in Damage.variants(of: body, cuts: cutsPerFile, changes: changesPerFile, changeInterval) {
        tally.add(decoding(damaged), of: damaged.count, path)
      }
    }
    CrashNote.name(nil)
    tally.report()
    return tally.faults.isEmpty ? 0 : 1
  }

  private static func decoding(_ bytes: [UInt8]) -> Cost {
    let before = ResidentMemory.now
    ResidentMemory.resetPeak()
    let time = ContinuousClock().measure { _ = try? FeedDecoder.decode(bytes, from: nil) }
    let growth = max(0, ResidentMemory.peak - before)
    ResidentMemory.releaseFree()
    return Cost(seconds: time / .seconds(1), memory: growth)
  }

  private struct Cost {
    var seconds: Double
    /// The growth in bytes.
    var memory: Int
  }

  private struct Tally {
    var count = 0
    var bytes = 0
    var slowest = (seconds: 0.0, path: "")
    var greediest = (growth: 0.0, path: "")
    var faults: [String] = []

    mutating func add(_ cost: Cost, of size: Int, _ path: String) {
      count += 1
      bytes += size
      if cost.seconds > slowest.seconds { slowest = (cost.seconds, path) }
      let growth = Double(cost.memory) / Double(max(size, 1))
      if size >= minimumReportedSize, growth > greediest.growth { greediest = (growth, path) }
      if cost.seconds > maximumSeconds { faults.append("\(path): \(cost.seconds) s") }
      if cost.memory > allowance + maximumGrowth * size {
        faults.append("\(path): \(cost.memory) bytes of memory for \(size)")
      }
    }

    func report() {
      for fault in faults { print(fault) }
      print("{\"name\":\"feeds.damage\",\"documents\":\(count),\"bytes\":\(bytes),\"faults\":\(faults.count)}")
      print(
        "{\"name\":\"feeds.damage.slowest\",\"value\":\(slowest.seconds),\"unit\":\"s\",\"of\":\"\(slowest.path)\"}")
      print(
        "{\"name\":\"feeds.damage.memory\",\"value\":\(greediest.growth),\"unit\":\"x\",\"of\":\"\(greediest.path)\"}")
    }
  }
}

private enum Damage {
  static func variants(of body: [UInt8], cuts: Int, changes: Int, _ interval: Int) -> [[UInt8]] {
    var random = Heights(seed: UInt64(body.count))
    let truncated = (0..<cuts).map { _ in Array(body.prefix(random.next(below: body.count))) }
    let changed = (0..<changes).map { _ in
      var copy = body
      for _ in 0..<(body.count + interval - 1) / interval where !body.isEmpty {
        copy[random.next(below: body.count)] = UInt8(random.next(below: 256))
      }
      return copy
    }
    return truncated + changed
  }
}

/// The memory that the process has in use, in bytes, as reported by Linux.
private enum ResidentMemory {
  static var now: Int { kilobytes("VmRSS:") << 10 }
  static var peak: Int { kilobytes("VmHWM:") << 10 }

  static func resetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  /// Returns free memory to the system, so that the next growth is measured. `malloc_trim` is in no module map of
  /// glibc.
  static func releaseFree() { _ = trim?(0) }

  private static let trim = dlsym(nil, "malloc_trim").map {
    unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
  }

  private static func kilobytes(_ name: String) -> Int {
    let status = contents(of: "/proc/self/status").map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return 0 }
    return Int(line.filter(\.isNumber)) ?? 0
  }
}
