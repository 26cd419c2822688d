import FeedfallApp
import FeedfallPlayer
import FeedfallScreen
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization
import WaterfallEngine

/// The time from an order to the frame or report that shows its result.
struct PlayerLatencies {
  private final class Recorder: Sendable {
    let reports = Mutex<[PlayerReport]>([])
  }

  private let recorder: Recorder
  private let player: MPVPlayer
  private var lastID = 0

  static func run(_ clips: PlayerClips, _ report: PlayerBenchmarks.Report) {
    let videos = clips.clips.compactMap { FileAddress(path: $0.path.utf8) }.map(MediaAddress.file)
    guard videos.count > 1 else { return }
    var latencies = PlayerLatencies()
    latencies.measure(videos, report)
    latencies.player.shutDown()
  }

  private init() {
    let recorder = Recorder()
    self.recorder = recorder
    var options = MPVOptions()
    options.hostPath = InstalledPrograms.ownPath
    options.soundOutput = "null"
    player = MPVPlayer(options) { report in recorder.reports.withLock { $0.append(report) } }
  }

  private static let cells = Size(width: 80, height: 24)
  private static let rounds = 20

  private mutating func measure(_ videos: [MediaAddress], _ report: PlayerBenchmarks.Report) {
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
    report("player: first load to first frame", load(videos[0]), "ms")
    let switches = (0..<Self.rounds).map { load(videos[$0 % 2 + 1]) }
    report("player: switch to first frame, p95 (goal 120)", p95(switches), "ms")
    player.perform(.stop)
    _ = waitForReport { if case .event(_, .ended) = $0 { true } else { false } }
    report("player: load to first frame, warm (goal 150)", load(videos[0]), "ms")
    let pauses = (0..<Self.rounds).map { round in
      let isPaused = round.isMultiple(of: 2)
      return time {
        player.perform(isPaused ? .pause : .resume)
        _ = waitForReport { if case .event(_, .paused(isPaused)) = $0 { true } else { false } }
      }
    }
    report("player: pause to its report, p95 (goal 20)", p95(pauses), "ms")
    player.perform(.pause)
    usleep(200_000)
    let seeks = (0..<Self.rounds).map { round in
      _ = player.dequeueFrame()
      return time {
        player.perform(.seek(to: Double(round % 7) + 0.5))
        _ = waitForFrame(Self.cells)
      }
    }
    report("player: paused seek to picture, p95 (goal 80)", p95(seeks), "ms")
    player.perform(.resume)
    let resizes = (0..<Self.rounds / 2).map { round in
      let size = Size(width: 40 + round * 4, height: 12 + round)
      return time {
        player.perform(.configure(PlayerConfiguration(presentation: .cells(size, .whole))))
        _ = waitForFrame(size)
      }
    }
    report("player: resize to the right size, p95 (goal 300)", p95(resizes), "ms")
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Self.cells, .whole))))
  }

  /// Returns the milliseconds to the first frame.
  private mutating func load(_ address: MediaAddress) -> Double {
    lastID += 1
    recorder.reports.withLock { $0 = [] }
    let id = PlayID(lastID)
    return time {
      player.perform(.load(PlayRequest(id: id, address: address, title: "A video")))
      _ = waitForReport { if case .event(id, .ready) = $0 { true } else { false } }
      _ = waitForFrame(Self.cells)
    }
  }

  private func time(_ work: () -> Void) -> Double {
    recorder.reports.withLock { $0 = [] }
    let start = steadyMilliseconds()
    work()
    return steadyMilliseconds() - start
  }

  private func p95(_ times: [Double]) -> Double { times.sorted()[times.count * 95 / 100] }

  /// Waits at most 5 s for a report; returns whether it came.
  private func waitForReport(_ matches: (PlayerReport) -> Bool) -> Bool {
    let deadline = steadyMilliseconds() + 5000
    while !recorder.reports.withLock({ $0.contains(where: matches) }) {
      guard steadyMilliseconds() < deadline else { return false }
      usleep(500)
    }
    return true
  }

  /// Waits at most 5 s for a frame of this size in cells; returns whether it came.
  private func waitForFrame(_ cells: Size) -> Bool {
    let deadline = steadyMilliseconds() + 5000
    let wanted = Size(width: cells.width * 2, height: cells.height * 2)
    while steadyMilliseconds() < deadline {
      var polled = pollfd(fd: player.frameDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, 100)
      if player.dequeueFrame()?.size == wanted { return true }
    }
    return false
  }
}
