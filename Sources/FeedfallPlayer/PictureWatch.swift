import FeedfallApp

/// Decides when to restart the picture of a file.
///
/// mpv gives up the picture for good when an output fails, even if another output was selected since. If that happens
/// again and again, the picture cannot be shown.
struct PictureWatch: Equatable, Sendable {
  /// How often the picture was restarted since the last change of the presentation.
  private var restartCount = 0

  static let maximumRestartCount = 3

  /// Allows further restarts, because the output is another one.
  mutating func presentationChanged() { restartCount = 0 }

  /// Returns whether to restart the picture, and counts the restart. `tracks` are those of the file.
  mutating func mustRestart(_ tracks: [MediaTrack]) -> Bool {
    let pictures = tracks.filter { $0.kind == .picture }
    guard restartCount < Self.maximumRestartCount, !pictures.isEmpty, !pictures.contains(where: \.isSelected) else {
      return false
    }
    restartCount += 1
    return true
  }
}
