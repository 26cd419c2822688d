import CFeedfallImages
import FeedfallScreen
import WaterfallEngine

/// The steps that turn a picture upright, from its Exif orientation: mirroring along the diagonal from the top left,
/// then from left to right, then upside down.
struct Orientation: Equatable {
  var isTransposed = false
  var isMirrored = false
  var isUpsideDown = false

  /// Creates the orientation for Exif's number 1 to 8; upright for others.
  init(exif number: Int) {
    isTransposed = (5...8).contains(number)
    isMirrored = [2, 3, 6, 7].contains(number)
    isUpsideDown = [3, 4, 7, 8].contains(number)
  }

  /// Reads the orientation of a picture; upright if it has none.
  init(of bytes: [UInt8], _ format: ImageFormat) {
    self.init(exif: format == .JPEG ? ExifSegment(ofJPEG: bytes)?.orientation ?? 1 : 1)
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

/// The Exif segment of a JPEG: a small TIFF file (Exif 2.32, section 4.5).
struct ExifSegment {
  private let bytes: ArraySlice<UInt8>
  private let isBigEndian: Bool

  /// Returns nil if there is none before the pixels.
  init?(ofJPEG jpeg: [UInt8]) {
    guard let content = Self.content(of: jpeg) else { return nil }
    switch content.prefix(2) {
    case [0x4D, 0x4D]: isBigEndian = true
    case [0x49, 0x49]: isBigEndian = false
    default: return nil
    }
    bytes = content
  }

  /// The orientation, 1 to 8; nil if it is missing.
  var orientation: Int? {
    guard let directory = number(at: 4, length: 4), let count = number(at: directory, length: 2) else { return nil }
    for entry in 0..<count {
      let place = directory + 2 + entry * 12
      guard let tag = number(at: place, length: 2) else { return nil }
      if tag == 0x0112 { return number(at: place + 8, length: 2) }
    }
    return nil
  }

  /// Returns the unsigned number of `length` bytes at an offset.
  private func number(at place: Int, length: Int) -> Int? {
    let digits = bytes.dropFirst(place).prefix(length)
    guard digits.count == length else { return nil }
    func joined(_ digits: some Sequence<UInt8>) -> Int { digits.reduce(0) { $0 << 8 | Int($1) } }
    return isBigEndian ? joined(digits) : joined(digits.reversed())
  }

  /// A file can have millions of segments. Only the first ones are searched.
  private static let maximumSegmentCount = 1_000

  /// Returns the segment's content. A segment has a marker of two bytes, then a length that counts itself.
  private static func content(of jpeg: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = jpeg.dropFirst(2)
    for _ in 0..<maximumSegmentCount {
      guard rest.count >= 4, rest[rest.startIndex] == 0xFF else { return nil }
      let head = Array(rest.prefix(4))
      let length = Int(head[2]) << 8 | Int(head[3])
      // The start of a scan is followed by pixels.
      guard head[1] != 0xDA, length >= 2 else { return nil }
      let content = rest.dropFirst(4).prefix(length - 2)
      if head[1] == 0xE1, content.starts(with: Array("Exif\0\0".utf8)) { return content.dropFirst(6) }
      rest = rest.dropFirst(2 + length)
    }
    return nil
  }
}
