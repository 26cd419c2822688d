import WaterfallEngine

/// A screenshot in progress. In cells mpv scales the picture down with a filter, which is removed until the screenshot is
/// saved.
struct PendingScreenshot: Equatable, Sendable {
  /// An existing, empty file.
  let path: String
  private let deadline: SuspendingClock.Instant
  private var phase = Phase.filtered
  /// Whether the filter must be restored at the end.
  private(set) var hasRemovedFilter = false

  private enum Phase: Equatable, Sendable {
    /// The filter may not be back yet after the last screenshot.
    case filtered
    /// The filter was removed, and mpv's output still has the scaled size.
    case unfiltered
    /// The next frame has the size of the file.
    case fullSize
    /// The command with this number saves it.
    case saving(number: Int)
  }

  init(path: String, deadline: SuspendingClock.Instant) {
    self.path = path
    self.deadline = deadline
  }

  /// When to save it in any case; nil once it is being saved.
  var due: SuspendingClock.Instant? { isSaving ? nil : deadline }

  var isSaving: Bool {
    if case .saving = phase { true } else { false }
  }

  var hasFullSize: Bool { phase == .fullSize }

  func isSaved(by number: Int) -> Bool { phase == .saving(number: number) }

  /// Handles the size that mpv's output has from the next frame on. Returns whether to remove the filter.
  mutating func outputSizeChanged(to size: Size, fileSize: Size?) -> Bool {
    if phase == .unfiltered, size == fileSize { phase = .fullSize }
    return phase == .filtered
  }

  mutating func filterRemoved() {
    phase = .unfiltered
    hasRemovedFilter = true
  }

  mutating func beginSaving(number: Int) { phase = .saving(number: number) }
}
