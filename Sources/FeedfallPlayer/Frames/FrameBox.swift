import FeedfallScreen
import FeedfallSystem
import Synchronization
import WaterfallEngine

/// The newest frame, shared by the thread that reads frames and the one that shows them.
final class FrameBox: Sendable {
  private let wakeUp = WakeUp.required()
  private let state = Mutex(State())

  private struct State {
    var size = Size.zero
    var frame: PixelBuffer?
  }

  /// Readable while a frame waits.
  var descriptor: Int32 { wakeUp.descriptor }

  /// The size of frames in cells. A waiting frame of another size is discarded.
  var size: Size {
    get { state.withLock { $0.size } }
    set {
      state.withLock { state in
        guard state.size != newValue else { return }
        state.size = newValue
        discard(&state)
      }
    }
  }

  /// Replaces the waiting frame. A frame of another size is ignored.
  func replace(with frame: PixelBuffer) {
    state.withLock { state in
      guard frame.size == Size(width: state.size.width, height: state.size.height * 2) else { return }
      if state.frame == nil { wakeUp.post() }
      state.frame = frame
    }
  }

  func dequeue() -> PixelBuffer? {
    state.withLock { state in
      defer { discard(&state) }
      return state.frame
    }
  }

  func discard() {
    state.withLock { discard(&$0) }
  }

  private func discard(_ state: inout State) {
    guard state.frame != nil else { return }
    state.frame = nil
    wakeUp.drain()
  }
}
