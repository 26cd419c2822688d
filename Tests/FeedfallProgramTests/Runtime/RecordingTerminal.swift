import CFeedfall
import FeedfallScreen
import Foundation
import WaterfallEngine

@testable import FeedfallProgram

/// A terminal that types keys and records the painted frames.
final class RecordingTerminal {
  let descriptor = guard_eventfd()
  var frames: [Canvas] = []
  var typed: [[Key]]
  var copied: [String] = []
  var size = Size(width: 80, height: 24)
  /// The size at the next update; nil leaves it unchanged.
  var newSize: Size?
  var isClosedWhenIdle = false
  /// Typing starts with the first frame that matches.
  var isAwaited: (Canvas) -> Bool = { _ in true }
  /// The terminal closes after a frame that matches.
  var isDone: (Canvas) -> Bool = { _ in false }

  /// Each group of keys arrives at once, the next group after a paint.
  init(_ typed: [[Key]]) { self.typed = typed }

  deinit { close(descriptor) }

  var port: TerminalPort {
    var port = TerminalPort(size: Size(width: 80, height: 24))
    port.inputDescriptor = descriptor
    port.read = { [self] in
      guard_eventfd_drain(descriptor)
      let isClosed = typed.isEmpty && isClosedWhenIdle
      let keys = typed.isEmpty ? [] : typed.removeFirst()
      return TerminalInput(events: keys.map { .key($0) }, isClosed: isClosed)
    }
    port.paint = { [self] canvas in
      frames.append(canvas)
      if isDone(canvas) { isClosedWhenIdle = true }
      guard isAwaited(canvas) else { return }
      if !typed.isEmpty || isClosedWhenIdle { guard_eventfd_post(descriptor) }
    }
    port.copy = { [self] in copied.append($0) }
    port.size = { [self] in size }
    port.updateSize = { [self] in size = newSize ?? size }
    return port
  }
}
