import FeedfallScreen
import WaterfallEngine

/// Shows the frames of a video in the canvas's video region, with the painter that the terminal supports.
struct VideoLayer {
  /// The terminal's screen, as far as frames depend on it.
  struct Screen {
    var size: Size
    var cellSize: Size
    var ground: RGB?
    /// The number of the background's color; nil for the default background.
    var groundNumber: Int32?
    var blocks: VideoPainter.Blocks
  }

  struct Painted {
    /// Bytes that are written even if the frame is cut.
    var before: [UInt8] = []
    var parts: OutputParts
  }

  var sender: FrameSender
  private var cells = VideoPainter()
  var kitty = KittyVideo()
  private var sixels: SixelEncoder?
  private var proof = KittyVideo.Proof()
  private var hasDrawnSixels = false

  init(_ sender: FrameSender) { self.sender = sender }

  /// Whether the terminal has a film, or sixels that were erased: xterm shows
  /// these again where rows move.
  var isOnScreen: Bool { cells.region != nil || hasDrawnSixels }
  var isStale: Bool { cells.isStale }

  mutating func setPicture(_ picture: PixelBuffer?) { cells.setPicture(picture) }

  // MARK: - Method

  /// Whether the terminal can be asked for kitty's protocol: it was not asked yet.
  var canQuery: Bool { proof.phase == .unknown }

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

  /// The image that a crash handler has to delete.
  struct Image: Equatable {
    /// Its number in the terminal; nil if there is none.
    var number: UInt32?
    /// Ends the transmission of its pixels, if these may be cut off.
    var ending: [UInt8]
  }

  var image: Image { Image(number: kitty.number, ending: kitty.ending) }

  /// Returns the bytes that delete a lost image; nil if none is lost.
  mutating func handleAnswer(number: Int, isOK: Bool) -> [UInt8]? {
    proof.handleAnswer(number: number, isOK: isOK)
    return isOK ? nil : postponeIfLost(kitty.handleError(number: number))
  }

  /// Handles that the terminal has processed a frame. Returns the bytes that delete a lost image; nil if none is lost.
  mutating func handleProgress() -> [UInt8]? {
    postponeIfLost(kitty.handleProgress(frameCount: sender.processedFrameCount))
  }

  private mutating func postponeIfLost(_ removal: [UInt8]?) -> [UInt8]? {
    if removal != nil { cells.postpone() }
    return removal
  }

  // MARK: - Painting

  /// Whether the cells of a film stay where they are.
  var keepsCells: Bool { cells.hasPicture }

  /// Sets the region. Returns the cells to rewrite, because sixels may be over them.
  mutating func setRegion(_ region: Canvas.VideoRegion?) -> [Rect] {
    let old = cells.region
    cells.setRegion(region)
    return hasDrawnSixels && old != region ? old?.parts ?? [] : []
  }

  func shows(_ region: Canvas.VideoRegion?) -> Bool { cells.region == region }

  mutating func moveImage(to region: Canvas.VideoRegion?) -> [UInt8] { kitty.setRegion(region) }

  /// Handles that a frame has written cells, perhaps over the picture.
  mutating func handle(_ damage: CellDamage) {
    if cells.region?.parts.contains(where: damage.overlaps) == true { cells.postpone() }
  }

  /// Returns the bytes that show the newest picture; nil if it is shown already, or if it has to wait.
  mutating func paint(
    by method: VideoMethod, on screen: Screen, _ shown: inout ShownScreen, _ writer: CellWriter
  ) -> Painted? {
    switch (method, method.output.hasPixels ? cells.dequeueFinePicture(ground: screen.ground) : nil) {
    case (.kitty(let form), let picture?):
      if let parts = kitty.paint(picture, index: sender.frameCount, as: form) { return Painted(parts: parts) }
      cells.postpone()
      return nil
    case (.sixel(let colorCount), let picture?): return paintSixels(of: picture, colorCount, on: screen)
    default: return paintCells(on: screen, &shown, writer)
    }
  }

  private mutating func paintSixels(of picture: PixelBuffer, _ colorCount: Int, on screen: Screen) -> Painted? {
    guard let region = cells.region else { return nil }
    let encoder = sixels.flatMap { $0.colorCount == colorCount ? $0 : nil } ?? SixelEncoder(colorCount: colorCount)
    (sixels, hasDrawnSixels) = (encoder, true)
    return Painted(parts: encoder.encode(picture, in: region, cellSize: screen.cellSize, screen: screen.size))
  }

  private mutating func paintCells(
    on screen: Screen, _ shown: inout ShownScreen, _ writer: CellWriter
  ) -> Painted? {
    let parts = cells.paint(
      sender.pace.quality, on: &shown, writer, blocks: screen.blocks, ground: CellColor(number: screen.groundNumber))
    return parts.rows.isEmpty ? nil : Painted(before: kitty.remove(), parts: parts)
  }

  /// Drops the rest of a frame, whose cells become unknown.
  mutating func cut(isSynchronized: Bool, on shown: inout ShownScreen) {
    guard let cut = sender.cut(isSynchronized: isSynchronized) else { return }
    cells.postpone()
    if cut.lostRows.isEmpty { kitty.cut() }
    for row in cut.lostRows { shown.forgetFilm(row.columns, row: row.y) }
  }

  /// Discards all knowledge of the video on the screen; the next canvas sets the region again.
  mutating func forgetScreen() {
    hasDrawnSixels = false
    sender.forgetFrame()
    cells.setRegion(nil)
  }

  /// Forgets everything that the terminal has, because it is handed back.
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

  /// The method for the user's choice, which is not replaced by another one.
  ///
  /// - Parameters:
  ///   - kitty: the form of kitty's protocol that the terminal has confirmed.
  ///   - hasKittyFailed: whether the terminal has lost images of kitty's protocol too often.
  ///   - sixelColorCount: the number of colors of a sixel picture; nil without sixels.
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
