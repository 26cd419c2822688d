import FeedfallScreen

/// Turns the bytes of a terminal into keys, mouse events, pasted text and reports.
///
/// Any bytes give the same result however they are cut into pieces. What is not understood is left out whole, and
/// nothing grows without bound.
struct InputDecoder: Sendable {
  /// What has begun and waits for its end.
  enum State: Equatable, Sendable {
    case ground
    case escape
    /// `ESC [` and what followed; `isTooLong` once the rest is not kept.
    case control(isTooLong: Bool)
    /// `ESC [ M` and three bytes.
    case oldMouse
    /// `ESC [ [` and one byte, as the Linux console sends.
    case console
    /// `ESC O`.
    case single
    /// `ESC ]` and the like up to their end; `escaped` after an ESC inside.
    case string(kind: UInt8, escaped: Bool, dropped: Int)
    case paste
  }

  /// How long the bytes that have come may wait for the rest.
  enum Patience: Int, Sendable {
    /// A person may have pressed Escape, or Alt and a key.
    case key = 25
    /// The terminal is in the middle of something, on a slow line.
    case report = 250
    case paste = 1000
  }

  private static let longestControl = 64
  private static let longestString = 256
  private static let longestDrop = 64 * 1024
  private static let longestPaste = 64 * 1024
  private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  private let keys: KeySequences
  private var state = State.ground
  private var collected: [UInt8] = []
  private var text = UTF8Decoder()
  /// How many bytes of the end of a paste have been seen.
  private var pasteEndMatched = 0
  private var output: [DecodedInput] = []

  /// - Parameter keys: the terminal's own key sequences, each beginning with ESC.
  init(keys: KeySequences = [:]) {
    self.keys = keys
  }

  /// What the bytes say; a sequence that has not ended waits for the next call.
  mutating func decode(_ bytes: some Sequence<UInt8>) -> [DecodedInput] {
    for byte in bytes { take(byte) }
    defer { output = [] }
    return output
  }

  /// How long to wait for more bytes before `flush()`; nil when nothing is pending.
  var patience: Patience? {
    switch state {
    case .ground: nil
    case .escape, .single, .console: .key
    case .control, .string: collected.isEmpty ? .key : .report
    case .oldMouse: .report
    case .paste: .paste
    }
  }

  /// Ends what is pending, because nothing more came: a lone ESC is the Escape key, the rest of a paste is the paste.
  mutating func flush() -> [DecodedInput] {
    switch state {
    case .ground: break
    case .escape: key(.escape)
    case .single: pressedWithAlt("O")
    case .console: pressedWithAlt("[")
    case .control:
      if collected.isEmpty { pressedWithAlt("[") }
    case .string(let kind, let escaped, let dropped):
      if collected.isEmpty, dropped == 0 { pressedWithAlt(Unicode.Scalar(kind)) }
      if escaped { key(.escape) }
    case .oldMouse: break
    case .paste: endPaste()
    }
    become(.ground)
    defer { output = [] }
    return output
  }

