import CFeedfallPty
import FeedfallScreen
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

/// The program's terminal in a pseudo terminal, with a model of a screen at the other end that reads only on request.
///
/// Time stands still unless the test advances `clock`.
final class ModelTerminal {
  let terminal: CursesTerminal
  let clock = ManualClock()
  fileprivate(set) var model: ScreenModel
  /// The number of bytes read since the last `drainByteCount()`.
  private(set) var byteCount = 0
  /// All bytes read.
  private var bytes: [UInt8] = []
  /// The input events that the program has decoded.
  private(set) var events: [InputEvent] = []
  /// The last painted canvas.
  private var canvas: Canvas
  private var picture: PixelBuffer?
  fileprivate let master: Int32
  private let slave: Int32
  private let answers: Bool
  private var printer: SequencePrinter?

  /// - Parameters:
  ///   - answers: whether the model answers status queries when it reads them.
  ///   - isIdentified: whether the terminal has answered the first queries.
  init(
    size: Size = Size(width: 60, height: 20), hasDirectColors: Bool = true, answers: Bool = true,
    isIdentified: Bool = true, pictures: PictureChoice = .none, usesColor: Bool = true, theme: ThemeChoice = .auto,
    name: String = "xterm-256color", waits: InputReader.Waits = .local, prints: ((String) -> Bool)? = nil,
    width: @escaping (Unicode.Scalar) -> Int = ScreenModel.usualWidth
  ) throws {
    setenv("TERM", name, 1)
    if hasDirectColors { setenv("COLORTERM", "truecolor", 1) } else { unsetenv("COLORTERM") }
    var slave: Int32 = -1
    master = pty_open(Int32(size.height), Int32(size.width), &slave)
    try #require(master >= 0)
    self.slave = slave
    self.answers = answers
    model = ScreenModel(size: size)
    model.width = width
    printer = prints.map(SequencePrinter.init)
    canvas = Canvas(size: size)
    var options = TerminalOptions()
    options.pictures = pictures
    options.usesColor = usesColor
    options.theme = ThemeSettings(theme)
    terminal = try CursesTerminal(
      options: options, device: TerminalDevice(input: slave, output: slave, clock: clock), waits: waits)
    read()
    guard isIdentified else { return }
    // The first canvas is sent with the queries.
    terminal.paint(canvas)
    read()
    type("\u{1B}[?62c")
    byteCount = 0
  }

  deinit {
    terminal.close()
    close(master)
    unsetenv("COLORTERM")
  }

  func changeKitty(_ change: (inout KittyModel) -> Void) { change(&model.kitty) }

  func paint(_ canvas: Canvas) {
    self.canvas = canvas
    terminal.paint(canvas)
  }

  func show(_ picture: PixelBuffer) {
    self.picture = picture
    terminal.paintVideo(picture)
  }

  /// - Parameter isNoticed: whether the program reads its size again.
  func resize(to size: Size, isNoticed: Bool = true) {
    read()
    pty_resize(master, Int32(size.height), Int32(size.width))
    model.resize(to: size)
    if isNoticed { terminal.updateSize() }
  }

  /// Reads at most `limit` bytes; returns their number.
  @discardableResult
  func read(atMost limit: Int = .max) -> Int {
    var count = 0
    var buffer = [UInt8](repeating: 0, count: 4096)
    while count < limit {
      let piece = pty_read(master, &buffer, min(buffer.count, limit - count), 0)
      guard piece > 0 else { break }
      count += piece
      let new = Array(buffer[..<piece])
      model.process(printer?.process(new) ?? new)
      bytes += new
    }
    byteCount += count
    for report in model.drainCursorReports() where answers { type(report) }
    for answer in model.kitty.drainAnswers() { type(answer) }
    for _ in 0..<(answers ? model.drainQueryCount() : 0) { type("\u{1B}[0n") }
    return count
  }

