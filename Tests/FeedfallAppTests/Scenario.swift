import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// A program under test. The test types keys, answers requests and ends waits.
struct Scenario {
  private(set) var state: AppState
  /// All effects so far, in order.
  private(set) var effects: [AppEffect] = []
  /// A pending request for a page.
  struct Awaited {
    var source: Int
    var cursor: FeedCursor
    var use: CacheUse
    var ticket: Ticket
  }
  /// The pending requests to the sources.
  private(set) var unanswered: [Awaited] = []
  /// The pending requests to the cache.
  private(set) var recalls: [Awaited] = []
  private(set) var unansweredDetails: [(video: Video, ticket: Ticket)] = []
  private(set) var openWaits: [Wait] = []
  private(set) var awaitedCovers: [(request: CoverRequest, ticket: Ticket)] = []
  private(set) var awaitedColors: [(addresses: [MediaAddress], ticket: Ticket)] = []

  init(
    width: Int = 80, height: Int = 24, layout: LayoutKind = .waterfall, columns: ColumnRule = .minimumWidth(24),
    grouping: LayoutOptions.Grouping = .feed, order: ItemOrder = .shortest, hasBrowser: Bool = false,
    hasClipboard: Bool = true
  ) {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.layout = layout
    settings.layoutOptions = LayoutOptions()
    settings.layoutOptions.columns = columns
    settings.layoutOptions.grouping = grouping
    settings.layoutOptions.order = order
    settings.hasBrowser = hasBrowser
    self.init(settings, width: width, height: height)
    if !hasClipboard { handle(.clipboardChanged(false)) }
  }

  init(_ settings: AppSettings, width: Int = 80, height: Int = 24) {
    state = AppState(settings: settings)
    handle(.screenChanged(Size(width: width, height: height), cellSize: Size(width: 8, height: 16)))
    handle(.started)
  }

  /// A program with several sources, none of them loaded yet.
  static func of(_ names: String..., isLocal: Bool = true, width: Int = 80, height: Int = 24) -> Scenario {
    let sources = names.map { SourceSettings(name: $0, isLocal: isLocal) }
    return Scenario(AppSettings(sources: sources), width: width, height: height)
  }

  /// A program with two sources of three videos each, whose first one is selected.
  static func ofTwoSources(named names: (String, String) = ("a.example", "b.example"), width: Int = 160) -> Scenario {
    var scenario = Scenario.of(names.0, names.1, width: width)
    scenario.answer(0, sampleVideos(3))
    scenario.answer(1, sampleVideos(3))
    return scenario
  }

  /// A program that shows its first page.
  static func showing(
    _ videos: [Video] = sampleVideos(20), next: FeedCursor? = nil, total: Int? = nil, width: Int = 80, height: Int = 24,
    layout: LayoutKind = .waterfall, columns: ColumnRule = .minimumWidth(24), grouping: LayoutOptions.Grouping = .feed,
    order: ItemOrder = .shortest, hasBrowser: Bool = false,
    hasClipboard: Bool = true
  ) -> Scenario {
    var scenario = Scenario(
      width: width, height: height, layout: layout, columns: columns, grouping: grouping, order: order,
      hasBrowser: hasBrowser,
      hasClipboard: hasClipboard)
    scenario.answer(FeedPage(videos: videos, next: next, total: total))
    return scenario
  }

  /// A program whose first video plays in the pane, at one minute of 1:40.
  static func playing(width: Int = 120, height: Int = 40, _ videos: [Video] = sampleVideos(20)) -> Scenario {
    var scenario = showing(videos, width: width, height: height).typing(" ")
    scenario.report(
      .ready, .pictureSize(Size(width: 640, height: 360)), .duration(seconds: 100), .time(seconds: 60))
    return scenario
  }

