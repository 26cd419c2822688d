import FeedfallScreen
import WaterfallEngine

/// A whole sequence that began with `ESC [`.
struct ControlSequence {
  /// The byte before the numbers that makes the sequence private: `?`, `<`, `=` or `>`.
  private let prefix: UInt8?
  /// The numbers, without what follows a colon in each; nil where none stands.
  private let numbers: [Int?]
  private let intermediate: UInt8?
  private let final: Character

  init(parameters: [UInt8], final: UInt8) {
    var rest = parameters[...]
    prefix = rest.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
    if prefix != nil { rest.removeFirst() }
    intermediate = rest.last.flatMap { (0x20...0x2F).contains($0) ? $0 : nil }
    if intermediate != nil { rest.removeLast() }
    numbers = rest.split(separator: 0x3B, omittingEmptySubsequences: false).map(Self.number)
    self.final = Character(Unicode.Scalar(final))
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    let whole = digits.prefix { $0 != 0x3A }
    guard !whole.isEmpty, whole.count <= 7, whole.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return whole.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private func number(_ index: Int) -> Int? {
    index < numbers.count ? numbers[index] : nil
  }

  /// Whether pasted text follows.
  var isPasteStart: Bool {
    prefix == nil && intermediate == nil && final == "~" && numbers == [200]
  }

  /// What the sequence says; nil when it is none that we know.
  var meaning: DecodedInput? {
    switch prefix {
    case UInt8(ascii: "<"): mouse
    case UInt8(ascii: "?"): .report(privateReport)
    case .some: .report(.other)
    case nil: intermediate == nil ? plain : .report(.other)
    }
  }

  private var mouse: DecodedInput? {
    guard final == "M" || final == "m", let code = number(0), let x = number(1), let y = number(2),
      let event = MouseCode.event(code: code, x: x, y: y, isRelease: final == "m")
    else { return nil }
    return .event(.mouse(event))
  }

  private var privateReport: TerminalReport {
    switch final {
    case "c": .attributes(hasSixel: numbers.dropFirst().contains(4))
    case "S":
      if number(0) == 1, number(1) == 0, let count = number(2) { .colorRegisters(count) } else { .other }
    case "y":
      if let mode = number(0), let setting = number(1) { .mode(mode, setting: setting) } else { .other }
    default: .other
    }
  }

  private var plain: DecodedInput? {
    switch final {
    case "~", "^", "$", "@": numberedKey.map { .event(.key($0)) }
    case "u": characterKey(code: number(0), modifiers: number(1))
    case "M": rxvtMouse
    case "t": .report(windowReport)
    case "n": .report(numbers == [0] ? .status : .other)
    // The cursor's position; F3 sends the same letter, alone.
    case "R": numbers == [nil] || numbers.isEmpty ? .event(.key(.function(3))) : .report(.other)
    default: letterKey.map { .event(.key($0)) }
    }
  }

  private var letterKey: Key? {
    guard let byte = final.asciiValue, let key = KeyNames.letters[byte], numbers.count <= 2 else {
      return nil
    }
    return Modifiers(number: number(1)).contains(.shift) ? KeyNames.shifted(key) : key
  }

  private var numberedKey: Key? {
    guard let code = number(0) else { return nil }
    if code == 27, final == "~", let character = number(2) {
      return KeyNames.key(code: character, modifiers: Modifiers(number: number(1)))
    }
    return KeyNames.numbers[code]
  }

  private func characterKey(code: Int?, modifiers: Int?) -> DecodedInput? {
    guard let code, let key = KeyNames.key(code: code, modifiers: Modifiers(number: modifiers)) else {
      return nil
    }
    return .event(.key(key))
  }

  private var rxvtMouse: DecodedInput? {
    guard let code = number(0), let x = number(1), let y = number(2),
      let event = MouseCode.event(code: code - 32, x: x, y: y, isRelease: false)
    else { return nil }
    return .event(.mouse(event))
  }

  private var windowReport: TerminalReport {
    guard number(0) == 6, let height = number(1), let width = number(2) else { return .other }
    return .cell(Size(width: width, height: height))
  }
}
