import FeedfallPlayer
import FeedfallPlaying
import FeedfallScreen
import FeedfallTerminal
import FeedfallText
import Glibc
import Synchronization
import WaterfallEngine

/// Plays a film in the terminal that this process runs in, as the program does, and notes what that took.
final class PlayerShow {
  static let argument = "--show"

  /// What it notes: when each frame began, what its own threads took of the processor, and how it ended.
  struct Note {
    var processorMilliseconds: Double
    var frameTimes: [Double]

    /// A number a line.
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

  /// Arguments: columns and rows of the video, the film and the file to note things in. Nil where they are not meant for
  /// this.
  static func runInTerminal(_ arguments: [String]) -> Int32? {
    guard arguments.count == 5, arguments[0] == argument, let width = Int(arguments[1]), let height = Int(arguments[2]),
      let film = FileAddress(path: arguments[3].utf8), let terminal = try? CursesTerminal()
    else { return arguments.first == argument ? 1 : nil }
    let show = PlayerShow(terminal, cells: Size(width: width, height: height))
    show.play(.file(film))
    terminal.close()
    return show.note(in: arguments[4]) ? 0 : 1
  }

  private let terminal: CursesTerminal
  private let cells: Size
  private let player: MPVProcess
  private let ending: Ending
  private var frameTimes: [Double] = []

  private final class Ending: Sendable {
    let hasCome = Mutex(false)
  }

  private init(_ terminal: CursesTerminal, cells: Size) {
    self.terminal = terminal
    self.cells = cells
    let ending = Ending()
    self.ending = ending
    var options = MPVOptions()
    options.soundOutput = "null"
    player = MPVProcess(options) { report in
      switch report {
      case .playing(_, .ended), .gone: ending.hasCome.withLock { $0 = true }
      case .playing, .presented, .pictureTaken, .pictureNotTaken: break
      }
    }
  }

  private func play(_ film: MediaAddress) {
    var canvas = Canvas(size: terminal.size)
    canvas.write("A film", at: .zero, style: Style(.title))
    canvas.reserve(Rect(origin: Point(x: 0, y: 1), size: cells))
    terminal.paint(canvas)
    player.perform(.setPresentation(.cells(cells, .whole)))
    player.perform(.load(PlayRequest(id: PlayID(1), address: film, title: "A film")))
    while !ending.hasCome.withLock({ $0 }) { step() }
    player.shutDown()
  }

  private func step() {
    let output = terminal.videoOutput
    let delay = terminal.videoDelay
    let takesFrames = output == nil && delay == nil
    var polled = [
      pollfd(fd: terminal.inputDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: takesFrames ? player.frameDescriptor : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: output ?? -1, events: Int16(POLLOUT), revents: 0),
    ]
    poll(&polled, 3, Int32(min(delay ?? 100, 100)))
    if polled[2].revents != 0 { terminal.continueVideo() }
    if polled[0].revents != 0 || terminal.pendingInputTimeout != nil { _ = terminal.readInput() }
    if polled[1].revents != 0, let frame = player.takeFrame() {
      frameTimes.append(steadyMilliseconds())
      terminal.paintVideo(frame)
    }
  }

  private func note(in path: String) -> Bool {
    guard let file = fopen(path, "we") else { return false }
    defer { fclose(file) }
    for number in [ProcessorTime.millisecondsOfProcess] + frameTimes { fputs("\(number)\n", file) }
    return true
  }
}
