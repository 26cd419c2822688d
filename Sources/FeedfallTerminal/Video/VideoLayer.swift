import FeedfallScreen
import WaterfallEngine

struct VideoLayer {
  struct Screen {
    var size: Size
    var cellSize: Size
    var ground: RGB?
    /// The number of the background's color; nil for the default background.
    var groundNumber: Int32?
    var blocks: VideoPainter.Blocks
  }

  var sender: FrameSender
  private var cells = VideoPainter()
  var kitty = KittyVideo()
  private var sixels: SixelEncoder?
  private var proof = KittyVideo.Proof()
  private var hasDrawnSixels = false

  init(_ sender: FrameSender) { self.sender = sender }

  /// Whether the terminal has a film, or sixels that were erased: xterm shows these again where rows move.
  var isOnScreen: Bool { cells.region != nil || hasDrawnSixels }
  var isStale: Bool { cells.isStale }

  mutating func setPicture(_ picture: PixelBuffer?) { cells.setPicture(picture) }

  // MARK: - Method

  var canQuery: Bool { proof.canQuery }

  mutating func query() -> [UInt8] { proof.query() }

  func method(for choice: VideoChoice, on terminal: TerminalIdentity, hasManyColors: Bool) -> VideoMethod {
    let form = proof.isShared.flatMap { isShared in
      terminal.replacesPixels.map { KittyVideo.Form(isShared: isShared && !kitty.lacksMemory, replacesPixels: $0) }
    }
    let sixelColorCount = terminal.hasSixel && !terminal.isTmux ? max(2, min(252, terminal.colorRegisters)) : nil
    return VideoMethod(
      for: choice, hasManyColors: hasManyColors, kitty: form, hasKittyFailed: kitty.hasFailed,
      sixelColorCount: sixelColorCount)
  }

  // MARK: - Images

  /// The image that a crash handler has to delete; `ending` ends the transmission of its pixels.
  typealias Image = (number: UInt32?, ending: [UInt8])

  var image: Image { (kitty.number, kitty.ending) }

  mutating func handleAnswer(number: Int, isOK: Bool) -> [UInt8]? {
    proof.handleAnswer(number: number, isOK: isOK)
    return isOK ? nil : postponeIfLost(kitty.handleError(number: number))
  }

  /// Call it when the terminal has processed a frame.
  mutating func handleProgress() -> [UInt8]? {
    postponeIfLost(kitty.handleProgress(frameCount: sender.processedFrameCount))
  }

  private mutating func postponeIfLost(_ removal: [UInt8]?) -> [UInt8]? {
    if removal != nil { cells.postpone() }
    return removal
  }

  // MARK: - Painting

  var keepsCells: Bool { cells.hasPicture }

  /// Returns the cells to rewrite, because sixels may be over them.
  mutating func setRegion(_ region: Canvas.VideoRegion?) -> [Rect] {
    let old = cells.region
    cells.setRegion(region)
    return hasDrawnSixels && old != region ? old?.parts ?? [] : []
  }

  func shows(_ region: Canvas.VideoRegion?) -> Bool { cells.region == region }

  mutating func handle(_ damage: CellDamage) {
    if cells.region?.parts.contains(where: damage.overlaps) == true { cells.postpone() }
  }

  /// Nil if the newest picture is shown already, or has to wait.
  mutating func paint(
    by method: VideoMethod, on screen: Screen, _ shown: inout ShownScreen, _ writer: CellWriter
  ) -> OutputParts? {
    switch (method, method.output.hasPixels ? cells.dequeueFinePicture(ground: screen.ground) : nil) {
    case (.kitty(let form), let picture?):
      if let parts = kitty.paint(picture, index: sender.frameCount, as: form) { return parts }
      cells.postpone()
      return nil
    case (.sixel(let colorCount), let picture?): return paintSixels(of: picture, colorCount, on: screen)
    default: return paintCells(on: screen, &shown, writer)
    }
  }

  private mutating func paintSixels(of picture: PixelBuffer, _ colorCount: Int, on screen: Screen) -> OutputParts? {
    guard let region = cells.region else { return nil }
    let encoder = sixels.flatMap { $0.colorCount == colorCount ? $0 : nil } ?? SixelEncoder(colorCount: colorCount)
    (sixels, hasDrawnSixels) = (encoder, true)
    return encoder.encode(picture, in: region, cellSize: screen.cellSize, screen: screen.size)
  }

  private mutating func paintCells(
    on screen: Screen, _ shown: inout ShownScreen, _ writer: CellWriter
  ) -> OutputParts? {
    var parts = cells.paint(
      sender.pace.quality, on: &shown, writer, blocks: screen.blocks, ground: CellColor(number: screen.groundNumber))
    guard !parts.rows.isEmpty else { return nil }
    parts.before = kitty.remove()
    return parts
  }

  mutating func cut(isSynchronized: Bool, on shown: inout ShownScreen) {
    guard let cut = sender.cut(isSynchronized: isSynchronized) else { return }
    cells.postpone()
    if cut.lostRows.isEmpty { kitty.cut() }
    for row in cut.lostRows { shown.forgetFilm(row.columns, row: row.y) }
  }

  /// The next canvas sets the region again.
  mutating func forgetScreen() {
    hasDrawnSixels = false
    sender.forgetFrame()
    cells.setRegion(nil)
  }

  mutating func reset() {
    kitty.reset()
    proof.end()
    sender.reset()
    forgetScreen()
  }
}

enum VideoMethod: Equatable {
  case none(VideoOutput.Obstacle)
  case cells
  case kitty(KittyVideo.Form)
  case sixel(colorCount: Int)

  var output: VideoOutput {
    switch self {
    case .none(let obstacle): .none(obstacle)
    case .cells: .cells
    case .kitty(let form): form.isShared ? .pixels : .encodedPixels
    case .sixel: .encodedPixels
    }
  }

  /// With fewer colors in a sixel picture, cells look better.
  private static let fewestSixelColors = 64

  /// The user's choice is not replaced by another one. `kitty` is the confirmed form; without a count, no sixels.
  init(
    for choice: VideoChoice, hasManyColors: Bool, kitty: KittyVideo.Form?, hasKittyFailed: Bool, sixelColorCount: Int?
  ) {
    let kitty = kitty.map { hasKittyFailed ? .cells : VideoMethod.kitty($0) }
    let sixel = sixelColorCount.map(VideoMethod.sixel)
    self =
      switch choice {
      case .off: .none(.off)
      case _ where !hasManyColors: .none(.fewColors)
      case .auto: kitty ?? (sixelColorCount ?? 0 >= Self.fewestSixelColors ? sixel : nil) ?? .cells
      case .kitty: kitty ?? .none(.unconfirmed(choice))
      case .sixel: sixel ?? .none(.unconfirmed(choice))
      case .cells: .cells
      }
  }
}
