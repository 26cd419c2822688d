/// Recognizes media files by their first bytes.
package enum MediaStart {
  /// The count of bytes that are needed.
  package static let byteCount = 192

  private static let marks: [(offset: Int, bytes: [UInt8])] = [
    (4, Array("ftyp".utf8)), (4, Array("moov".utf8)), (4, Array("mdat".utf8)), (4, Array("wide".utf8)),
    (0, [0x1A, 0x45, 0xDF, 0xA3]), (0, Array("OggS".utf8)), (0, Array("FLV\u{1}".utf8)), (0, Array("ID3".utf8)),
    (0, Array("fLaC".utf8)), (8, Array("AVI ".utf8)), (8, Array("WAVE".utf8)), (0, [0x00, 0x00, 0x01, 0xBA]),
    (0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]),
  ]

  /// Whether the bytes are the start of a medium: MP4, Matroska, Ogg, FLV, MP3 with ID3, FLAC, AVI, WAV, ASF or MPEG.
  package static func isMedium(_ start: [UInt8]) -> Bool {
    marks.contains { start.dropFirst($0.offset).starts(with: $0.bytes) } || isTransportStream(start)
  }

  /// Packets of 188 bytes begin with the same byte.
  private static func isTransportStream(_ start: [UInt8]) -> Bool { start.first == 0x47 && start[safe: 188] == 0x47 }
}
