import FeedfallScreen
import FeedfallText
import WaterfallEngine

extension CoverPicture {
  /// Of a thumbnail, which is small enough to be decoded for each of the two forms.
  init(_ thumbnail: Thumbnail, as wish: CoverWish) throws(PictureError) {
    let cells = try PictureDecoder.decode(thumbnail.jpeg, to: wish.cellTarget)
    let pixels =
      wish.wantsPixels ? try PictureDecoder.decode(thumbnail.jpeg, to: wish.pixelTarget) : nil
    self.init(cells: CellPicture(cells, glyphs: wish.glyphs), pixels: pixels, average: thumbnail.average)
  }

  /// Of the bytes that an address gave, which are decoded once; the thumbnail is nil where none can be made.
  static func made(
    of bytes: [UInt8], as wish: CoverWish
  ) throws(PictureError) -> (picture: CoverPicture, thumbnail: Thumbnail?) {
    let original = try PictureDecoder.size(of: bytes)
    let detail = wish.detail
    // A thumbnail is not enlarged: 180 rows are enough for one that is wide, and the higher ones have more.
    let size = Size(width: max(detail.width, Thumbnail.bounds.width), height: max(detail.height, 180))
    let whole = try PictureDecoder.decode(bytes, to: .covering(size))
    let thumbnail = Thumbnail(of: whole, original: original)
    let picture = CoverPicture(
      cells: CellPicture(whole.scaled(to: wish.cellTarget), glyphs: wish.glyphs),
      pixels: wish.wantsPixels ? whole.scaled(to: wish.pixelTarget) : nil,
      average: thumbnail?.average ?? whole.averageColor)
    return (picture, thumbnail)
  }
}

extension PictureError {
  /// In words for a person.
  var failure: FeedFailure {
    switch self {
    case .unknownFormat: FeedFailure(.permanent, "the cover is no JPEG, PNG, WebP or GIF")
    case .noLibrary:
      FeedFailure(
        .permanent, "the library for the cover's format is not installed",
        advice: "install libjpeg62-turbo (or libjpeg-turbo8), libpng16-16, libwebp7 and libgif7")
    case .damaged: FeedFailure(.permanent, "the cover is damaged")
    case .tooLarge: FeedFailure(.permanent, "the cover has more pixels than are decoded")
    case .tooMuchWork: FeedFailure(.permanent, "the cover is too complex to decode")
    case .noMemory: FeedFailure(.temporary, "there is no memory for the cover")
    }
  }
}
