import FeedfallScreen
import WaterfallEngine

/// How a camera was held, as Exif tells it: what is to be done with the pixels to see the picture upright.
///
/// The picture is first mirrored along its diagonal from the top left, then from left to right, then upside down.
struct Orientation: Equatable {
  var isTransposed = false
  var isMirrored = false
  var isUpsideDown = false

  /// By Exif's number from 1 to 8; upright for others.
  init(exif number: Int) {
    isTransposed = (5...8).contains(number)
    isMirrored = [2, 3, 6, 7].contains(number)
    isUpsideDown = [3, 4, 7, 8].contains(number)
  }

  /// What a JPEG says of itself; upright where it says nothing.
  init(ofJPEG bytes: [UInt8]) {
    self.init(exif: ExifSegment(ofJPEG: bytes)?.orientation ?? 1)
  }

  func turned(_ picture: PixelBuffer) -> PixelBuffer {
    guard self != Orientation(exif: 1) else { return picture }
    let size = isTransposed ? picture.size.transposed : picture.size
    let old = picture.bytes
    let turned = [UInt8](unsafeUninitializedCapacity: old.count) { pixels, count in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let column = isMirrored ? size.width - 1 - x : x
          let row = isUpsideDown ? size.height - 1 - y : y
          let place = (isTransposed ? column * size.height + row : row * size.width + column) * 3
          for channel in 0..<3 { pixels.initializeElement(at: count + channel, to: old[place + channel]) }
          count += 3
        }
      }
    }
    return PixelBuffer(size: size, bytes: turned) ?? picture
  }
}
