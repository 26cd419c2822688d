import FeedfallFeeds

extension PlaySession {
  mutating func seekChapter(by step: Int) -> [Effect] {
    guard isUnderWay else { return [] }
    guard !chapters.all.isEmpty else { return [.show(.noChapters)] }
    guard let start = chapters.start(from: shownTime, by: step) else { return [.show(.isLastChapter)] }
    segments.sought(start)
    return seek(to: .at(start))
  }

  /// Sets the segments of the current video, if it has this ID on YouTube.
  public mutating func setSegments(_ new: [VideoSegment], ofYouTube id: String) {
    if item?.youTubeID == id { segments = Segments(new) }
  }

  mutating func skipSegments() -> [Effect]? {
    guard settings.skipsSegments, playState == .playing, file.seeks.target == nil else { return nil }
    guard loopMarks.part == nil else { return nil }
    // A seek ends shortly before the end of the video, so that there a skip would lead back.
    let latest = PlayCommand.SeekTarget.share(1).seconds(from: shownTime, duration: shownDuration) ?? .infinity
    guard shownTime < latest, let skip = segments.skip(at: shownTime) else { return nil }
    let orders = seek(to: .at(skip.end))
    stretch.skip(to: file.seeks.target)
    return orders + [.show(.skipped(skip))]
  }

  mutating func playSkipped() -> [Effect] {
    guard isUnderWay, let start = segments.takeBackSkip() else { return [.show(.nothingSkipped)] }
    return seek(to: .at(start))
  }

  mutating func markLoop() -> [Effect] {
    guard loadState.isReady else { return [] }
    loopMarks = loopMarks.adding(shownTime)
    let changed = settingsChanged()
    // The player repeats a part only if it reaches the end from within, and it may be past the end already.
    let jump = loopMarks.part.map { seek(to: .at($0.start)) } ?? []
    return changed + jump + [.show(.loopMarks(loopMarks))]
  }

  mutating func setLoop(_ mode: LoopMode) -> [Effect] {
    settings.loop = mode
    return settingsChanged() + [.show(.loop(mode))]
  }

  public struct Chapters: Equatable, Sendable {
    /// The chapters of the feed, or else of the file, or else of the description, in ascending order.
    public private(set) var all: [Chapter] = []

    /// In seconds; closer to a chapter's start, going back leads to the chapter before it.
    private static let startLength = 3.0

    func index(at seconds: Double) -> Int? { all.lastIndex { $0.start <= seconds } }

    mutating func update(_ item: PlayItem?, _ file: OpenedFile) {
      let stated = item.flatMap { $0.chapters.isEmpty ? nil : $0.chapters } ?? file.chapters
      let best = stated.isEmpty ? item?.describedChapters ?? [] : stated
      all = best.filter { $0.start < file.length.stated ?? .infinity }
    }

    /// Going back from within a chapter leads to its start, and before the first chapter to the beginning.
    func start(from seconds: Double, by step: Int) -> Double? {
      let current = index(at: seconds) ?? -1
      let isWithin = current >= 0 && seconds - all[current].start > Self.startLength
      let target = step < 0 && isWithin ? current + step + 1 : current + step
      return target < all.count ? target < 0 ? 0 : all[target].start : nil
    }
  }

  /// The segments of the current video, and which of them are skipped.
  public struct Segments: Equatable, Sendable {
    /// In ascending order of their starts.
    public let all: [VideoSegment]
    /// The segments whose skip the user has taken back, and those that the user has sought.
    private var played: [VideoSegment] = []
    /// The last skip, until the user takes it back.
    private var last: Skip?
    /// Whether the position has not left the last skip yet. Before a seek has an effect, and in a file without seeking, it
    /// would be skipped again and again.
    private var isLeaving = false

    init(_ segments: [VideoSegment] = []) { all = segments }

    private func segments(at seconds: Double) -> [VideoSegment] { all.filter { $0.contains(seconds) } }

    private mutating func play(_ segments: [VideoSegment]) { played += segments.filter { !played.contains($0) } }

    /// Handles a seek by the user: segments at the target are played, not skipped.
    mutating func sought(_ seconds: Double) { play(segments(at: seconds)) }

    mutating func skip(at seconds: Double) -> Skip? {
      guard !all.isEmpty else { return nil }
      isLeaving = isLeaving && last.map { $0.start <= seconds && seconds < $0.end } ?? false
      guard !isLeaving, let first = segments(at: seconds).first(where: { !played.contains($0) }) else { return nil }
      last = Skip(category: first.category, start: first.start, end: end(after: first))
      isLeaving = true
      return last
    }

