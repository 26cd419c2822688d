import Glibc
import Screen

extension CursesTerminal {
  /// All that can be read now, and whether the terminal is gone; never waits.
  public func readInput() -> TerminalInput {
    guard phase == .active else { return TerminalInput(isClosed: phase == .closed) }
    var input = TerminalInput(events: queued)
    queued = []
    input.isAppearanceChanged = readMore(into: &input.events)
    input.isClosed = device.isGone
    return input
  }

  /// In how many milliseconds `readInput()` is to be called even if nothing comes, because a lone ESC may be the Escape
  /// key; nil when nothing is pending.
  public var pendingInputTimeout: Int? {
    if !queued.isEmpty { return 0 }
    guard phase == .active, let patience = decoder.patience else { return nil }
    return max(0, lastInput + patience.rawValue - Self.now())
  }

  /// Reads and decodes; answers whether a report changed how things are to be drawn.
  func readMore(into events: inout [InputEvent]) -> Bool {
    let bytes = device.read()
    var decoded: [DecodedInput] = []
    if !bytes.isEmpty {
      lastInput = Self.now()
      decoded = decoder.decode(bytes)
    } else if pendingInputTimeout == 0 {
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

  /// Waits a moment for answers that are on their way, so that they do not reach the next program as typed text.
  func awaitReports() {
    let deadline = Self.now() + 100
    while isAwaitingReports, !device.isGone {
      let rest = deadline - Self.now()
      guard rest > 0, device.waitForInput(milliseconds: Int32(rest)) else { return }
      _ = readMore(into: &queued)
    }
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
