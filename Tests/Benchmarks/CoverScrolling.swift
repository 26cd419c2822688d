import CFeedfallPty
import FeedfallMedia
import FeedfallScreen
import FeedfallTerminal
import Glibc
import WaterfallEngine

/// The cost of scrolling a screen full of covers by one row, in a pseudo-terminal of 200 by 50 cells with all colors:
/// the processor time from drawing to the last byte, and the number of bytes.
enum CoverScrolling {
  /// The number of rows to scroll; each is one frame.
  private static let steps = 100
  private static let size = Size(width: 200, height: 50)
  private static let argument = "--scrolling"

  static func run(_ report: CoverBenchmarks.Report) {
    for (choice, goal) in [(PictureChoice.cells, 8), (.kitty, 2)] {
      guard let cost = cost(of: choice) else { continue }
      report("covers.scroll a row, \(choice) (goal 1)", cost.milliseconds, "ms")
      report("covers.scroll a row, \(choice) (goal \(goal))", cost.kilobytes, "KB")
    }
  }

  private static func cost(of choice: PictureChoice) -> (milliseconds: Double, kilobytes: Double)? {
    let command = ["/proc/self/exe", "covers", argument, choice.rawValue]
    let environment = ["TERM=xterm-256color", "COLORTERM=truecolor", "LC_ALL=C.UTF-8"]
    guard let output = PseudoTerminal.output(of: command, environment, size: size) else { return nil }
    // The first screen, a mark, the scrolled frames, a mark, the time.
    let parts = output.split(separator: mark, omittingEmptySubsequences: false)
    guard parts.count == 3, let nanoseconds = Double(String(decoding: parts[2].prefix { $0 > 0x20 }, as: UTF8.self))
    else { return nil }
    return (nanoseconds / 1e6, Double(parts[1].count) / Double(steps) / 1000)
  }

  private static let mark = Array("\u{1B}]777;mark\u{1B}\\".utf8)

  // MARK: In the terminal

  /// Scrolls in the terminal of this process. Returns the exit status, or nil if the arguments are for another
  /// benchmark.
  static func runInTerminal(_ arguments: [String]) -> Int32? {
    guard arguments.first == argument, let choice = arguments.dropFirst().first.flatMap(PictureChoice.init) else {
      return nil
    }
    var options = TerminalOptions()
    options.pictures = choice
    guard let terminal = try? CursesTerminal(options: options) else { return 1 }
    let covers = shownCovers
    guard !covers.isEmpty else { return 1 }
    // The terminal transmits pictures only for canvases at rest.
    for row in Array(stride(from: steps, to: 0, by: -cover.height)) + [0] {
      repeat {
        terminal.paint(screen(of: covers, scrolledBy: row, isAtRest: true))
        while terminal.videoOutput != nil { terminal.continueVideo() }
      } while terminal.readInput().isAppearanceChanged
    }
    send(mark)
    let times = (1...steps).map { row in
      ProcessorTime.milliseconds { terminal.paint(screen(of: covers, scrolledBy: row, isAtRest: false)) }
    }
    send(mark)
    send(Array("\(Int(times.sorted()[steps / 2] * 1e6)) ".utf8))
    return 0
  }

  private static func send(_ bytes: [UInt8]) { _ = write(STDOUT_FILENO, bytes, bytes.count) }

  private static var shownCovers: [CoverPicture] {
    files(in: "\(CoverBenchmarks.folder)/360p").compactMap { path -> CoverPicture? in
      guard let bytes = contents(of: path), let cells = try? PictureDecoder.decode(bytes, to: target(.halves)),
        let pixels = try? PictureDecoder.decode(bytes, to: .filling(shape, shape: shape))
      else { return nil }
      return CoverPicture(cells: CellPicture(cells, glyphs: .halves), pixels: pixels, average: pixels.averageColor)
    }
  }

  private static let cover = Size(width: 38, height: 11)
  private static let shape = Size(width: cover.width * 8, height: cover.height * 16)

  private static func target(_ glyphs: BlockGlyphs) -> PictureTarget {
    let tile = glyphs.pixelsPerCell
    return .filling(Size(width: cover.width * tile.width, height: cover.height * tile.height), shape: shape)
  }

  /// Five columns of covers with titles between a header and a footer, no two columns at the same height.
  private static func screen(of covers: [CoverPicture], scrolledBy rows: Int, isAtRest: Bool) -> Canvas {
    var canvas = Canvas(size: size)
    canvas.isAtRest = isAtRest
    canvas.write("A feed of covers", at: .zero, style: Style(.title))
    let inner = Rect(x: 0, y: 1, width: size.width, height: size.height - 2)
    canvas.clip = inner
    for column in 0..<5 {
      var number = column
      var y = 1 - rows - column * 2
      while y < inner.maxY {
        let picture = covers[number % covers.count]
        let frame = Rect(origin: Point(x: 1 + column * 40, y: y), size: cover)
        canvas.draw(picture.cells, in: frame)
        if let pixels = picture.pixels { canvas.place(pixels, id: number % covers.count, over: frame) }
        canvas.write(
          "Film number \(number), \(number * 7) minutes", at: Point(x: frame.minX, y: frame.maxY), style: Style(.title))
        y += cover.height + 3
        number += 5
      }
    }
    return canvas
  }
}
