import FeedfallScreen
import FeedfallTerminal
import Glibc
import WaterfallEngine

/// Shows generated pictures in a terminal, for tests and for manual checks.
///
/// Keys: j and k move, a shows an alert over the pictures, n hides the pictures, x crashes, ^Z suspends, ^L repaints,
/// q quits. The argument is a `PictureChoice`. The last row shows "resting" once no key has come for 100 ms; pictures
/// follow in the same frame or later.
@main struct PicturePainter {
  var terminal: CursesTerminal
  var offset = 0
  var hasAlert = false
  var hasPictures = true
  var isAtRest = false
  private var known: [Known: PixelBuffer] = [:]

  private struct Known: Hashable {
    var index: Int
    var size: Size
  }

  init(terminal: CursesTerminal) {
    self.terminal = terminal
  }

  static func main() throws {
    let signals = SignalInbox()
    var options = TerminalOptions()
    options.pictures = CommandLine.arguments.dropFirst().first.flatMap(PictureChoice.init) ?? .auto
    var painter = PicturePainter(terminal: try CursesTerminal(options: options))
    painter.run(signals)
    painter.terminal.close()
  }

  private mutating func run(_ signals: SignalInbox) {
    terminal.paint(draw())
    while true {
      var polled = [
        pollfd(fd: terminal.inputDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: terminal.videoOutput ?? -1, events: Int16(POLLOUT), revents: 0),
      ]
      let rest = isAtRest ? -1 : 100
      let timeout = terminal.pendingInputTimeout.map { rest < 0 ? $0 : min($0, rest) } ?? rest
      let ready = poll(&polled, 3, Int32(timeout))
      while let signal = signals.next() {
        switch signal {
        case SIGWINCH: terminal.updateSize()
        case SIGCONT: terminal.repaintAll()
        default: return
        }
      }
      if polled[2].revents != 0 { terminal.continueVideo() }
      let input = terminal.readInput()
      if input.isClosed { return }
      isAtRest = isAtRest || ready == 0 && timeout == rest
      for event in input.events {
        guard handle(event) else { return }
      }
      terminal.paint(draw())
    }
  }

  /// Returns false if the program should end.
  private mutating func handle(_ event: InputEvent) -> Bool {
    isAtRest = false
    switch event {
    case .key(.character("j")): offset += 1
    case .key(.character("k")): offset -= 1
    case .key(.character("a")): hasAlert.toggle()
    case .key(.control("l")): terminal.repaintAll()
    case .key(.control("z")): terminal.suspend()
    case .key(.character("q")): return false
    case .key(.character("n")): hasPictures.toggle()
    case .key(.character("x")): abort()
    default: break
    }
    return true
  }

  private mutating func draw() -> Canvas {
    var canvas = Canvas(size: terminal.size)
    canvas.isAtRest = isAtRest
    let size = Size(width: 20, height: 8)
    canvas.clip = Rect(x: 0, y: 1, width: canvas.size.width, height: max(0, canvas.size.height - 2))
    for index in 0..<(hasPictures ? 6 : 0) {
      let place = Point(x: 2 + index % 3 * 24, y: 2 + index / 3 * 10 - offset)
      draw(index, in: Rect(origin: place, size: size), on: &canvas)
    }
    canvas.clip = canvas.bounds
    canvas.write("pictures by \(terminal.pictureProtocol)", at: .zero, style: Style(.heading))
    canvas.write("rows above: \(offset)", at: Point(x: 0, y: canvas.size.height - 1), style: Style(.status))
    if isAtRest {
      canvas.write("resting", at: Point(x: 60, y: canvas.size.height - 1), style: Style(.status))
    }
    if hasAlert {
      canvas.fill(Rect(x: 8, y: 5, width: 30, height: 3), style: Style(.alert))
      canvas.write("an alert", at: Point(x: 10, y: 6), style: Style(.alert))
    }
    return canvas
  }

  private mutating func draw(_ index: Int, in frame: Rect, on canvas: inout Canvas) {
    let cell = terminal.cellSize
    let half = pixels(index, Size(width: frame.width, height: frame.height * 2))
    for y in 0..<frame.height {
      for x in 0..<frame.width {
        let style = Style(.cover, foreground: half[x, 2 * y], background: half[x, 2 * y + 1])
        canvas[frame.minX + x, frame.minY + y] = Cell(Glyph("\u{2580}"), style)
      }
    }
    let whole = pixels(index, Size(width: frame.width * cell.width, height: frame.height * cell.height))
    canvas.place(whole, id: index, over: frame)
    canvas.write(
      "\(index):00", at: Point(x: frame.maxX - 5, y: frame.maxY - 1), style: Style(.badge))
  }

  private mutating func pixels(_ index: Int, _ size: Size) -> PixelBuffer {
    if let pixels = known[Known(index: index, size: size)] { return pixels }
    let new = Self.pixels(index, size)
    known[Known(index: index, size: size)] = new
    return new
  }

  /// Draws a gradient, and a disc with a sharp edge.
  private static func pixels(_ index: Int, _ size: Size) -> PixelBuffer {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let across = Double(x) / Double(size.width)
        let down = Double(y) / Double(size.height)
        let (dx, dy) = (across - 0.5, (down - 0.5) * 0.8)
        let isInside = dx * dx + dy * dy < 0.08
        let light = isInside ? 0.9 - down * 0.5 : 0.2 + down * 0.5
        // Each picture fades from one of the three channels to the next.
        for channel in 0..<3 {
          let share = channel == index % 3 ? 1 - across : channel == (index + 1) % 3 ? across : 0.2
          bytes.append(UInt8(255 * light * share))
        }
      }
    }
    guard let buffer = PixelBuffer(size: size, bytes: bytes) else { fatalError("no pixels for \(size)") }
    return buffer
  }
}
