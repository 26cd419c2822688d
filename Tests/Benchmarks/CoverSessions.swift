import CFeedfallPty
import Glibc
import TestServer
import WaterfallEngine

/// Runs the program in a pseudo-terminal of 200 by 50 cells, with a list of thousands of videos whose covers come from
/// a server. Measures the latency of keys while covers load, and the memory after up to two thousand covers.
enum CoverSessions {
  private static let size = Size(width: 200, height: 50)

  static func run(_ report: CoverBenchmarks.Report) {
    let photos = files(in: "\(CoverBenchmarks.folder)/360p").compactMap(contents)
    guard let program = Self.program, !photos.isEmpty else {
      return warn("feedfall is not beside feedfall-bench, or the photographs are missing")
    }
    measureKeys(program, photos, report)
    for choice in ["cells", "kitty"] { measureMemory(program, photos, choice, report) }
  }

  private static func warn(_ message: String) {
    let line = Array("feedfall-bench covers: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }

  /// The path of the program, if it is beside this one.
  static var program: String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return nil }
    let own = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path =
      own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/feedfall"
    return access(path, X_OK) == 0 ? path : nil
  }

  private static func server(of photos: [[UInt8]], count: Int, delay: Int) -> TestServer? {
    try? TestServer { request in
      guard let number = Int(request.path.dropFirst("/cover/".count)) else {
        return .answer(TestAnswer(list(of: count, at: request.headers["host"] ?? "")))
      }
      let answer = TestAnswer(photos[number % photos.count])
      return delay == 0 ? .answerAndStay(answer) : .late(answer, afterMilliseconds: delay)
    }
  }

  private static func list(of count: Int, at host: String) -> String {
    let films = (0..<count).map { number in
      #"{"title": "Film \#(number)", "flv": "http://\#(host)/\#(number).mp4", "cover": "http://\#(host)/cover/\#(number)"}"#
    }
    return #"{"data": {"info_list": [\#(films.joined(separator: ","))], "end": 1}}"#
  }

  // MARK: Keys

  /// Compares the same keys without pictures and while a hundred covers load.
  private static func measureKeys(_ program: String, _ photos: [[UInt8]], _ report: CoverBenchmarks.Report) {
    var medians: [String: Double] = [:]
    for choice in ["none", "cells"] {
      guard let server = server(of: photos, count: 2000, delay: 100) else { return }
      defer { server.stop() }
      let arguments = [program, "--images", choice, "--columns", "8", server.origin + "/list"]
      guard let session = ProgramSession(arguments, size: size) else { return warn("the program could not be started") }
      session.waitFor("1 of 2000")
      let latencies = (0..<120).compactMap { session.milliseconds(forKey: $0 % 2 == 0 ? "l" : "h") }.sorted()
      session.end()
      medians[choice] = latencies[latencies.count / 2]
      let covers = server.requests.count { $0.path.hasPrefix("/cover/") }
      report("covers.key, --images \(choice)", latencies[latencies.count / 2], "ms")
      report("covers.loaded meanwhile, --images \(choice)", Double(covers), "covers")
    }
    guard let without = medians["none"], let with = medians["cells"] else { return }
    report("covers.key while covers load ÷ without (goal 1.2)", with / without, "times")
  }

  // MARK: Memory

  /// Covers in pixels reach the memory limit after about two hundred, covers in cells after thousands.
  private static func measureMemory(
    _ program: String, _ photos: [[UInt8]], _ choice: String, _ report: CoverBenchmarks.Report
  ) {
    guard let server = server(of: photos, count: 2600, delay: 0) else { return }
    defer { server.stop() }
    guard
      let session = ProgramSession(
        [program, "--images", choice, "--columns", "5", server.origin + "/list"], size: size)
    else { return }
    session.waitFor("1 of 2600")
    var marks = [200, 500, 1000, 1500, 2000][...]
    for _ in 0..<600 where !marks.isEmpty {
      session.type("\u{6}")
      session.readAll(forMilliseconds: 250)
      let count = server.requests.count { $0.path.hasPrefix("/cover/") }
      while let mark = marks.first, count >= mark {
        report(
          "covers.memory after \(mark), \(choice)\(mark == 2000 ? " (goal 64)" : "")", session.residentMegabytes, "MiB")
        marks = marks.dropFirst()
      }
    }
    session.end()
  }
}
