import FeedfallFeeds
import FeedfallPlaying

/// What is known of an mpv that runs.
struct MPVKnown: Sendable {
  /// What it was told of the settings.
  var settings: MPVSettings?
  /// The entry of its list that it speaks of.
  var entry: Int?
  var soundOutput: String?
  var pictureOutput: String?
  var filmSize: PixelSize?
  /// Of the picture as it is put out.
  var shownSize: PixelSize?
  /// What was told last of where the picture is.
  var kindTold: PresentationKind?

  /// Where the picture is; nil where there is none, or where that is not what is wanted: it is on its way then.
  func kind(wanted: PresentationKind) -> PresentationKind? {
    switch (wanted, pictureOutput) {
    case (.cells, Presentation.cellOutput?): .cells
    case (.soundOnly, nil), (.soundOnly, Presentation.hiddenOutput?): .soundOnly
    case (.window, let output?) where Presentation.windowOutputs.split(separator: ",").contains { $0 == output }:
      .window
    case (.cells, _), (.soundOnly, _), (.window, _): nil
    }
  }
}
