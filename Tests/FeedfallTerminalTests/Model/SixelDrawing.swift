import FeedfallScreen
import Testing
import WaterfallEngine

/// A decoded sequence: a color for each pixel, nil if nothing was drawn there.
struct SixelDrawing {
  var pixels: [RGB?]
  var palette: [Int: RGB] = [:]
  let width: Int

  init(_ bytes: [UInt8], size: Size) throws {
    pixels = Array(repeating: nil, count: size.width * size.height)
    width = size.width
    let text = String(decoding: bytes, as: UTF8.self)
    let start = "\u{1B}P0;1;0q\"1;1;\(size.width);\(size.height)"
    try #require(text.hasPrefix(start) && text.hasSuffix("\u{1B}\\"))
    try draw(Array(text.dropFirst(start.count).dropLast(2).utf8))
  }

  private mutating func draw(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    var (x, top, color, count) = (0, 0, 0, 1)
    func numbers() -> [Int] {
      let digits = rest.prefix { (0x30...0x3B).contains($0) && $0 != 0x3A }
      rest = rest.dropFirst(digits.count)
      return digits.split(separator: 0x3B).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
    while let byte = rest.popFirst() {
      switch Character(Unicode.Scalar(byte)) {
      case "#":
        let numbers = numbers()
        color = numbers[0]
        guard numbers.count == 5 else { continue }
        let parts = numbers[2...].map { UInt8($0 * 255 / 100) }
        palette[color] = RGB(red: parts[0], green: parts[1], blue: parts[2])
      case "!": count = numbers()[0]
      case "$": x = 0
      case "-": (x, top) = (0, top + 6)
      default:
        try #require((0x3F...0x7E).contains(byte))
        for row in 0..<6 where (byte - 0x3F) >> row & 1 == 1 {
          for column in x..<x + count { pixels[(top + row) * width + column] = palette[color] }
        }
        x += count
        count = 1
      }
    }
  }
}
