/// Bodies in the codings of HTTP, whose bytes are stored in them as they are.
public enum PackedBytes {
  /// A member of a gzip file (RFC 1952) without a checksum.
  public static func gzip(_ content: [UInt8]) -> [UInt8] {
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + deflate(content) + [0, 0, 0, 0] + number(content.count, 4)
  }

  /// Deflated data with the header of zlib (RFC 1950).
  public static func zlib(_ content: [UInt8]) -> [UInt8] { [0x78, 0x01] + deflate(content) + [0, 0, 0, 0] }

  /// Deflated data (RFC 1951) without a header.
  public static func deflate(_ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = content[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      bytes.append(rest.isEmpty ? 1 : 0)
      bytes += number(block.count, 2) + number(~block.count & 0xFFFF, 2) + block
    } while !rest.isEmpty
    return bytes
  }

  /// A Brotli stream (RFC 7932) of up to 64 kB.
  public static func brotli(_ content: [UInt8]) -> [UInt8] {
    // A window of 16 bits; not the last block; a length of four digits; not compressed.
    number((content.count - 1) << 4 | 1 << 20, 3) + content + [0x03]
  }

  /// A frame of Zstandard (RFC 8878) of up to 64 kB.
  public static func zstandard(_ content: [UInt8]) -> [UInt8] {
    [0x28, 0xB5, 0x2F, 0xFD, 0xA0] + number(content.count, 4) + number(content.count << 3 | 1, 3) + content
  }

  private static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