  /// - Parameter now: in milliseconds since 1970.
  mutating func handle(_ event: AppEvent, at now: Int? = nil) {
    let new = state.handle([event], at: now)
    if let difference = state.differenceAfterSecondRun(after: event) { Issue.record("\(difference)") }
    effects += new
    for effect in new {
      switch effect {
      case .requestPage(let source, let cursor, let use, let ticket):
        let request = Awaited(source: source.number, cursor: cursor, use: use, ticket: ticket)
        if use == .onlyIfCached { recalls.append(request) } else { unanswered.append(request) }
      case .cancel(let ticket):
        unanswered.removeAll { $0.ticket == ticket }
        recalls.removeAll { $0.ticket == ticket }
        unansweredDetails.removeAll { $0.ticket == ticket }
        openWaits.removeAll { $0.ticket == ticket }
        awaitedCovers.removeAll { $0.ticket == ticket }
      case .wait(_, let wait): openWaits.append(wait)
      case .requestDetails(_, let video, let ticket): unansweredDetails.append((video, ticket))
      case .requestCover(let request, let ticket): awaitedCovers.append((request, ticket))
      case .requestCoverColors(let addresses, let ticket): awaitedColors.append((addresses, ticket))
      case .requestSegments, .requestTitles, .readClock, .readPower, .copy, .openInBrowser, .player, .reportPlayback,
        .saveEvents, .reportSaving,
        .readAgreements, .saveAgreements, .sendMarks, .download, .removeDownload, .checkDownload, .readFacts,
        .openSource, .closeSource, .changeList, .saveCommand, .saveUndo, .setOption, .setTheme,
        .changeSubscription, .saveSettings, .savePlace, .repaint,
        .suspend, .quit, .fail:
        break
      }
    }
  }

  mutating func type(_ script: String) {
    guard let keys = try? keys(typed: script) else { fatalError("invalid keys: \(script)") }
    for key in keys { handle(.input(.key(key))) }
  }

  func typing(_ script: String) -> Scenario {
    var copy = self
    copy.type(script)
    return copy
  }

  /// The pending request's cursor.
  var awaitedPage: FeedCursor? { unanswered.last?.cursor }
  var awaitedTicket: Ticket? { unanswered.last?.ticket }

  mutating func answer(_ page: FeedPage) {
    guard let request = unanswered.popLast() else { return nothingAwaited() }
    handle(.pageArrived(request.ticket, page, at: UnixTime(seconds: 0)))
  }

  mutating func fail(_ failure: FeedFailure) {
    guard let request = unanswered.popLast() else { return nothingAwaited() }
    handle(.pageFailed(request.ticket, failure))
  }

  mutating func answer(_ source: Int, _ videos: [Video], next: FeedCursor? = nil, title: String? = nil) {
    answer(source, FeedPage(videos: videos, next: next, title: title))
  }

  mutating func answer(_ source: Int, _ page: FeedPage) {
    guard let place = unanswered.firstIndex(where: { $0.source == source }) else { return nothingAwaited() }
    handle(.pageArrived(unanswered.remove(at: place).ticket, page, at: UnixTime(seconds: 0)))
  }

  mutating func fail(_ source: Int, _ failure: FeedFailure = FeedFailure(.temporary, "the network is down")) {
    guard let place = unanswered.firstIndex(where: { $0.source == source }) else { return nothingAwaited() }
    handle(.pageFailed(unanswered.remove(at: place).ticket, failure))
  }

  /// Answers a request to the cache with a page of this age.
  mutating func answerRecall(_ source: Int, _ videos: [Video], next: FeedCursor? = nil, secondsAgo: Int = 10_800) {
    guard let place = recalls.firstIndex(where: { $0.source == source }) else { return nothingAwaited() }
    var page = FeedPage(videos: videos, next: next)
    page.savedAt = UnixTime(seconds: 1_000_000)
    handle(.pageArrived(recalls.remove(at: place).ticket, page, at: UnixTime(seconds: 1_000_000 + secondsAgo)))
  }

