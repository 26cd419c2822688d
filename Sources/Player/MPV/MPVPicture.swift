import Playing

/// A picture of what is seen, while it is being kept as a file.
struct MPVPicture: Sendable {
  /// A file that is there already, and empty.
  let path: String
  /// Until when to wait for the picture to be as large as in the film.
  let deadline: ContinuousClock.Instant
  /// The number of the command that keeps it, once it was sent.
  var number: Int?
}

extension MPVDialogue {
  var canTakePicture: Bool { picture == nil && play?.isReady == true && known?.pictureOutput != nil }

  /// Keeps the picture that is seen in this file, which is there already, and empty.
  mutating func takePicture(at path: String, at now: Instant) {
    guard canTakePicture, let known else { return }
    picture = MPVPicture(path: path, deadline: now + .seconds(2))
    if known.shownSize == known.filmSize { return shoot() }
    // Without the filter, mpv shows it in its own size, and says so.
    send(.set("vf", ""))
  }

  mutating func shoot() {
    guard let path = picture?.path, picture?.number == nil else { return }
    let number = ask { MPVCommand("screenshot-to-file", .text(path), "video", number: $0) }
    picture?.number = number
  }

  mutating func pictureKept() {
    if let path = picture?.path { report(.pictureTaken(path: path)) }
    endPicture()
  }

  mutating func pictureFailed(_ reason: String) {
    report(.pictureNotTaken(reason: reason))
    endPicture()
  }

  private mutating func endPicture() {
    picture = nil
    for command in settings.presentation.filterCommands { send(command) }
  }
}
