import FeedfallFeeds
import FeedfallLoading
import FeedfallPlaying
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The whole program as one value: events go in, effects come out, and `draw()` shows what there is.
public struct AppState: Sendable {
  typealias FeedLoader = Loader<FeedCursor, FeedFailure>

  let settings: AppSettings
  var size = Size.zero
  public internal(set) var cellSize = Size(width: 8, height: 16)
  /// How covers are shown, as far as the terminal has told yet.
  public internal(set) var coverStyle = CoverStyle.blocks
  var sources: [SourceFeed]
  /// One tab for each source; before them that of all, where there are several.
  var tabs: [Tab]
  /// The tab that is seen.
  var seen = 0
  /// What of the sources the tab of all does not show yet.
  var merge = DateMerge()
  /// How the cards lie in every tab.
  var layout: LayoutKind
  /// The sources that are to be asked for their first page as soon as others have answered.
  var toAsk: [SourceID] = []
  var help: HelpScreen?
  var player: PlayerScreen
  var spinner = Spinner()
  var covers = CoverShelf()
  var stillness = Stillness()
  /// What covers were last wished for.
  var attended: Attention?
  var colorPlace: ColorPlace?
  /// What the status line says until the next key.
  var message: String?
  var tickets: TicketOffice

  public init(settings: AppSettings) {
    precondition(!settings.sources.isEmpty, "there is nothing to look at without a source")
    self.settings = settings
    layout = settings.layout
    player = PlayerScreen(session: PlaySession(settings: settings.playing, records: settings.records))
    sources = settings.sources.enumerated().map { SourceFeed(id: SourceID($0), settings: $1) }
    let all = sources.count > 1 ? [Tab(.all, settings: settings)] : []
    tabs = all + sources.map { Tab(.source($0.id), settings: settings) }
    // The sources' loaders have the numbers before.
    tickets = TicketOffice(number: sources.count)
  }

  /// Whether nothing is under way that would change the screen by itself.
  public var isSettled: Bool {
    !pull.isPulling && toAsk.isEmpty && !sources.contains { $0.isBusy }
  }

  /// Whether something that is on this machine already is on its way to what is seen.
  public var isAboutToShow: Bool { seenSources.contains { $0.isAboutToShow } }

  /// Takes in a fact and says what to do about it.
  public mutating func handle(_ event: AppEvent) -> [AppEffect] {
    var effects = react(to: event)
    effects += beginLoading()
    showMerged()
    arrange()
    effects += readAhead()
    arrange()
    waterfall.prepareFaces()
    effects += makeRoom()
    return effects + attendToCovers() + keepSpinning()
  }

  private mutating func react(to event: AppEvent) -> [AppEffect] {
    switch event {
    case .started:
      toAsk = sources.map(\.id)
      return []
    case .input(let input): return handle(input)
    case .screenChanged(let size, let cellSize):
      self.size = size
      guard cellSize != self.cellSize else { return [] }
      self.cellSize = cellSize
      return forgetCovers()
    case .coverStyleChanged(let style): return show(style)
    case .waitElapsed(let wait): return waitElapsed(wait)
    case .pageArrived(let ticket, let page, let now): return take(page, for: ticket, at: now)
    case .pageFailed(let ticket, let failure): return fail(failure, for: ticket)
    case .detailsArrived(let ticket, let video): return take(video, for: ticket)
    case .detailsFailed(let ticket, let failure): return fail(detailsWith: failure, for: ticket)
    case .coverArrived(let ticket, let picture):
      covers.arrived(ticket, picture)
      return []
    case .coverFailed(let ticket):
      return covers.failed(ticket, &tickets)
    case .coverColorsArrived(let ticket, let colors):
      covers.learned(ticket, colors)
      return []
    case .player(let report): return handle(report)
    case .suspending: return carryOut(player.session.suspend())
    case .continued: return carryOut(player.session.proceed())
    case .ending: return carryOut(player.session.close())
    }
  }

  /// Gives every part of the screen its place.
  private mutating func arrange() {
    if waterfall.selection == nil { pane = nil }
    if waterfall.kind != layout { waterfall.switchLayout(to: layout) }
    waterfall.headerRows = headerRows
    waterfall.resize(to: regions.cards.size, cellSize: cellSize)
    // What is empty takes no time; the other tabs get their size when they are seen.
    let whole = regions.whole.size
    for tab in tabs.indices where tab != seen && tabs[tab].waterfall.cards.isEmpty {
      tabs[tab].waterfall.resize(to: whole, cellSize: cellSize)
    }
  }

  private mutating func waitElapsed(_ wait: Wait) -> [AppEffect] {
    switch wait {
    case .loader(let ticket):
      guard let source = sources.first(where: { $0.loader.issued(ticket) }) else { return [] }
      return load(.waitElapsed(ticket), of: source.id)
    case .pull(let ticket):
      guard let isFull = pull.rest(ticket) else { return [] }
      return isFull ? refresh() : []
    case .details(let ticket):
      let ended = sources.indices.filter { sources[$0].details.waitElapsed(ticket) }
      return ended.isEmpty ? [] : completeShownVideo()
    case .spinner(let ticket):
      spinner.turn(ticket)
      return []
    case .rest(let ticket):
      stillness.waitElapsed(ticket)
      return []
    case .covers(let ticket):
      // Asked for when something moves next: nobody who is away is to wake the network.
      covers.waitElapsed(ticket)
      return []
    case .controls(let ticket):
      if player.controls.waitElapsed(ticket), isFullWindow { message = nil }
      return []
    case .secondClick(let ticket):
      if player.click == ticket { player.click = nil }
      return []
    }
  }

  private mutating func keepSpinning() -> [AppEffect] {
    spinner.keepTurning(while: player.session.isWaiting || sources.contains { $0.isLoading }, tickets: &tickets)
  }
}
