import FeedfallSystem
import Glibc
import WaterfallEngine

/// Plays videos with the program in pseudo-terminals with kitty's graphics, sixels and cells, and prints the figures
/// beside their goals and those of mpv's own outputs, measured in the same run.
struct PlayerTable {
  private let program: String
  private let clip: String
  private let folder: String
  private var missedCount = 0

  /// The pane of the player then has 90 columns.
  private static let size = Size(width: 234, height: 62)
  /// All cells have 1280 by 720 pixels.
  private static let fullSize = Size(width: 160, height: 45)
  private static let seconds = 6.0
  private static let rounds = 20
  private static let starts = 7

  /// Returns the exit status.
  static func run() -> Int32 {
    guard let folder = clipFolder(), let program = CoverSessions.program else {
      print("feedfall-bench: mpv or ffmpeg is missing, or feedfall is not beside feedfall-bench")
      return 2
    }
    defer { _ = system("rm -rf '\(folder)'") }
    var table = PlayerTable(program: program, clip: folder + "/a.mp4", folder: folder)
    table.printLine("figure", "feedfall", "goal", "beside it")
    table.measureKitty()
    table.measureSixel()
    table.measureCells()
    print(table.missedCount == 0 ? "all goals are reached" : "missed goals: \(table.missedCount)")
    return 0
  }

  /// Creates a folder with two videos of a minute, 720p at 30 frames a second; nil if mpv or FFmpeg is missing.
  private static func clipFolder() -> String? {
    guard InstalledPrograms.path(of: "mpv") != nil, InstalledPrograms.path(of: "ffmpeg") != nil else { return nil }
    let folder = "/tmp/feedfall-player-long-\(getpid())"
    let command = """
      mkdir -m 700 \(folder) && cd \(folder) && ffmpeg -v error -f lavfi -i testsrc2=s=1280x720:r=30 -f lavfi \
      -i sine=440 -t 60 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 30 -c:a aac -movflags +faststart a.mp4 \
      </dev/null && ln a.mp4 b.mp4
      """
    return system(command) == 0 ? folder : nil
  }

  private init(program: String, clip: String, folder: String) {
    (self.program, self.clip, self.folder) = (program, clip, folder)
  }

  // MARK: - Table

  private enum Goal {
    case atLeast(Double)
    case atMost(Double)
    case none

    func isMet(by value: Double) -> Bool {
      switch self {
      case .atLeast(let least): value >= least
      case .atMost(let most): value <= most
      case .none: true
      }
    }

    var text: String {
      switch self {
      case .atLeast(let least): ">= \(PlayerTable.text(least))"
      case .atMost(let most): "<= \(PlayerTable.text(most))"
      case .none: ""
      }
    }
  }

  private mutating func report(_ figure: String, _ value: Double?, _ unit: String, _ goal: Goal, beside: String = "") {
    guard let value else {
      missedCount += 1
      return printLine("! " + figure, "none", goal.text, beside)
    }
    let isMet = goal.isMet(by: value)
    if !isMet { missedCount += 1 }
    printLine((isMet ? "  " : "! ") + figure, "\(Self.text(value)) \(unit)", goal.text, beside)
  }

  private func printLine(_ figure: String, _ value: String, _ goal: String, _ beside: String) {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    print(padded(figure, 52) + padded(value, 16) + padded(goal, 12) + beside)
    fflush(nil)
  }

