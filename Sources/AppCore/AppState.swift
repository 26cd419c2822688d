import Geometry
import Loading
import Screen
import VideoFeed

/// The whole program as one value: events go in, effects come out, and `draw()` shows what there is.
public struct AppState: Sendable {
  typealias FeedLoader = Loader<FeedCursor, FeedFailure>

  let settings: AppSettings
  var size = Size.zero
  public internal(set) var cellSize = Size(width: 8, height: 16)
  var loader: FeedLoader
  var waterfall: WaterfallScreen
  var pull = PullGesture()
  /// The open detail pane.
  var pane: DetailPane?
  var help: HelpScreen?
  var search: SearchField?
  var details = DetailsRequest()
  var spinner = Spinner()
  /// What the status line says until the next key.
  var message: String?
  /// How many videos the feed says it has.
  var total: Int?
  /// How many items of the pages so far could not be understood.
  var skippedCount = 0
  var feedTitle: String?
  var tickets = TicketOffice(number: 1)

  public init(settings: AppSettings) {
    self.settings = settings
    loader = Loader(firstCursor: .start, policy: settings.policy)
    waterfall = WaterfallScreen(kind: settings.layout, options: settings.layoutOptions)
  }

  /// Whether nothing is under way that would change the screen by itself.
  public var isSettled: Bool {
    !loader.isBusy && !pull.isPulling && !details.isUnderWay
  }

  /// Takes in a fact and says what to do about it.
  public mutating func handle(_ event: AppEvent) -> [AppEffect] {
    var effects = react(to: event)
    arrange()
    if waterfall.isNearEnd(settings.readAhead) { effects += load(.endReached) }
    arrange()
    waterfall.prepareFaces()
    return effects + keepSpinning()
  }

  private mutating func react(to event: AppEvent) -> [AppEffect] {
    switch event {
    case .started: return load(.refreshAsked)
    case .input(let input): return handle(input)
    case .screenChanged(let size, let cellSize):
      self.size = size
      self.cellSize = cellSize
      return []
    case .waitElapsed(let wait): return waitElapsed(wait)
    case .pageArrived(let ticket, let page): return take(page, for: ticket)
    case .pageFailed(let ticket, let failure): return fail(failure, for: ticket)
    case .detailsArrived(let ticket, let video): return take(video, for: ticket)
    case .detailsFailed(let ticket, let failure): return fail(detailsWith: failure, for: ticket)
    case .playerEnded(let outcome):
      message = PlayerWords.message(for: outcome)
      return []
    }
  }

  /// Gives every part of the screen its place.
  private mutating func arrange() {
    if waterfall.selection == nil { pane = nil }
    waterfall.headerRows = headerRows
    waterfall.resize(to: regions.cards.size, cellSize: cellSize)
  }

  private mutating func waitElapsed(_ wait: Wait) -> [AppEffect] {
    switch wait {
    case .loader(let ticket): return load(.waitElapsed(ticket))
    case .pull(let ticket):
      guard let isFull = pull.rest(ticket) else { return [] }
      return isFull ? refresh() : []
    case .details(let ticket):
      return details.waitElapsed(ticket) ? completeShownVideo() : []
    case .spinner(let ticket):
      spinner.turn(ticket)
      return []
    }
  }

  private mutating func keepSpinning() -> [AppEffect] {
    spinner.keepTurning(while: isLoading, tickets: &tickets)
  }

  /// Whether an answer is on its way.
  var isLoading: Bool {
    if case .loading = loader.phase { return true }
    return details.isUnderWay
  }
}