  // MARK: Bytes

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: takeGround(byte)
    case .escape: takeEscape(byte)
    case .control(let isTooLong): takeControl(byte, isTooLong: isTooLong)
    case .oldMouse: takeOldMouse(byte)
    case .console:
      become(.ground)
      if (0x41...0x45).contains(byte) { key(.function(Int(byte) - 0x40)) }
    case .single: takeSingle(byte)
    case .string(let kind, let escaped, let dropped):
      takeString(byte, kind: kind, escaped: escaped, dropped: dropped)
    case .paste: takePaste(byte)
    }
  }

  private mutating func become(_ next: State) {
    state = next
    collected.removeAll(keepingCapacity: true)
    text.reset()
  }

  private mutating func key(_ key: Key) {
    output.append(.event(.key(key)))
  }

  private mutating func pressedWithAlt(_ scalar: Unicode.Scalar) {
    key(.escape)
    key(.character(Character(scalar)))
  }

  private mutating func takeGround(_ byte: UInt8) {
    if byte == 0x1B {
      become(.escape)
    } else if let scalar = text.decode(byte), let pressed = KeyNames.key(of: scalar) {
      key(pressed)
    }
  }

  private mutating func takeEscape(_ byte: UInt8) {
    if let known = keys[[0x1B, byte]] {
      become(.ground)
      return key(known)
    }
    switch byte {
    case 0x5B: become(.control(isTooLong: false))
    case 0x4F: become(.single)
    // OSC, DCS, SOS, PM, APC
    case 0x5D, 0x50, 0x58, 0x5E, 0x5F: become(.string(kind: byte, escaped: false, dropped: 0))
    default:
      key(.escape)
      become(.ground)
      takeGround(byte)
    }
  }

  private mutating func takeControl(_ byte: UInt8, isTooLong: Bool) {
    switch byte {
    case 0x20...0x3F:
      // rxvt ends its shifted keys with a dollar, which elsewhere stands before the end.
      if byte == 0x24, collected.first.map({ (0x30...0x39).contains($0) }) == true {
        endControl(byte, isTooLong: isTooLong)
      } else if collected.count < Self.longestControl {
        collected.append(byte)
      } else {
        state = .control(isTooLong: true)
      }
    case 0x5B where collected.isEmpty && !isTooLong: become(.console)
    case 0x4D where collected.isEmpty && keys[[0x1B, 0x5B, 0x4D]] == nil: become(.oldMouse)
    case 0x40...0x7E: endControl(byte, isTooLong: isTooLong)
    case 0x18, 0x1A: become(.ground)
    default:
      // Not part of any sequence: it was cut off, and this is the next thing.
      become(.ground)
      takeGround(byte)
    }
  }

  private mutating func endControl(_ final: UInt8, isTooLong: Bool) {
    let parameters = collected
    become(.ground)
    guard !isTooLong else { return }
    let sequence = ControlSequence(parameters: parameters, final: final)
    if sequence.isPasteStart {
      pasteEndMatched = 0
      return become(.paste)
    }
    if let known = keys[[0x1B, 0x5B] + parameters + [final]] { return key(known) }
    if let meaning = sequence.meaning { output.append(meaning) }
  }

  private mutating func takeSingle(_ byte: UInt8) {
    switch byte {
    // Older terminals put the modifiers here.
    case 0x30...0x3B: if collected.count < 8 { collected.append(byte) }
    case 0x20...0x7E:
      let known = keys[[0x1B, 0x4F] + collected + [byte]] ?? KeyNames.single[byte]
      become(.ground)
      if let known { key(known) }
    default:
      if collected.isEmpty { pressedWithAlt("O") }
      become(.ground)
      takeGround(byte)
    }
  }

  private mutating func takeOldMouse(_ byte: UInt8) {
    collected.append(byte)
    guard collected.count == 3 else { return }
    let numbers = collected.map { Int($0) - 32 }
    become(.ground)
    if let event = MouseCode.event(code: numbers[0], x: numbers[1], y: numbers[2], isRelease: false) {
      output.append(.event(.mouse(event)))
    }
  }

  private mutating func takeString(_ byte: UInt8, kind: UInt8, escaped: Bool, dropped: Int) {
    if escaped {
      if byte == 0x5C { return endString(kind) }
      become(.escape)
      return takeEscape(byte)
    }
    switch byte {
    case 0x1B: state = .string(kind: kind, escaped: true, dropped: dropped)
    case 0x07 where kind == 0x5D: endString(kind)
    case 0x18, 0x1A: become(.ground)
    default:
      if collected.count < Self.longestString {
        collected.append(byte)
      } else if dropped < Self.longestDrop {
        state = .string(kind: kind, escaped: false, dropped: dropped + 1)
      } else {
        become(.ground)
      }
    }
  }

  private mutating func endString(_ kind: UInt8) {
    let report: TerminalReport =
      switch kind {
      case 0x5D: OperatingSystemReport.meaning(of: collected)
      case 0x50: DeviceControlReport.meaning(of: collected)
      default: .other
      }
    become(.ground)
    output.append(.report(report))
  }

  // MARK: Paste

  private mutating func takePaste(_ byte: UInt8) {
    if byte == Self.pasteEnd[pasteEndMatched] {
      pasteEndMatched += 1
      guard pasteEndMatched == Self.pasteEnd.count else { return }
      pasteEndMatched = 0
      endPaste()
      return become(.ground)
    }
    keepPasted(Self.pasteEnd[..<pasteEndMatched])
    pasteEndMatched = 0
    if byte == Self.pasteEnd[0] {
      pasteEndMatched = 1
    } else {
      keepPasted([byte])
    }
  }

  private mutating func keepPasted(_ bytes: some Collection<UInt8>) {
    collected += bytes.prefix(Self.longestPaste - collected.count)
  }

  private mutating func endPaste() {
    var decoder = UTF8Decoder()
    var pasted = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for byte in collected {
      guard let scalar = decoder.decode(byte) else { continue }
      // Terminals send the Enter key's code for the end of a line.
      let isLineEnd = scalar == "\r" || scalar == "\n"
      if !(scalar == "\n" && previous == "\r") { pasted.append(isLineEnd ? "\n" : scalar) }
      previous = scalar
    }
    output.append(.event(.paste(String(pasted))))
  }
}
