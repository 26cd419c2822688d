/// Decompresses data (RFC 1951). Reads their bits, least significant first.
final class Inflater {
  enum Fault: Error {
    case cut
    case damaged
    case tooLarge
  }

  private var bytes: [UInt8]
  private var index = 0
  private let read: (() -> [UInt8])?
  /// Without the bits of whole bytes that are not needed yet.
  private var bits: UInt64 = 0
  private var bitCount = 0

  private let limit: Int
  private var content: UnsafeMutableBufferPointer<UInt8>
  private var end = 0
  private var writtenCount = 0
  private let write: ((UnsafeRawBufferPointer) -> Bool)?

  /// The largest distance of a copy.
  private static let windowByteCount = 32 << 10
  private static let pieceByteCount = 1 << 20

  /// `read` returns further bytes; none at the end.
  init(
    limit: Int, bytes: [UInt8] = [], read: (() -> [UInt8])? = nil, write: ((UnsafeRawBufferPointer) -> Bool)? = nil
  ) {
    (self.limit, self.bytes, self.read, self.write) = (limit, bytes, read, write)
    let capacity = write == nil ? min(limit, max(4 * bytes.count, 4 << 10)) : Self.pieceByteCount + Self.windowByteCount
    content = .allocate(capacity: max(capacity, 1))
  }

  deinit { content.deallocate() }

  var count: Int { writtenCount + end }
  var isEmpty: Bool { count == 0 }

  /// The content, unless it is written.
  var output: [UInt8] { Array(UnsafeMutableBufferPointer(rebasing: content[..<end])) }

  // MARK: - Bytes between blocks

  private func hasByte() -> Bool {
    if index < bytes.count { return true }
    guard let read else { return false }
    (bytes, index) = (read(), 0)
    return !bytes.isEmpty
  }

  var isAtEnd: Bool { bitCount == 0 && !hasByte() }

  func byte() throws(Fault) -> UInt8 {
    if bitCount >= 8 {
      defer { dropBits(8) }
      return UInt8(truncatingIfNeeded: bits)
    }
    guard hasByte() else { throw .cut }
    defer { index += 1 }
    return bytes[index]
  }

  func skip(_ count: Int) throws(Fault) {
    for _ in 0..<count { _ = try byte() }
  }

  func skipZeros() {
    while fillBits(8), bits & 0xFF == 0 { dropBits(8) }
  }

