import FeedfallPlayer
import FeedfallPlaying
import FeedfallScreen
import FeedfallText
import Glibc
import Synchronization
import WaterfallEngine

/// How long what a person asks of a player takes, until the program has what shows it.
struct PlayerLatencies {
  private final class Heard: Sendable {
    let reports = Mutex<[PlayerReport]>([])
  }

  private let heard: Heard
  private let player: MPVProcess
  private var lastID = 0

  static func run(_ clips: PlayerClips, _ report: PlayerBenchmarks.Report) {
    let films = clips.clips.compactMap { FileAddress(path: $0.path.utf8) }.map(MediaAddress.file)
    guard films.count > 1 else { return }
    var latencies = PlayerLatencies()
    latencies.measure(films, report)
    latencies.player.shutDown()
  }

  private init() {
    let heard = Heard()
    self.heard = heard
    var options = MPVOptions()
    options.soundOutput = "null"
    player = MPVProcess(options) { report in heard.reports.withLock { $0.append(report) } }
  }

  private static let cells = Size(width: 80, height: 24)
  private static let rounds = 20

  private mutating func measure(_ films: [MediaAddress], _ report: PlayerBenchmarks.Report) {
    player.perform(.setPresentation(.cells(Self.cells, .whole)))
    report("player: first film of all to its first frame", load(films[0]), "ms")
    let switches = (0..<Self.rounds).map { load(films[$0 % 2 + 1]) }
    report("player: switch to first frame, p95 (goal 120)", p95(switches), "ms")
    player.perform(.stop)
    _ = heardReport { if case .playing(_, .ended) = $0 { true } else { false } }
    report("player: load to first frame, warm (goal 150)", load(films[0]), "ms")
    let pauses = (0..<Self.rounds).map { round in
      let isPaused = round.isMultiple(of: 2)
      return time {
        player.perform(isPaused ? .pause : .resume)
        _ = heardReport { if case .playing(_, .paused(isPaused)) = $0 { true } else { false } }
      }
    }
    report("player: pause to its report, p95 (goal 20)", p95(pauses), "ms")
    player.perform(.pause)
    usleep(200_000)
    let seeks = (0..<Self.rounds).map { round in
      _ = player.takeFrame()
      return time {
        player.perform(.seek(to: Double(round % 7) + 0.5))
        _ = frame(Self.cells)
      }
    }
    report("player: paused seek to picture, p95 (goal 80)", p95(seeks), "ms")
    player.perform(.resume)
    let resizes = (0..<Self.rounds / 2).map { round in
      let size = Size(width: 40 + round * 4, height: 12 + round)
      return time {
        player.perform(.setPresentation(.cells(size, .whole)))
        _ = frame(size)
      }
    }
    report("player: resize to the right size, p95 (goal 300)", p95(resizes), "ms")
    player.perform(.setPresentation(.cells(Self.cells, .whole)))
  }

  /// Milliseconds to the first frame of it.
  private mutating func load(_ film: MediaAddress) -> Double {
    lastID += 1
    heard.reports.withLock { $0 = [] }
    let id = PlayID(lastID)
    return time {
      player.perform(.load(PlayRequest(id: id, address: film, title: "A film")))
      _ = heardReport { if case .playing(id, .ready) = $0 { true } else { false } }
      _ = frame(Self.cells)
    }
  }

  private func time(_ work: () -> Void) -> Double {
    heard.reports.withLock { $0 = [] }
    let start = steadyMilliseconds()
    work()
    return steadyMilliseconds() - start
  }

  private func p95(_ times: [Double]) -> Double { times.sorted()[times.count * 95 / 100] }

  /// Whether such a report came within some seconds.
  private func heardReport(_ isMeant: (PlayerReport) -> Bool) -> Bool {
    let deadline = steadyMilliseconds() + 5000
    while !heard.reports.withLock({ $0.contains(where: isMeant) }) {
      guard steadyMilliseconds() < deadline else { return false }
      usleep(500)
    }
    return true
  }

  /// Waits some seconds for a frame of so many cells.
  private func frame(_ cells: Size) -> Bool {
    let deadline = steadyMilliseconds() + 5000
    let wanted = Size(width: cells.width, height: cells.height * 2)
    while steadyMilliseconds() < deadline {
      var polled = pollfd(fd: player.frameDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, 100)
      if player.takeFrame()?.size == wanted { return true }
    }
    return false
  }
}
