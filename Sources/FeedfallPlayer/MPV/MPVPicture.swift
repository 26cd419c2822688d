import FeedfallFeeds
import FeedfallPlaying

/// A picture of what is seen, while it is being kept as a file.
///
/// In cells mpv shows it made smaller; so that filter is taken away until the picture is there.
struct MPVPicture: Sendable {
  /// A file that is there already, and empty.
  let path: String
  let deadline: ContinuousClock.Instant
  var phase = Phase.filtered

  /// When it is kept though mpv has not told that it is as large as in the film; nil once it is being kept.
  var due: ContinuousClock.Instant? {
    if case .shot = phase { nil } else { deadline }
  }

  enum Phase: Equatable, Sendable {
    /// The filter may still be on its way back from the last picture.
    case filtered
    /// The filter was taken away, and mpv has not followed yet.
    case unfiltered
    /// The next one that is shown is as large as in the film.
    case large
    /// The command with this number keeps it.
    case shot(number: Int)
  }
}

extension MPVDialogue {
  var canTakeScreenshot: Bool { picture == nil && play?.isReady == true && known?.pictureOutput != nil }

  /// Keeps the picture that is seen in this file, which is there already, and empty.
  mutating func takeScreenshot(at path: String, at now: Instant) {
    guard canTakeScreenshot else { return }
    picture = MPVPicture(path: path, deadline: now + .seconds(1))
    guard settings.cellSize != nil, known?.shownSize != known?.filmSize || known?.filmSize == nil else {
      return shoot()
    }
    if known?.shownSize != nil { takeFilterAway() }
  }

  /// mpv shows pictures of this size from the next one on.
  mutating func shown(_ size: PixelSize?) {
    known?.shownSize = size
    guard let size, let phase = picture?.phase else { return }
    switch phase {
    case .filtered: takeFilterAway()
    case .unfiltered: if size == known?.filmSize { picture?.phase = .large }
    case .large, .shot: break
    }
  }

  /// Another picture of the film is shown.
  mutating func shownAnother() {
    if picture?.phase == .large { shoot() }
  }

  private mutating func takeFilterAway() {
    picture?.phase = .unfiltered
    send(.set("vf", ""))
  }

  mutating func shoot() {
    guard let picture else { return }
    if case .shot = picture.phase { return }
    let number = ask { MPVCommand("screenshot-to-file", .text(picture.path), "video", number: $0) }
    self.picture?.phase = .shot(number: number)
  }

  mutating func pictureKept() {
    if let path = picture?.path { report(.screenshotSaved(path: path)) }
    endPicture()
  }

  mutating func pictureFailed(_ reason: String) {
    report(.screenshotFailed(reason: reason))
    endPicture()
  }

  private mutating func endPicture() {
    picture = nil
    guard settings.cellSize != nil else { return }
    known?.shownSize = nil
    for command in settings.presentation.filterCommands { send(command) }
  }
}
