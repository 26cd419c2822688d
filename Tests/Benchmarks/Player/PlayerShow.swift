import FeedfallApp
import FeedfallPlayer
import FeedfallScreen
import FeedfallSystem
import FeedfallTerminal
import FeedfallText
import Glibc
import Synchronization
import WaterfallEngine

/// Plays a video in the terminal of this process like the program does, and logs the cost.
final class PlayerShow {
  static let argument = "--show"

  /// The time of each frame, and the processor time of this process.
  struct Log {
    var processorMilliseconds: Double
    var frameTimes: [Double]

    /// Parses a log, one number per line; nil if it is missing or empty.
    init?(path: String) {
      guard let file = fopen(path, "re") else { return nil }
      defer { fclose(file) }
      var numbers: [Double] = []
      var line = [CChar](repeating: 0, count: 64)
      while fgets(&line, 64, file) != nil { numbers.append(strtod(line, nil)) }
      guard let first = numbers.first else { return nil }
      processorMilliseconds = first
      frameTimes = Array(numbers.dropFirst())
    }
  }

  /// Runs with the arguments columns, rows, path of the video and path of the log. Returns the exit status, or nil if the
  /// arguments are for another benchmark.
  static func runInTerminal(_ arguments: [String]) -> Int32? {
    guard arguments.count == 5, arguments[0] == argument, let width = Int(arguments[1]), let height = Int(arguments[2]),
      let file = FileAddress(path: arguments[3].utf8), let terminal = try? CursesTerminal()
    else { return arguments.first == argument ? 1 : nil }
    let show = PlayerShow(terminal, cells: Size(width: width, height: height))
    show.play(.file(file))
    terminal.close()
    return show.writeLog(to: arguments[4]) ? 0 : 1
  }

  private let terminal: CursesTerminal
  private let cells: Size
  private let player: MPVPlayer
  private let end: End
  private var frameTimes: [Double] = []

  private final class End: Sendable {
    let isReached = Mutex(false)
  }

  private init(_ terminal: CursesTerminal, cells: Size) {
    self.terminal = terminal
    self.cells = cells
    let end = End()
    self.end = end
    var options = MPVOptions()
    options.hostPath = InstalledPrograms.ownPath
    options.soundOutput = "null"
    player = MPVPlayer(options) { report in
      switch report {
      case .event(_, .ended), .unavailable: end.isReached.withLock { $0 = true }
      case .event, .presentationChanged, .libraryUnusable, .screenshotSaved, .screenshotFailed: break
      }
    }
  }

  private func play(_ address: MediaAddress) {
    var canvas = Canvas(size: terminal.size)
    canvas.write("A video", at: .zero, style: Style(.title))
    canvas.reserve(Rect(origin: Point(x: 0, y: 1), size: cells))
    terminal.paint(canvas)
    player.perform(.configure(PlayerConfiguration(presentation: .cells(cells, .whole))))
    player.perform(.load(PlayRequest(id: PlayID(1), address: address, title: "A video")))
    while !end.isReached.withLock({ $0 }) { step() }
    player.shutDown()
  }

  private func step() {
    let output = terminal.videoOutput
    let delay = terminal.videoDelay
    let isReady = output == nil && delay == nil
    var polled = [
      pollfd(fd: terminal.inputDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isReady ? player.frameDescriptor : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: output ?? -1, events: Int16(POLLOUT), revents: 0),
    ]
    poll(&polled, 3, Int32(min(delay ?? 100, 100)))
    if polled[2].revents != 0 { terminal.continueVideo() }
    if polled[0].revents != 0 || terminal.pendingInputTimeout != nil { _ = terminal.readInput() }
    if polled[1].revents != 0, let frame = player.dequeueFrame() {
      frameTimes.append(steadyMilliseconds())
      terminal.paintVideo(frame)
    }
  }

  private func writeLog(to path: String) -> Bool {
    guard let file = fopen(path, "we") else { return false }
    defer { fclose(file) }
    for number in [ProcessorTime.millisecondsOfProcess] + frameTimes { fputs("\(number)\n", file) }
    return true
  }
}
