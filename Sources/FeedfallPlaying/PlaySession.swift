import FeedfallFeeds
import WaterfallEngine

/// The playing of videos, one after another, as a value: wishes and a player's reports go in, orders come out, and there
/// is neither a clock nor a process in it. The states are ZFPlayer's.
public struct PlaySession: Equatable, Sendable {
  /// What plays or was played last.
  public internal(set) var item: PlayItem?
  public internal(set) var playState = PlayState.unknown
  public internal(set) var loadState = LoadState.unknown
  public internal(set) var settings: PlaySettings
  public internal(set) var records: ResumeRecords
  /// In seconds; nil where nobody knows.
  public internal(set) var duration: Double?
  /// How far it is loaded, in seconds from the beginning.
  public internal(set) var loadedUntil = 0.0
  public internal(set) var pictureSize: PixelSize?
  public internal(set) var tracks: [MediaTrack] = []
  /// What is said just now, in lines; empty where nothing is.
  public internal(set) var subtitle = ""
  /// Whether there is a device to hear it from.
  public internal(set) var hasSoundDevice = true
  /// The place that the player told last, or from which it begins.
  var time = 0.0
  var seeking = Seeking()
  /// Where it began when it was loaded, in seconds.
  var start = 0.0
  /// The number of what plays; what is told of any other counts no more.
  var current: PlayID?
  /// What plays, and behind it what is tried when that cannot be had.
  var remaining: ArraySlice<PlayCandidate> = []
  var winners = WinningEndings()
  /// What the player knows of the settings; nil where it knows nothing.
  var told: PlaySettings?
  /// The tracks of which the person has asked for the next.
  var cycled: MediaTrack.Kind?
  /// Whether it was not the person who paused it.
  var isPausedBySuspension = false
  private var lastNumber = 0

  public init(settings: PlaySettings = PlaySettings(), records: ResumeRecords = ResumeRecords()) {
    self.settings = settings
    self.records = records
  }

  /// Where it is, or will be when it has come to what is sought; in seconds from the beginning.
  public var shownTime: Double { seeking.target ?? time }

  /// How long it is, in seconds; until the player knows, what its feed tells.
  public var shownDuration: Double? { duration ?? (loadState == .prepare ? item?.duration : nil) }

  /// Whether something plays, or would if it were not paused.
  public var isUnderWay: Bool {
    switch playState {
    case .playing, .paused: true
    case .unknown, .playFailed, .playStopped: false
    }
  }

  /// Whether it cannot go on for now because of what is not there yet.
  public var isWaiting: Bool { playState == .playing && (loadState == .prepare || loadState == .stalled) }

  public var failure: PlayFailure? {
    if case .playFailed(let failure) = playState { failure } else { nil }
  }

  /// What is seen of it and where, as far as there is room.
  public var presentation: Presentation { settings.possiblePresentation }

  // MARK: - Loading

  /// Where a video is to be played from now.
  func addresses(of item: PlayItem) -> ArraySlice<PlayCandidate> {
    item.candidates(maximumHeight: settings.maximumHeight, winners: winners)[...]
  }

  /// Plays the first of the addresses that remain.
  mutating func load(at start: Double, isPaused: Bool) -> [PlayEffect] {
    guard let item, let candidate = remaining.first else { return fail(.noMedia) }
    lastNumber += 1
    let id = PlayID(lastNumber)
    current = id
    time = start
    self.start = start
    forgetWhatIsKnown()
    loadState = .prepare
    playState = isPaused ? .paused : .playing
    isPausedBySuspension = false
    var request = PlayRequest(id: id, address: candidate.address, title: item.title)
    request.isPage = candidate.isPage
    request.maximumHeight = settings.maximumHeight
    request.startSeconds = start
    request.isPaused = isPaused
    return tellSettings() + [.order(.load(request))]
  }

  private mutating func forgetWhatIsKnown() {
    duration = nil
    loadedUntil = 0
    pictureSize = nil
    tracks = []
    cycled = nil
    subtitle = ""
    hasSoundDevice = true
    seeking = Seeking()
  }

  /// What the player does not know of the settings yet.
  mutating func tellSettings() -> [PlayEffect] {
    let orders = settings.orders(after: told)
    told = settings
    return orders.map { .order($0) }
  }

  /// The settings have changed: a player that plays is told at once, another when it is to play.
  mutating func settingsChanged() -> [PlayEffect] { isUnderWay ? tellSettings() : [] }

  // MARK: - Ending

  /// Nothing of what played counts any more.
  mutating func end(_ state: PlayState) {
    current = nil
    time = shownTime
    seeking = Seeking()
    loadState = .unknown
    playState = state
    isPausedBySuspension = false
  }

  mutating func fail(_ failure: PlayFailure) -> [PlayEffect] {
    let kept = keepPlace()
    end(.playFailed(failure))
    return [.leaveFullWindow] + kept
  }

  /// Keeps where it is, to go on from there another time.
  mutating func keepPlace() -> [PlayEffect] {
    guard isUnderWay, loadState.isReady, let item, let duration else { return [] }
    let before = records[item.recordID]
    records.note(item.recordID, seconds: shownTime, of: duration)
    return records[item.recordID] == before ? [] : [.keepRecords]
  }
}
