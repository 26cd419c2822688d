import FeedfallFeeds
import FeedfallScreen
import FeedfallText

extension Words {
  /// - Parameter isListed: whether an open source may list it; else only its stored facts are known.
  func noAddress(_ title: String, hasPage: Bool, isListed: Bool) -> String {
    "Could not play “\(excerpt(of: title, width: 30))”: "
      + (isListed ? "it has no playback address." : "its address is not stored. Open its source.")
      + (hasPage ? press(.browse(.openPage), "to open its page") : "")
  }

  var nothingPlays: String { "Nothing is playing." + press(.browse(.play), "to play the selected video") }

  var wayBack: String { advice(.browse(.showPlaying), after: "  ") { "\($0) show player" } }

  static let isFirst = "This is the first video"

  /// `hasEnded`: autoplay has played it; else the user asked for the next one. `isOfLoaded`: others can be loaded.
  static func isLast(hasEnded: Bool, isOfLoaded: Bool) -> String {
    let video = isOfLoaded ? "last loaded video" : "last video"
    return hasEnded ? "The \(video) of the list has ended" : "This is the \(video)"
  }

  /// `time` is in seconds.
  static func left(_ title: String, at time: Int) -> String {
    "Left “\(excerpt(of: title, width: 30))” at \(playTime(Double(time))). It resumes there."
  }
  static let loadingNext = "Loading more videos…"

  func nextFailed(_ failure: FeedFailure) -> String {
    "Could not load the next video: \(reason(of: failure, retry: .player(.playNext)))"
  }

  func playFailed(_ failure: PlayFailure, hasPage: Bool) -> String {
    let advice = failure.advice.map { " \(Self.sentence($0))." } ?? ""
    return "Could not play this video: \(failure.reason).\(advice)"
      + choices(
        (failure == .notSeekable ? [(.browse(.download), "to download it")] : [])
          + [(.player(.control(.replay)), "to retry")] + (hasPage ? [(.browse(.openPage), "for its page")] : []))
  }

  /// The message for a video that plays in the background.
  func playFailed(_ failure: PlayFailure, title: String) -> String {
    "Could not play “\(excerpt(of: title, width: 30))”: \(failure.reason)." + press(.browse(.showPlaying), "to show it")
  }

  // The messages at the end of the program, which name no keys.
  static let nothingToPlay = "Found no video to play. Try other words or another address."

  static func notPlayed(_ title: String, because reason: String?, advice: String?) -> String {
    "Could not play \(quoted(title, width: 60)): \(reason ?? "it has no playback address")."
      + (advice.map { " \(sentence($0))." } ?? "")
  }

  static func refused(_ question: RedirectQuestion) -> String {
    let failure = PlayFailure.leavesHTTPS(question.redirect)
    return "Did not play “\(excerpt(of: question.title, width: 30))”: \(failure.reason)."
      + (failure.advice.map { " To allow that, \($0)." } ?? "")
  }

  /// If both are nil, the window is too small.
  static func noPicture(because obstacle: VideoOutput.Obstacle?, _ fault: PlayerReport.LibraryFault?) -> String {
    switch (obstacle, fault) {
    case (nil, nil): "Could not show the picture: the window is too small. Enlarge it."
    case (nil, .missing): "Could not show the picture: libmpv is not installed. Install it: apt install libmpv2."
    case (nil, .failing): "Could not show the picture: libmpv has failed repeatedly. Restart feedfall to use it again."
    case (.fewColors, _):
      "Could not show the picture: the terminal has fewer than 256 colors. Check TERM, NO_COLOR and --no-color."
    case (.off, _): "No picture: --video-output is off. Restart with --video-output auto to see it."
    case (.unconfirmed(let choice), _):
      "Could not show the picture: this terminal has not confirmed \(choice.rawValue) graphics. "
        + "Restart with --video-output auto."
    }
  }

  func loss(from old: VideoOutput, to new: VideoOutput) -> String? {
    switch (old, new) {
    case (.pixels, .cells), (.encodedPixels, .cells):
      "Could not show pixels: the terminal lost the picture twice." + press(.global(.repaint), "to retry")
    case (.pixels, .encodedPixels):
      "Could not pass pixels in shared memory. Free space in /dev/shm"
        + advice(.global(.repaint), after: ", ") { "then press \($0)" } + "."
    case (.none, _), (.cells, _), (.pixels, _), (.encodedPixels, _): nil
    }
  }

