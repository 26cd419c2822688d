extension RenditionFilter {
  /// The attributes and colors of the next character, as set by ECMA-48's SGR.
  struct Rendition: Equatable, Sendable {
    /// A color in the form in which it was selected.
    enum Color: Equatable, Sendable {
      case standard
      /// A single parameter, such as 31, 42 or 97.
      case code(UInt8)
      case indexed(UInt8)
      case direct(red: UInt8, green: UInt8, blue: UInt8)
    }

    /// Bit n is parameter n, from 1 (bold) to 9 (crossed out).
    var attributes: UInt16 = 0
    var foreground = Color.standard
    var background = Color.standard

    static let plain = Rendition()
    private static let reverse: UInt16 = 1 << 7
    /// Bold, dim and italic: no effect on blanks.
    private static let letterAttributes: UInt16 = 1 << 1 | 1 << 2 | 1 << 3

    func paintsBlanks(like other: Rendition) -> Bool {
      background == other.background
        && (attributes | Self.letterAttributes) == (other.attributes | Self.letterAttributes)
        && (attributes & Self.reverse == 0 || foreground == other.foreground)
    }

    /// Returns the rendition after an SGR; nil if a parameter is unknown.
    func applying(_ parameters: UnsafeBufferPointer<UInt8>.SubSequence) -> Rendition? {
      var rendition = self
      var rest = Numbers(rest: parameters)
      repeat {
        guard let number = rest.next(), rendition.apply(number, &rest) else { return nil }
      } while !rest.isAtEnd
      return rendition
    }

    private mutating func apply(_ number: Int, _ rest: inout Numbers) -> Bool {
      switch number {
      case 0: self = .plain
      case 1...9: attributes |= 1 << UInt16(number)
      case 22: attributes &= ~(1 << 1 | 1 << 2)
      case 23...25, 27...29: attributes &= ~(1 << UInt16(number - 20))
      case 30...37, 90...97: foreground = .code(UInt8(number))
      case 40...47, 100...107: background = .code(UInt8(number))
      case 39: foreground = .standard
      case 49: background = .standard
      case 38, 48:
        guard let color = rest.nextColor() else { return false }
        if number == 38 { foreground = color } else { background = color }
      default: return false
      }
      return true
    }

    private struct Numbers {
      var rest: UnsafeBufferPointer<UInt8>.SubSequence
      var isAtEnd = false

      init(rest: UnsafeBufferPointer<UInt8>.SubSequence) { self.rest = rest }

      /// Returns the next number, 0 if it is empty; nil if it is invalid.
      mutating func next() -> Int? {
        guard !isAtEnd else { return nil }
        var number = 0
        while let byte = rest.popFirst() {
          if byte == UInt8(ascii: ";") { return number }
          guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), number < 1000 else { return nil }
          number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        isAtEnd = true
        return number
      }

      mutating func nextColor() -> Color? {
        switch next() {
        case 5: return nextByte().map(Color.indexed)
        case 2:
          guard let red = nextByte(), let green = nextByte(), let blue = nextByte() else { return nil }
          return .direct(red: red, green: green, blue: blue)
        default: return nil
        }
      }

      private mutating func nextByte() -> UInt8? { next().flatMap(UInt8.init(exactly:)) }
    }

    /// Appends the shortest SGR that changes `other` into this rendition. `canUnsetColors`: whether 39 and 49 work.
    func append(from other: Rendition, canUnsetColors: Bool, to bytes: inout [UInt8]) {
      let start = bytes.count
      bytes.append(0x1B)
      bytes.append(UInt8(ascii: "["))
      if self != .plain, canAdd(to: other, canUnsetColors: canUnsetColors) {
        appendChanges(from: other, to: &bytes)
        bytes.remove(at: start + 2)
      } else if self != .plain {
        bytes.append(UInt8(ascii: "0"))
        appendChanges(from: .plain, to: &bytes)
      }
      bytes.append(UInt8(ascii: "m"))
    }

    private func canAdd(to other: Rendition, canUnsetColors: Bool) -> Bool {
      guard other.attributes & ~attributes == 0 else { return false }
      return canUnsetColors
        || (foreground != .standard || other.foreground == .standard)
          && (background != .standard || other.background == .standard)
    }

    private func appendChanges(from other: Rendition, to bytes: inout [UInt8]) {
      let added = attributes & ~other.attributes
      if added != 0 {
        for attribute in 1...9 where added & 1 << UInt16(attribute) != 0 { bytes.appendParameter(UInt8(attribute)) }
      }
      if foreground != other.foreground { foreground.append(standard: 39, extended: 38, to: &bytes) }
      if background != other.background { background.append(standard: 49, extended: 48, to: &bytes) }
    }
  }
}

extension RenditionFilter.Rendition.Color {
  fileprivate func append(standard: UInt8, extended: UInt8, to bytes: inout [UInt8]) {
    switch self {
    case .standard: bytes.appendParameter(standard)
    case .code(let code): bytes.appendParameter(code)
    case .indexed(let index):
      bytes.appendParameter(extended)
      bytes.appendParameter(5)
      bytes.appendParameter(index)
    case .direct(let red, let green, let blue):
      bytes.appendParameter(extended)
      bytes.appendParameter(2)
      for part in [red, green, blue] { bytes.appendParameter(part) }
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendParameter(_ number: UInt8) {
    append(UInt8(ascii: ";"))
    appendNumber(number)
  }
}
