import FeedfallFeeds
import FeedfallText
import Glibc

/// Breaks documents off at random places and changes bytes in them at random, and looks at what decoding them takes:
/// no crash, no more than a second, no more memory than ten times the document.
///
/// The same files are damaged in the same way in every run. Where nothing is named, the paths come from standard input,
/// one a line; the one that is under way stands on standard error if the program ends before its time.
enum FeedDamage {
  private static let cutsPerFile = 10
  private static let changesPerFile = 10
  /// One byte in so many is changed.
  private static let changeInterval = 100
  private static let maximumSeconds = 1.0
  private static let maximumGrowth = 10
  /// What the smallest document may take, in bytes: pages of the program, and the C library's tables of an encoding.
  private static let allowance = 512 << 10
  /// From this size on, in bytes, that is little beside the document.
  private static let telling = 64 << 10

  static func run(files: [String]) -> Int32 {
    var tally = Tally()
    let paths = files.isEmpty ? Array(AnyIterator { readLine() }) : files
    for path in paths {
      guard let body = contents(of: path) else {
        print("feedfall-bench: \(path) could not be read")
        return 2
      }
      CrashNote.name(path)
      // What the program itself needs when it does something for the first time is not the document's fault.
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
    ResidentMemory.forgetPeak()
    let time = ContinuousClock().measure { _ = try? FeedDecoder.decode(bytes, from: nil) }
    let growth = max(0, ResidentMemory.peak - before)
    ResidentMemory.giveBack()
    return Cost(seconds: time / .seconds(1), memory: growth)
  }

  private struct Cost {
    var seconds: Double
    /// In bytes, more than there was before.
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
      if size >= telling, growth > greediest.growth { greediest = (growth, path) }
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

/// What is left of a document.
private enum Damage {
  static func variants(of body: [UInt8], cuts: Int, changes: Int, _ interval: Int) -> [[UInt8]] {
    var random = Heights(seed: UInt64(body.count))
    let broken = (0..<cuts).map { _ in Array(body.prefix(random.next(below: body.count))) }
    let changed = (0..<changes).map { _ in
      var copy = body
      for _ in 0..<(body.count + interval - 1) / interval where !body.isEmpty {
        copy[random.next(below: body.count)] = UInt8(random.next(below: 256))
      }
      return copy
    }
    return broken + changed
  }
}

/// The memory that the process has in use, in bytes, as Linux tells it.
private enum ResidentMemory {
  static var now: Int { kilobytes("VmRSS:") << 10 }
  static var peak: Int { kilobytes("VmHWM:") << 10 }

  static func forgetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  /// Gives back what is free, so that the next one's needs are seen; glibc's `malloc_trim` is in no module map.
  static func giveBack() { _ = trim?(0) }

  private static let trim = dlsym(nil, "malloc_trim").map {
    unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
  }

  private static func kilobytes(_ name: String) -> Int {
    let status = contents(of: "/proc/self/status").map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return 0 }
    return Int(line.filter(\.isNumber)) ?? 0
  }
}