  static func noSegments(_ failure: FeedFailure) -> String {
    "Could not load the parts to skip: \(failure.reason). The whole video plays."
  }

  static func videoPosition(_ number: Int, of count: Int) -> String { "video \(number) of \(count)" }

  static func waiting(_ state: PlaySession.LoadState, spinner: String) -> String {
    state == .stalled ? "\(spinner) buffering…" : "\(spinner) loading…"
  }

  static func rate(_ rate: Double) -> String {
    let hundredths = Int((rate * 100).rounded())
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    if rest == 0 { return "\(whole)x" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)x" : "\(whole).\(rest)x"
  }

  static func presentation(_ presentation: Presentation, height: Int?) -> String {
    let resolution = height.map { ", \($0)p" } ?? ""
    return switch presentation {
    case .cells: "in cells\(resolution)"
    case .pixels: "in pixels\(resolution)"
    case .window: "in a window\(resolution)"
    case .soundOnly: soundOnly
    }
  }

  static func sign(of screen: PlayerScreen, spinner: String) -> String {
    if screen.isWaiting { return spinner }
    return screen.session.playState == .playing ? "▶" : "‖"
  }

  static let soundOnly = "audio only"

  /// The settings that differ from the defaults, as signs for the bar below the cards.
  static func signs(of settings: PlaySettings) -> String {
    let loop: String? =
      switch settings.loop {
      case .off: nil
      case .video: "↻1"
      case .list: "↻"
      }
    let signs = [
      settings.rate == 1 ? nil : rate(settings.rate), settings.presentation == .soundOnly ? soundOnly : nil, loop,
      settings.shuffles ? "⇄" : nil, settings.isMuted ? muted : nil,
    ]
    return signs.compactMap { $0.map { "  \($0)" } }.joined()
  }

  static func loop(_ mode: LoopMode, _ marks: LoopMarks) -> String? {
    switch (marks, mode) {
    case (.part, _): "loop A–B"
    case (.start, _): "loop A–"
    case (.none, .video): "loop video"
    case (.none, .list): "loop list"
    case (.none, .off): nil
    }
  }

  static func brightness(_ percent: Int) -> String? {
    percent == PlaySettings().brightness ? nil : "brightness \(percent) %"
  }

  static let (noAudioDevice, muted) = ("no audio device", "muted")
  static let (shuffle, autoplay, filled) = ("shuffle", "autoplay", "filled")

  static func level(_ level: PlayerScreen.Level, in settings: PlaySettings) -> String {
    switch level {
    case .volume where settings.isMuted: gauge("volume", percent: 0, value: muted)
    case .volume: gauge("volume", percent: settings.volume, value: "\(settings.volume) %")
    case .brightness: gauge("brightness", percent: settings.brightness, value: "\(settings.brightness) %")
    }
  }

  private static func gauge(_ name: String, percent: Int, value: String) -> String {
    let full = (percent + 5) / 10
    return " \(name) \(String(repeating: "▇", count: full))\(String(repeating: "▁", count: 10 - full)) \(value) "
  }

  func text(for notice: PlaySession.Notice) -> String {
    switch notice {
    case .noDisplay: "Could not open a window: there is no display. Playing here."
    case .noPicture: "There is no picture to save: only the sound plays"
    case .screenshotSaved(let path): "Saved the screenshot: \(path)"
    case .screenshotFailed(let reason):
      "Could not save the screenshot: \(reason)." + press(.player(.control(.takeScreenshot)), "to retry")
    case .noOtherTrack(.subtitles): "This video has no subtitles"
    case .noOtherTrack(let kind): "This video has no other \(Self.name(of: kind))"
    case .trackChanged(let kind, nil): "\(Self.sentence(Self.name(of: kind))): none"
    case .trackChanged(let kind, let track?): "\(Self.sentence(Self.name(of: kind))): \(Self.name(of: track))"
    case .noOtherHeight: "The feed offers no other resolution"
    case .heightChanged(let height): "Resolution: at most \(height)p"
    case .autoplay(let isOn): isOn ? "Autoplay on" : "Autoplay off"
    case .loop(.off): "Loop off"
    case .loop(.video): "Loop: this video"
    case .loop(.list): "Loop: the list"
    case .shuffle(let isOn): isOn ? "Shuffle on" : "Shuffle off"
    case .loopMarks(.none): "A–B loop off"
    case .loopMarks(.start(let start)):
      "Loop from \(playTime(start))." + press(.player(.control(.markLoop)), "at its end")
    case .loopMarks(.part(let part)): "Loop \(playTime(part.start))–\(playTime(part.end))"
    case .noChapters: "This video has no chapters"
    case .isLastChapter: "This is the last chapter"
    case .skipped(let skip):
      "Skipped \(skip.category.name), \(playTime(skip.end - skip.start))."
        + press(.player(.control(.playSkipped)), "in the player to play it")
    case .nothingSkipped: "No part of this video was skipped"
    case .lacksRuntime(let advice):
      "yt-dlp found no JavaScript runtime; some formats may be missing. \(Self.sentence(advice))."
    case .startsOver: "This video ends before the position where you stopped. Playing from the beginning."
    }
  }

