/// Labels of emoji, which some registries and all browsers allow, but IDNA 2008 and thus libidn2 do not.
enum PictureLabel {
  /// In scalars, and in bytes of the ASCII form. Bounds the encoder, which is quadratic.
  private static let maximumCount = 63

  /// Returns the ASCII form of a name with such labels; nil for another one.
  static func converted(_ name: String) -> [UInt8]? {
    let labels = name.unicodeScalars.split(omittingEmptySubsequences: false) {
      ".\u{3002}\u{FF0E}\u{FF61}".unicodeScalars.contains($0)
    }
    guard labels.count <= 2 * maximumCount else { return nil }
    var ascii: [[UInt8]] = []
    for label in labels {
      guard let bytes = label.allSatisfy(\.isASCII) ? Array(String(label).utf8) : encoded(label) else { return nil }
      ascii.append(bytes)
    }
    return Array(ascii.joined(separator: [UInt8(ascii: ".")]))
  }

  private static func encoded(_ label: Substring.UnicodeScalarView) -> [UInt8]? {
    guard label.count <= maximumCount else { return nil }
    // The variation selector only asks for the colored form.
    let scalars = label.filter { $0 != "\u{FE0F}" }.map {
      $0.value < 0x80 ? UInt32(UInt8($0.value).lowercased) : $0.value
    }
    let arePictures = label.allSatisfy { scalar in
      scalar.value < 0x80 || scalar == "\u{FE0F}"
        || scalar.properties.isEmoji && [.otherSymbol, .modifierSymbol].contains(scalar.properties.generalCategory)
    }
    guard arePictures, scalars.contains(where: { $0 >= 0x80 }) else { return nil }
    let bytes = Array("xn--".utf8) + punycode(scalars)
    return bytes.count <= maximumCount ? bytes : nil
  }

  /// Encodes a label (RFC 3492, 6.3).
  private static func punycode(_ scalars: [UInt32]) -> [UInt8] {
    var result = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
    let basicCount = result.count
    if basicCount > 0 { result.append(UInt8(ascii: "-")) }
    var (next, delta, bias, count) = (0x80, 0, 72, basicCount)
    while let scalar = scalars.lazy.map({ Int($0) }).filter({ $0 >= next }).min() {
      delta += (scalar - next) * (count + 1)
      next = scalar
      for other in scalars {
        if other < next { delta += 1 }
        guard other == next else { continue }
        append(delta, bias, to: &result)
        bias = adapted(delta, count: count + 1, isFirst: count == basicCount)
        delta = 0
        count += 1
      }
      delta += 1
      next += 1
    }
    return result
  }

  /// Appends a number in digits of variable size.
  private static func append(_ number: Int, _ bias: Int, to result: inout [UInt8]) {
    let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    var (rest, position) = (number, 36)
    while true {
      let threshold = min(max(position - bias, 1), 26)
      guard rest >= threshold else { break }
      result.append(digits[threshold + (rest - threshold) % (36 - threshold)])
      rest = (rest - threshold) / (36 - threshold)
      position += 36
    }
    result.append(digits[rest])
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var bias = 0
    while delta > 35 * 26 / 2 {
      delta /= 35
      bias += 36
    }
    return bias + 36 * delta / (delta + 38)
  }
}
