import FeedfallPlaying

/// What is said to mpv and what is made of its answers, as a value: orders and messages go in, commands and reports come
/// out, and there is neither a clock nor a process in it.
struct MPVDialogue: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// What is to be sent, in this order.
  private(set) var commands: [MPVCommand] = []
  private(set) var reports: [PlayerReport] = []
  var settings = MPVSettings()
  /// Nil where no mpv runs.
  var known: MPVKnown?
  var play: MPVPlay?
  var pace = MPVPace()
  /// The picture that is just being kept.
  var picture: MPVPicture?
  private var lastNumber = 0
  private let hasDisplay: Bool
  /// How long mpv waits for a server.
  let networkTimeout: Duration

  init(hasDisplay: Bool, networkTimeout: Duration, userConfiguration: String? = nil) {
    self.hasDisplay = hasDisplay
    settings.userConfiguration = userConfiguration
    self.networkTimeout = networkTimeout
  }

  mutating func takeCommands() -> [MPVCommand] {
    defer { commands = [] }
    return commands
  }

  mutating func takeReports() -> [PlayerReport] {
    defer { reports = [] }
    return reports
  }

  mutating func send(_ command: MPVCommand) { commands.append(command) }

  /// Sends a command whose answer is waited for; gives the number by which that is recognised.
  mutating func ask(_ make: (_ number: Int) -> MPVCommand) -> Int {
    lastNumber += 1
    send(make(lastNumber))
    return lastNumber
  }

  mutating func report(_ report: PlayerReport) { reports.append(report) }

  mutating func tell(_ news: PlayEvent) {
    if let play { report(.event(play.request.id, news)) }
  }

  // MARK: - The program

  /// An mpv has started: it is told what is to be told, and what is wanted.
  mutating func programStarted() {
    known = MPVKnown()
    commands = MPVProperty.names.enumerated().map { index, name in
      MPVCommand("observe_property", .number(Double(index + 1)), .text("\(name)"))
    }
    send(MPVCommand("request_log_messages", "warn"))
    tellSettings()
  }

  /// The mpv that ran is not there any more, or none could be started; a failure is told.
  mutating func programEnded(_ failure: PlayFailure?) {
    if picture != nil { report(.screenshotFailed(reason: "the player has ended")) }
    if let failure { report(.unavailable(failure)) }
    picture = nil
    play = nil
    known = nil
    settings.isHeard = false
    commands = []
    pace = MPVPace()
  }

  // MARK: - Orders

  /// Carries out an order; what is no setting is for an mpv that runs.
  mutating func obey(_ order: PlayerOrder, at now: Instant) {
    if case .configure(let configuration) = order { return configure(configuration) }
    guard known != nil else { return }
    switch order {
    case .load(let request): load(request, at: now)
    case .pause: send(.set("pause", true))
    case .resume: send(.set("pause", false))
    case .seek(let seconds): seek(to: seconds)
    case .stop: send(MPVCommand("stop"))
    case .cycleSubtitles: send(MPVCommand("cycle", "sid"))
    case .cycleSoundTracks: send(MPVCommand("cycle", "aid"))
    // The picture needs a file: `takeScreenshot(at:)`.
    case .takeScreenshot, .configure: break
    }
  }

  private mutating func configure(_ configuration: PlayerConfiguration) {
    let movesPicture = settings.configure(configuration)
    if movesPicture, !hasDisplay, settings.presentation == .window { leaveWindow() }
    tellSettings()
    guard movesPicture else { return }
    play?.revivals = 0
    revivePicture()
  }

  private mutating func load(_ request: PlayRequest, at now: Instant) {
    pace = MPVPace()
    send(.set("pause", .flag(request.isPaused)))
    // What the person wrote down for mpv may have changed it.
    if settings.userConfiguration != nil { send(.set("ytdl", .flag(request.isPage))) }
    var new = MPVPlay(request, at: now)
    new.loadNumber = ask { .load(request.address.text, options: new.options, number: $0) }
    play = new
  }

  mutating func seek(to seconds: Double) {
    guard seconds.isFinite, let play else { return }
    if play.isReady {
      let number = ask { MPVCommand("seek", .number(max(0, seconds)), "absolute+exact", number: $0) }
      self.play?.seekNumber = number
    } else {
      self.play?.waitingSeek = seconds
    }
  }

  // MARK: - Settings

  mutating func tellSettings() {
    guard let known else { return }
    let changes =
      settings.soundCommands(after: known.settings)
      + settings.pictureCommands(after: known.settings)
    for change in changes { send(change) }
    self.known?.settings = settings
    tellPresentation()
  }

  /// Where a window was wanted it is cells again, and that is told as soon as it is so.
  mutating func leaveWindow() {
    settings.leaveWindow()
    guard known != nil else { return report(.presentationChanged(settings.presentation.kind)) }
    known?.kindTold = nil
    tellSettings()
  }

  /// Tells where the picture is, where that is news.
  mutating func tellPresentation() {
    guard play?.isReady == true, let kind = known?.kind(wanted: settings.presentation.kind), kind != known?.kindTold
    else { return }
    known?.kindTold = kind
    report(.presentationChanged(kind))
  }
}
