import CFeedfallGuard
import FeedfallScreen
import Glibc

extension CursesTerminal {
  /// Takes what the terminal told of itself; answers whether the screen is to be drawn again.
  func takeIdentity(_ change: (inout TerminalIdentity) -> Void) -> Bool {
    let before = identity
    change(&identity)
    if !before.isTmux { askOuterTerminal() }
    if identity.hasSixel, !before.hasSixel, !identity.isTmux { ask(TerminalProfile.sixelQueries) }
    return identity != before && choosePictures()
  }

  /// Asks the terminal that tmux is shown in; people take a session from one to another.
  func askOuterTerminal() {
    guard phase == .active, identity.isTmux else { return }
    identity.outerIsAsked()
    ask(TerminalProfile.outerQueries)
  }

  /// Finds out anew how pictures are shown; answers whether that is another way than before.
  func choosePictures() -> Bool {
    let isColored = painter.depth == .indexed || painter.depth == .direct
    let wanted = isColored ? identity.pictureProtocol(for: options.pictures) : .cells
    let way = PictureWay(
      pictureProtocol: wanted, isInTmux: identity.isTmux, depth: painter.depth, cellSize: cellSize,
      colors: max(2, min(252, identity.colorRegisters)))
    guard way != pictureWay else { return false }
    let isSeen = [pictureProtocol, wanted] != [.cells, .cells]
    removePictures()
    pictureWay = way
    pictures = way.layer
    return isSeen
  }

  /// Has the terminal forget all pictures before the next frame; all that are wanted are sent anew.
  func removePictures() {
    let removal = pictures.removal
    pictures.forget()
    guard !removal.isEmpty else { return }
    removals += removal
    painter.clear()
  }

  /// Ends a picture that was cut off, before anything else can be said, and takes away all that the terminal has.
  var endOfPictures: [UInt8] { removals + pictures.removal }

  /// The bytes that turn what is shown into the canvas, pictures and all.
  func frame(_ canvas: Canvas) -> [UInt8] {
    let removal = removals
    removals = []
    // A canvas for another size may have pictures where the terminal has no cells.
    guard !pictures.isIdle(for: canvas), canvas.size == size else { return removal + painter.frame(canvas) }
    let (dressed, before) = pictures.dress(canvas)
    painter.rewrite(rows: pictures.spoiledRows(under: canvas))
    let cells = painter.frame(dressed)
    if painter.hasBegunAnew {
      armGuard()
      // What was over the cells went with them.
      removePictures()
      isAppearanceChanged = true
      return removal + before + cells
    }
    let after = pictures.after(canvas, cells: cells)
    if pictures.isUnfinished { isAppearanceChanged = true }
    if !before.isEmpty || !after.isEmpty { armGuard() }
    return removal + before + cells + after
  }
}

/// All that decides how pictures are written.
struct PictureWay: Equatable {
  var pictureProtocol = PictureProtocol.cells
  var isInTmux = false
  var depth = ColorDepth.none
  var cellSize = TerminalDevice.usualCell
  var colors = 252

  /// A fresh layer of this kind.
  var layer: any PictureLayer {
    let graphics = KittyGraphics(isInTmux: isInTmux)
    // Others may show their pictures in the same terminal.
    let salt = UInt8(truncatingIfNeeded: getpid())
    return switch pictureProtocol {
    case .cells: CellPictures()
    case .sixel: SixelPictures(cellSize: cellSize, colors: colors)
    case .kittyPlacements: KittyPlacements(graphics: graphics, depth: depth, salt: salt)
    case .kittyPlaceholders: KittyPlaceholders(graphics: graphics, depth: depth, salt: salt)
    }
  }
}
