import FeedfallScreen
import WaterfallEngine

extension InputDecoder {
  struct ControlSequence {
    /// The first byte of a private sequence: `?`, `<`, `=` or `>`.
    private let prefix: UInt8?
    /// The parameters, each of one or several numbers with colons between them.
    private let parameters: [ArraySlice<UInt8>]
    private let intermediate: UInt8?
    private let final: Character

    init(parameters: [UInt8], final: UInt8) {
      var rest = parameters[...]
      prefix = rest.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
      if prefix != nil { rest.removeFirst() }
      intermediate = rest.last.flatMap { (0x20...0x2F).contains($0) ? $0 : nil }
      if intermediate != nil { rest.removeLast() }
      self.parameters = rest.split(separator: 0x3B, omittingEmptySubsequences: false)
      self.final = Character(Unicode.Scalar(final))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
      guard !digits.isEmpty, digits.count <= 7, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private func number(_ index: Int, part: Int = 0) -> Int? {
      guard index < parameters.count else { return nil }
      let parts = parameters[index].split(separator: 0x3A, omittingEmptySubsequences: false)
      return part < parts.count ? Self.number(parts[part]) : nil
    }

    private var onlyNumber: Int? { parameters.count == 1 ? number(0) : nil }

    var isPasteStart: Bool { prefix == nil && intermediate == nil && final == "~" && onlyNumber == 200 }

    var decoded: Item? {
      switch prefix {
      case UInt8(ascii: "<"): final == "M" || final == "m" ? mouse(number(0), isRelease: final == "m") : nil
      case UInt8(ascii: "?"): .report(privateReport)
      case UInt8(ascii: ">") where final == "c" && intermediate == nil:
        .report(number(0).map { .kind($0, version: number(1) ?? 0) } ?? .other)
      case .some: .report(.other)
      case nil: intermediate == nil ? plain : .report(.other)
      }
    }

    private func mouse(_ code: Int?, isRelease: Bool) -> Item? {
      guard let code, let x = number(1), let y = number(2) else { return nil }
      return MouseEvent(code: code, x: x, y: y, isRelease: isRelease).map { .event(.mouse($0)) }
    }

    private var privateReport: TerminalReport {
      switch final {
      case "c": .attributes(hasSixel: parameters.indices.dropFirst().contains { number($0) == 4 })
      case "u": .keyboardProtocol
      case "S":
        if number(0) == 1, number(1) == 0, let count = number(2) { .colorRegisters(count) } else { .other }
      case "y":
        if let mode = number(0), let setting = number(1) { .mode(mode, setting: setting) } else { .other }
      default: .other
      }
    }

    private var plain: Item? {
      switch final {
      case "~", "^", "$", "@": key(numberedKey)
      case "u": key(characterKey)
      // rxvt's mouse.
      case "M": mouse(number(0).map { $0 - 32 }, isRelease: false)
      case "t": .report(windowReport)
      case "n": .report(onlyNumber == 0 ? .status : .other)
      // A cursor position report, or F3 without parameters.
      case "R":
        parameters.allSatisfy(\.isEmpty)
          ? .event(.key(.function(3))) : .report(number(1).map { .cursor(column: $0) } ?? .other)
      default: key(letterKey)
      }
    }

    private func key(_ key: Key?) -> Item? { number(1, part: 1) == 3 ? nil : key.map { .event(.key($0)) } }

    private var modifiers: Key.Modifiers { Key.Modifiers(number: number(1)) }

    private var letterKey: Key? {
      guard let key = KeyNames.letters[final], parameters.count <= 2 else { return nil }
      return Key(key.base, key.modifiers.union(modifiers))
    }

    private var numberedKey: Key? {
      guard let code = number(0) else { return nil }
      if code == 27, final == "~", let character = number(2) {
        return KeyNames.key(code: character, modifiers: modifiers)
      }
      // rxvt's modifiers.
      let held: Key.Modifiers =
        final == "^" ? .control : final == "$" ? .shift : final == "@" ? [.control, .shift] : []
      return KeyNames.numbers[code].map { Key($0.base, modifiers.union(held)) }
    }

    /// `code:shifted:layout;modifiers:event;text` of kitty's keyboard protocol.
    private var characterKey: Key? {
      if modifiers.subtracting(.shift).isEmpty, let text { return .character(text) }
      return number(0).flatMap {
        KeyNames.key(code: $0, shifted: number(0, part: 1), layout: number(0, part: 2), modifiers: modifiers)
      }
    }

    private var text: Character? {
      guard parameters.count > 2 else { return nil }
      let scalars = parameters[2].split(separator: 0x3A).compactMap(Self.number).compactMap {
        Unicode.Scalar(UInt32($0))
      }
      let text = String(String.UnicodeScalarView(scalars))
      guard text.count == 1, scalars.allSatisfy({ $0.properties.generalCategory != .control }) else { return nil }
      return text.first
    }

    private var windowReport: TerminalReport {
      guard number(0) == 6, let height = number(1), let width = number(2) else { return .other }
      return .cell(Size(width: width, height: height))
    }
  }
}

extension MouseEvent {
  /// Decodes a button code of xterm's mouse protocols and a position that counts from 1. Fails for unused events.
  init?(code: Int, x: Int, y: Int, isRelease: Bool) {
    guard x >= 1, y >= 1, code >= 0 else { return nil }
    let kind: Kind
    // Shift, Alt and Control are 4, 8 and 16; motion is 32, the wheel 64.
    switch code & ~0b1_1100 {
    case 0: kind = isRelease ? .release : .press
    // Older protocols do not identify the released button.
    case 3: kind = .release
    case 32 where !isRelease: kind = .drag
    case 64 where !isRelease: kind = .wheelUp
    case 65 where !isRelease: kind = .wheelDown
    default: return nil
    }
    self.init(kind, at: Point(x: x - 1, y: y - 1))
  }
}

extension Key.Modifiers {
  /// The modifiers in a key sequence: the parameter minus one, as bits. Caps Lock and Num Lock are ignored.
  init(number: Int?) { self.init(rawValue: UInt8(max(0, (number ?? 1) - 1) & 0x3F)) }
}

enum TerminalReport: Hashable, Sendable {
  /// Primary device attributes (DA1): every terminal answers, so this query ends each batch.
  case attributes(hasSixel: Bool)
  /// Secondary device attributes (DA2): a number for the kind of terminal, and its version.
  case kind(Int, version: Int)
  /// The terminal's name and version (XTVERSION).
  case name(String)
  /// The column of the cursor (DSR 6), from 1.
  case cursor(column: Int)
  /// The current rendition (DECRPSS of SGR), with or without the direct color set by the query.
  case rendition(hasQueriedColor: Bool)
  /// The number of colors of a sixel picture (XTSMGRAPHICS).
  case colorRegisters(Int)
  /// The answer to DSR 5: all bytes before it are processed.
  case status
  /// The background color (OSC 11).
  case background(RGB)
  /// A private mode (DECRPM): 1 is set, 2 is reset, 0 is unknown.
  case mode(Int, setting: Int)
  /// The size of a cell in pixels (CSI 6 t).
  case cell(Size)
  /// The answer to a command of kitty's graphics protocol about the image with this number.
  case graphics(number: Int, isOK: Bool)
  case keyboardProtocol
  case other

