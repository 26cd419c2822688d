import FeedfallScreen
import WaterfallEngine

struct CoverFormat {
  /// In cells.
  var size: Size
  /// In pixels.
  var cellSize: Size
  var glyphs: BlockGlyphs
  var wantsPixels: Bool
  /// From a picture's size in pixels; nil if `size` holds for any.
  var sizeForPicture: (@Sendable (Size) -> Size)?

  func fitted(to picture: Size) -> CoverFormat {
    var fitted = self
    sizeForPicture.map { fitted.size = $0(picture) }
    return fitted
  }

  /// In pixels; no plausible terminal is larger.
  private static let longestSide = 8_192

  private var shape: Size {
    func length(_ cells: Int, _ pixels: Int) -> Int { max(1, min(cells, 4_096) * max(1, min(pixels, 256))) }
    let whole = Size(width: length(size.width, cellSize.width), height: length(size.height, cellSize.height))
    return whole.scaled(by: min(1, Double(Self.longestSide) / Double(max(whole.width, whole.height))))
  }

  var cellTarget: PictureTarget {
    let tile = glyphs.pixelsPerCell
    return .filling(Size(width: size.width * tile.width, height: size.height * tile.height), shape: shape)
  }

  /// Smaller characters show every pixel of `cellTarget`.
  var cellDetail: PictureDecoder.Detail { glyphs >= .eighths ? .coarse : .full }

  /// Terminals enlarge a small picture themselves.
  var pixelTarget: PictureTarget { .cropped(shape) }

  /// The size, in the picture's own proportions, beyond which more pixels make no difference.
  var detail: Size {
    guard !wantsPixels else { return shape }
    let tile = glyphs.pixelsPerCell
    let share = max(
      Double(size.width * tile.width) / Double(shape.width), Double(size.height * tile.height) / Double(shape.height))
    return shape.scaled(by: min(1, share))
  }

  func enlargement(of picture: Size, isFitted: Bool) -> Double {
    let factors = [Double(detail.width) / Double(picture.width), Double(detail.height) / Double(picture.height)]
    return isFitted ? min(factors[0], factors[1]) : max(factors[0], factors[1])
  }

  fileprivate func fitted(_ logo: PixelBuffer, on backdrop: Backdrop) -> (cells: PixelBuffer, pixels: PixelBuffer?) {
    let tile = glyphs.pixelsPerCell
    let tiles = Size(width: size.width * tile.width, height: size.height * tile.height)
    // Terminals enlarge a small logo themselves.
    let scale = max(1, logo.fittingScale(in: shape))
    let whole = shape.reduced(toWidth: Int(Double(shape.width) / scale))
    return (
      logo.fitted(in: tiles, shape: shape, on: backdrop.color),
      wantsPixels ? logo.fitted(in: whole, shape: shape, on: backdrop.color) : nil
    )
  }
}

extension Size {
  var isOfCover: Bool { min(width, height) >= PictureLimits.minimumSide }

  fileprivate func scaled(by factor: Double) -> Size {
    Size(width: max(1, Int(Double(width) * factor + 0.5)), height: max(1, Int(Double(height) * factor + 0.5)))
  }
}

extension CoverPicture {
  /// Decodes a thumbnail separately for cells and pixels, which is fast because it is small.
  init(_ thumbnail: Thumbnail, in format: CoverFormat) throws(PictureError) {
    let (cells, pixels): (PixelBuffer, PixelBuffer?)
    if let backdrop = thumbnail.backdrop {
      let logo = try PictureDecoder.decode(thumbnail.jpeg, to: .within(Thumbnail.bounds))
      (cells, pixels) = format.fitted(logo, on: backdrop)
    } else {
      cells = try PictureDecoder.decode(thumbnail.jpeg, to: format.cellTarget, detail: format.cellDetail)
      pixels = format.wantsPixels ? try PictureDecoder.decode(thumbnail.jpeg, to: format.pixelTarget) : nil
    }
    self.init(cells: CellPicture(cells, glyphs: format.glyphs), pixels: pixels, average: thumbnail.average)
    videoSeconds = thumbnail.videoSeconds.map(Double.init)
  }

  /// The thumbnail is nil if it could not be encoded.
  static func decode(
    _ bytes: [UInt8], in format: CoverFormat
  ) throws(PictureError) -> (picture: CoverPicture, thumbnail: Thumbnail?) {
    let original = try PictureDecoder.size(of: bytes, isWhole: true)
    guard original.isOfCover else { throw .tooSmall }
    let format = format.fitted(to: original)
    let detail = format.detail
    // A thumbnail is not enlarged: 180 rows suffice for a wide one, and higher ones have more.
    let size = Size(width: max(detail.width, Thumbnail.bounds.width), height: max(detail.height, 180))
    var (whole, backdrop) = try PictureDecoder.picture(
      bytes, to: .covering(size), format.wantsPixels ? .full : format.cellDetail)
    if backdrop == nil, Backdrop.isBanner(original) { backdrop = Backdrop(for: ScaledPixels(opaque: whole)) }
    let thumbnail = Thumbnail(of: whole, original: original, backdrop)
    let (cells, pixels) =
      backdrop.map { format.fitted(whole, on: $0) }
      ?? (whole.scaled(to: format.cellTarget), format.wantsPixels ? whole.scaled(to: format.pixelTarget) : nil)
    var picture = CoverPicture(
      cells: CellPicture(cells, glyphs: format.glyphs), pixels: pixels,
      average: thumbnail?.average ?? whole.averageColor)
    picture.originalSize = original
    return (picture, thumbnail)
  }
}
