/// Reads and decodes the terminal's input.
struct InputReader {
  private let device: TerminalDevice
  private var decoder: InputDecoder
  /// The time of the last read, in milliseconds of the device's clock.
  private var lastInput = 0

  init(_ device: TerminalDevice, keys: KeySequences) {
    self.device = device
    decoder = InputDecoder(keys: keys)
  }

  /// Returns the input that is available now; never waits.
  ///
  /// - Parameter isAnswerDue: whether answers to queries may still arrive.
  mutating func read(isAnswerDue: Bool) -> [DecodedInput] {
    let bytes = device.read()
    guard bytes.isEmpty else {
      lastInput = device.clock.now
      return decoder.decode(bytes)
    }
    return timeout(isAnswerDue: isAnswerDue) == 0 ? decoder.flush() : []
  }

  /// The time in milliseconds after which an incomplete sequence counts as a key; nil if there is none.
  ///
  /// - Parameter isAnswerDue: whether answers to queries may still arrive.
  func timeout(isAnswerDue: Bool) -> Int? {
    guard let timeout = decoder.timeout else { return nil }
    // An answer may arrive in pieces, and its first byte alone looks like Escape.
    let longest = isAnswerDue ? max(timeout.rawValue, InputDecoder.Timeout.report.rawValue) : timeout.rawValue
    return max(0, lastInput + longest - device.clock.now)
  }
}
