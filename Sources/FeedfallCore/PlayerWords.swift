import FeedfallPlaying
import FeedfallScreen

/// What is said of what plays.
enum PlayerWords {
  static func noAddress(_ title: String, hasPage: Bool) -> String {
    "“\(title)” has no playback address" + (hasPage ? "; o opens its page" : "")
  }

  static let nothingPlays = "Nothing plays; space plays the selected video"

  static func isGone(_ title: String) -> String { "“\(title)” is not among the cards any more" }

  static func endedAsGone(_ title: String) -> String { "“\(title)” is not among the cards any more; it is stopped" }

  /// What `p` does for what plays elsewhere.
  static func wayBack(isGone: Bool) -> String { isGone ? "p stops it" : "p shows it" }

  static func noNeighbour(by step: Int) -> String {
    step > 0 ? "This is the last video that is loaded" : "This is the first video"
  }

  /// In the place of the controls, near the title.
  static func failed(_ failure: PlayFailure, hasPage: Bool) -> String {
    let advice = failure.advice.map { "\($0); " } ?? ""
    let page = hasPage ? ", o opens the page" : ""
    return "This cannot be played: \(failure.reason); \(advice)r tries again\(page)"
  }

  /// Elsewhere.
  static func failed(_ failure: PlayFailure, title: String, isGone: Bool) -> String {
    "“\(truncated(title, width: 30))” cannot be played: \(failure.reason); \(wayBack(isGone: isGone))"
  }

  static func waiting(_ state: LoadState, spinner: String) -> String {
    state == .stalled ? "\(spinner) buffering…" : "\(spinner) loading…"
  }

  static func rate(_ rate: Double) -> String {
    let hundredths = Int((rate * 100).rounded())
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    if rest == 0 { return "\(whole)x" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)x" : "\(whole).\(rest)x"
  }

  static func name(of presentation: Presentation) -> String {
    switch presentation {
    case .cells: "here"
    case .window: "window"
    case .soundOnly: "sound only"
    }
  }

  static func text(for notice: PlayNotice) -> String {
    switch notice {
    case .noDisplay: "No window can be opened: there is no display; it plays here"
    case .screenshotSaved(let path): "Kept the picture: \(path)"
    case .screenshotFailed(let reason): "The picture could not be kept: \(reason); s tries again"
    case .noOtherTrack(let kind): "This video has no other \(name(of: kind))"
    case .trackChanged(let kind, nil): "No \(name(of: kind))"
    case .trackChanged(let kind, let track?): "The \(name(of: kind)): \(name(of: track))"
    case .noOtherHeight: "The feed offers no other height"
    case .heightChanged(let height): "The picture: \(height) high at most"
    case .autoplay(let isOn): isOn ? "The next video will play by itself" : "Only this video will play"
    }
  }

  private static func name(of kind: MediaTrack.Kind) -> String {
    switch kind {
    case .picture: "picture"
    case .sound: "sound track"
    case .subtitles: "subtitles"
    }
  }

  private static func name(of track: MediaTrack) -> String {
    let words = [track.title, track.language].compactMap { $0 }.joined(separator: ", ")
    return words.isEmpty ? "\(track.number)" : words
  }
}