  /// Reads the program's output; returns all of it since the start.
  func output() -> String {
    read()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Sends bytes to the program and makes it read its input. Returns whether the appearance has changed.
  @discardableResult
  func type(_ text: String) -> Bool {
    Self.send(text, from: master, to: slave)
    let input = terminal.readInput()
    events += input.events
    return input.isAppearanceChanged
  }

  func send(_ text: String, after milliseconds: Int) {
    clock.schedule(after: milliseconds) { [master, slave] in Self.send(text, from: master, to: slave) }
  }

  private static func send(_ text: String, from master: Int32, to slave: Int32) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { return }
    _ = write(master, bytes, bytes.count)
    // The kernel delivers them asynchronously.
    var input = pollfd(fd: slave, events: Int16(POLLIN), revents: 0)
    _ = poll(&input, 1, -1)
  }

  /// Whether the program has left input for the next program.
  var hasUnreadInput: Bool {
    var input = pollfd(fd: slave, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 0) > 0
  }

  /// Reads and writes until nothing is pending.
  func settle() {
    repeat {
      read()
      terminal.continueVideo()
    } while terminal.videoOutput != nil || read() > 0
  }

  /// Changes the cells of a column without the program's knowledge.
  func smudge(column: Int) {
    for y in 0..<model.size.height
    where canvas.video?.parts.contains(where: { $0.contains(Point(x: column, y: y)) }) == true {
      model[column, y].text = "x"
    }
  }

  /// The sequences that the program has written, without their ESC; none without a printer.
  var sequences: [String] { printer?.sequences ?? [] }

  func drainByteCount() -> Int {
    defer { byteCount = 0 }
    return byteCount
  }

  /// Returns the faults of the screen. Cells of the video must show the newest picture, and all others must look as if
  /// the canvas had been painted on an empty screen.
  func faults(tolerance: Int = 0) throws -> [String] {
    settle()
    var faults = model.faults
    if model.isWithinSequence { faults.append("a sequence is not complete") }
    let alone = try fresh()
    let region = canvas.video
    let parts = region?.parts ?? []
    for y in 0..<model.size.height {
      for x in 0..<model.size.width {
        let isVideo = parts.contains { $0.contains(Point(x: x, y: y)) }
        let seen = model[x, y]
        if isVideo, let region, let picture {
          let wanted = VideoHalves(of: picture, x, y, in: region)
          if !VideoHalves(of: seen).isNear(wanted, tolerance) { faults.append("\(x), \(y): \(seen) is not \(wanted)") }
        } else if !seen.looks(like: alone[x, y]) {
          faults.append("\(x), \(y): \(seen) is not \(alone[x, y])")
        }
      }
    }
    return faults
  }

  /// Paints the canvas on an empty screen. The program's next frame starts from a cleared screen.
  private func fresh() throws -> ScreenModel {
    let painter = terminal.painter
    painter.clear()
    var model = ScreenModel(size: model.size)
    model.width = self.model.width
    model.process(painter.frame(canvas).bytes)
    // The program's own screen did not get these bytes.
    painter.clear()
    return model
  }
}

extension ScreenModel.Cell {
  /// Ignores the foreground of blanks.
  fileprivate func looks(like other: Self) -> Bool {
    text == other.text && background == other.background && isReversed == other.isReversed
      && (text == " " && !isReversed || foreground == other.foreground)
  }
}

/// The four quarters of a cell, in reading order: the SGR parameters of their colors; empty for the default background.
struct VideoQuarters: Equatable {
  let colors: [[Int]]

  private static let blocks = Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")

  /// Nil if the cell has no block character.
  init?(of cell: ScreenModel.Cell) {
    guard let quarters = Self.blocks.firstIndex(of: Character(cell.text)), !cell.isReversed else { return nil }
    colors = (0..<4).map { quarters >> $0 & 1 == 1 ? cell.foreground : cell.background }
  }

  /// The sum of squared differences from pixels; nil if there are other colors than direct ones.
  func error(of pixels: [RGB]) -> Double? {
    guard colors.allSatisfy({ $0.count == 4 }) else { return nil }
    return zip(colors, pixels).reduce(0) { sum, pair in
      let seen = RGB(red: UInt8(pair.0[1]), green: UInt8(pair.0[2]), blue: UInt8(pair.0[3]))
      return sum + seen.squaredDifference(from: pair.1)
    }
  }
}

