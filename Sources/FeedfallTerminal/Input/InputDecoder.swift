import FeedfallScreen

/// The result does not depend on how the bytes are split into chunks. Unknown sequences are skipped as a whole, and
/// memory use is bounded. A sequence that has begun never becomes keys, however late the rest of it arrives.
struct InputDecoder: Sendable {
  enum Item: Hashable, Sendable {
    case event(InputEvent)
    case report(TerminalReport)
  }

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

  enum Pending: Equatable, Sendable {
    /// Bytes after ESC, `ESC [` or `ESC O`. Without them, these are Escape, Alt-[ and Alt-O.
    case escape
    /// The end of a string. Without it, the next key counts.
    case string
    /// The end of a paste. Without it, the text so far is delivered.
    case paste
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
  private var pasteEndMatched = 0
  private var output: [Item] = []
  /// Whether an ESC precedes the sequence or the character, as terminals send Alt.
  private var isAlt = false
  /// Whether the sequence was flushed. Its rest may still arrive, in one piece of several bytes; a single byte is a
  /// key.
  private var isFlushed = false

  init(keys: KeySequences = [:]) { self.keys = keys }

  mutating func decode(_ bytes: some Collection<UInt8>) -> [Item] {
    if isFlushed, let first = bytes.first {
      isFlushed = false
      if !mayContinue(with: first, bytes.dropFirst().first) { transition(to: .ground) }
    }
    for byte in bytes { handle(byte) }
    defer { output = [] }
    return output
  }

  mutating func reset() {
    transition(to: .ground)
    isFlushed = false
  }

  /// The input to wait for before `flush()`; nil if no pending sequence can time out.
  var pending: Pending? {
    guard !isFlushed else { return nil }
    return switch state {
    case .escape: .escape
    case .control, .single: collected.isEmpty ? .escape : nil
    case .string: .string
    case .paste: .paste
    // Any next letter ends these.
    case .ground, .oldMouse, .console: nil
    }
  }

  /// A sequence whose rest has not arrived in time: a lone ESC is the Escape key, `ESC [` is Alt-[, a paste ends.
  mutating func flush() -> [Item] {
    guard pending != nil else { return [] }
    isFlushed = true
    switch state {
    case .escape: endStart(.escape)
    case .control: endStart(.alt("["))
    case .single: endStart(.alt("O"))
    case .paste: endPaste()
    case .ground, .oldMouse, .console, .string: break
    }
    defer { output = [] }
    return output
  }

  /// Its rest may still arrive.
  private mutating func endStart(_ key: Key) {
    let start = state
    if isAlt { output.append(.event(.key(.escape))) }
    end(.event(.key(key)), isAlt: false)
    state = start
  }

  private func mayContinue(with first: UInt8, _ second: UInt8?) -> Bool {
    switch state {
    case .escape: second.map { Self.isStart(first, $0) } ?? false
    // The letter of a cursor or function key, or a number and more.
    case .control: Self.isCapital(first) || (0x30...0x3F).contains(first) && second != nil
    case .single: Self.isCapital(first) || Self.isDigit(first) && second.map(Self.isCapital) == true
    case .string(_, let escaped, _): second != nil || first == 0x07 || first == 0x1B || escaped && first == 0x5C
    default: second != nil
    }
  }

