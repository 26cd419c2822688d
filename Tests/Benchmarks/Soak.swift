import FeedfallSystem
import Glibc
import TestServer
import WaterfallEngine

/// Runs the program with random keys, sources that fail at random and films, and a second program on the same home.
///
/// Checks that no saved mark is lost, no video is listed twice, memory does not grow, nothing crashes, and the terminal
/// is restored. The actions depend only on the seed, their effects also on time.
final class Soak {
  /// A mark that a program has reported as saved.
  private struct Marks {
    var starred: [String: Bool] = [:]
    var watched: [String: Bool] = [:]
    var queued: [String: Bool] = [:]
    /// The number of presses of the star key whose message was not seen.
    var unseenCount = 0
  }

  /// Keys that neither quit nor start other programs, nor change the records that are checked: no `*`, `u`, `X`, or
  /// tabs with the videos of the second program.
  private static let keys = [
    " ", " ", " ", " ", "\r", "P", "p", "f", "h", "j", "j", "j", "k", "l", "g", "G", "\u{1B}[C", "\u{1B}[D", "9", "8",
    "n", "r", "r", "]", "[", "m", "m", "z", "N", "L", "t", "v", "V", "i", "?", "/", "\u{C}", "x", "d", "D", "S",
    "\u{1B}",
    "1", "2", "3", "4", "\u{1B}[6~", "\u{1B}[5~", "\u{1B}[<65;20;10M", "\u{1B}[<64;20;10M",
  ]
  private static let sizes = [Size(width: 160, height: 45), Size(width: 120, height: 36), Size(width: 80, height: 24)]
  private static let maximumStepCount = 1_000_000
  private static let sampleSeconds = 5.0

  private let program: String
  private let origin: String
  private let server: SoakServer
  private let session: ProgramSession
  private var random: Heights
  private var marks = Marks()
  private var megabytes: [Double] = []
  private var keyCosts: [ProgramSession.KeyCost] = []
  private var (stepCount, secondCount, listCount) = (0, 0, 0)
  private var faults: [String] = []
  /// The runs of the second program that may have changed records, with their statuses.
  private var changes: [String] = []

