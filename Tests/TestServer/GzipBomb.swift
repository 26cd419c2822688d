/// A small gzip file that unpacks to blanks without end (RFC 1951, 1952).
public enum GzipBomb {
  /// Unpacks to about 258 bytes for every 13 bits.
  public static func bytes(unpackingTo count: Int) -> [UInt8] {
    var bits = BitWriter(bytes: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
    bits.write(0b1, count: 1)  // the last block
    bits.write(0b01, count: 2)  // with the fixed codes
    bits.writeCode(0x30 + 0x20, count: 8)  // a blank
    for _ in 0..<(count / 258) {
      bits.writeCode(0b1100_0101, count: 8)  // length 258
      bits.writeCode(0, count: 5)  // from one byte before
    }
    bits.writeCode(0, count: 7)  // the end of the block
    return bits.bytes + [UInt8](repeating: 0, count: 9)
  }

  private struct BitWriter {
    var bytes: [UInt8]
    private var used = 8

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func write(_ value: Int, count: Int) {
      for bit in 0..<count { append(value >> bit & 1) }
    }

    /// Huffman codes begin with their highest bit.
    mutating func writeCode(_ code: Int, count: Int) {
      for bit in (0..<count).reversed() { append(code >> bit & 1) }
    }

    private mutating func append(_ bit: Int) {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      bytes[bytes.count - 1] |= UInt8(bit << used)
      used += 1
    }
  }
}