  private static func text(_ value: Double) -> String {
    let rounded = (value * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  // MARK: - Sessions

  private func session(_ kind: GraphicsTerminal.Kind, size: Size = Self.size, _ options: [String] = [])
    -> GraphicsTerminal?
  {
    let terminal = GraphicsTerminal([program, "--images", "none"] + options + [folder], kind: kind, size: size)
    _ = terminal?.wait { $0.lastCells > 0 }
    terminal?.waitUntilQuiet()
    return terminal
  }

  /// Presses a key; returns the milliseconds to the next frame.
  private func frameTime(_ terminal: GraphicsTerminal, after act: () -> Void) -> Double? {
    let before = terminal.current.frames
    act()
    return terminal.wait { $0.frames > before }
  }

  private struct Cost {
    var framesPerSecond: Double
    var bytesPerSecond: Double
    /// Seconds of processor time per second, of the program and of its descendants.
    var own: Double
    var others: Double
    var wakeUps: Double
    var frameSize: Size

    var pixels: String { "\(frameSize.width)x\(frameSize.height)" }
  }

  private func cost(_ terminal: GraphicsTerminal, seconds: Double = Self.seconds) -> Cost {
    let tree = ProcessTree(root: terminal.process)
    func wakeUps() -> Double { tree.switches + ProcessTree.switches(of: tree.root) }
    let before = (terminal.current, ProcessTree.milliseconds(of: tree.root), tree.milliseconds, wakeUps())
    let start = steadyMilliseconds()
    usleep(UInt32(seconds * 1e6))
    let milliseconds = steadyMilliseconds() - start
    let after = terminal.current
    return Cost(
      framesPerSecond: Double(after.frames - before.0.frames) * 1000 / milliseconds,
      bytesPerSecond: Double(after.bytes - before.0.bytes) * 1000 / milliseconds,
      own: (ProcessTree.milliseconds(of: tree.root) - before.1) / milliseconds,
      others: (tree.milliseconds - before.2) / milliseconds, wakeUps: (wakeUps() - before.3) * 1000 / milliseconds,
      frameSize: after.frameSize)
  }

  private func p95(_ times: [Double]) -> Double? { times.isEmpty ? nil : times.sorted()[times.count * 95 / 100] }
  private func median(_ times: [Double]) -> Double? { times.isEmpty ? nil : times.sorted()[times.count / 2] }

  // MARK: - kitty

  private mutating func measureKitty() {
    let null = mpv(["--vo=null"])
    measureStarts()
    guard let terminal = session(.kitty) else { return report("a session with kitty's graphics", nil, "", .none) }
    let quietKeys = keyTimes(terminal)
    _ = frameTime(terminal) { terminal.type(" ") }
    sleep(1)
    let pane = cost(terminal)
    report("720p30 in \(pane.pixels) pixels: frames", pane.framesPerSecond, "1/s", .atLeast(29.5))
    report(
      "  processor, feedfall and child", pane.own + pane.others, "s/s", .atMost(0.25), beside: "mpv --vo=null \(null)")
    report("  of which feedfall", pane.own, "s/s", .none)
    report("  bytes to the terminal", pane.bytesPerSecond / 1000, "kB/s", .atMost(6))
    terminal.type("P")
    sleep(1)
    let keys = keyTimes(terminal)
    if let without = median(quietKeys), let with = median(keys) {
      report(
        "a key in the feed while a video plays, median", with, "ms", .none, beside: "without \(Self.text(without)) ms")
      report("  ratio", with / without, "", .atMost(1.2))
    }
    terminal.type("p")
    terminal.resize(to: Self.fullSize)
    sleep(1)
    terminal.type("f")
    sleep(1)
    let full = cost(terminal)
    report("full window, \(full.pixels) pixels: frames", full.framesPerSecond, "1/s", .atLeast(29.5))
    report("  processor, feedfall and child", full.own + full.others, "s/s", .atMost(0.4))
    terminal.type("f")
    terminal.resize(to: Self.size)
    measurePaused(terminal)
    let objects = ProcessTree(root: terminal.process).sharedFrameCount
    let hasEnded = terminal.end()
    report(
      "objects of shared memory after the end", Double(objects), "", .atMost(0), beside: hasEnded ? "" : "did not end")
  }

  private mutating func measureStarts() {
    var cold: [Double] = []
    for _ in 0..<Self.starts {
      guard let terminal = session(.kitty) else { continue }
      if let time = frameTime(terminal, after: { terminal.type(" ") }) { cold.append(time) }
      terminal.end()
    }
    report(
      "start to first picture, cold, minimum of \(Self.starts)", cold.min(), "ms", .atMost(200), beside: spread(cold))
    var warm: [Double] = []
    guard let terminal = session(.kitty) else { return }
    for round in 0...Self.starts {
      let time = frameTime(terminal) { terminal.type(" ") }
      if round > 0, let time { warm.append(time) }
      usleep(300_000)
      terminal.type("q")
      terminal.waitUntilQuiet()
    }
    terminal.end()
    report(
      "start to first picture, warm, minimum of \(Self.starts)", warm.min(), "ms", .atMost(80), beside: spread(warm))
  }

  private func spread(_ times: [Double]) -> String {
    guard let median = median(times), let longest = times.max() else { return "" }
    return "median \(Int(median)), longest \(Int(longest)) ms"
  }

  /// The times from a key that selects another card to the changed cells.
  private func keyTimes(_ terminal: GraphicsTerminal) -> [Double] {
    (0..<60).compactMap { round in
      usleep(20_000)
      let start = steadyMilliseconds()
      terminal.type(round.isMultiple(of: 2) ? "l" : "h")
      _ = terminal.wait(seconds: 1) { $0.lastCells > start }
      let time = terminal.current.lastCells - start
      return time > 0 ? time : nil
    }
  }

  private mutating func measurePaused(_ terminal: GraphicsTerminal) {
    terminal.type(" ")
    sleep(1)
    terminal.waitUntilQuiet()
    let paused = cost(terminal, seconds: 3)
    report("paused: processor", paused.own + paused.others, "s/s", .atMost(0))
    report("  bytes to the terminal", paused.bytesPerSecond, "1/s", .atMost(0))
    report("  wake-ups of all processes", paused.wakeUps, "1/s", .atMost(0))
    let seeks = (0..<Self.rounds).compactMap { round in
      let time = frameTime(terminal) { terminal.type(round.isMultiple(of: 2) ? "\u{1B}[C" : "\u{1B}[D") }
      terminal.waitUntilQuiet(milliseconds: 150)
      return time
    }
    report("paused seek to its picture, p95 of \(seeks.count)", p95(seeks), "ms", .atMost(60), beside: spread(seeks))
    let resizes = (0..<Self.rounds).compactMap { round in
      let before = terminal.current.frameSize
      terminal.resize(to: round.isMultiple(of: 2) ? Self.fullSize : Self.size)
      let time = terminal.wait(seconds: 2) { $0.frameSize != before }
      terminal.waitUntilQuiet(milliseconds: 150)
      return time
    }
    report(
      "paused resize to its picture, p95 of \(resizes.count)", p95(resizes), "ms", .atMost(40), beside: spread(resizes))
  }

  // MARK: - Sixels and cells

  private mutating func measureSixel() {
    // The last row is not drawn.
    let size = Size(width: 60, height: 18)
    let outputs = ["--vo=sixel", "--vo-sixel-width=480", "--vo-sixel-height=270"]
    guard let (own, alone) = costs(.sixel, size: size, ["--video-output", "sixel"], beside: outputs) else { return }
    report(
      "sixel \(own.pixels): frames", own.framesPerSecond, "1/s", .atLeast(15),
      beside: alone.map { "mpv --vo=sixel \(Self.text($0.framesPerSecond)) frames/s" } ?? "")
    report(own, beside: alone, maximumProcessorRatio: 0.6)
  }

  private mutating func measureCells() {
    let outputs = ["--vo=tct", "--vo-tct-width=118", "--vo-tct-height=36"]
    guard let (own, alone) = costs(.cells, size: Size(width: 118, height: 37), [], beside: outputs) else { return }
    report("cells 118x36: frames", own.framesPerSecond, "1/s", .atLeast(29.5))
    report(own, beside: alone, maximumProcessorRatio: 0.75)
    guard let alone, alone.bytesPerSecond > 0 else { return }
    report("  bytes, ratio to mpv's", own.bytesPerSecond / alone.bytesPerSecond, "", .atMost(0.3))
  }

  /// The costs of playing in the full window, and of mpv with other options in a terminal of the same size.
  private func costs(
    _ kind: GraphicsTerminal.Kind, size: Size, _ options: [String], beside others: [String]
  ) -> (own: Cost, alone: Cost?)? {
    guard let terminal = session(kind, size: size, options) else { return nil }
    terminal.type(" ")
    sleep(1)
    terminal.type("f")
    sleep(1)
    let own = cost(terminal)
    terminal.end()
    let other = GraphicsTerminal(Self.mpvCommand + others + ["--loop-file", clip], kind: kind, size: size)
    sleep(1)
    let alone = other.map { cost($0) }
    other?.end()
    return (own, alone)
  }

  private mutating func report(_ own: Cost, beside alone: Cost?, maximumProcessorRatio: Double) {
    let beside = alone.map { "mpv \(Self.text($0.own)) s/s" } ?? ""
    report("  processor, feedfall and child", own.own + own.others, "s/s", .none, beside: beside)
    if let alone, alone.own > 0 {
      report("  ratio to mpv's", (own.own + own.others) / alone.own, "", .atMost(maximumProcessorRatio))
    }
    report("  bytes to the terminal", own.bytesPerSecond / 1000, "kB/s", .none)
  }

  // MARK: - mpv

  private static let mpvCommand = [
    InstalledPrograms.path(of: "mpv") ?? "mpv", "--no-config", "--really-quiet", "--profile=sw-fast", "--ao=null",
  ]

  /// The processor time of mpv alone with an output, as text.
  private func mpv(_ options: [String]) -> String {
    guard let run = Subprocess(Self.mpvCommand + options + ["--length=\(Int(Self.seconds))", clip]) else {
      return "failed"
    }
    return "\(Self.text(run.processorMilliseconds / 1000 / Self.seconds)) s/s"
  }
}