  /// Whether a key or a report begins with ESC and these bytes.
  private static func isStart(_ first: UInt8, _ second: UInt8) -> Bool {
    switch first {
    case 0x5B: (0x3C...0x3F).contains(second) || isDigit(second) || isCapital(second)
    case 0x4F: isCapital(second)
    case 0x5D, 0x50: isDigit(second) || second == 0x3E
    case 0x5F: second == 0x47
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

  // MARK: - Bytes

  private mutating func handle(_ byte: UInt8) {
    switch state {
    case .ground: handleGround(byte)
    case .escape: handleEscape(byte)
    case .control(let isTooLong): handleControl(byte, isTooLong: isTooLong)
    case .oldMouse: handleOldMouse(byte)
    case .console: end((0x41...0x45).contains(byte) ? .event(.key(.function(Int(byte) - 0x40))) : nil)
    case .single: handleSingle(byte)
    case .string(let kind, let escaped, let dropped):
      handleString(byte, kind: kind, escaped: escaped, dropped: dropped)
    case .paste: handlePaste(byte)
    }
  }

  private mutating func transition(to next: State) {
    state = next
    isAlt = false
    collected.removeAll(keepingCapacity: true)
    text.reset()
  }

  private mutating func end(_ item: Item?) { end(item, isAlt: isAlt) }

  private mutating func end(_ item: Item?, isAlt: Bool) {
    transition(to: .ground)
    guard let item else { return }
    if isAlt, case .event(.key(let key)) = item {
      output.append(.event(.key(Key(key.base, key.modifiers.union(.alt)))))
    } else {
      // The Escape key before a report.
      if isAlt { output.append(.event(.key(.escape))) }
      output.append(item)
    }
  }

  private mutating func handleGround(_ byte: UInt8) {
    if byte == 0x1B {
      transition(to: .escape)
    } else if let scalar = text.decode(byte) {
      end(KeyNames.key(of: scalar).map { .event(.key($0)) })
    } else if !text.isPending {
      isAlt = false
    }
  }

  private mutating func handleEscape(_ byte: UInt8) {
    if let known = keys[[0x1B, byte]] { return end(.event(.key(known))) }
    switch byte {
    case 0x5B: state = .control(isTooLong: false)
    case 0x4F: state = .single
    // OSC, DCS, SOS, PM, APC
    case 0x5D, 0x50, 0x58, 0x5E, 0x5F: state = .string(kind: byte, escaped: false, dropped: 0)
    case 0x1B:
      if isAlt { output.append(.event(.key(.escape))) }
      isAlt = true
    default:
      if isAlt { output.append(.event(.key(.escape))) }
      state = .ground
      isAlt = true
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
    case 0x5B where collected.isEmpty && !isTooLong: state = .console
    case 0x4D where collected.isEmpty && keys[[0x1B, 0x5B, 0x4D]] == nil: state = .oldMouse
    case 0x40...0x7E: endControl(byte, isTooLong: isTooLong)
    case 0x18, 0x1A: transition(to: .ground)
    default:
      // The sequence was cut off, and this byte starts the next one.
      transition(to: .ground)
      handleGround(byte)
    }
  }

  private mutating func endControl(_ final: UInt8, isTooLong: Bool) {
    guard !isTooLong else { return end(nil) }
    let sequence = ControlSequence(parameters: collected, final: final)
    if sequence.isPasteStart {
      pasteEndMatched = 0
      if isAlt { output.append(.event(.key(.escape))) }
      transition(to: .paste)
    } else if let known = keys[[0x1B, 0x5B] + collected + [final]] {
      end(.event(.key(known)))
    } else {
      end(sequence.decoded)
    }
  }

  private mutating func handleSingle(_ byte: UInt8) {
    switch byte {
    // Modifiers of older terminals.
    case 0x30...0x3B: if collected.count < 8 { collected.append(byte) }
    case 0x20...0x7E:
      let modifiers = Key.Modifiers(number: collected.last.flatMap { Self.isDigit($0) ? Int($0) - 0x30 : nil })
      let known = keys[[0x1B, 0x4F] + collected + [byte]] ?? KeyNames.single[Character(Unicode.Scalar(byte))]
      end(known.map { .event(.key(Key($0.base, $0.modifiers.union(modifiers)))) })
    default:
      transition(to: .ground)
      handleGround(byte)
    }
  }

  private mutating func handleOldMouse(_ byte: UInt8) {
    guard byte != 0x1B else { return transition(to: .escape) }
    collected.append(byte)
    guard collected.count == 3 else { return }
    let numbers = collected.map { Int($0) - 32 }
    let event = MouseEvent(code: numbers[0], x: numbers[1], y: numbers[2], isRelease: false)
    end(event.map { .event(.mouse($0)) })
  }

  private mutating func handleString(_ byte: UInt8, kind: UInt8, escaped: Bool, dropped: Int) {
    if escaped {
      if byte == 0x5C { return endString(kind) }
      // The string was cut off, and another sequence begins.
      transition(to: .escape)
      return handleEscape(byte)
    }
    switch byte {
    case 0x1B: state = .string(kind: kind, escaped: true, dropped: dropped)
    case 0x07 where kind == 0x5D: endString(kind)
    case 0x18, 0x1A: transition(to: .ground)
    case 0x03:
      transition(to: .ground)
      handleGround(byte)
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
      case 0x5D: .operatingSystem(collected)
      case 0x50: .deviceControl(collected)
      case 0x5F: .application(collected)
      default: .other
      }
    end(.report(report))
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
    pasteEndMatched = byte == Self.pasteEnd[0] ? 1 : 0
    if pasteEndMatched == 0 { appendPasted([byte]) }
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
    collected.removeAll(keepingCapacity: true)
    output.append(.event(.paste(String(pasted))))
  }

  private struct UTF8Decoder: Equatable, Sendable {
    private var bytes: [UInt8] = []
    private var length = 0

    var isPending: Bool { !bytes.isEmpty }

    mutating func reset() { bytes.removeAll(keepingCapacity: true) }

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
}