    /// The end of the segments that follow one another without a gap.
    private func end(after first: VideoSegment) -> Double {
      all.lazy.filter { !played.contains($0) }.reduce(first.end) { $1.start <= $0 ? max($0, $1.end) : $0 }
    }

    mutating func takeBackSkip() -> Double? {
      guard let skip = last else { return nil }
      play(all.filter { $0.start < skip.end && $0.end > skip.start })
      (last, isLeaving) = (nil, false)
      return skip.start
    }

    /// A skip of one segment or several adjacent ones.
    public struct Skip: Equatable, Sendable {
      /// Of the first segment.
      public let category: VideoSegment.Category
      /// In seconds from the beginning.
      public let start: Double
      /// In seconds from the beginning.
      public let end: Double
    }
  }

  /// The state of playback, in ZFPlayer's terms.
  public enum PlayState: Equatable, Sendable {
    /// Nothing has been played yet.
    case unknown
    case playing
    case paused
    case playFailed(PlayFailure)
    /// The video ended, or the user stopped it.
    case playStopped
  }

  /// The state of loading, in ZFPlayer's terms.
  public enum LoadState: Equatable, Sendable {
    /// Nothing is loaded.
    case unknown
    /// Requested; no picture or sound yet.
    case prepare
    /// Enough is buffered to continue after a stall.
    case playable
    /// Playing, without a stall so far.
    case playthroughOK
    /// Waiting for data.
    case stalled

    /// Whether there is picture or sound.
    public var isReady: Bool { self != .unknown && self != .prepare }
  }

  /// Whether a video is playing or paused.
  public var isUnderWay: Bool { playState == .playing || playState == .paused }

  /// Whether playback waits for data.
  public var isWaiting: Bool { playState == .playing && (loadState == .prepare || loadState == .stalled) }

  var continues: Bool { settings.continues || item?.isContinued == true }

  /// In seconds.
  private static var preparationTime: Double { 20 }

  /// Whether the video ends soon and another one follows, which can be prepared.
  public var isNearEnd: Bool {
    guard playState == .playing, loadState.isReady, let duration = length.stated else { return false }
    guard continues, item?.isLive != true, settings.loop != .video, loopMarks.part == nil else { return false }
    return duration - shownTime <= Self.preparationTime * settings.rate
  }

  /// The end of the data from a server, in seconds from the beginning; nil for a local file, and before it is ready.
  public var arrivedUntil: Double? {
    isUnderWay && loadState.isReady && candidates.current?.address.web != nil ? file.bufferedUntil : nil
  }

  public var failure: PlayFailure? { if case .playFailed(let failure) = playState { failure } else { nil } }

  /// The selected presentation, or sound only if there is no picture in the terminal.
  public var presentation: Presentation { settings.playerConfiguration.presentation }

  /// Whether the video's picture is hidden, although the user has selected it.
  public var lacksPicture: Bool {
    settings.presentation == .cells && presentation == .soundOnly && file.tracks.mayHavePicture
  }

  /// The index of the chapter at the shown position; nil before the first one.
  public var chapterIndex: Int? { isUnderWay ? chapters.index(at: shownTime) : nil }

  /// The addresses of the current video in the order in which to try them, without those that have failed.
  struct CandidateList: Equatable, Sendable {
    private var candidates: ArraySlice<PlayItem.Candidate> = []
    private var preferredExtensions = PlayItem.PreferredExtensions()

    var current: PlayItem.Candidate? { candidates.first }

    mutating func begin(_ item: PlayItem, maximumHeight: Int?) {
      candidates = item.candidates(maximumHeight: maximumHeight, preferring: preferredExtensions)[...]
    }

    /// Chooses again for another height, among the addresses that have not failed.
    mutating func update(_ item: PlayItem, maximumHeight: Int?) {
      let remaining = candidates
      begin(item, maximumHeight: maximumHeight)
      candidates.removeAll { !remaining.contains($0) }
    }

    mutating func fallBack() -> Bool {
      guard candidates.count > 1 else { return false }
      candidates.removeFirst()
      return true
    }

    mutating func removeAll() { candidates = [] }

    /// Records that the current address works, if another one has failed before.
    mutating func recordSuccess(of item: PlayItem, maximumHeight: Int?) {
      var all = self
      all.begin(item, maximumHeight: maximumHeight)
      if let current, all.current != current { preferredExtensions.insert(current) }
    }
  }
}
