import FeedfallScreen
import Glibc
import WaterfallEngine

/// A layer that is reset or replaced no longer tracks its pictures: the bytes that remove them wait for the next frame.
struct ScreenPictures {
  private(set) var settings = Settings()
  private var layer: (any PictureLayer)?
  private var pendingRemoval: [UInt8] = []
  private var visible: [PlacedPicture] = []
  private var transfer: Transfer?
  private(set) var isSending = false

  var hasPixels: Bool { layer?.hasPixels ?? false }
  var awaitsFrame: Bool { layer?.awaitsFrame ?? false }
  /// Whether only text, or the next part, may be sent.
  var isTransferring: Bool { transfer != nil }

  func shows(_ canvas: Canvas) -> Bool { pendingRemoval.isEmpty && pictures(of: canvas) == visible }

  private func pictures(of canvas: Canvas) -> [PlacedPicture] {
    settings.pictureProtocol == .cells ? [] : canvas.visiblePictures
  }

  var removal: [UInt8] { pendingRemoval + (layer?.removal ?? []) }
  var ending: [UInt8] { layer?.ending ?? [] }
  var deletions: [[UInt8]] { layer?.deletions ?? [] }

  /// Uses a layer for other settings, after `removeAll`. Returns whether that changes the screen.
  mutating func use(_ new: Settings) -> Bool {
    let isVisible = [settings.pictureProtocol, new.pictureProtocol] != [.cells, .cells]
    settings = new
    reset()
    layer = new.makeLayer()
    return isVisible
  }

  // MARK: - Removing

  /// Before the next frame. `video` removes the video's image. Returns whether there is anything to remove.
  mutating func removeAll(andVideo video: [UInt8]) -> Bool {
    let all = removal + video
    reset()
    pendingRemoval = all
    return !all.isEmpty
  }

  mutating func removeLostImage(by removal: [UInt8]) { pendingRemoval += deleteHidden() + removal }

  mutating func deleteHidden() -> [UInt8] { layer?.deleteHidden() ?? [] }

  mutating func reset() {
    layer?.reset()
    (pendingRemoval, visible, transfer, isSending) = ([], [], nil, false)
  }

  // MARK: - Frames

  /// A canvas that does not fit the screen has no pictures. The areas are rewritten; the removal is sent first.
  mutating func beginFrame(_ canvas: Canvas, fits: Bool) -> (cells: Canvas, areas: [Rect], removal: [UInt8]) {
    visible = fits ? pictures(of: canvas) : []
    defer { pendingRemoval = [] }
    return (
      layer?.prepare(canvas, visible) ?? canvas, layer?.erase(under: canvas, visible) ?? [], pendingRemoval
    )
  }

  mutating func endFrame(_ canvas: Canvas, damage: CellDamage) -> [UInt8] {
    isSending = isTransferring || canvas.isAtRest && !visible.isEmpty
    return layer?.finish(canvas, visible, damage: damage) ?? []
  }

  // MARK: - Transfers

  mutating func nextPart() -> (bytes: [UInt8], isFirst: Bool)? {
    let isFirst = transfer == nil
    guard var current = transfer ?? layer?.beginTransfer(of: visible).map(Transfer.init) else {
      isSending = false
      return nil
    }
    let bytes = current.next()
    transfer = current.isComplete ? nil : current
    if current.isComplete { layer?.endTransfer(isComplete: true) }
    return (bytes, isFirst)
  }

  mutating func abortTransfer() -> [UInt8] {
    guard let transfer else { return [] }
    self.transfer = nil
    layer?.endTransfer(isComplete: false)
    return transfer.ending
  }

  struct Settings: Equatable {
    var pictureProtocol = PictureProtocol.cells
    var isInTmux = false
    var depth = ColorDepth.none
    var cellSize = TerminalDevice.defaultCell
    var colors = 252
    var ground: RGB?

    init() {}

    /// Without enough colors there are no pixels.
    init(for terminal: TerminalIdentity, choice: PictureChoice, depth: ColorDepth, cellSize: Size, ground: RGB?) {
      pictureProtocol = depth.isFine ? terminal.pictureProtocol(for: choice) : .cells
      isInTmux = terminal.isTmux
      colors = max(2, min(252, terminal.colorRegisters))
      (self.depth, self.cellSize, self.ground) = (depth, cellSize, ground)
    }

    func makeLayer() -> (any PictureLayer)? {
      let graphics = KittyGraphics(isInTmux: isInTmux)
      // Other programs may show pictures in the same terminal.
      let salt = UInt8(truncatingIfNeeded: getpid())
      return switch pictureProtocol {
      case .cells: nil
      case .sixel: SixelPictures(cellSize: cellSize, colors: colors, ground: ground)
      case .kittyPlacements:
        KittyPictures(graphics: graphics, depth: depth, salt: salt, usesPlaceholders: false, ground: ground)
      case .kittyPlaceholders: KittyPictures(graphics: graphics, depth: depth, salt: salt, usesPlaceholders: true)
      }
    }
  }

  private struct Transfer {
    private let parts: OutputParts
    private var sentCount = 0

    /// The limit on bytes per write. A key waits until they are sent.
    private static let maximumByteCount = 32 * 1024

    init(_ parts: OutputParts) { self.parts = parts }

    var isComplete: Bool { sentCount == parts.ends.count }
    var ending: [UInt8] { parts.ending }

    mutating func next() -> [UInt8] {
      let start = sentCount == 0 ? 0 : parts.ends[sentCount - 1]
      repeat { sentCount += 1 } while !isComplete && parts.ends[sentCount] - start <= Self.maximumByteCount
      return Array(parts.bytes[start..<parts.ends[sentCount - 1]])
    }
  }
}
