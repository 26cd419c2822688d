import CFeedfallGuard
import FeedfallScreen
import Glibc
import Synchronization
import WaterfallEngine

/// The newest picture of a film, between the thread that reads them and the one that shows them.
package final class FrameBox: Sendable {
  /// Readable while there is a picture that was not taken; -1 where the machine has no descriptors left.
  package let descriptor = guard_eventfd()
  private let state = Mutex(State())

  private struct State {
    var size = Size.zero
    var newest: PixelBuffer?
  }

  package init() {}

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// How large pictures are to be, in cells; one of another size is not given out any more.
  package var size: Size {
    get { state.withLock { $0.size } }
    set {
      state.withLock { state in
        guard state.size != newValue else { return }
        state.size = newValue
        empty(&state)
      }
    }
  }

  package func put(_ picture: PixelBuffer) {
    state.withLock { state in
      guard picture.size == Size(width: state.size.width, height: state.size.height * 2) else { return }
      if state.newest == nil { guard_eventfd_post(descriptor) }
      state.newest = picture
    }
  }

  package func take() -> PixelBuffer? {
    state.withLock { state in
      defer { empty(&state) }
      return state.newest
    }
  }

  /// Forgets a picture that was not taken.
  func empty() {
    state.withLock { empty(&$0) }
  }

  private func empty(_ state: inout State) {
    guard state.newest != nil else { return }
    state.newest = nil
    guard_eventfd_drain(descriptor)
  }
}
