import FeedfallScreen
import WaterfallEngine

/// A complete control sequence (`ESC [` …).
struct ControlSequence {
  /// The first byte of a private sequence: `?`, `<`, `=` or `>`.
  private let prefix: UInt8?
  /// The parameters without their parts after a colon; nil for an empty one.
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

  var isPasteStart: Bool {
    prefix == nil && intermediate == nil && final == "~" && numbers == [200]
  }

  /// The decoded sequence; nil if it is unknown.
  var decoded: DecodedInput? {
    switch prefix {
    case UInt8(ascii: "<"): mouse
    case UInt8(ascii: "?"): .report(privateReport)
    case UInt8(ascii: ">") where final == "c" && intermediate == nil:
      .report(number(0).map { .kind($0, version: number(1) ?? 0) } ?? .other)
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
    // A cursor position report, or F3 without parameters.
    case "R":
      numbers == [nil] || numbers.isEmpty
        ? .event(.key(.function(3))) : .report(number(1).map { .cursor(column: $0) } ?? .other)
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

/// The button codes of xterm's mouse protocols.
enum MouseCode {
  /// Returns the event for a button code and a position that counts from 1; nil if the program does not use it.
  static func event(code: Int, x: Int, y: Int, isRelease: Bool) -> MouseEvent? {
    guard x >= 1, y >= 1, code >= 0 else { return nil }
    let position = Point(x: x - 1, y: y - 1)
    // Shift, Alt and Control are 4, 8 and 16; motion is 32, the wheel 64.
    switch code & ~0b1_1100 {
    case 0: return MouseEvent(isRelease ? .release : .press, at: position)
    // Older protocols do not identify the released button.
    case 3: return MouseEvent(.release, at: position)
    case 32: return isRelease ? nil : MouseEvent(.drag, at: position)
    case 64: return isRelease ? nil : MouseEvent(.wheelUp, at: position)
    case 65: return isRelease ? nil : MouseEvent(.wheelDown, at: position)
    default: return nil
    }
  }
}
