import CFeedfallImages
import WaterfallEngine

/// A picture whose rows are being read; closes itself.
struct OpenPicture: ~Copyable {
  private let image: OpaquePointer
  /// The picture's own, in pixels.
  let size: Size
  /// Whether the ground can't be seen through it.
  let isOpaque: Bool

  /// The bytes must stay where they are as long as this is there.
  init(_ format: ImageFormat, _ bytes: UnsafeBufferPointer<UInt8>, _ limits: PictureLimits) throws(PictureError) {
    guard let start = bytes.baseAddress else { throw .damaged }
    var fault = ImageFault.none
    let allowed = ImageLimits(max_pixels: Int64(limits.pixels), max_work: Int64(limits.work))
    guard let image = image_open(format, start, bytes.count, allowed, &fault) else {
      throw PictureError(fault) ?? .damaged
    }
    self.image = image
    isOpaque = format == .JPEG
    size = Size(image_size(image))
  }

  deinit { image_close(image) }

  /// Has the rows come smaller, where that is less work, but not below `wanted`; answers the size they come in.
  func begin(wanted: Size) throws(PictureError) -> Size {
    var fault = ImageFault.none
    let rows = Size(image_begin(image, ImageSize(wanted), &fault))
    if let error = PictureError(fault) { throw error }
    return rows
  }

  /// Reads the next row, four bytes a pixel; false where there is no more of the picture.
  func readRow(into row: inout [UInt8]) throws(PictureError) -> Bool {
    var fault = ImageFault.none
    let isRead = image_read_row(image, &row, &fault)
    if let error = PictureError(fault) { throw error }
    return isRead
  }
}

extension Size {
  fileprivate init(_ size: ImageSize) { self.init(width: Int(size.width), height: Int(size.height)) }
}

extension ImageSize {
  init(_ size: Size) { self.init(width: Int32(clamping: size.width), height: Int32(clamping: size.height)) }
}
