import FeedfallSystem

struct InputReader {
  var queries: PendingQueries
  private let device: TerminalDevice
  private let waits: Waits
  private var decoder: InputDecoder
  /// In milliseconds of the device's clock.
  private var lastInput = 0

  init(_ device: TerminalDevice, keys: InputDecoder.KeySequences, waits: Waits) {
    (self.device, self.waits) = (device, waits)
    queries = PendingQueries(timeout: waits.answer)
    decoder = InputDecoder(keys: keys)
  }

  mutating func read(isFrameAnswerDue: Bool) -> [InputDecoder.Item] {
    let bytes = device.read()
    guard bytes.isEmpty else {
      lastInput = device.clock.now
      return decoder.decode(bytes)
    }
    return timeout(isFrameAnswerDue: isFrameAnswerDue) == 0 ? decoder.flush() : []
  }

  /// Milliseconds until an incomplete sequence ends; nil without one. The first byte of an answer looks like Escape.
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

  var remainingAnswerTime: Int { max(0, (queries.end ?? 0) - device.clock.now) }

  mutating func reset() { decoder.reset() }

  /// In milliseconds.
  struct Waits: Equatable {
    /// After an ESC that may be the Escape key.
    var escape = 25
    /// The same while the answer to a video frame is due.
    var frameAnswer = 250
    var string = 500
    var paste = 1000
    var answer = 1000

    static let current = Environment.process.isRemote ? remote : local
    static let local = Waits()
    /// Over SSH, where lost packets are sent again.
    static let remote = Waits(escape: 100, string: 3000, paste: 3000, answer: 3000)
  }

  /// Times are in milliseconds of the device's clock. The last query of a batch (DA1) is its fence: terminals answer in
  /// order, so no answer follows that to the fence.
  struct PendingQueries {
    private let timeout: Int
    private static let timeoutAfterSilence = 250
    private var own = (count: 0, last: 0)
    /// The queries to the terminal around tmux, which forwards or drops them.
    private var outer = (count: 0, last: 0)

    init(timeout: Int) { self.timeout = timeout }

    var isEmpty: Bool { own.count == 0 && outer.count == 0 }

    mutating func begin(at now: Int, toOuterTerminal isOuter: Bool = false) {
      let count = (isOuter ? outer : own).count + 1
      if isOuter { outer = (count, now) } else { own = (count, now) }
    }

    mutating func handleAnswer(at now: Int) -> Int {
      // tmux answers before the terminal around it.
      if own.count > 0 || outer.count == 0 {
        own.count = max(0, own.count - 1)
        return now - own.last
      }
      outer.count -= 1
      return now - outer.last
    }

    /// The time until which answers may arrive in pieces; nil if none is expected. tmux forwards answers in one piece.
    var fence: Int? { own.count == 0 ? nil : own.last + timeout }

    var end: Int? {
      // tmux that has dropped a query is likely to drop the next one.
      let outerTimeout = outer.count > 1 ? min(timeout, Self.timeoutAfterSilence) : timeout
      return [fence, outer.count == 0 ? nil : outer.last + outerTimeout].compactMap(\.self).max()
    }
  }
}
