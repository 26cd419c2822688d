import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// Covers are not requested while scrolling, except for the first cards.
struct CoverDirector: Equatable, Sendable {
  /// The facts that determine the places of covers on the screen.
  struct Sight: Equatable, Sendable {
    var tab: Int
    var kind: LayoutKind
    var offset: Int
    var displacement: Point
    var viewport: Size
    var details: DetailsScreen?
    var areCardsVisible: Bool
    var detailsCover: CoverKey?

    init(tab: Int, cards: CardsScreen, details: DetailsScreen?, areCardsVisible: Bool, detailsCover: CoverKey?) {
      (self.tab, kind, viewport) = (tab, cards.kind, cards.viewport)
      (offset, displacement) = (cards.offset, cards.displacement)
      (self.details, self.areCardsVisible, self.detailsCover) = (details, areCardsVisible, detailsCover)
    }
  }

  /// The state of the cards at the last request for covers.
  private struct Attention: Equatable {
    var offset: Int
    var revision: Int
    var sizeRevision: Int
    var hadCards: Bool
    var isOutdated = false
  }

  private struct ColorPlace: Equatable {
    var sight: Sight
    var revision: Int

    func isNear(_ other: ColorPlace, within distance: Int) -> Bool {
      sight.tab == other.sight.tab && sight.kind == other.sight.kind && sight.viewport == other.sight.viewport
        && revision == other.revision && abs(sight.offset - other.sight.offset) < distance
    }
  }

  private(set) var style = CoverStyle.blocks
  private var cellSize = Size(width: 8, height: 16)
  /// Nil before the first event with a time.
  private var now: UnixTime?
  var memory = CoverMemory()
  private static let restTime = Duration.milliseconds(100)
  private var sight: Sight?
  private var restPause = Pause()
  private var attention: Attention?
  private var colorPlace: ColorPlace?

  var isAtRest: Bool { sight != nil && !restPause.isRunning }

  var hasPictures: Bool { if case .pictures = style { true } else { false } }

  // MARK: - Events

  mutating func setStyle(_ style: CoverStyle) -> [AppEffect] {
    guard style != self.style else { return [] }
    self.style = style
    return removeAll()
  }

  mutating func setCellSize(_ cellSize: Size) -> [AppEffect] {
    guard cellSize != self.cellSize else { return [] }
    self.cellSize = cellSize
    return removeAll()
  }

  /// Removes all covers, because they were made for one cell size and one style.
  private mutating func removeAll() -> [AppEffect] {
    attention = nil
    return memory.removeAll()
  }

  /// Inserts a cover and returns its card; nil for an old ticket.
  mutating func insert(_ picture: CoverPicture, for ticket: Ticket) -> CardID? {
    guard let (card, hasWantedSize) = memory.insert(picture, for: ticket, at: now) else { return nil }
    // A card that cannot adopt the proportions of its cover needs the cover in its present size.
    if !hasWantedSize { attention?.isOutdated = true }
    return card
  }

  mutating func restWaitElapsed(_ ticket: Ticket) { restPause.end(ticket) }

  mutating func retry() {
    memory.retry(at: now)
    attention?.isOutdated = true
  }

  // MARK: - Requests

  /// `neighbors` are the covers that the details pane shows next.
  mutating func update(
    visible sight: Sight, of cards: CardsScreen, in store: CardStore, neighbors: [CoverKey], at now: UnixTime?,
    _ tickets: inout TicketOffice
  ) -> [AppEffect] {
    guard case .pictures = style else { return [] }
    self.now = now
    var effects: [AppEffect] = []
    if sight != self.sight {
      self.sight = sight
      effects = restPause.begin(Self.restTime, &tickets, Wait.rest)
      memory.clearQueue()
      attention?.isOutdated = true
    }
    let isNew =
      attention.map { $0.isOutdated || $0.revision != cards.revision || $0.sizeRevision != cards.sizeRevision } ?? true
    if isNew, isAtRest || attention?.hadCards != true {
      let isForward = attention.map { sight.offset >= $0.offset } ?? true
      attention = Attention(
        offset: sight.offset, revision: cards.revision, sizeRevision: cards.sizeRevision, hadCards: !cards.cards.isEmpty
      )
      effects += memory.setWishes(wishes(of: sight, cards, store, isForward: isForward, neighbors: neighbors), at: now)
    }
    effects += requestColors(sight, cards, store, &tickets)
    // Each round sends requests, drops keys, or finds that no server has room.
    while !memory.nextKeys.isEmpty {
      let requests = memory.nextKeys.map { request(for: $0, of: cards, in: store) }
      effects += memory.send(requests, &tickets)
    }
    return effects
  }

