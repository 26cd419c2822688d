import CFeedfall
import FeedfallScreen
import Glibc

extension PixelBuffer {
  /// Encodes the picture as a JPEG; nil if libjpeg is missing or memory runs out.
  ///
  /// - Parameter quality: libjpeg's, 1 to 100. At 80, 320 by 180 pixels take about 10 KB and a third of a millisecond.
  public func jpeg(quality: Int) -> [UInt8]? {
    var count = 0
    guard let start = image_encode_jpeg(bytes, ImageSize(size), Int32(clamping: quality), &count) else { return nil }
    defer { free(start) }
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}
