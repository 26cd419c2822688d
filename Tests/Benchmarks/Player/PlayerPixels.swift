import FeedfallApp
import FeedfallPlayer
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization
import WaterfallEngine

/// The cost of playing a video in pixels with libmpv, up to the frames that a terminal would show, compared in the same run
/// with mpv.
struct PlayerPixels {
  private final class Recorder: Sendable {
    let reports = Mutex<[PlayerReport]>([])
  }

  private let recorder: Recorder
  private let player: MPVPlayer
  private let clip: MediaAddress
  private var size = Size(width: 720, height: 432)
  private var lastID = 0

  private let processes = ProcessTree(root: getpid())
  private static let rounds = 20
  private static let loads = 200
  private static let pauseSeconds = 3.0

  static func run(_ clip: PlayerClips.Clip, _ report: PlayerBenchmarks.Report) {
    guard let file = FileAddress(path: clip.path.utf8) else { return }
    reportAlone(clip, report)
    var cold: [Double] = []
    for _ in 0..<5 {
      var pixels = PlayerPixels(.file(file))
      cold.append(pixels.load())
      pixels.player.shutDown()
    }
    report("pixels: start to first picture, cold, median", cold.sorted()[2], "ms")
    var pixels = PlayerPixels(.file(file))
    pixels.measure(report)
    pixels.player.shutDown()
  }

  private static func reportAlone(_ clip: PlayerClips.Clip, _ report: PlayerBenchmarks.Report) {
    guard let mpv = InstalledPrograms.path(of: "mpv") else { return }
    let options = ["--no-config", "--really-quiet", "--profile=sw-fast", "--ao=null"]
    let seconds = Double(PlayerClips.seconds) * 1000
    if let null = Subprocess([mpv] + options + ["--vo=null", clip.path]) {
      report("pixels: mpv --vo=null", null.processorMilliseconds / seconds, "s/s")
    }
    if let cells = DrainedProgram([mpv] + options + ["--vo=tct", clip.path], size: Size(width: 80, height: 24)) {
      report("pixels: mpv --vo=tct 80x24", cells.processorMilliseconds / seconds, "s/s")
    }
  }

  private init(_ clip: MediaAddress) {
    let recorder = Recorder()
    self.recorder = recorder
    self.clip = clip
    var options = MPVOptions()
    options.hostPath = InstalledPrograms.ownPath
    options.soundOutput = "null"
    player = MPVPlayer(options) { report in recorder.reports.withLock { $0.append(report) } }
  }

  private mutating func measure(_ report: PlayerBenchmarks.Report) {
    _ = load()
    report("pixels: load to first picture, warm, p95", p95((0..<Self.rounds).map { _ in load() }), "ms")
    for (width, height) in [(720, 432), (1280, 720)] {
      size = Size(width: width, height: height)
      measurePlayback("pixels \(width)x\(height)", report)
    }
    _ = load()
    player.perform(.pause)
    usleep(300_000)
    measurePause(report)
    let seeks = (0..<Self.rounds).map { round in
      _ = player.dequeueFrame()
      return time {
        player.perform(.seek(to: Double(round % 7) + 0.5))
        waitForFrame()
      }
    }
    report("pixels: paused seek to picture, p95", p95(seeks), "ms")
    let resizes = (0..<Self.rounds).map { round in
      size = Size(width: 640 + round * 16, height: 360 + round * 9)
      return time {
        configure()
        waitForFrame()
      }
    }
    report("pixels: paused resize to picture, p95", p95(resizes), "ms")
    measureLeaks(report)
  }

  private mutating func measurePlayback(_ name: String, _ report: PlayerBenchmarks.Report) {
    _ = load()
    let (own, other) = (ProcessorTime.millisecondsOfProcess, processes.milliseconds)
    let start = steadyMilliseconds()
    var count = 0.0
    while steadyMilliseconds() - start < Double(PlayerClips.seconds - 2) * 1000 {
      var polled = pollfd(fd: player.frameDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, 100)
      if player.dequeueFrame() != nil { count += 1 }
    }
    let milliseconds = steadyMilliseconds() - start
    report("\(name): frames a second", count * 1000 / milliseconds, "1/s")
    report("\(name): feedfall", (ProcessorTime.millisecondsOfProcess - own) / milliseconds, "s/s")
    report("\(name): mpv's process", (processes.milliseconds - other) / milliseconds, "s/s")
  }

  private func measurePause(_ report: PlayerBenchmarks.Report) {
    let (own, other) = (ProcessorTime.millisecondsOfProcess, processes.milliseconds)
    let (ownSwitches, otherSwitches) = (ProcessTree.switches(of: getpid()), processes.switches)
    usleep(UInt32(Self.pauseSeconds * 1e6))
    let seconds = Self.pauseSeconds
    report("pixels paused: feedfall", (ProcessorTime.millisecondsOfProcess - own) / seconds / 1000, "s/s")
    report("pixels paused: mpv's process", (processes.milliseconds - other) / seconds / 1000, "s/s")
    report(
      "pixels paused: wake-ups of feedfall", (ProcessTree.switches(of: getpid()) - ownSwitches) / seconds, "1/s")
    report("pixels paused: wake-ups of mpv's process", (processes.switches - otherSwitches) / seconds, "1/s")
  }

  private mutating func measureLeaks(_ report: PlayerBenchmarks.Report) {
    _ = load()
    let before = (processes.fileCount, processes.sharedFrameCount)
    for _ in 0..<Self.loads { _ = load() }
    report("pixels: files left by \(Self.loads) videos", Double(processes.fileCount - before.0), "files")
    report(
      "pixels: objects left by \(Self.loads) videos", Double(processes.sharedFrameCount - before.1), "objects")
  }

  private func configure() {
    player.perform(.configure(PlayerConfiguration(presentation: .pixels(size, .whole))))
  }

  /// Returns the milliseconds to the first frame.
  private mutating func load() -> Double {
    lastID += 1
    let id = PlayID(lastID)
    recorder.reports.withLock { $0 = [] }
    configure()
    return time {
      player.perform(.load(PlayRequest(id: id, address: clip, title: "A video")))
      let deadline = steadyMilliseconds() + 5000
      while steadyMilliseconds() < deadline, !recorder.reports.withLock({ $0.contains(.event(id, .ready)) }) {
        usleep(500)
      }
      waitForFrame()
    }
  }

  /// Waits at most 5 s for a frame of the current size.
  private func waitForFrame() {
    let deadline = steadyMilliseconds() + 5000
    while steadyMilliseconds() < deadline {
      var polled = pollfd(fd: player.frameDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, 100)
      if player.dequeueFrame()?.size == size { return }
    }
  }

  private func time(_ work: () -> Void) -> Double {
    let start = steadyMilliseconds()
    work()
    return steadyMilliseconds() - start
  }

  private func p95(_ times: [Double]) -> Double { times.sorted()[times.count * 95 / 100] }
}
