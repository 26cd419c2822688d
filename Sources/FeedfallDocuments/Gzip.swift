/// Why a gzip file cannot be unpacked.
package enum GzipFault: Error {
  case damaged
  case tooLarge
}

/// Unpacks gzip files (RFC 1952, RFC 1951).
package enum Gzip {
  package static func isStarted(by bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

  /// Returns the content of all members. Their lengths are checked, their checksums are not. Zeros may follow the last one.
  ///
  /// - Parameter limit: the maximum count of bytes.
  /// - Complexity: O(n) in the bytes of the file and its content.
  package static func unpacked(_ bytes: [UInt8], limit: Int) throws(GzipFault) -> [UInt8] {
    var inflater = Inflater(bytes, limit: limit)
    repeat {
      try inflater.skipHeader()
      let start = inflater.output.count
      while try !inflater.block() {}
      guard try inflater.trailer() == UInt32(truncatingIfNeeded: inflater.output.count - start) else { throw .damaged }
    } while inflater.hasMore
    return inflater.output
  }
}

/// Reads the bits of a file, least significant first.
private struct Inflater {
  private let bytes: [UInt8]
  private let limit: Int
  private var index = 0
  private var bits: UInt32 = 0
  private var bitCount = 0
  private(set) var output: [UInt8] = []

  init(_ bytes: [UInt8], limit: Int) {
    self.bytes = bytes
    self.limit = limit
  }

  var hasMore: Bool { bytes[index...].contains { $0 != 0 } }

  // MARK: - Members

  mutating func skipHeader() throws(GzipFault) {
    guard bytes[index...].starts(with: [0x1F, 0x8B, 0x08]), index + 10 <= bytes.count else { throw .damaged }
    let flags = bytes[index + 3]
    index += 10
    if flags & 4 != 0 {
      let low = try byte()
      index += Int(low) + Int(try byte()) << 8
    }
    // The name and the comment end with a zero.
    for flag: UInt8 in [8, 16] where flags & flag != 0 {
      while try byte() != 0 {}
    }
    if flags & 2 != 0 { index += 2 }
    guard index <= bytes.count else { throw .damaged }
  }

  /// Skips the checksum; returns the length modulo 2³².
  mutating func trailer() throws(GzipFault) -> UInt32 {
    (bits, bitCount) = (0, 0)
    index += 4
    guard index + 4 <= bytes.count else { throw .damaged }
    defer { index += 4 }
    return (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << (8 * UInt32($1)) }
  }

  // MARK: - Blocks

  /// Unpacks a block; returns whether it is the last one.
  mutating func block() throws(GzipFault) -> Bool {
    let isLast = try number(1) == 1
    switch try number(2) {
    case 0: try copyStored()
    case 1: try inflate(Self.fixedLengths, Self.fixedDistances)
    case 2:
      let (lengths, distances) = try codes()
      try inflate(lengths, distances)
    default: throw .damaged
    }
    return isLast
  }

  private mutating func copyStored() throws(GzipFault) {
    (bits, bitCount) = (0, 0)
    guard index + 4 <= bytes.count else { throw .damaged }
    let count = Int(bytes[index]) | Int(bytes[index + 1]) << 8
    let complement = Int(bytes[index + 2]) | Int(bytes[index + 3]) << 8
    index += 4
    guard count == ~complement & 0xFFFF, index + count <= bytes.count else { throw .damaged }
    guard output.count + count <= limit else { throw .tooLarge }
    output += bytes[index..<(index + count)]
    index += count
  }

  private static let fixedLengths = HuffmanCode(
    [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112) + [UInt8](repeating: 7, count: 24)
      + [UInt8](repeating: 8, count: 8))
  private static let fixedDistances = HuffmanCode([UInt8](repeating: 5, count: 30))
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// Reads the codes of a block (RFC 1951, 3.2.7).
  private mutating func codes() throws(GzipFault) -> (HuffmanCode, HuffmanCode) {
    let lengthCount = try number(5) + 257
    let distanceCount = try number(5) + 1
    let count = try number(4) + 4
    var sizes = [UInt8](repeating: 0, count: 19)
    for place in Self.order.prefix(count) { sizes[place] = UInt8(try number(3)) }
    let code = HuffmanCode(sizes)
    var all: [UInt8] = []
    while all.count < lengthCount + distanceCount {
      let symbol = try self.symbol(code)
      switch symbol {
      case 0..<16: all.append(UInt8(symbol))
      case 16:
        guard let last = all.last else { throw .damaged }
        all += [UInt8](repeating: last, count: 3 + (try number(2)))
      case 17: all += [UInt8](repeating: 0, count: 3 + (try number(3)))
      default: all += [UInt8](repeating: 0, count: 11 + (try number(7)))
      }
    }
    guard all.count == lengthCount + distanceCount else { throw .damaged }
    return (HuffmanCode(Array(all[..<lengthCount])), HuffmanCode(Array(all[lengthCount...])))
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049, 3_073, 4_097,
    6_145, 8_193, 12_289, 16_385, 24_577,
  ]

  private mutating func inflate(_ lengths: HuffmanCode, _ distances: HuffmanCode) throws(GzipFault) {
    while true {
      let symbol = try self.symbol(lengths)
      if symbol == 256 { return }
      guard output.count < limit else { throw .tooLarge }
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      guard symbol - 257 < Self.lengthBases.count else { throw .damaged }
      let length = Self.lengthBases[symbol - 257] + (try number(Self.lengthBits[symbol - 257]))
      let place = try self.symbol(distances)
      guard place < Self.distanceBases.count else { throw .damaged }
      let distance = Self.distanceBases[place] + (try number(max(0, place / 2 - 1)))
      guard distance <= output.count else { throw .damaged }
      guard output.count + length <= limit else { throw .tooLarge }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  // MARK: - Bits

  private mutating func byte() throws(GzipFault) -> UInt8 {
    guard index < bytes.count else { throw .damaged }
    defer { index += 1 }
    return bytes[index]
  }

  /// Reads a number of up to 13 bits.
  private mutating func number(_ count: Int) throws(GzipFault) -> Int {
    while bitCount < count {
      bits |= UInt32(try byte()) << UInt32(bitCount)
      bitCount += 8
    }
    defer {
      bits >>= UInt32(count)
      bitCount -= count
    }
    return Int(bits & (1 << UInt32(count) - 1))
  }

  private mutating func symbol(_ code: HuffmanCode) throws(GzipFault) -> Int {
    var (value, first, place) = (0, 0, 0)
    for count in code.counts.dropFirst() {
      value |= try number(1)
      if value - count < first { return Int(code.symbols[place + value - first]) }
      place += count
      first = (first + count) << 1
      value <<= 1
    }
    throw .damaged
  }
}

/// A canonical code: the count of symbols by the length of their code, 0 to 15 bits, and the symbols in order.
private struct HuffmanCode {
  var counts = [Int](repeating: 0, count: 16)
  var symbols: [UInt16] = []

  init(_ lengths: [UInt8]) {
    for length in lengths { counts[Int(length)] += 1 }
    var offsets = [Int](repeating: 0, count: 17)
    for length in 1...15 { offsets[length + 1] = offsets[length] + counts[length] }
    symbols = [UInt16](repeating: 0, count: offsets[16])
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[offsets[Int(length)]] = UInt16(symbol)
      offsets[Int(length)] += 1
    }
  }
}
