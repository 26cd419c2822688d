import FeedfallMedia
import Glibc
import WaterfallEngine

/// Truncates pictures and changes bytes in them at random, and checks that decoding them neither crashes nor takes
/// longer than the largest picture that the limits accept.
///
/// The same files are damaged in the same way in every run, over 10,000 times altogether. The default files are those
/// that `.ci/cover-photos` creates.
enum CoverDamage {
  private static let leastVariants = 10_000
  /// The time limit of a damaged picture, as a multiple of the time of the largest accepted picture. It is above 1
  /// because the time for the same work differs between formats.
  private static let maximumRatio = 3.0

  static func run(files named: [String]) -> Int32 {
    let formats = ["360p", "progressive", "png", "webp", "gif"]
    let paths = named.isEmpty ? formats.flatMap { files(in: "\(CoverBenchmarks.folder)/\($0)").prefix(6) } : named
    guard !paths.isEmpty else {
      print("feedfall-bench: the photographs are missing; run .ci/cover-photos")
      return 2
    }
    guard let largest = contents(of: "\(CoverBenchmarks.folder)/largest/00.png") else {
      print("feedfall-bench: the largest picture is missing; run .ci/cover-photos")
      return 2
    }
    var tally = Tally(longest: milliseconds(largest) * maximumRatio)
    for path in paths {
      guard let body = contents(of: path) else {
        print("feedfall-bench: \(path) could not be read")
        return 2
      }
      CrashNote.name(path)
      var random = Heights(seed: UInt64(body.count))
      for _ in 0...leastVariants / paths.count {
        tally.add(path, decoding: damaged(body, &random))
      }
    }
    CrashNote.name(nil)
    tally.report()
    return tally.faults.isEmpty ? 0 : 1
  }

  private static func milliseconds(_ picture: [UInt8]) -> Double {
    ProcessorTime.milliseconds { _ = try? PictureDecoder.decode(picture, to: CoverBenchmarks.target(.halves)) }
  }

  /// Truncates the picture or changes some of its bytes, mostly in its header, which has the sizes.
  private static func damaged(_ body: [UInt8], _ random: inout Heights) -> [UInt8] {
    switch random.next(below: 4) {
    case 0: Array(body.prefix(random.next(below: body.count)))
    case 1: changed(body, count: 1 + random.next(below: 4), within: 64, &random)
    case 2: changed(body, count: 1 + random.next(below: 8), within: 1024, &random)
    default: changed(body, count: 1 + random.next(below: 200), within: body.count, &random)
    }
  }

  private static func changed(
    _ body: [UInt8], count: Int, within length: Int, _ random: inout Heights
  ) -> [UInt8] {
    var copy = body
    for _ in 0..<count {
      copy[random.next(below: min(length, body.count))] = UInt8(random.next(below: 256))
    }
    return copy
  }

  private struct Tally {
    /// In milliseconds.
    let longest: Double
    var count = 0
    var decoded = 0
    var slowest = (milliseconds: 0.0, path: "")
    var faults: [String] = []

    init(longest: Double) { self.longest = longest }

    mutating func add(_ path: String, decoding bytes: [UInt8]) {
      count += 1
      let milliseconds = ProcessorTime.milliseconds {
        if (try? PictureDecoder.decode(bytes, to: CoverBenchmarks.target(.halves))) != nil { decoded += 1 }
      }
      if milliseconds > slowest.milliseconds { slowest = (milliseconds, path) }
      if milliseconds > longest { faults.append("\(path): \(milliseconds) ms") }
    }

    func report() {
      for fault in faults { print(fault) }
      print(
        "{\"name\":\"covers.damage\",\"pictures\":\(count),\"decoded\":\(decoded),\"faults\":\(faults.count)}")
      print(
        "{\"name\":\"covers.damage.slowest\",\"value\":\(slowest.milliseconds),\"unit\":\"ms\",\"of\":\"\(slowest.path)\"}"
      )
    }
  }
}