extension RGB {
  func squaredDifference(from other: RGB) -> Double {
    let channels: [KeyPath<RGB, UInt8>] = [\.red, \.green, \.blue]
    return channels.reduce(0.0) { sum, channel in
      let difference = Double(self[keyPath: channel]) - Double(other[keyPath: channel])
      return sum + difference * difference
    }
  }
}

/// The two pixels of a cell.
struct VideoHalves: Equatable {
  /// The SGR parameters of their colors; empty for the default background.
  var upper: [Int]
  var lower: [Int]

  private static let none = [-1]

  init(of cell: ScreenModel.Cell) {
    switch cell.text {
    case " ": (upper, lower) = (cell.background, cell.background)
    case "\u{2580}": (upper, lower) = (cell.foreground, cell.background)
    case "\u{2584}": (upper, lower) = (cell.background, cell.foreground)
    case "\u{2588}": (upper, lower) = (cell.foreground, cell.foreground)
    default: (upper, lower) = (Self.none, Self.none)
    }
    // A default foreground is not the default background.
    let isText = cell.text != " " && cell.foreground == []
    if isText || cell.isReversed { (upper, lower) = (Self.none, Self.none) }
  }

  /// The wanted pixels of a cell for a picture centered in the region.
  init(of picture: PixelBuffer, _ x: Int, _ y: Int, in region: Canvas.VideoRegion) {
    let column = x - region.frame.minX - Int((Double(region.frame.width - picture.size.width) / 2).rounded(.down))
    let rows = (picture.size.height + 1) / 2
    let row = y - region.frame.minY - Int((Double(region.frame.height - rows) / 2).rounded(.down))
    func pixel(_ y: Int) -> [Int] {
      guard picture.content.contains(Point(x: column, y: y)) else { return [] }
      let color = picture[column, y]
      return [2] + [color.red, color.green, color.blue].map { min(255, Int($0) * region.brightness / 50) }
    }
    (upper, lower) = (pixel(row * 2), pixel(row * 2 + 1))
  }

  /// Whether the pixels are within the tolerance, or the nearest palette colors; with a tolerance, colors with the same
  /// nearest palette color are near too.
  func isNear(_ wanted: VideoHalves, _ tolerance: Int) -> Bool {
    func nearest(_ color: [Int]) -> Int32? {
      guard color.count == 4 else { return Int32(color[1]) }
      return ColorDepth.indexed.nearest(to: RGB(red: UInt8(color[1]), green: UInt8(color[2]), blue: UInt8(color[3])))
    }
    func isNear(_ seen: [Int], _ wanted: [Int]) -> Bool {
      if wanted.count < 2 || seen.count < 2 { return seen == wanted }
      if seen.count == 2 || wanted.count == 2 || tolerance > 0, nearest(seen) == nearest(wanted) { return true }
      guard seen.count == 4, wanted.count == 4 else { return false }
      return zip(seen, wanted).allSatisfy { abs($0 - $1) <= tolerance }
    }
    return isNear(upper, wanted.upper) && isNear(lower, wanted.lower)
  }
}

extension ModelTerminal {
  /// Reads on another thread while `body` writes.
  func readingMeanwhile(_ body: () -> Void) throws {
    let reader = MasterReader(master)
    reader.start()
    clock.isOutputBeingRead = true
    body()
    clock.isOutputBeingRead = false
    model.process(try reader.stop())
  }
}

/// Reads continuously on its own thread.
private final class MasterReader: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isStopping = false
    var hasStopped = false
  }

  fileprivate let master: Int32
  private let state = Mutex(State())

  init(_ master: Int32) { self.master = master }

  func start() {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let isStopping = state.withLock { $0.isStopping }
        let count = pty_read(master, &buffer, buffer.count, isStopping ? 0 : 10)
        if count > 0 { state.withLock { $0.bytes += buffer[..<count] } } else if isStopping { break }
      }
      state.withLock { $0.hasStopped = true }
    }
  }

  /// Returns all bytes after the last one has arrived.
  func stop() throws -> [UInt8] {
    state.withLock { $0.isStopping = true }
    try blockUntil("the reader has stopped") { state.withLock { $0.hasStopped } }
    return state.withLock { $0.bytes }
  }
}
