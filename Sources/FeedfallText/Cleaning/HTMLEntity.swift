/// A character written as in `&amp;`, `&#233;` or `&#xE9;`.
package struct HTMLEntity {
  package let scalar: Unicode.Scalar
  package let end: Int

  /// Reads the entity that begins at `start`; nil where there is none that is known.
  package init?(in bytes: [UInt8], at start: Int) {
    let body = bytes[(start + 1)...].prefix(12)
    guard let semicolon = body.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: bytes[(start + 1)..<semicolon], as: UTF8.self)
    guard let scalar = name.hasPrefix("#") ? Self.numeric(name.dropFirst()) : Self.named(name) else {
      return nil
    }
    self.scalar = scalar
    end = semicolon + 1
  }

  private static func numeric(_ text: Substring) -> Unicode.Scalar? {
    let isHex = text.first == "x" || text.first == "X"
    guard let value = UInt32(isHex ? text.dropFirst() : text, radix: isHex ? 16 : 10) else { return nil }
    // HTML reads the C1 numbers as windows-1252.
    if (0x80...0x9F).contains(value) { return windows1252[Int(value - 0x80)] }
    return Unicode.Scalar(value)
  }

  private static func named(_ name: String) -> Unicode.Scalar? {
    latin1[name] ?? others[name]
  }

  private static let windows1252 = Array(
    "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)

  /// The names of U+00A0 to U+00FF in order (HTML 4, 24.2.1).
  private static let latin1 = [String: Unicode.Scalar](
    uniqueKeysWithValues:
      zip(latin1Names.split(separator: " ").map(String.init), (0xA0...0xFF).map { Unicode.Scalar(UInt8($0)) })
  )

  private static let latin1Names = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro \
    para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil \
    Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
    Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml \
    igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute \
    thorn yuml
    """

  private static let others: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "ndash": "–", "mdash": "—", "lsquo": "‘",
    "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "hellip": "…", "bull": "•",
    "trade": "™",
    "euro": "€", "lsaquo": "‹", "rsaquo": "›", "dagger": "†", "Dagger": "‡", "permil": "‰", "prime": "′",
    "Prime": "″", "larr": "←", "uarr": "↑", "rarr": "→", "darr": "↓", "minus": "−", "infin": "∞",
    "hearts": "♥",
    "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "fnof": "ƒ", "ensp": " ",
    "emsp": " ",
    "thinsp": " ", "AMP": "&", "LT": "<", "GT": ">", "QUOT": "\"",
  ]
}
