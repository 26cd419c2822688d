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
    /// The playlist entry whose frames are shown; nil while it is unknown.
    var entry: Int?
    /// The proportions of the picture in a letterboxed frame; nil while they are unknown, or if it fills the frame.
    var proportions: Size?
    var newest: (frame: PixelBuffer, entry: Int)?
    /// Whether the newest frame was dequeued.
    var isShown = false

    var frame: PixelBuffer? {
      guard let newest, !isShown, newest.entry == entry else { return nil }
      var frame = newest.frame
      if let proportions { frame.setContent(Rect(letterboxing: proportions, in: frame.size)) }
      return frame
    }
  }

  /// Readable while a frame waits.
  var descriptor: Int32 { wakeUp.descriptor }

  /// The size of frames in pixels. A waiting frame of another size is discarded.
  var size: Size {
    get { state.withLock { $0.size } }
    set {
      change { state in
        guard state.size != newValue else { return }
        state.size = newValue
        state.newest = nil
      }
    }
  }

  /// Sets the playlist entry whose frames are shown. A frame of another one waits until it is set.
  func setEntry(_ entry: Int) { change { $0.entry = entry } }

  /// Nil if the picture fills the frame. If they have changed, the newest frame waits again.
  func setProportions(_ proportions: Size?) {
    change { state in
      guard state.proportions != proportions else { return }
      state.proportions = proportions
      state.isShown = false
    }
  }

  func replace(with frame: PixelBuffer, entry: Int) {
    change { state in
      guard frame.size == state.size else { return }
      state.newest = (frame, entry)
      state.isShown = false
    }
  }

  func dequeue() -> PixelBuffer? {
    change { state in
      guard let frame = state.frame else { return nil }
      state.isShown = true
      return frame
    }
  }

  /// Discards the waiting frame; frames wait again until their entry is set.
  func discard() { change { ($0.newest, $0.entry) = (nil, nil) } }

  private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      let wasReady = state.frame != nil
      defer {
        let isReady = state.frame != nil
        if isReady, !wasReady { wakeUp.post() }
        if wasReady, !isReady { wakeUp.drain() }
      }
      return body(&state)
    }
  }
}
