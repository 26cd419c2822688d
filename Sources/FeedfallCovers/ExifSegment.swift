/// The part of a JPEG that a camera writes about itself: a small TIFF file (Exif 2.32, section 4.5).
struct ExifSegment {
  private let bytes: ArraySlice<UInt8>
  private let isBigEndian: Bool

  /// Nil where there is none before the pixels.
  init?(ofJPEG jpeg: [UInt8]) {
    guard let content = Self.content(of: jpeg) else { return nil }
    switch content.prefix(2) {
    case [0x4D, 0x4D]: isBigEndian = true
    case [0x49, 0x49]: isBigEndian = false
    default: return nil
    }
    bytes = content
  }

  /// From 1 to 8; nil where it is not told.
  var orientation: Int? {
    guard let directory = number(at: 4, length: 4), let count = number(at: directory, length: 2) else { return nil }
    for entry in 0..<count {
      let place = directory + 2 + entry * 12
      guard let tag = number(at: place, length: 2) else { return nil }
      if tag == 0x0112 { return number(at: place + 8, length: 2) }
    }
    return nil
  }

  /// A whole number of some bytes at a distance from the beginning.
  private func number(at place: Int, length: Int) -> Int? {
    let digits = bytes.dropFirst(place).prefix(length)
    guard digits.count == length else { return nil }
    func joined(_ digits: some Sequence<UInt8>) -> Int { digits.reduce(0) { $0 << 8 | Int($1) } }
    return isBigEndian ? joined(digits) : joined(digits.reversed())
  }

  /// Among so many segments it is looked for; a file can have millions.
  private static let maximumSegmentCount = 1_000

  /// Goes from segment to segment: a marker of two bytes, then a length that counts itself.
  private static func content(of jpeg: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = jpeg.dropFirst(2)
    for _ in 0..<maximumSegmentCount {
      guard rest.count >= 4, rest[rest.startIndex] == 0xFF else { return nil }
      let head = Array(rest.prefix(4))
      let length = Int(head[2]) << 8 | Int(head[3])
      // Behind the start of a scan come pixels.
      guard head[1] != 0xDA, length >= 2 else { return nil }
      let content = rest.dropFirst(4).prefix(length - 2)
      if head[1] == 0xE1, content.starts(with: Array("Exif\0\0".utf8)) { return content.dropFirst(6) }
      rest = rest.dropFirst(2 + length)
    }
    return nil
  }
}
