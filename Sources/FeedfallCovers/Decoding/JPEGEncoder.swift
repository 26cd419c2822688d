import CFeedfallImages
import FeedfallScreen
import Glibc

extension PixelBuffer {
  /// Encodes the picture as a JPEG; nil where libjpeg is missing or there is no memory.
  ///
  /// - Parameter quality: libjpeg's, from 1 to 100: at 80, 320 by 180 pixels take some 10 KB and a third of a millisecond.
  public func jpeg(quality: Int) -> [UInt8]? {
    var count = 0
    guard let start = image_encode_jpeg(bytes, ImageSize(size), Int32(clamping: quality), &count) else { return nil }
    defer { free(start) }
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}
