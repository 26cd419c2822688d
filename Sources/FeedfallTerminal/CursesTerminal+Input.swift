import FeedfallScreen

extension CursesTerminal {
  /// All that can be read now, and whether the terminal is gone; never waits.
  public func readInput() -> TerminalInput {
    guard phase == .active else { return TerminalInput(isClosed: phase == .closed) }
    var input = TerminalInput(events: queued, isAppearanceChanged: isAppearanceChanged)
    queued = []
    isAppearanceChanged = false
    if readMore(into: &input.events) { input.isAppearanceChanged = true }
    input.isClosed = device.isGone
    return input
  }

  /// In how many milliseconds `readInput()` is to be called even if nothing comes, because a lone ESC may be the Escape
  /// key; nil when nothing is pending.
  public var pendingInputTimeout: Int? {
    guard phase == .active else { return nil }
    return queued.isEmpty && !isAppearanceChanged ? restOfPatience : 0
  }

  private var restOfPatience: Int? {
    guard let patience = decoder.patience else { return nil }
    // An answer may come in pieces, and its first byte alone is Escape's.
    let longest = isAwaitingAnswer ? max(patience.rawValue, InputDecoder.Patience.report.rawValue) : patience.rawValue
    return max(0, lastInput + longest - now)
  }

  /// A terminal that has not answered for half a second is not waited for.
  private var isAwaitingAnswer: Bool { restOfAnswers > 0 }

  /// For how many milliseconds more answers may come.
  private var restOfAnswers: Int {
    let rest = openQuestions > 0 ? lastQuestion + 500 - now : 0
    return max(rest, videoPace.restOfAnswers(at: now), statusCheck.remainingTime(at: now))
  }

  /// Reads and decodes; answers whether a report changed how things are to be drawn.
  private func readMore(into events: inout [InputEvent]) -> Bool {
    let bytes = device.read()
    var decoded: [DecodedInput] = []
    if !bytes.isEmpty {
      lastInput = now
      decoded = decoder.decode(bytes)
    } else if restOfPatience == 0 {
      decoded = decoder.flush()
    }
    var isChanged = false
    for item in decoded {
      switch item {
      case .event(let event): events.append(event)
      case .report(let report): isChanged = take(report) || isChanged
      }
    }
    return isChanged
  }

  /// Asks the terminal; the last of the questions is to be the one that every terminal answers.
  func ask(_ questions: [UInt8]) {
    guard !questions.isEmpty, device.write(questions) else { return }
    openQuestions += 1
    lastQuestion = now
  }

  /// Waits a moment for answers that are on their way, so that they do not reach the next program as typed text.
  func awaitReports() {
    while case let rest = restOfAnswers, rest > 0, !device.isGone {
      guard device.waitForInput(milliseconds: rest) else { return }
      if readMore(into: &queued) { isAppearanceChanged = true }
    }
  }

  /// In milliseconds of the steady clock.
  var now: Int { device.clock.now }
}
