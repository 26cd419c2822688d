import FeedfallScreen

/// The keys of characters, and of the numbers and letters in key sequences.
enum KeyNames {
  /// Returns the key of a single character; nil for C1 controls.
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

  /// `ESC O` and a letter: cursor keys and keypad in application mode, function keys, rxvt's cursor keys with Control.
  static let single: [UInt8: Key] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
    "P": .function(1), "Q": .function(2), "R": .function(3), "S": .function(4),
    "a": .up, "b": .down, "c": .right, "d": .left,
    "M": .enter, "I": .tab, " ": .character(" "), "X": .character("="),
    "j": .character("*"), "k": .character("+"), "l": .character(","), "m": .character("-"),
    "n": .character("."), "o": .character("/"),
    "p": .character("0"), "q": .character("1"), "r": .character("2"), "s": .character("3"),
    "t": .character("4"),
    "u": .character("5"), "v": .character("6"), "w": .character("7"), "x": .character("8"),
    "y": .character("9"),
  ].byASCII

  /// `ESC [`, modifiers, and a letter.
  static let letters: [UInt8: Key] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
    "P": .function(1), "Q": .function(2), "S": .function(4),
    "a": .up, "b": .down, "c": .shiftRight, "d": .shiftLeft,
  ].byASCII

  /// `ESC [`, a number, modifiers, and `~`.
  static let numbers: [Int: Key] = [
    1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14), 28: .function(15),
    29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
  ]

  /// Returns the key with Shift, if it is a different key.
  static func shifted(_ key: Key) -> Key {
    if key == .left { return .shiftLeft }
    if key == .right { return .shiftRight }
    if key == .tab { return .backTab }
    return key
  }

  /// Returns the key for a code point and modifiers (modifyOtherKeys, kitty's keyboard protocol).
  static func key(code: Int, modifiers: Modifiers) -> Key? {
    guard let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value), let plain = key(of: scalar)
    else {
      return nil
    }
    guard case .character(let character) = plain else {
      return modifiers.contains(.shift) ? shifted(plain) : plain
    }
    // kitty encodes keys without a character in the private use area; the program uses none of them.
    guard !(0xE000...0xF8FF).contains(value) else { return nil }
    guard modifiers.contains(.control), value < 0x80 else { return plain }
    return .control(Character(character.lowercased()))
  }
}

/// The modifiers in a key sequence: the parameter minus one, as bits.
struct Modifiers: OptionSet {
  let rawValue: Int

  static let shift = Modifiers(rawValue: 1)
  static let control = Modifiers(rawValue: 4)

  init(rawValue: Int) {
    self.rawValue = rawValue
  }

  init(number: Int?) {
    self.init(rawValue: max(0, (number ?? 1) - 1))
  }
}

extension [Character: FeedfallScreen.Key] {
  // Inside a dictionary, `Key` is its own key type.
  fileprivate var byASCII: [UInt8: FeedfallScreen.Key] {
    reduce(into: [:]) { table, row in
      if let byte = row.key.asciiValue { table[byte] = row.value }
    }
  }
}

/// The keys of a terminal's own sequences. A linear search beats building a dictionary at every start, because there
/// are only a few dozen.
struct KeySequences: ExpressibleByDictionaryLiteral, Sendable {
  private var entries: [Entry] = []

  private struct Entry {
    var sequence: [UInt8]
    var key: FeedfallScreen.Key
  }

  init(dictionaryLiteral elements: ([UInt8], FeedfallScreen.Key)...) {
    for (sequence, key) in elements { add(sequence, key) }
  }

  /// Adds a sequence, unless it already has a key.
  mutating func add(_ sequence: [UInt8], _ key: FeedfallScreen.Key) {
    guard self[sequence] == nil else { return }
    entries.append(Entry(sequence: sequence, key: key))
  }

  subscript(_ sequence: [UInt8]) -> FeedfallScreen.Key? {
    for entry in entries where entry.sequence == sequence { return entry.key }
    return nil
  }
}
