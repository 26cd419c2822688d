import FeedfallScreen

/// Decodes a terminal's bytes into keys, mouse events, pasted text and reports.
///
/// The result does not depend on how the bytes are split into chunks. Unknown sequences are skipped as a whole, and
/// memory use is bounded.
struct InputDecoder: Sendable {
  enum State: Equatable, Sendable {
    case ground
    case escape
    /// `ESC [` and its parameters; `isTooLong` once further bytes are skipped.
    case control(isTooLong: Bool)
    /// `ESC [ M`, followed by three bytes.
    case oldMouse
    /// `ESC [ [`, followed by one byte: a function key of the Linux console.
    case console
    /// `ESC O`.
    case single
    /// `ESC ]` and other strings up to their end; `escaped` after an ESC inside.
    case string(kind: UInt8, escaped: Bool, dropped: Int)
    case paste
  }

  /// How long an incomplete sequence waits for more bytes, in milliseconds.
  enum Timeout: Int, Sendable {
    /// It may be the Escape key, or Alt and a key.
    case key = 25
    /// It is part of a report, perhaps on a slow connection.
    case report = 250
    case paste = 1000
  }

  private static let maximumControl = 64
  private static let maximumString = 256
  private static let maximumDropped = 64 * 1024
  private static let maximumPaste = 64 * 1024
  private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  private let keys: KeySequences
  private var state = State.ground
  private var collected: [UInt8] = []
  private var text = UTF8Decoder()
  /// The number of matched bytes of `pasteEnd`.
  private var pasteEndMatched = 0
  private var output: [DecodedInput] = []

  /// - Parameter keys: the terminal's own key sequences, each starting with ESC.
  init(keys: KeySequences = [:]) {
    self.keys = keys
  }

  /// Decodes bytes; an incomplete sequence waits for the next call.
  mutating func decode(_ bytes: some Sequence<UInt8>) -> [DecodedInput] {
    for byte in bytes { handle(byte) }
    defer { output = [] }
    return output
  }

  /// How long to wait for more bytes before `flush()`; nil if no sequence is incomplete.
  var timeout: Timeout? {
    switch state {
    case .ground: nil
    case .escape, .single, .console: .key
    case .control, .string: collected.isEmpty ? .key : .report
    case .oldMouse: .report
    case .paste: .paste
    }
  }

  /// Ends an incomplete sequence after a time-out: a lone ESC is the Escape key, and a paste ends.
  mutating func flush() -> [DecodedInput] {
    switch state {
    case .ground: break
    case .escape: append(.escape)
    case .single: appendAlt("O")
    case .console: appendAlt("[")
    case .control:
      if collected.isEmpty { appendAlt("[") }
    case .string(let kind, let escaped, let dropped):
      if collected.isEmpty, dropped == 0 { appendAlt(Unicode.Scalar(kind)) }
      if escaped { append(.escape) }
    case .oldMouse: break
    case .paste: endPaste()
    }
    transition(to: .ground)
    defer { output = [] }
    return output
  }

  // MARK: - Bytes

  private mutating func handle(_ byte: UInt8) {
    switch state {
    case .ground: handleGround(byte)
    case .escape: handleEscape(byte)
    case .control(let isTooLong): handleControl(byte, isTooLong: isTooLong)
    case .oldMouse: handleOldMouse(byte)
    case .console:
      transition(to: .ground)
      if (0x41...0x45).contains(byte) { append(.function(Int(byte) - 0x40)) }
    case .single: handleSingle(byte)
    case .string(let kind, let escaped, let dropped):
      handleString(byte, kind: kind, escaped: escaped, dropped: dropped)
    case .paste: handlePaste(byte)
    }
  }

  private mutating func transition(to next: State) {
    state = next
    collected.removeAll(keepingCapacity: true)
    text.reset()
  }

  private mutating func append(_ key: Key) {
    output.append(.event(.key(key)))
  }

  private mutating func appendAlt(_ scalar: Unicode.Scalar) {
    append(.escape)
    append(.character(Character(scalar)))
  }

  private mutating func handleGround(_ byte: UInt8) {
    if byte == 0x1B {
      transition(to: .escape)
    } else if let scalar = text.decode(byte), let pressed = KeyNames.key(of: scalar) {
      append(pressed)
    }
  }

  private mutating func handleEscape(_ byte: UInt8) {
    if let known = keys[[0x1B, byte]] {
      transition(to: .ground)
      return append(known)
    }
    switch byte {
    case 0x5B: transition(to: .control(isTooLong: false))
    case 0x4F: transition(to: .single)
    // OSC, DCS, SOS, PM, APC
    case 0x5D, 0x50, 0x58, 0x5E, 0x5F: transition(to: .string(kind: byte, escaped: false, dropped: 0))
    default:
      append(.escape)
      transition(to: .ground)
      handleGround(byte)
    }
  }

