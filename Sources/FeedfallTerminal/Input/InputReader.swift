import FeedfallSystem

struct InputReader {
  var queries: PendingQueries
  private let device: TerminalDevice
  private let waits: InputWaits
  private var decoder: InputDecoder
  /// The time of the last read, in milliseconds of the device's clock.
  private var lastInput = 0

  init(_ device: TerminalDevice, keys: KeySequences, waits: InputWaits) {
    (self.device, self.waits) = (device, waits)
    queries = PendingQueries(timeout: waits.answer)
    decoder = InputDecoder(keys: keys)
  }

  /// Returns the input that is available now; never waits.
  ///
  /// - Parameter isFrameAnswerDue: whether the answer to a video frame may arrive.
  mutating func read(isFrameAnswerDue: Bool) -> [DecodedInput] {
    let bytes = device.read()
    guard bytes.isEmpty else {
      lastInput = device.clock.now
      return decoder.decode(bytes)
    }
    return timeout(isFrameAnswerDue: isFrameAnswerDue) == 0 ? decoder.flush() : []
  }

  /// The time in milliseconds after which an incomplete sequence ends; nil if there is none. An answer may arrive in
  /// pieces, and its first byte alone looks like Escape.
  func timeout(isFrameAnswerDue: Bool) -> Int? {
    let end: Int
    switch decoder.pending {
    case nil: return nil
    case .escape: end = max(lastInput + (isFrameAnswerDue ? waits.frameAnswer : waits.escape), queries.fence ?? 0)
    case .string: end = max(lastInput + waits.string, queries.fence ?? 0)
    case .paste: end = lastInput + waits.paste
    }
    return max(0, end - device.clock.now)
  }

  /// How long answers to queries may still arrive, in milliseconds.
  var remainingAnswerTime: Int { max(0, (queries.end ?? 0) - device.clock.now) }

  mutating func reset() { decoder.reset() }
}

/// How long the rest of a sequence or an answer may take, in milliseconds.
struct InputWaits: Equatable {
  /// After an ESC that may be the Escape key.
  var escape = 25
  /// The same while the answer to a video frame is due.
  var frameAnswer = 250
  var string = 500
  var paste = 1000
  var answer = 1000

  static let current = Environment.process.isRemote ? remote : local
  static let local = InputWaits()
  /// Over SSH, where lost packets are sent again.
  static let remote = InputWaits(escape: 100, string: 3000, paste: 3000, answer: 3000)
}
