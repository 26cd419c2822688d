import FeedfallScreen
import WaterfallEngine

/// The pictures on the screen.
///
/// A layer that is reset or replaced no longer tracks its pictures: the bytes that remove them wait for the next frame.
struct ScreenPictures {
  private(set) var settings = PictureSettings()
  private var layer: any PictureLayer = CellPictures()
  /// Removes pictures that the layer no longer tracks.
  private var pendingRemoval: [UInt8] = []

  /// Whether the terminal has received all pictures, and the removal of all others.
  var isComplete: Bool { pendingRemoval.isEmpty && !layer.isUnfinished }

  var mayScroll: Bool { layer.mayScroll }

  /// The bytes that remove all pictures, even if one was cut off.
  var removal: [UInt8] { pendingRemoval + layer.removal }

  /// Uses a layer for other settings, after `removeAll`. Returns whether that changes the screen.
  mutating func use(_ new: PictureSettings) -> Bool {
    let isVisible = [settings.pictureProtocol, new.pictureProtocol] != [.cells, .cells]
    settings = new
    layer = new.makeLayer()
    return isVisible
  }

  // MARK: - Removing

  /// Removes all pictures, and the video's image with `video`, before the next frame. Returns whether there is anything to
  /// remove.
  mutating func removeAll(andVideo video: [UInt8]) -> Bool {
    let removal = layer.removal + video
    layer.reset()
    pendingRemoval += removal
    return !removal.isEmpty
  }

  /// Removes a lost image of the video before the next frame.
  mutating func removeLostImage(by removal: [UInt8]) { pendingRemoval += layer.deleteHidden() + removal }

  /// Deletes the pictures that are not on the screen, and returns the bytes for that.
  mutating func deleteHidden() -> [UInt8] { layer.deleteHidden() }

  /// Discards all state, because another program uses the screen.
  mutating func reset() {
    layer.reset()
    pendingRemoval = []
  }

  // MARK: - Frames

  struct Frame {
    var bytes: [UInt8]
    /// Whether the frame changes the terminal's pictures.
    var changesPictures = false
    /// Whether it has cleared the screen, with all pictures over the cells.
    var hasClearedScreen = false
    /// Whether pictures remain for another frame.
    var isUnfinished = false
  }

  /// Returns the frame that changes the screen to the canvas with its pictures.
  mutating func frame(
    _ canvas: Canvas, on screen: Size, by painter: CursesPainter, mayScroll: Bool
  ) -> Frame {
    let removal = pendingRemoval
    pendingRemoval = []
    // A canvas of another size may have pictures where the terminal has no cells.
    guard !layer.isIdle(for: canvas), canvas.size == screen else {
      return Frame(bytes: removal + painter.frame(canvas, mayScroll: mayScroll))
    }
    let (prepared, before) = layer.prepare(canvas)
    painter.rewrite(rows: layer.rowsToRewrite(under: canvas))
    let cells = painter.frame(prepared, mayScroll: mayScroll)
    if painter.didRestart {
      return Frame(bytes: removal + before + cells, changesPictures: true, hasClearedScreen: true)
    }
    let after = layer.finish(canvas, cells: cells)
    return Frame(
      bytes: removal + before + cells + after, changesPictures: !before.isEmpty || !after.isEmpty,
      isUnfinished: layer.isUnfinished)
  }
}