  private mutating func handleControl(_ byte: UInt8, isTooLong: Bool) {
    switch byte {
    case 0x20...0x3F:
      // rxvt ends shifted keys with a dollar sign, which is an intermediate byte elsewhere.
      if byte == 0x24, collected.first.map({ (0x30...0x39).contains($0) }) == true {
        endControl(byte, isTooLong: isTooLong)
      } else if collected.count < Self.maximumControl {
        collected.append(byte)
      } else {
        state = .control(isTooLong: true)
      }
    case 0x5B where collected.isEmpty && !isTooLong: transition(to: .console)
    case 0x4D where collected.isEmpty && keys[[0x1B, 0x5B, 0x4D]] == nil: transition(to: .oldMouse)
    case 0x40...0x7E: endControl(byte, isTooLong: isTooLong)
    case 0x18, 0x1A: transition(to: .ground)
    default:
      // The sequence was cut off, and this byte starts the next one.
      transition(to: .ground)
      handleGround(byte)
    }
  }

  private mutating func endControl(_ final: UInt8, isTooLong: Bool) {
    let parameters = collected
    transition(to: .ground)
    guard !isTooLong else { return }
    let sequence = ControlSequence(parameters: parameters, final: final)
    if sequence.isPasteStart {
      pasteEndMatched = 0
      return transition(to: .paste)
    }
    if let known = keys[[0x1B, 0x5B] + parameters + [final]] { return append(known) }
    if let decoded = sequence.decoded { output.append(decoded) }
  }

  private mutating func handleSingle(_ byte: UInt8) {
    switch byte {
    // Modifiers of older terminals.
    case 0x30...0x3B: if collected.count < 8 { collected.append(byte) }
    case 0x20...0x7E:
      let known = keys[[0x1B, 0x4F] + collected + [byte]] ?? KeyNames.single[byte]
      transition(to: .ground)
      if let known { append(known) }
    default:
      if collected.isEmpty { appendAlt("O") }
      transition(to: .ground)
      handleGround(byte)
    }
  }

  private mutating func handleOldMouse(_ byte: UInt8) {
    collected.append(byte)
    guard collected.count == 3 else { return }
    let numbers = collected.map { Int($0) - 32 }
    transition(to: .ground)
    if let event = MouseCode.event(code: numbers[0], x: numbers[1], y: numbers[2], isRelease: false) {
      output.append(.event(.mouse(event)))
    }
  }

  private mutating func handleString(_ byte: UInt8, kind: UInt8, escaped: Bool, dropped: Int) {
    if escaped {
      if byte == 0x5C { return endString(kind) }
      transition(to: .escape)
      return handleEscape(byte)
    }
    switch byte {
    case 0x1B: state = .string(kind: kind, escaped: true, dropped: dropped)
    case 0x07 where kind == 0x5D: endString(kind)
    case 0x18, 0x1A: transition(to: .ground)
    default:
      if collected.count < Self.maximumString {
        collected.append(byte)
      } else if dropped < Self.maximumDropped {
        state = .string(kind: kind, escaped: false, dropped: dropped + 1)
      } else {
        transition(to: .ground)
      }
    }
  }

  private mutating func endString(_ kind: UInt8) {
    let report: TerminalReport =
      switch kind {
      case 0x5D: OperatingSystemReport.decode(collected)
      case 0x50: DeviceControlReport.decode(collected)
      case 0x5F: ApplicationReport.decode(collected)
      default: .other
      }
    transition(to: .ground)
    output.append(.report(report))
  }

  // MARK: - Paste

  private mutating func handlePaste(_ byte: UInt8) {
    if byte == Self.pasteEnd[pasteEndMatched] {
      pasteEndMatched += 1
      guard pasteEndMatched == Self.pasteEnd.count else { return }
      pasteEndMatched = 0
      endPaste()
      return transition(to: .ground)
    }
    appendPasted(Self.pasteEnd[..<pasteEndMatched])
    pasteEndMatched = 0
    if byte == Self.pasteEnd[0] {
      pasteEndMatched = 1
    } else {
      appendPasted([byte])
    }
  }

  private mutating func appendPasted(_ bytes: some Collection<UInt8>) {
    collected += bytes.prefix(Self.maximumPaste - collected.count)
  }

  private mutating func endPaste() {
    var decoder = UTF8Decoder()
    var pasted = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for byte in collected {
      guard let scalar = decoder.decode(byte) else { continue }
      // Terminals send a carriage return at the end of a line.
      let isLineEnd = scalar == "\r" || scalar == "\n"
      if !(scalar == "\n" && previous == "\r") { pasted.append(isLineEnd ? "\n" : scalar) }
      previous = scalar
    }
    output.append(.event(.paste(String(pasted))))
  }
}

/// Decodes UTF-8 byte by byte; invalid bytes are dropped.
struct UTF8Decoder: Equatable, Sendable {
  private var bytes: [UInt8] = []
  private var length = 0

  var isPending: Bool { !bytes.isEmpty }

  mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Returns the character that this byte completes; nil if it is incomplete or invalid.
  mutating func decode(_ byte: UInt8) -> Unicode.Scalar? {
    if byte < 0x80 {
      reset()
      return Unicode.Scalar(byte)
    }
    if byte >= 0xC0 {
      reset()
      length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      if byte < 0xF8 { bytes.append(byte) }
      return nil
    }
    guard isPending else { return nil }
    bytes.append(byte)
    guard bytes.count == length else { return nil }
    defer { reset() }
    // This rejects overlong forms, surrogates and values that are too large.
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return text.unicodeScalars.first
  }
}
