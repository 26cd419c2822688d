import FoundationEssentials
import Glibc
import WaterfallEngine

/// The time from the start of the program to the first video on the screen: with 20 sources and many records of the
/// user, and with one source and none.
enum StartBenchmarks {
  private static let rounds = 7
  private static let sourceCount = 20
  private static let videoCount = 50
  private static let recordCount = 100_000

  static func run(_ report: (_ name: String, _ value: Double, _ unit: String) -> Void) {
    guard let program = CoverSessions.program else {
      print("feedfall-bench start: feedfall is not beside feedfall-bench")
      return
    }
    var (plain, full) = (Double.infinity, Double.infinity)
    for _ in 0..<rounds {
      plain = min(plain, milliseconds(program, sources: 1, records: 0))
      full = min(full, milliseconds(program, sources: sourceCount, records: recordCount))
    }
    report("start without records, one source", plain, "ms")
    report("start with \(recordCount) records, \(sourceCount) sources", full, "ms")
    report("start with records ÷ without (goal 1.3)", full / plain, "times")
  }

  private static func milliseconds(_ program: String, sources: Int, records: Int) -> Double {
    var start = ContinuousClock.now
    let session = ProgramSession([program], size: Size(width: 120, height: 40)) { home in
      prepare(home, sources: sources, records: records)
      start = .now
    }
    guard let session else { return .infinity }
    session.waitFor("Film 1")
    let end = ContinuousClock.now
    session.end()
    return (end - start) / .milliseconds(1)
  }

  private static func prepare(_ home: String, sources: Int, records: Int) {
    let (configuration, state) = (home + "/.config/feedfall", home + "/.local/state/feedfall")
    for folder in [configuration, state] {
      try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    var text = ""
    for source in 0..<sources {
      let path = "\(home)/\(source).json"
      write(feed(of: source), to: path)
      text += "[[source]]\nname = \"Source \(source)\"\naddress = \"\(path)\"\n"
    }
    write(text, to: configuration + "/config.toml")
    if records > 0 { write(String(decoding: RecordLog.bytes(of: records), as: UTF8.self), to: state + "/a.jsonl") }
  }

  private static func feed(of source: Int) -> String {
    let films = (0..<videoCount).map { number in
      #"{"title": "Film \#(number)", "flv": "http://127.0.0.1:9/\#(source)/\#(number).mp4"}"#
    }
    return #"{"data": {"info_list": [\#(films.joined(separator: ","))], "end": 1}}"#
  }

  private static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }
}