  /// Runs with the arguments of the command line: seconds, by default an hour, and a seed. Returns the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    let seconds = arguments.first.flatMap { Double($0) } ?? 3_600
    let seed = arguments.dropFirst().first.flatMap { Int($0) } ?? 1
    guard let program = CoverSessions.program, let clip = clip() else {
      print("feedfall-bench: ffmpeg is missing, or feedfall is not beside feedfall-bench")
      return 2
    }
    let server = SoakServer(seed: seed, clip: clip)
    guard let listener = try? TestServer(server.answer),
      let soak = Soak(program, server, listener.origin, seed: seed)
    else {
      print("feedfall-bench: the program or the server could not be started")
      return 2
    }
    defer { listener.stop() }
    return soak.run(seconds: seconds) ? 0 : 1
  }

  private init?(_ program: String, _ server: SoakServer, _ origin: String, seed: Int) {
    (self.program, self.server, self.origin) = (program, server, origin)
    random = Heights(seed: UInt64(seed))
    let session = ProgramSession([program], size: Self.sizes[1]) { home in
      let folder = home + "/.config/feedfall"
      _ = try? Files.makeFolder(folder, mode: 0o700)
      let sources = (0..<SoakServer.sourceCount).map {
        "[[source]]\nname = \"S\($0)\"\naddress = \"\(origin)/\($0).xml\"\n"
      }
      let text = "timeout = 2\nlayout = \"list\"\n" + sources.joined()
      try? Files.replace(folder + "/config.toml", with: Array(text.utf8), mode: 0o600)
    }
    guard let session else { return nil }
    self.session = session
  }

  /// A film of three seconds.
  private static func clip() -> [UInt8]? {
    let path = "/tmp/feedfall-soak-\(getpid()).mp4"
    defer { unlink(path) }
    let command = """
      ffmpeg -v error -y -f lavfi -i testsrc2=s=160x90:r=5 -f lavfi -i sine=440 -t 3 -pix_fmt yuv420p -c:a aac \
      -movflags +faststart \(path) </dev/null
      """
    return system(command) == 0 ? contents(of: path) : nil
  }

  // MARK: - Steps

  private func run(seconds: Double) -> Bool {
    let start = steadyMilliseconds()
    var nextSample = start
    session.waitFor("\u{1B}[?1049h")
    while steadyMilliseconds() < start + seconds * 1000, stepCount < Self.maximumStepCount {
      step()
      guard session.isAlive else {
        faults.append(
          "the program ended in step \(stepCount): \(String(decoding: session.tail.suffix(300), as: UTF8.self))")
        break
      }
      if steadyMilliseconds() >= nextSample {
        megabytes.append(session.residentMegabytes)
        nextSample += Self.sampleSeconds * 1000
      }
    }
    end()
    report(seconds: (steadyMilliseconds() - start) / 1000)
    session.end(keepingFolder: !faults.isEmpty)
    return faults.isEmpty
  }

  private func step() {
    stepCount += 1
    switch random.next(below: 200) {
    case 0: session.resize(to: Self.sizes[random.next(below: Self.sizes.count)])
    case 1..<5: server.publish(source: random.next(below: SoakServer.sourceCount))
    case 5..<11: star()
    case 11..<15: runSecond()
    case 15: checkList()
    // A long look.
    case 16..<21: session.readAll(forMilliseconds: 1_500)
    default:
      keyCosts.append(session.cost(ofKey: Self.keys[random.next(below: Self.keys.count)]))
      session.readAll(forMilliseconds: 20 + random.next(below: 120))
    }
  }

  /// Closes prompts, films and panes, and clears searches.
  private func escape() {
    for _ in 0..<6 {
      session.type("\u{1B}")
      // Otherwise the next key would belong to the escape.
      session.readAll(forMilliseconds: 120)
    }
  }

  /// Stars a card of All, and remembers what the message says.
  private func star() {
    escape()
    session.type("1gg" + String(repeating: "j", count: random.next(below: 12)))
    session.readAll(forMilliseconds: 100)
    session.type("*")
    // Another size paints the message again, as a key would not: the next key removes it.
    for size in Self.sizes {
      session.resize(to: size)
      let screen = session.readAll(forMilliseconds: 300)
      for (words, isStarred) in [("Starred “", true), ("Removed the star of “", false)] {
        guard let place = screen.firstRange(of: Array(words.utf8)) else { continue }
        let message = Array(screen[place.upperBound...].prefix(8))
        if let token = SoakServer.tokens(in: message).first {
          marks.starred[token] = isStarred
          return
        }
      }
    }
    marks.unseenCount += 1
  }

  // MARK: - The second program

  /// Runs the program on the same home to its end; returns its exit status and its output.
  private func feedfall(_ arguments: String) -> (status: Int32, output: [UInt8]) {
    secondCount += 1
    let command = "HOME='\(session.folder)' XDG_CACHE_HOME='\(session.folder)/cache' timeout -k 5 60 '\(program)' "
    guard let pipe = popen(command + arguments + " 2>/dev/null </dev/null", "r") else { return (-1, []) }
    var (output, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while case let count = fread(&piece, 1, piece.count, pipe), count > 0 { output += piece[..<count] }
    let status = pclose(pipe)
    if arguments.hasPrefix("mark ") || arguments.hasPrefix("queue ") {
      changes.append("step \(stepCount), status \(status): \(arguments)")
    }
    if status & 0x7F != 0 || status >> 8 > 128 { faults.append("feedfall \(arguments) ended with status \(status)") }
    return (status, output)
  }

  private func runSecond() {
    let address = origin + SoakServer.secondVideo(random.next(below: SoakServer.secondVideoCount))
    switch random.next(below: 9) {
    case 0...2: if feedfall("mark watched \(address)").status == 0 { marks.watched[address] = true }
    case 3: if feedfall("mark unwatched \(address)").status == 0 { marks.watched[address] = false }
    case 4...5: if feedfall("queue add \(address)").status == 0 { marks.queued[address] = true }
    case 6...7: if feedfall("queue remove \(address)").status == 0 { marks.queued[address] = false }
    default: _ = feedfall("download --queue")
    }
  }

  /// Checks that All has no video twice.
  private func checkList() {
    listCount += 1
    let rows = feedfall("render --size 100x400").output.split(separator: UInt8(ascii: "\n")).dropLast()
    checkTwice(rows.flatMap { SoakServer.tokens(in: Array($0)) }, "render")
    escape()
    session.type("1gg\u{C}")
    let screen = session.readAll(forMilliseconds: 400)
    // The status line and a line about a film that plays may repeat one title each.
    let isSeveral = Dictionary(grouping: SoakServer.tokens(in: screen)) { $0 }.count { $1.count > 1 } > 2
    if isSeveral { checkTwice(SoakServer.tokens(in: screen), "All") }
  }

  private func checkTwice(_ tokens: [String], _ place: String) {
    let twice = Dictionary(grouping: tokens) { $0 }.filter { $1.count > 1 }.keys.sorted()
    if !twice.isEmpty { faults.append("\(place) has twice: \(twice.prefix(9).joined(separator: " "))") }
  }

  // MARK: - The end

  private func end() {
    escape()
    if session.isAlive {
      switch session.quit() {
      case 0: break
      case nil: faults.append("the program did not end")
      case let status?: faults.append("the program ended with status \(status)")
      }
      if session.tail.firstRange(of: Array("\u{1B}[?1049l".utf8)) == nil { faults.append("the screen is not restored") }
    }
    server.heal()
    checkMarks()
    checkMemory()
  }

  private func checkMarks() {
    let starred = Set(SoakServer.tokens(in: feedfall("list --pages 20 --where starred").output))
    let lost = marks.starred.filter { $1 != starred.contains($0) }.keys.sorted()
    if lost.count > marks.unseenCount { faults.append("stars lost: \(lost.joined(separator: " "))") }
    let watched = "list \(origin)/\(SoakServer.secondPlaylist) --where watched --json"
    for (command, expected) in [(watched, marks.watched), ("queue list --json", marks.queued)] {
      let output = feedfall(command).output
      let wrong = expected.filter { address, isSet in
        (output.firstRange(of: Array((address.dropFirst("http://".count) + "\"").utf8)) != nil) != isSet
      }
      for address in wrong.keys.sorted() {
        faults.append(
          "\(command) differs: \(([address] + changes.filter { $0.hasSuffix(address) }).joined(separator: "; "))")
      }
    }
  }

  /// Whether the later half needs hardly more than the one before; the first quarter fills caches.
  private func checkMemory() {
    guard megabytes.count >= 24 else { return }
    let early = megabytes[megabytes.count / 4..<megabytes.count / 2].max() ?? 0
    let late = megabytes[(megabytes.count * 3 / 4)...].max() ?? 0
    if late > early * 1.15 + 10 { faults.append("memory grows from \(early) to \(late) MB") }
  }

  private func reportKeys() {
    func text(_ times: [Double]) -> String {
      let sorted = times.sorted()
      guard let longest = sorted.last else { return "none" }
      let parts = [0.5, 0.99, 0.999].map { share in
        "\(share * 100) % in at most \((sorted[Int(share * Double(sorted.count - 1))] * 10).rounded() / 10) ms"
      }
      return (parts + ["the longest \((longest * 10).rounded() / 10) ms"]).joined(separator: ", ")
    }
    print("\(keyCosts.count) keys; processor: \(text(keyCosts.map(\.processor)))")
    print("time to the first byte: \(text(keyCosts.compactMap(\.wall)))")
  }

  private func report(seconds: Double) {
    print(
      "\(Int(seconds)) s: \(stepCount) actions, \(secondCount) runs of a second program, \(listCount) lists, "
        + "\(marks.starred.count) stars, \(marks.watched.count) watched, \(marks.queued.count) queued, "
        + "\(marks.unseenCount) messages not seen, \(Int(megabytes.first ?? 0)) to \(Int(megabytes.max() ?? 0)) MB")
    reportKeys()
    for fault in faults { print("failed: \(fault)") }
    print(faults.isEmpty ? "nothing is lost" : "\(faults.count) faults; the home folder is \(session.folder)")
  }
}