  mutating func failRecall(_ source: Int) {
    guard let place = recalls.firstIndex(where: { $0.source == source }) else { return nothingAwaited() }
    handle(.pageFailed(recalls.remove(at: place).ticket, FeedFailure(.permanent, "no cached page")))
  }

  mutating func endWaits() {
    let ended = openWaits
    openWaits = []
    for wait in ended { handle(.waitElapsed(wait)) }
  }

  /// Reports that the changes of the records are written.
  mutating func endSaving(failure: String? = nil) {
    guard case .reportSaving(let ticket)? = effects.last(where: { if case .reportSaving = $0 { true } else { false } })
    else { return nothingAwaited() }
    handle(.eventsSaved(ticket, failure: failure))
  }

  mutating func end(_ wait: Wait, at now: Int? = nil) {
    openWaits.removeAll { $0 == wait }
    handle(.waitElapsed(wait), at: now)
  }

  var awaitedDetails: Ticket? { unansweredDetails.last?.ticket }

  mutating func answerDetails(_ answer: Result<Video, FeedFailure>) {
    answerDetails(at: unansweredDetails.count - 1, answer)
  }

  /// Answers the pending request for details at a place, of which the first was sent first.
  mutating func answerDetails(at place: Int, _ answer: Result<Video, FeedFailure>) {
    guard unansweredDetails.indices.contains(place) else { return nothingAwaited() }
    let ticket = unansweredDetails.remove(at: place).ticket
    switch answer {
    case .success(let video): handle(.detailsArrived(ticket, video))
    case .failure(let failure): handle(.detailsFailed(ticket, failure))
    }
  }

  /// Answers a cover request with a gray picture, or fails it if `gray` is nil.
  /// - Parameter size: the picture's own size in pixels.
  mutating func answerCover(_ number: Int = 0, gray: UInt8? = 255, size: Size? = nil, isFromServer: Bool = true) {
    guard awaitedCovers.indices.contains(number) else { return nothingAwaited() }
    let (request, ticket) = awaitedCovers.remove(at: number)
    let failure = FeedFailure(.permanent, "the server answered 403 Forbidden")
    handle(
      gray.flatMap { picture(gray: $0, for: request, size: size) }.map { picture in
        var picture = picture
        picture.isFromServer = isFromServer
        return .coverArrived(ticket, picture)
      }
        ?? .coverFailed(ticket, failure))
  }

  /// Removes a pending request for a cover that the test answers itself.
  mutating func forgetCover(_ ticket: Ticket) { awaitedCovers.removeAll { $0.ticket == ticket } }

  /// Ends the pause after scrolling.
  mutating func rest() {
    for case .rest(let ticket) in openWaits {
      openWaits.removeAll { $0 == .rest(ticket) }
      handle(.waitElapsed(.rest(ticket)))
    }
  }

  /// The requests to play, in order.
  var loads: [PlayRequest] {
    effects.compactMap { if case .player(.load(let request)) = $0 { request } else { nil } }
  }

  /// The player's orders after this number of effects.
  func orders(since count: Int = 0) -> [PlayerOrder] {
    effects.dropFirst(count).compactMap { if case .player(let order) = $0 { order } else { nil } }
  }

  /// Reports events of the video that was loaded last.
  mutating func report(_ events: PlayEvent...) {
    guard let id = loads.last?.id else { return nothingAwaited() }
    for event in events { handle(.player(.event(id, event))) }
  }

  /// Fails a test that answers a request that was never sent.
  private func nothingAwaited() { Issue.record("no request is pending") }

  var screen: String { state.draw().text }

  /// The last line of the screen.
  var status: Substring { state.draw().text.split(separator: "\n", omittingEmptySubsequences: false).last ?? "" }
}

extension AppState {
  /// The cards of the selected tab.
  var cards: CardsScreen { tabs.selected.cards }
  var selectedVideo: Video? { selectedCard?.video }
  var shownVideos: [Video] { cards.cards.slots.map { library.store[$0].video } }
}