  private static func name(of kind: MediaTrack.Kind) -> String {
    switch kind {
    case .picture: "picture"
    case .sound: "audio track"
    case .subtitles: "subtitles"
    }
  }

  private static func name(of track: MediaTrack) -> String {
    let words = [track.title, track.language].compactMap { $0 }.joined(separator: ", ")
    return words.isEmpty ? "\(track.number)" : words
  }
}

extension PlayFailure {
  public var reason: String { words.reason }

  /// Advice besides retrying; nil if there is none.
  public var advice: String? { words.advice }

  private var words: (reason: String, advice: String?) {
    switch self {
    case .notInstalled: ("libmpv is not installed", "install it: apt install libmpv2")
    case .helperNotInstalled:
      ("this video is on a web page, which needs yt-dlp", "install it: pipx install 'yt-dlp[default,deno]'")
    case .unsupportedProxy(let proxy): ("mpv cannot use the proxy \(proxy)", "use a proxy that begins with http://")
    case .leavesHTTPS(let redirect): (redirect.reason, "write allow-http = true in the source's table of config.toml")
    case .loginLeavesHTTPS(let redirect): (redirect.reason, "to allow that, use the http address")
    case .page(let reason, let advice): (reason, advice)
    case .noMedia: ("the feed has no address for it", nil)
    case .missingFile(let name): ("there is no file “\(name)”", "check whether it was moved or its disk is not mounted")
    case .unreadableFile(let name): ("the file “\(name)” cannot be read", "check its permissions")
    case .http(let status): (Self.reason(ofStatus: status), nil)
    case .unreachable: ("the server cannot be reached", "check the network")
    case .nameNotFound: ("the server's name was not found", "check the address and the network")
    case .refused: ("the server refused the connection", "check the address and whether the server runs")
    case .timedOut: ("the server does not answer", nil)
    case .unrecognizedFormat: ("the file is not a video", nil)
    case .noStreams: ("the file has neither picture nor sound", nil)
    case .notSeekable: ("it must be downloaded completely before it can play", nil)
    case .endedEarly(let seconds): ("it ended early, at \(playTime(seconds))", nil)
    case .displayUnavailable: ("there is no display for a window", nil)
    case .outputFailed: ("no picture or sound output could be opened", "check the sound output")
    case .crashed: ("mpv has crashed", nil)
    case .notResponding: ("mpv has stopped responding", nil)
    case .tooMuchOutput: ("mpv sent too much data", nil)
    case .notStarted(let reason): ("mpv could not be started: \(reason)", "check the installation of mpv")
    }
  }

  private static func reason(ofStatus status: Int) -> String {
    switch status {
    case 401, 403: "the server answered \(status), not allowed"
    case 404: "the server answered \(status), not found"
    case 410: "the server answered \(status), gone"
    case 429: "the server answered \(status), too many requests"
    case 500...599: "the server answered \(status), a server error"
    default: "the server answered \(status)"
    }
  }
}

/// The help and the messages of `feedfall play`.
package enum PlayNowWords {
  package static let command = "feedfall play"
  package static let abstract = "Play one video in the full window, then quit."
  package static let discussion = """
    Plays a file, a page, or the first video of a feed, a folder or a configured source. Other words are searched for \
    as with feedfall search, and the first result is played. The keys are those of the player. The status is 1 if \
    nothing could be played.
    """
  package static let argument = "An address, a file, the name of a source, or words to search for."
  package static let noTerminal = "Could not play: standard output is not a terminal. Run feedfall play in a terminal."

  package static func notAlone(_ address: String) -> String {
    "'\(cleanedLine(address.hidingPassword, limit: 80))' is an address, and only one can be played. Write it alone."
  }
}
