import WaterfallEngine

extension CardsScreen {
  /// Pulls the header into view, a row for each key press at the top.
  ///
  /// A pull begins with a new press: a key that is held down on the way to the top does not go on into a pull.
  /// Terminals report a held key as presses, which only their intervals distinguish.
  struct PullGesture: Equatable, Sendable {
    static let fullPull = 3
    /// The header is released when no key was pressed for this time.
    static let restTime = Duration.milliseconds(300)
    /// The pause in the repeated keys after which a press at the top is a new one.
    private static let repeatPause = Duration.milliseconds(250)
    /// Longer than the time after which keyboards begin to repeat a held key, which is 660 ms in X.
    private static let repeatDelay = Duration.milliseconds(700)

    private enum Phase: Equatable {
      case resting
      case arriving(Ticket)
      case pulling(rows: Int, Ticket)
    }
    private var phase = Phase.resting

    var rows: Int { if case .pulling(let rows, _) = phase { rows } else { 0 } }
    var isPulling: Bool { rows > 0 }
    var headerState: RefreshState { rows == Self.fullPull ? .pulling : .idle }

    /// Prevents a pull until a key that brought the view to the top can no longer be held down.
    mutating func arriveByKey(_ ticket: Ticket) -> [AppEffect] { arrive(ticket, pause: Self.repeatDelay) }

    /// Prevents a pull until the wheel pauses.
    mutating func arriveByWheel(_ ticket: Ticket) -> [AppEffect] { arrive(ticket, pause: Self.repeatPause) }

    private mutating func arrive(_ ticket: Ticket, pause: Duration) -> [AppEffect] {
      phase = .arriving(ticket)
      return [.wait(pause, .pull(ticket))]
    }

    mutating func pull(_ ticket: Ticket) -> [AppEffect] {
      if case .arriving = phase { return arrive(ticket, pause: Self.repeatPause) }
      // The header shows the time since the last refresh.
      let clock: [AppEffect] = isPulling ? [] : [.readClock]
      phase = .pulling(rows: min(rows + 1, Self.fullPull), ticket)
      return clock + [.wait(Self.restTime, .pull(ticket))]
    }

    mutating func cancel() { phase = .resting }

    /// Returns whether it was pulled far enough to refresh; nil for an old ticket.
    mutating func release(_ ticket: Ticket) -> Bool? {
      switch phase {
      case .pulling(let rows, ticket):
        phase = .resting
        return rows == Self.fullPull
      case .arriving(ticket): phase = .resting
      case .resting, .arriving, .pulling: break
      }
      return nil
    }
  }

  /// Nil for the videos that have left their feeds.
  func sourceName(of source: SourceID) -> String? {
    sourceNames.indices.contains(source.number) ? sourceNames[source.number].nonEmpty : nil
  }

  var selectedSlot: CardSlot? { selection.map { cards[$0] } }

  func selectedCard(in store: CardStore) -> Card? { selectedSlot.map { store[$0] } }

  var metrics: CardMetrics { layout.metrics }
  var table: CardTable? {
    layout.traits.isTable
      ? CardTable(width: max(0, viewport.width - 2 * layout.margin), hasChannel: hasChannelColumn) : nil
  }
  /// A column with one value has no use.
  var hasChannelColumn: Bool { sourceNames.isEmpty ? cards.channels.isVaried : cards.sources.isVaried }
  var isAtTop: Bool { navigator.isAtTop }
  var isLastCardVisible: Bool { visibleCards.contains(cards.count - 1) }
  var shift: Int { isAtTop ? headerRows : 0 }
  var displacement: Point { isHorizontal ? Point(x: shift * CardNavigator.columnsPerRow, y: 0) : Point(x: 0, y: shift) }

  func frame(of card: Int) -> Rect { layout.frame(of: card) }

  var visibleElements: [LayoutAttributes] { navigator.visibleElements }
  var shownElements: [LayoutAttributes] { navigator.shownElements }
  var visibleCards: [Int] { navigator.visibleCards }

  /// In cells of the viewport; nil if the card has no cover.
  func coverFrame(of card: Int) -> Rect? {
    let element = visibleElements.first { $0.kind == .item && layout.card(at: $0.path) == card }
    guard let frame = element?.frame.offsetBy(x: displacement.x, y: displacement.y) else { return nil }
    return metrics.coverFrame(in: frame, of: cards.shapes[card])
  }

  func card(at point: Point) -> Int? {
    let inside = Point(x: point.x - displacement.x, y: point.y - displacement.y)
    let hit = visibleElements.last { $0.frame.contains(inside) && ($0.kind == .item || $0.isPinned) }
    return hit.flatMap { $0.kind == .item ? layout.card(at: $0.path) : nil }
  }

  /// The number of cards from the last visible one on.
  var remainingCount: Int { cards.count - (visibleCards.max() ?? selection ?? 0) }

  func isFooter(at point: Point) -> Bool {
    guard !cards.isEmpty else { return false }
    if isHorizontal { return isLastCardVisible && point.y == viewport.height - 1 }
    let inside = Point(x: point.x - displacement.x, y: point.y - displacement.y)
    return visibleElements.last { $0.frame.contains(inside) }?.kind == .footer
  }
}
