import CFeedfallImages

extension ImageFormat {
  /// The format that a picture's first bytes tell, whatever its address or its server calls it; nil for others.
  init?(firstBytes bytes: [UInt8]) {
    func begins(_ prefix: StaticString, at place: Int = 0) -> Bool {
      prefix.withUTF8Buffer { bytes.dropFirst(place).starts(with: $0) }
    }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .JPEG
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .PNG
    } else if begins("RIFF") && begins("WEBP", at: 8) {
      self = .webP
    } else if begins("GIF87a") || begins("GIF89a") {
      self = .GIF
    } else {
      return nil
    }
  }
}