  /// Whether the next bytes, at most seven, are these.
  func starts(with mark: [UInt8]) -> Bool {
    guard fillBits(8 * mark.count) else { return false }
    return mark.indices.allSatisfy { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) == mark[$0] }
  }

  /// Skips the checksum and returns the length modulo 2³²; nil at the end of the data.
  func trailer() -> UInt32? {
    guard fillBits(32) else { return nil }
    dropBits(32)
    guard fillBits(32) else { return nil }
    defer { dropBits(32) }
    return UInt32(truncatingIfNeeded: bits)
  }

  // MARK: - Blocks

  /// Decompresses all blocks, and skips the rest of the last byte.
  func inflate() throws(Fault) {
    while try !block() {}
    dropBits(bitCount % 8)
  }

  private func block() throws(Fault) -> Bool {
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

  private func copyStored() throws(Fault) {
    dropBits(bitCount % 8)
    let count = try number(16)
    guard try number(16) == ~count & 0xFFFF else { throw .damaged }
    for _ in 0..<count {
      try makeRoom(for: 1)
      append(try byte())
    }
  }

  private static let fixedLengths = HuffmanCode(
    [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112) + [UInt8](repeating: 7, count: 24)
      + [UInt8](repeating: 8, count: 8))
  private static let fixedDistances = HuffmanCode([UInt8](repeating: 5, count: 30))
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// Reads the codes of a block (RFC 1951, 3.2.7).
  private func codes() throws(Fault) -> (HuffmanCode, HuffmanCode) {
    let lengthCount = try number(5) + 257
    let distanceCount = try number(5) + 1
    let count = try number(4) + 4
    var sizes = [UInt8](repeating: 0, count: 19)
    for place in Self.order.prefix(count) { sizes[place] = UInt8(try number(3)) }
    let code = HuffmanCode(sizes)
    guard code.isValid else { throw .damaged }
    var all: [UInt8] = []
    all.reserveCapacity(lengthCount + distanceCount + 138)
    while all.count < lengthCount + distanceCount {
      let symbol = try self.symbol(code)
      switch symbol {
      case 0..<16: all.append(UInt8(symbol))
      case 16:
        guard let last = all.last else { throw .damaged }
        all += repeatElement(last, count: 3 + (try number(2)))
      case 17: all += repeatElement(0, count: 3 + (try number(3)))
      default: all += repeatElement(0, count: 11 + (try number(7)))
      }
    }
    guard all.count == lengthCount + distanceCount else { throw .damaged }
    let (lengths, distances) = (HuffmanCode(all[..<lengthCount]), HuffmanCode(all[lengthCount...]))
    guard lengths.isValid, distances.isValid else { throw .damaged }
    return (lengths, distances)
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

  private func inflate(_ lengths: HuffmanCode, _ distances: HuffmanCode) throws(Fault) {
    while true {
      let symbol = try self.symbol(lengths)
      if symbol == 256 { return }
      if symbol < 256 {
        try makeRoom(for: 1)
        append(UInt8(symbol))
        continue
      }
      guard symbol - 257 < Self.lengthBases.count else { throw .damaged }
      let length = Self.lengthBases[symbol - 257] + (try number(Self.lengthBits[symbol - 257]))
      let place = try self.symbol(distances)
      guard place < Self.distanceBases.count else { throw .damaged }
      let distance = Self.distanceBases[place] + (try number(max(0, place / 2 - 1)))
      try makeRoom(for: length)
      guard distance <= end else { throw .damaged }
      for index in end..<(end + length) { content[index] = content[index - distance] }
      end += length
    }
  }

  // MARK: - Content

  private func append(_ byte: UInt8) {
    content[end] = byte
    end += 1
  }

  /// Makes room for up to 258 bytes.
  private func makeRoom(for length: Int) throws(Fault) {
    if end + length <= content.count, count + length <= limit { return }
    guard count + length <= limit else { throw .tooLarge }
    if let write {
      let surplus = end - Self.windowByteCount
      let piece = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(content)[..<surplus])
      guard write(piece) else { throw .tooLarge }
      for index in 0..<Self.windowByteCount { content[index] = content[surplus + index] }
      (end, writtenCount) = (Self.windowByteCount, writtenCount + surplus)
    } else {
      let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: min(limit, max(2 * content.count, end + 258)))
      _ = larger.update(fromContentsOf: content[..<end])
      content.deallocate()
      content = larger
    }
  }

  func flush() {
    _ = write?(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(content)[..<end]))
    (end, writtenCount) = (0, writtenCount + end)
  }

  // MARK: - Bits

  /// Makes up to 56 bits available; returns false if the data end before.
  private func fillBits(_ count: Int) -> Bool {
    while bitCount < count {
      guard hasByte() else { return false }
      bits |= UInt64(bytes[index]) << UInt64(bitCount)
      index += 1
      bitCount += 8
    }
    return true
  }

  private func dropBits(_ count: Int) {
    bits >>= UInt64(count)
    bitCount -= count
  }

  /// Reads a number of up to 16 bits.
  private func number(_ count: Int) throws(Fault) -> Int {
    guard fillBits(count) else { throw .cut }
    defer { dropBits(count) }
    return Int(bits & (1 << UInt64(count) - 1))
  }

  private func symbol(_ code: HuffmanCode) throws(Fault) -> Int {
    if bitCount < HuffmanCode.maximumLength { _ = fillBits(48) }
    guard let (symbol, length) = code.symbol(bits) else {
      throw bitCount < HuffmanCode.maximumLength ? .cut : .damaged
    }
    guard length <= bitCount else { throw .cut }
    dropBits(length)
    return symbol
  }

  /// A canonical code. Its symbols are found by a table of their first bits, those with a longer code by their length.
  private struct HuffmanCode {
    static let maximumLength = 15
    private static let tableBits = 9

    /// A symbol, shifted by four bits, and the length of its code; zero for others.
    private var table = [UInt16](repeating: 0, count: 1 << tableBits)
    /// The count of symbols by the length of their code.
    private var counts = [Int](repeating: 0, count: maximumLength + 1)
    /// In the order of their codes.
    private var symbols: [UInt16] = []

    /// Whether the codes of no length are more than there is room for.
    private(set) var isValid = true

    init(_ lengths: some Collection<UInt8>) {
      for length in lengths { counts[Int(length)] += 1 }
      counts[0] = 0
      var (code, place) = (0, 0)
      var next = [(code: Int, place: Int)](repeating: (0, 0), count: Self.maximumLength + 1)
      for length in 1...Self.maximumLength {
        code = (code + counts[length - 1]) << 1
        next[length] = (code, place)
        place += counts[length]
        isValid = isValid && code + counts[length] <= 1 << length
      }
      guard isValid else { return }
      symbols = [UInt16](repeating: 0, count: place)
      for (symbol, length) in lengths.enumerated() where length > 0 {
        let length = Int(length)
        symbols[next[length].place] = UInt16(symbol)
        if length <= Self.tableBits { enter(symbol, code: next[length].code, length) }
        next[length].code += 1
        next[length].place += 1
      }
    }

    private mutating func enter(_ symbol: Int, code: Int, _ length: Int) {
      // Codes begin with their most significant bit.
      var (first, rest) = (0, code)
      for _ in 0..<length {
        first = first << 1 | rest & 1
        rest >>= 1
      }
      for index in stride(from: first, to: table.count, by: 1 << length) {
        table[index] = UInt16(symbol << 4 | length)
      }
    }

    func symbol(_ bits: UInt64) -> (symbol: Int, length: Int)? {
      let entry = table[Int(truncatingIfNeeded: bits) & (1 << Self.tableBits - 1)]
      if entry != 0 { return (Int(entry >> 4), Int(entry & 15)) }
      var (value, first, place) = (0, 0, 0)
      for length in 1...Self.maximumLength {
        value |= Int(truncatingIfNeeded: bits >> UInt64(length - 1)) & 1
        let count = counts[length]
        if value - count < first { return (Int(symbols[place + value - first]), length) }
        place += count
        first = (first + count) << 1
        value <<= 1
      }
      return nil
    }
  }
}