  static func operatingSystem(_ bytes: [UInt8]) -> TerminalReport {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("11;"), let color = color(text.dropFirst(3)) else { return .other }
    return .background(color)
  }

  /// `rgb:RRRR/GGGG/BBBB` (one to four digits each, also `rgba:` with a fourth part) or `#RRGGBB`.
  private static func color(_ text: Substring) -> RGB? {
    let parts: [Substring]
    if text.hasPrefix("#") {
      let digits = text.dropFirst()
      guard digits.utf8.count == 6 || digits.utf8.count == 12 else { return nil }
      let length = digits.utf8.count / 3
      parts = (0..<3).map { digits.dropFirst($0 * length).prefix(length) }
    } else if let count = text.hasPrefix("rgb:") ? 3 : text.hasPrefix("rgba:") ? 4 : nil {
      parts = text.dropFirst(count + 1).split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == count else { return nil }
    } else {
      return nil
    }
    let channels = parts.prefix(3).compactMap(channel)
    guard channels.count == 3 else { return nil }
    return RGB(red: channels[0], green: channels[1], blue: channels[2])
  }

  private static func channel(_ digits: Substring) -> UInt8? {
    guard (1...4).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit),
      let value = Int(digits, radix: 16)
    else { return nil }
    let largest = (1 << (4 * digits.utf8.count)) - 1
    return UInt8((value * 255 + largest / 2) / largest)
  }

  /// Decodes the contents of an `ESC _` string (APC): `Gi=31;OK`, or an error in place of `OK`.
  static func application(_ bytes: [UInt8]) -> TerminalReport {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: ";", maxSplits: 1)
    guard parts.count == 2, parts[0].hasPrefix("G") else { return .other }
    let key = parts[0].dropFirst().split(separator: ",").first { $0.hasPrefix("i=") }
    guard let number = key.flatMap({ Int($0.dropFirst(2)) }) else { return .other }
    return .graphics(number: number, isOK: parts[1] == "OK")
  }

  static func deviceControl(_ bytes: [UInt8]) -> TerminalReport {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix(">|") { return .name(String(text.dropFirst(2))) }
    if text.hasPrefix("1$r"), text.hasSuffix("m") {
      return .rendition(hasQueriedColor: hasQueriedColor(text.dropFirst(3).dropLast()))
    }
    return .other
  }

  /// Sets a direct color and queries the rendition (DECRQSS); a terminal with direct colors reports it back.
  static let colorQuery = Array("\u{1B}[48;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[m".utf8)

  /// Terminals separate the parts by semicolons, by colons, or by colons with an empty color space.
  private static func hasQueriedColor(_ rendition: Substring) -> Bool {
    let parts = rendition.split { $0 == ";" || $0 == ":" }
    return parts.indices.contains { parts[$0...].prefix(5) == ["48", "2", "1", "2", "3"] }
  }
}
