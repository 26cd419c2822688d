/// Recognizes media files by their first bytes.
package enum MediaStart {
  /// The count of bytes that are needed: two frames of most sounds, which have no other mark.
  package static let byteCount = 4_096

  private typealias Mark = (offset: Int, bytes: [UInt8])

  /// The marks of each format, all of which it has.
  private static let formats: [[Mark]] =
    [
      [(4, "ftyp")], [(4, "moov")], [(4, "mdat")], [(4, "wide")], [(0, "OggS")], [(0, "FLV\u{1}")], [(0, "ID3")],
      [(0, "fLaC")], [(8, "AVI ")], [(8, "WAVE")], [(0, "FORM"), (8, "AIF")], [(0, "caff\0\u{1}")], [(0, ".snd\0\0")],
      [(0, "wvpk")], [(0, "TTA1\u{1}\0")], [(0, "MAC "), (5, "\u{F}")], [(0, "#!AMR")], [(0, ".RMF\0\0")],
      [(0, "nut/multimedia container\0")], [(0, "DKIF\0\0")], [(0, "YUV4MPEG2 ")],
    ].map { $0.map { ($0, Array($1.utf8)) } } + [
      [(0, [0x1A, 0x45, 0xDF, 0xA3])], [(0, [0x00, 0x00, 0x01, 0xBA])], [(0, [0x00, 0x00, 0x01, 0xB3])],
      [(0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])], [(0, [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01])],
      [(0, [0xB7, 0xD8, 0x00, 0x20, 0x37, 0x49, 0xDA, 0x11])], [(0, Array("riff".utf8) + [0x2E, 0x91, 0xCF, 0x11])],
      [(0, [0x2E, 0x72, 0x61, 0xFD])], [(0, [0x7F, 0xFE, 0x80, 0x01])], [(0, [0xFE, 0x7F, 0x01, 0x80])],
      [(0, [0x1F, 0xFF, 0xE8, 0x00])],
      [(0, [0xFF, 0x1F, 0x00, 0xE8])],
    ]

  /// Whether the bytes are those of a medium, or the name is and the bytes are not those of a text. `start` holds the
  /// first `byteCount` bytes, or all of a shorter file; the extension is in lower case.
  package static func isMedium(_ start: [UInt8], fileExtension: String) -> Bool {
    isMedium(start) || FileExtension.isMedia(fileExtension) && !isText(start)
  }

  package static func isMedium(_ start: [UInt8]) -> Bool {
    formats.contains { $0.allSatisfy { start.dropFirst($0.offset).starts(with: $0.bytes) } }
      || isTransportStream(start) || SoundFrame.isFollowed(in: start)
  }

  /// The sizes of the packets of a transport stream with the places of the byte with which all begin; cameras write
  /// four bytes before each.
  private static let packets = [(first: 0, size: 188), (first: 4, size: 192), (first: 0, size: 204)]

  /// Texts such as playlists may have the byte in both places, too: it is the letter G.
  private static func isTransportStream(_ start: [UInt8]) -> Bool {
    packets.contains { start[safe: $0.first] == 0x47 && start[safe: $0.first + $0.size] == 0x47 } && !isUnicode(start)
  }

  /// Whether the bytes are those of a text in UTF-8, whose last character may be cut off.
  private static func isUnicode(_ start: [UInt8]) -> Bool {
    let end = start.lastIndex { $0 < 0x80 } ?? 0
    return isText(start) && String(validating: start[..<end], as: UTF8.self) != nil
  }

  /// Whether the bytes are those of a text in ASCII or a superset of it; true for none.
  private static func isText(_ start: [UInt8]) -> Bool {
    start.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x08...0x0D).contains($0) || $0 == 0x1B }
  }

  /// The header of a frame of MPEG audio, AAC (ADTS) or AC-3. It has few fixed bits, so that it only counts with
  /// another one where the frame ends.
  private struct SoundFrame: Equatable {
    private enum Format: Equatable {
      case mpeg(layer: Int)
      case adts, ac3
    }

    private let format: Format
    /// In bytes.
    private let length: Int

    static func isFollowed(in start: [UInt8]) -> Bool {
      guard let first = SoundFrame(start[...]), first.length < start.count,
        let second = SoundFrame(start[first.length...])
      else { return false }
      return first.format == second.format
    }

    private init?(_ bytes: ArraySlice<UInt8>) {
      let head = Array(bytes.prefix(6))
      guard head.count == 6 else { return nil }
      let found: (Format, Int)? =
        if head[0] == 0x0B, head[1] == 0x77 { Self.ac3(head) } else if head[0] == 0xFF, head[1] & 0xE0 == 0xE0 {
          head[1] & 0xF6 == 0xF0 ? Self.adts(head) : Self.mpeg(head)
        } else { nil }
      guard let (format, length) = found, length >= head.count else { return nil }
      (self.format, self.length) = (format, length)
    }

    /// ISO 13818-7, 6.2.
    private static func adts(_ head: [UInt8]) -> (Format, Int)? {
      guard head[2] >> 2 & 0xF < 13 else { return nil }
      return (.adts, Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5))
    }

    private static let bitRates: [[Int]] = [
      [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
      [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
      [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ]
    private static let lowBitRates: [[Int]] = [
      [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
      [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
      [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// ISO 11172-3, 2.4.1.3, and its extensions to lower sampling rates: MPEG-2 and MPEG-2.5.
    private static func mpeg(_ head: [UInt8]) -> (Format, Int)? {
      let (version, layer, rate) = (head[1] >> 3 & 3, 4 - Int(head[1] >> 1 & 3), Int(head[2] >> 2 & 3))
      let (isFull, bitRate) = (version == 3, Int(head[2] >> 4) - 1)
      guard version != 1, layer != 4, rate != 3, (0..<14).contains(bitRate) else { return nil }
      let sampleRate = [44_100, 48_000, 32_000][rate] / (isFull ? 1 : version == 2 ? 2 : 4)
      let bits = (isFull ? bitRates : lowBitRates)[layer - 1][bitRate] * 1_000
      let padding = Int(head[2] >> 1 & 1)
      if layer == 1 { return (.mpeg(layer: 1), (12 * bits / sampleRate + padding) * 4) }
      return (.mpeg(layer: layer), (layer == 3 && !isFull ? 72 : 144) * bits / sampleRate + padding)
    }

    private static let ac3BitRates = [
      32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]

    /// ETSI TS 102 366, 4.4.1 and annex E.
    private static func ac3(_ head: [UInt8]) -> (Format, Int)? {
      let (identity, rate, code) = (head[5] >> 3, head[4] >> 6, Int(head[4] & 0x3F))
      guard identity <= 16 else { return nil }
      if identity > 10 { return (.ac3, (Int(head[2] & 7) << 8 | Int(head[3]) + 1) * 2) }
      guard rate != 3, code < 2 * ac3BitRates.count else { return nil }
      let bitRate = ac3BitRates[code / 2]
      return switch rate {
      case 0: (.ac3, bitRate * 4)
      case 1: (.ac3, (bitRate * 320 / 147 + code % 2) * 2)
      default: (.ac3, bitRate * 6)
      }
    }
  }
}