  private func wishes(
    of sight: Sight, _ cards: CardsScreen, _ store: CardStore, isForward: Bool, neighbors: [CoverKey]
  ) -> CoverMemory.Wishes {
    var wishes = CoverMemory.Wishes()
    if let key = sight.detailsCover { wishes.visible.append(key) }
    guard sight.areCardsVisible else {
      wishes.ahead = neighbors
      return wishes
    }
    let length = cards.layout.viewportLength
    let (next, last) = (cards.coverKeys(by: length, store), cards.coverKeys(by: -length, store))
    if let header = cards.headerPicture { wishes.visible.append(header.key) }
    wishes.visible += cards.coverKeys(by: 0, store)
    let visible = Set(wishes.visible)
    // When moving backward, the last covers are the nearest.
    wishes.ahead = (neighbors + (isForward ? next : last.reversed())).filter { !visible.contains($0) }
    wishes.nearby = isForward ? last : next
    return wishes
  }

  /// Known colors are placeholders while scrolling: of two screens in both directions, when the cards move by a screen.
  private mutating func requestColors(
    _ sight: Sight, _ cards: CardsScreen, _ store: CardStore, _ tickets: inout TicketOffice
  ) -> [AppEffect] {
    let length = cards.layout.viewportLength
    let place = ColorPlace(sight: sight, revision: cards.revision)
    let isKnown = colorPlace?.isNear(place, within: max(1, length)) ?? false
    guard !isKnown, sight.areCardsVisible else { return [] }
    let screens = newScreens(at: place, length: length)
    colorPlace = place
    let keys = memory.withoutColor(screens.flatMap { cards.coverKeys(by: $0 * length, store) })
    let wishes = keys.map { key in
      CoverMemory.ColorWish(card: key.card, addresses: request(for: key, of: cards, in: store)?.addresses ?? [])
    }
    return memory.requestColors(wishes, &tickets)
  }

  /// The screens, counted from the visible one, whose colors the last request does not include.
  private func newScreens(at place: ColorPlace, length: Int) -> [Int] {
    guard let last = colorPlace, last.isNear(place, within: 2 * length) else { return [0, 1, 2, -1, -2] }
    return place.sight.offset > last.sight.offset ? [1, 2] : [-1, -2]
  }

  private func request(for key: CoverKey, of cards: CardsScreen, in store: CardStore) -> CoverRequest? {
    if let header = cards.headerPicture, header.key.card == key.card {
      return request(for: header.card.video, size: key.size)
    }
    guard let slot = store.slot(of: key.card), cards.cards.contains(slot) else { return nil }
    var request = request(for: store[slot].video, size: key.size)
    let origin = store.shape(of: slot).origin
    request?.learnsSize = origin != .feed
    if origin == .none { request?.freeHeight = cards.freeCoverHeight(of: slot, in: key.size) }
    return request
  }

  private func request(for video: borrowing Video, size: Size) -> CoverRequest? {
    guard case .pictures(let glyphs, let wantsPixels) = style else { return nil }
    var request = CoverRequest(for: video, size: size, cellSize: cellSize, glyphs: glyphs, wantsPixels: wantsPixels)
    request?.pace = CoverPace(video, at: now)
    request?.page = video.pageURL
    return request
  }

  func picture(_ key: CoverKey) -> CoverView? { memory[key].map { CoverView(ground: .picture($0)) } }

  /// `isScalable`: whether a cover of another size is better than none.
  func view(
    of card: CardID, title: String, _ initial: TitleInitial, _ hue: PlaceholderHue, badge: GlyphRun?, size: Size,
    isScalable: Bool = false
  ) -> CoverView {
    func placeholder(_ average: RGB? = nil, _ state: CoverView.Placeholder.State = .none) -> CoverView.Ground {
      .placeholder(CoverView.Placeholder(hue: hue, average: average, initial: initial, state: state))
    }
    let ground: CoverView.Ground
    switch style {
    case .initials: ground = .initial(of: title)
    case .blocks: ground = placeholder()
    case .pictures:
      let key = CoverKey(card: card, size: size)
      let cover = memory[key] ?? (isScalable ? memory.scaledCover(for: key) : nil)
      ground = cover.map { .picture($0) } ?? placeholder(memory.color(of: card), memory.state(of: key))
    }
    return CoverView(ground: ground, badge: badge)
  }
}