extension Wait {
  var isPull: Bool {
    if case .pull = self { true } else { false }
  }
}

func ids(_ scenario: Scenario) -> [String] { scenario.state.shownVideos.map(\.id) }

func downloads(_ scenario: Scenario) -> [DownloadRequest] {
  scenario.effects.compactMap { if case .download(let request) = $0 { request } else { nil } }
}

/// The numbers of the videos that were played.
func played(_ scenario: Scenario) -> [Int] { scenario.loads.compactMap { Int($0.title.prefix { $0.isNumber }) } }

/// The cover that a loader creates from a gray picture.
func picture(gray: UInt8, for request: CoverRequest, size pixels: Size? = nil) -> CoverPicture? {
  let tile = request.glyphs.pixelsPerCell
  let cells = pixels.map(request.size(for:)) ?? request.size
  let size = Size(width: cells.width * tile.width, height: cells.height * tile.height)
  let whole = Size(
    width: cells.width * request.cellSize.width, height: cells.height * request.cellSize.height)
  return PixelBuffer(gray: gray, size: size).map { buffer in
    var picture = CoverPicture(
      cells: CellPicture(buffer, glyphs: request.glyphs),
      pixels: request.wantsPixels ? PixelBuffer(gray: gray, size: whole) : nil,
      average: RGB(red: gray, green: gray, blue: gray))
    picture.originalSize = pixels
    return picture
  }
}

extension PixelBuffer {
  init?(gray: UInt8, size: Size) {
    self.init(size: size, bytes: Array(repeating: gray, count: max(0, size.width * size.height * 3)))
  }
}

/// A video whose address needs a request for details, as in a PeerTube list.
func sampleVideoWithoutDetails(_ number: Int) -> Video {
  var video = sampleVideo(number)
  let details = WebAddress("https://tube.example/api/v1/videos/\(number)")
  video.playback = details.map { .details($0, page: video.pageURL) } ?? .unknown
  return video
}

/// Chapters with these starts in seconds and titles.
func chapters(_ marks: (Double, String)...) -> [Chapter] { Chapter.list(marks.map { (start: $0, title: $1) }) }

/// Videos with pictures of several sizes and titles of several lengths.
func sampleVideos(_ count: Int, from first: Int = 0) -> [Video] {
  (first..<first + count).map(sampleVideo)
}

func sampleVideo(_ number: Int) -> Video {
  let titles = [
    "Elephants Dream", "A walk through the old town on a rainy afternoon in late November", "中文视频 学习",
    "Sintel", "The tape that nobody was supposed to find in the attic", "Café noir", "Spring",
  ]
  let sizes = [(1280, 720), (640, 480), (1080, 1350), (1688, 720)]
  let address = WebAddress("https://films.example/\(number).mp4")
  let file = address.map { Playback.direct([MediaFile(url: $0)]) }
  var video = Video(
    id: "film-\(number)", title: "\(number) \(titles[number % titles.count])", playback: file ?? .unknown)
  let size = sizes[number % sizes.count]
  video.pictureSize = number % 5 == 4 ? nil : PixelSize(width: size.0, height: size.1)
  video.duration = number % 6 == 5 ? nil : .seconds(61 + number * 97)
  video.channel = number % 3 == 2 ? nil : "Channel \(number % 4)"
  video.covers = WebAddress("https://films.example/\(number).jpg").map { [Cover(url: $0)] } ?? []
  video.pageURL = number % 2 == 0 ? WebAddress("https://films.example/watch/\(number)") : nil
  video.licence = "CC BY 3.0"
  video.summary = "What happens in film \(number).\n\nAnd how it ends."
  return video
}

extension PlayEvent {
  /// A length that the file states.
  static func duration(seconds: Double) -> PlayEvent { .length(.stated(seconds)) }
}
