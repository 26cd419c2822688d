import FeedfallPlaying
import FeedfallText

extension MPVDialogue {
  /// Takes in what mpv says.
  mutating func hear(_ message: MPVMessage, at now: Instant) {
    switch message {
    case .answered(let number, let entry): answered(number, entry: entry, at: now)
    case .refused(let number, let reason): refused(number, reason: reason, at: now)
    case .started(let entry): known?.entry = entry
    case .restarted:
      if isAboutPlay { restarted(at: now) }
      shownAnother()
    case .ended(let entry, let end): if let own = play?.entry, own == entry { ended(end, at: now) }
    case .property(let property): changed(property, at: now)
    case .complained(let complaint): complained(complaint)
    }
  }

  /// When something is to be done though nothing happens.
  var due: Instant? {
    [pace.due, picture?.due].compactMap { $0 }.min()
  }

  /// Does what has become due.
  mutating func tick(at now: Instant) {
    tellPace(at: now)
    if let due = picture?.due, due <= now { shoot() }
  }

  /// Whether what mpv tells now is about what was loaded last.
  private var isAboutPlay: Bool {
    guard let entry = play?.entry else { return false }
    return known?.entry == entry
  }

  // MARK: - Answers

  private mutating func answered(_ number: Int, entry: Int?, at now: Instant) {
    if number == play?.loadNumber {
      play?.entry = entry
    } else if let failure = play?.failure, number == failure.number {
      conclude(failure.words, at: now)
    } else if picture?.phase == .shot(number: number) {
      pictureKept()
    }
  }

  private mutating func refused(_ number: Int, reason: String, at now: Instant) {
    if number == play?.loadNumber {
      finish(.failed(.noMedia))
    } else if number == play?.seekNumber {
      // What cannot be sought in stays where it is.
      play?.seekNumber = nil
      tell(.sought)
    } else if let failure = play?.failure, number == failure.number {
      conclude(failure.words, at: now)
    } else if picture?.phase == .shot(number: number) {
      pictureFailed(cleanedLine(reason, limit: 100))
    }
  }

  private mutating func restarted(at now: Instant) {
    if play?.isReady == false {
      play?.readyAt = now
      play?.complaint = nil
      tell(.ready)
      tellPresentation()
      if let seconds = play?.waitingSeek { seek(to: seconds) }
      play?.waitingSeek = nil
    } else if play?.seekNumber != nil {
      play?.seekNumber = nil
      tellPace(at: now, isUrgent: true)
      tell(.sought)
    }
  }

  // MARK: - The end

  private mutating func ended(_ end: MPVMessage.End, at now: Instant) {
    switch end {
    case .replaced(let entry): play?.entry = entry
    case .atEnd: finish(.reachedEnd, at: now)
    case .stopped: finish(.stopped, at: now)
    case .quit: finish(.closed, at: now)
    case .failed("audio output initialization failed") where play?.isReady == true:
      // So mpv ends a film that nobody could hear, when it has come to its end.
      finish(.reachedEnd, at: now)
    case .failed(let words):
      // What mpv has complained of may still be on its way; it is here before the answer to a question.
      let number = ask { MPVCommand("get_property", "idle-active", number: $0) }
      play?.failure = MPVPlay.Failure(words: words, number: number)
    }
  }

  private mutating func finish(_ end: PlayEnd, at now: Instant? = nil) {
    if let now { tellPace(at: now, isUrgent: true) }
    pace = MPVPace()
    tell(.ended(end))
    play = nil
    // What was loaded may have been a list, in which mpv would go on.
    if end != .closed { send(MPVCommand("stop")) }
    if picture != nil { pictureFailed("it has ended") }
  }

  private mutating func conclude(_ words: String, at now: Instant) {
    guard let play else { return }
    if play.complaint == .noPictureOutput, settings.presentation == .window {
      settings.leaveWindow()
      finish(.failed(.displayUnavailable))
      tellSettings()
    } else {
      let hasWaited = now - play.orderedAt >= networkTimeout * 0.95
      finish(.failed(play.cause(words, hasWaited: hasWaited)), at: now)
    }
  }

  private mutating func complained(_ complaint: MPVComplaint) {
    guard isAboutPlay else { return }
    if complaint == .noPictureOutput, settings.presentation == .window, play?.isReady == true {
      leaveWindow()
      askForPictureAgain()
    } else if play?.complaint != .noPictureOutput {
      play?.complaint = complaint
    }
  }

  // MARK: - Properties

  private mutating func changed(_ property: MPVProperty, at now: Instant) {
    switch property {
    case .soundOutput(let name):
      known?.soundOutput = name
      settings.isHeard = name != nil
      tellSettings()
    case .pictureOutput(let name):
      known?.pictureOutput = name
      tellPresentation()
    case .shownSize(let size): shown(size)
    case .pictureSize(let size):
      known?.filmSize = size
      if isAboutPlay { tell(.pictureSize(size)) }
    case .isPaused(let isPaused):
      tellPace(at: now, isUrgent: true)
      tell(.paused(isPaused))
    case .time(let seconds):
      if isAboutPlay, let seconds { pace.note(time: seconds) }
      shownAnother()
    case .loaded(let seconds): if isAboutPlay, let seconds { pace.note(loadedUntil: seconds) }
    case .duration(let seconds): if isAboutPlay { tell(.duration(seconds: seconds)) }
    case .isStalled(let isStalled): if isAboutPlay { tell(.stalled(isStalled)) }
    case .tracks(let tracks): take(tracks)
    case .subtitle(let text): if isAboutPlay { tell(.subtitle(text)) }
    }
    tellPace(at: now)
  }

  private mutating func take(_ tracks: [MediaTrack]) {
    guard isAboutPlay, play?.tracks != tracks else { return }
    play?.tracks = tracks
    tell(.tracks(tracks))
    revivePicture()
  }

  /// Asks for a picture that is wanted in cells and that mpv has given up, as it does for good where an output fails, be it
  /// after the next output was named.
  mutating func revivePicture() {
    guard let play, play.isReady, settings.cellSize != nil, play.revivals < MPVPlay.mostRevivals else {
      return
    }
    let pictures = play.tracks.filter { $0.kind == .picture }
    guard !pictures.isEmpty, !pictures.contains(where: \.isSelected) else { return }
    self.play?.revivals += 1
    askForPictureAgain()
  }

  /// To mpv its own giving up is no wish of ours: it would take the same wish once more for nothing new.
  private mutating func askForPictureAgain() {
    guard settings.cellSize != nil else { return }
    send(.set("vid", "no"))
    send(.set("vid", "auto"))
  }

  private mutating func tellPace(at now: Instant, isUrgent: Bool = false) {
    let news = pace.take(at: now, isUrgent: isUrgent)
    for one in news { tell(one) }
    if !news.isEmpty { tellSound(at: now) }
  }

  /// Tells whether it can be heard, where that is news. With the first picture mpv may not have told of the device yet.
  private mutating func tellSound(at now: Instant) {
    guard let play, let readyAt = play.readyAt, now - readyAt >= .milliseconds(300) else { return }
    let hasDevice = known?.soundOutput != nil || !play.tracks.contains { $0.kind == .sound }
    guard hasDevice != play.hasSoundDevice else { return }
    self.play?.hasSoundDevice = hasDevice
    tell(.sound(hasDevice: hasDevice))
  }
}
