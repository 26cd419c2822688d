import FeedfallScreen

extension InputDecoder {
  /// The keys of a terminal's own sequences.
  typealias KeySequences = [[UInt8]: Key]

  enum KeyNames {
    static func key(of scalar: Unicode.Scalar) -> Key? {
      switch scalar.value {
      case 0: .control(" ")
      case 0x08, 0x7F: .backspace
      case 0x09: .tab
      case 0x0A, 0x0D: .enter
      case 0x1B: .escape
      case 0x01...0x1A: .control(Character(Unicode.Scalar(UInt8(scalar.value) + 0x60)))
      case 0x1C...0x1F: .control(Character(Unicode.Scalar(UInt8(scalar.value) + 0x40)))
      case 0x80...0x9F: nil
      default: .character(Character(scalar))
      }
    }

    /// `ESC O` and a letter: also the keypad in application mode, and rxvt's cursor keys with Control.
    static let single: [Character: Key] = [
      "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
      "P": .function(1), "Q": .function(2), "R": .function(3), "S": .function(4),
      "a": .init(.up, .control), "b": .init(.down, .control), "c": .init(.right, .control), "d": .init(.left, .control),
      "M": .enter, "I": .tab, " ": .character(" "), "X": .character("="),
      "j": .character("*"), "k": .character("+"), "l": .character(","), "m": .character("-"), "n": .character("."),
      "o": .character("/"), "p": .character("0"), "q": .character("1"), "r": .character("2"), "s": .character("3"),
      "t": .character("4"), "u": .character("5"), "v": .character("6"), "w": .character("7"), "x": .character("8"),
      "y": .character("9"),
    ]

    /// `ESC [`, modifiers, and a letter. A small letter is rxvt's, with Shift.
    static let letters: [Character: Key] = [
      "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
      "P": .function(1), "Q": .function(2), "S": .function(4),
      "a": .init(.up, .shift), "b": .init(.down, .shift), "c": .shiftRight, "d": .shiftLeft,
    ]

    /// `ESC [`, a number, modifiers, and `~`.
    static let numbers: [Int: Key] = [
      1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
      11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
      17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
      23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14), 28: .function(15),
      29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
    ]

    /// The keypad in kitty's keyboard protocol, from code 57399 on; nil for keys that the program has no name for.
    private static let keypad: [Key.Base?] =
      "0123456789./*-+".map { Key.Base?.some(.character($0)) } + [
        .enter, .character("="), .character(","), .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, nil,
        .delete,
      ]

    /// The key of a code point in modifyOtherKeys and kitty's keyboard protocol. `shifted` and `layout`: the code
    /// points with Shift and in the standard layout, if the terminal states them.
    static func key(code: Int, shifted: Int? = nil, layout: Int? = nil, modifiers: Key.Modifiers) -> Key? {
      if let base = privateKey(code) { return key(base, modifiers) }
      // Control and a Cyrillic letter mean the letter of the same key in the standard layout.
      let isShortcut = !modifiers.isDisjoint(with: [.control, .alt])
      let code = isShortcut && code >= 0x80 ? layout ?? code : code
      let isShifted = modifiers.contains(.shift) && !modifiers.contains(.control)
      guard code > 0, let plain = scalar(isShifted ? shifted ?? code : code).flatMap(key(of:)) else { return nil }
      return key(plain.base, plain.modifiers.union(modifiers))
    }

    private static func scalar(_ code: Int) -> Unicode.Scalar? {
      // kitty encodes keys without a character in the private use area.
      guard let value = UInt32(exactly: code), !(0xE000...0xF8FF).contains(value) else { return nil }
      return Unicode.Scalar(value)
    }

    private static func privateKey(_ code: Int) -> Key.Base? {
      if (57376...57398).contains(code) { return .function(code - 57376 + 13) }
      let index = code - 57399
      return keypad.indices.contains(index) ? keypad[index] : nil
    }

    /// Returns the same key for all protocols: a character contains Shift, and keys that are one byte in terminals
    /// without a protocol stay the same key.
    private static func key(_ base: Key.Base, _ modifiers: Key.Modifiers) -> Key {
      guard case .character(let character) = base else {
        let ignoresShift = modifiers == .shift && [.enter, .backspace, .escape].contains(base)
        return Key(base, ignoresShift ? [] : modifiers)
      }
      if modifiers == .control, let key = controlKeys[character] { return Key(key) }
      if modifiers.contains(.control) { return Key(.character(single(character.lowercased()) ?? character), modifiers) }
      guard modifiers.contains(.shift) else { return Key(base, modifiers) }
      return Key(.character(single(character.uppercased()) ?? character), modifiers.subtracting(.shift))
    }

    private static func single(_ text: String) -> Character? { text.count == 1 ? text.first : nil }

    private static let controlKeys: [Character: Key.Base] = [
      "h": .backspace, "i": .tab, "j": .enter, "m": .enter, "[": .escape,
    ]
  }
}
