import CFeedfall
import FeedfallScreen
import WaterfallEngine

/// The steps that turn a picture upright, from its Exif orientation: mirroring along the diagonal from the top left,
/// then from left to right, then upside down.
struct Orientation: Equatable {
  var isTransposed = false
  var isMirrored = false
  var isUpsideDown = false

  /// - Parameter number: 1 to 8; others mean upright.
  init(exif number: Int) {
    isTransposed = (5...8).contains(number)
    isMirrored = [2, 3, 6, 7].contains(number)
    isUpsideDown = [3, 4, 7, 8].contains(number)
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

/// Finds the Exif orientation (Exif 2.32, 4.5): a small TIFF file in a JPEG segment or a PNG or WebP chunk.
enum ExifSearch: Equatable {
  /// 1 to 8; other numbers mean upright.
  case found(orientation: Int)
  case none
  /// The picture has Exif data beyond the given bytes.
  case incomplete

  var orientation: Orientation {
    if case .found(let number) = self { Orientation(exif: number) } else { Orientation(exif: 1) }
  }

  init(_ bytes: [UInt8], _ format: ImageFormat) {
    switch format {
    case .JPEG: self.init(Self.segment(ofJPEG: bytes))
    case .PNG: self.init(Self.chunk(ofPNG: bytes))
    case .webP: self.init(ofWebP: bytes)
    case .GIF: self = .none
    }
  }

  private init(_ exif: ArraySlice<UInt8>?) {
    self = exif.flatMap { Self.orientation(in: $0) }.map { .found(orientation: $0) } ?? .none
  }

  /// A file can have millions of segments. Only the first ones are searched.
  private static let maximumSegmentCount = 1_000
  /// A large PNG consists of thousands of chunks, and its Exif data can be the last one.
  private static let maximumChunkCount = 10_000

  /// A segment has a marker of two bytes, of which the first can be repeated, then a length that counts itself.
  private static func segment(ofJPEG jpeg: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = jpeg.dropFirst(2)
    for _ in 0..<maximumSegmentCount {
      guard rest.count >= 4, rest[rest.startIndex] == 0xFF else { return nil }
      if rest[rest.startIndex + 1] == 0xFF {
        rest = rest.dropFirst()
        continue
      }
      let length = rest.dropFirst(2).number(length: 2, isBigEndian: true)
      // The start of a scan is followed by pixels.
      guard rest[rest.startIndex + 1] != 0xDA, length >= 2 else { return nil }
      let content = rest.dropFirst(4).prefix(length - 2)
      if rest[rest.startIndex + 1] == 0xE1, content.starts(with: prefix) { return content }
      rest = rest.dropFirst(2 + length)
    }
    return nil
  }

  /// Before or behind the pixels (W3C PNG, third edition).
  private static func chunk(ofPNG png: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = png.dropFirst(8)
    for _ in 0..<maximumChunkCount where rest.count >= 8 {
      let length = rest.number(length: 4, isBigEndian: true)
      if rest.dropFirst(4).starts(with: "eXIf".utf8) { return rest.dropFirst(8).prefix(length) }
      rest = rest.dropFirst(12 + length)
    }
    return nil
  }

  /// The first chunk of a WebP states whether metadata follow the pixels (RFC 9649, 2.7).
  private init(ofWebP bytes: [UInt8]) {
    var rest = bytes.dropFirst(12)
    let hasExif = rest.starts(with: "VP8X".utf8) && rest.count > 8 && rest[rest.startIndex + 8] & 0x08 != 0
    let isCut = bytes.count < 8 + bytes.dropFirst(4).number(length: 4, isBigEndian: false)
    self = hasExif && isCut ? .incomplete : .none
    guard hasExif else { return }
    for _ in 0..<Self.maximumChunkCount where rest.count >= 8 {
      let length = rest.dropFirst(4).number(length: 4, isBigEndian: false)
      if rest.starts(with: "EXIF".utf8) {
        let content = rest.dropFirst(8).prefix(length)
        if content.count == length || !isCut { self = ExifSearch(content) }
        return
      }
      rest = rest.dropFirst(8 + length + length & 1)
    }
  }

  private static let prefix = Array("Exif\0\0".utf8)
  /// Cameras write some dozens.
  private static let maximumEntryCount = 1_000

  /// Exif data are a small TIFF file. Only its first directory is read, so offsets cannot form loops.
  private static func orientation(in content: ArraySlice<UInt8>) -> Int? {
    // The prefix of JPEG is found in other formats too.
    let bytes = content.starts(with: prefix) ? content.dropFirst(prefix.count) : content
    let isBigEndian = bytes.starts(with: "MM".utf8)
    guard isBigEndian || bytes.starts(with: "II".utf8) else { return nil }
    func number(at place: Int, length: Int) -> Int? {
      let digits = bytes.dropFirst(place).prefix(length)
      return digits.count == length ? digits.number(length: length, isBigEndian: isBigEndian) : nil
    }
    guard let directory = number(at: 4, length: 4), let count = number(at: directory, length: 2) else { return nil }
    for entry in 0..<min(count, maximumEntryCount) {
      let place = directory + 2 + entry * 12
      guard let tag = number(at: place, length: 2) else { return nil }
      // The number should have two bytes, but some programs write four.
      if tag == 0x0112 { return number(at: place + 8, length: number(at: place + 2, length: 2) == 4 ? 4 : 2) }
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  fileprivate func number(length: Int, isBigEndian: Bool) -> Int {
    func joined(_ digits: some Sequence<UInt8>) -> Int { digits.reduce(0) { $0 << 8 | Int($1) } }
    return isBigEndian ? joined(prefix(length)) : joined(prefix(length).reversed())
  }
}
