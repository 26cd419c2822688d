import FeedfallFeeds
import FeedfallLoading
import FeedfallPlaying
import FeedfallScreen
import FeedfallUserData

/// Chooses the video to play: the selected one, one beside the last, or the next one as soon as it is loaded.
struct PlaybackDirector: Sendable {
  var screen: PlayerScreen
  /// The card of the video that plays or was played last.
  private(set) var card: CardID?
  /// The key of its record. Another card with the key shows the same video: several sources may list it, and a tab of
  /// records restores a card for it.
  private(set) var key: VideoKey?
  /// The cards of the tab among which the video was sought in vain.
  private var soughtRevision: Int?
  /// The tab in whose order the next video is found.
  private var tab = 0
  /// The playing video's last index in the tab, which remains its place after a filter has excluded it.
  private var lastIndex: Int?
  /// Whether the next video in the queue follows the playing one.
  private var continuesInQueue = false
  /// Whether the next video is played as soon as it is loaded.
  private var isAwaitingNext = false
  /// The position at which the next video was prepared last, in seconds; nil before that.
  private var preparedAt: Double?
  private var shuffledOrder: ShuffledOrder

  init(settings: AppSettings) {
    screen = PlayerScreen(session: PlaySession(settings: settings.playing))
    shuffledOrder = ShuffledOrder(seed: settings.shuffleSeed)
  }

  // MARK: - Place

  /// Whether the details show the video that plays or was played last.
  func isCardShown(in browsing: Browsing) -> Bool {
    browsing.tabs.selected.details != nil && key != nil && browsing.selectedCard?.key == key
  }

  /// Whether a refresh has removed the card of the playing video.
  func isCardGone(from browsing: Browsing) -> Bool {
    guard let card, !browsing.library.store.isListed(card) else { return false }
    return index(in: browsing) == nil && browsing.index(of: card, in: browsing.tabs.selection) == nil
  }

  /// The playing video's number in its tab, from 1, and how many videos that has.
  func position(in browsing: Browsing) -> (number: Int, count: Int)? {
    index(in: browsing).map { ($0 + 1, browsing.tabs[tab].cards.cards.count) }
  }

  private func index(in browsing: Browsing) -> Int? { card.flatMap { browsing.index(of: $0, in: tab) } }

  /// Remembers the playing video's place before a filter excludes it, and follows it to another card of the same video.
  mutating func follow(in browsing: Browsing) {
    if card != nil, index(in: browsing) == nil { adoptTwin(in: browsing) }
    lastIndex = index(in: browsing) ?? lastIndex
  }

  /// - Complexity: O(n) in the cards of the tab after each change of them, else O(1).
  private mutating func adoptTwin(in browsing: Browsing) {
    let cards = browsing.tabs[tab].cards
    guard cards.revision != soughtRevision else { return }
    soughtRevision = cards.revision
    let store = browsing.library.store
    guard let twin = cards.cards.slots.first(where: { store[$0].key == key }) else { return }
    card = store[twin].id
  }

  /// The index beside which the next or previous video is; nil if a refresh has removed the card. The next card takes the
  /// place of one that a filter has excluded.
  private func place(by step: Int, in browsing: Browsing) -> Int? {
    if let index = index(in: browsing) { return index }
    guard let card, let lastIndex, browsing.library.store.isListed(card) else { return nil }
    let index = min(lastIndex, browsing.tabs[tab].cards.cards.count)
    return step > 0 ? index - 1 : index
  }

  // MARK: - Commands

  /// Performs a command of the user. The next video is no longer awaited.
  mutating func perform(_ command: PlayCommand) -> [Intent] {
    isAwaitingNext = false
    return screen.perform(command)
  }

  /// Plays the selected video in its details, or pauses it.
  mutating func play(in browsing: inout Browsing) -> [Intent] {
    guard let card = browsing.selectedCard else { return [] }
    if card.key == key, screen.session.isUnderWay { return [.control(.togglePause)] }
    let opening = browsing.tabs.selected.details == nil ? browsing.openDetails() : []
    return opening + play(card, in: &browsing)
  }

  /// Plays a video as soon as its address is known.
  private mutating func play(_ card: Card, in browsing: inout Browsing) -> [Intent] {
    isAwaitingNext = false
    browsing.library.cancelPlayback()
    let needsAddress = !browsing.isDownloaded(card) && browsing.isAddressMissing(in: card)
    return needsAddress ? browsing.requestAddress(of: card, .play) : start(card, in: &browsing)
  }

  /// Plays a video whose address has been requested, if necessary.
  mutating func start(_ card: Card, in browsing: inout Browsing) -> [Intent] {
    let video = browsing.playable(card)
    guard card.hasAddress || video.playbackURL != nil else {
      let (hasPage, isListed) = (card.video.pageURL != nil, card.video.id != card.key.text)
      return [.showMessage(PlayerWords.noAddress(card.video.title, hasPage: hasPage, isListed: isListed))]
    }
    if browsing.selectedCard?.id == card.id {
      tab = browsing.tabs.selection
    } else if browsing.index(of: card.id, in: tab) == nil {
      tab = browsing.tabs.index(of: card.source) ?? tab
    }
    (self.card, key, isAwaitingNext, preparedAt) = (card.id, card.key, false, nil)
    soughtRevision = nil
    // A tab that was never shown has no cards yet.
    browsing.updateTab(tab)
    lastIndex = index(in: browsing)
    if isCardShown(in: browsing) { browsing.tabs.selected.details = DetailsScreen() }
    continuesInQueue = browsing.isQueue(tab)
    let item = browsing.playItem(of: card, isContinued: continuesInQueue)
    let check = browsing.isDownloaded(card) ? [Intent.effect(.checkDownload(card.key))] : []
    return check + [.start(item)] + browsing.requestChapters(of: card)
  }

  /// Updates the playing video with details that have arrived.
  mutating func update(_ card: Card, in browsing: Browsing) {
    guard card.key == key else { return }
    screen.update(PlayItem(browsing.playable(card), key: card.key, isContinued: continuesInQueue))
  }

  /// Updates a failed video that has been downloaded since, so that a retry plays the file.
  mutating func downloaded(_ key: VideoKey, in browsing: Browsing) {
    let store = browsing.library.store
    guard screen.session.failure != nil, let card, let slot = store.slot(of: card), store[slot].key == key else {
      return
    }
    update(store[slot], in: browsing)
  }

  /// Opens the details of the playing video, in its tab or else in that of its source. A video whose card is gone has no
  /// details: it is stopped.
  func showPlaying(in browsing: inout Browsing) -> [Intent] {
    guard screen.isActive, let card else { return [.showMessage(PlayerWords.nothingPlays)] }
    guard !isCardGone(from: browsing) else {
      return [.showMessage(PlayerWords.endedAsGone(title)), .control(.stop)]
    }
    let tabs = [browsing.tabs.selection, tab, browsing.tabs.index(of: card.source)].compactMap(\.self)
    for index in tabs { browsing.updateTab(index) }
    guard let shown = tabs.first(where: { browsing.index(of: card, in: $0) != nil }) else {
      return [.showMessage(PlayerWords.isExcluded(title))]
    }
    let intents = browsing.selectTab(shown)
    guard let index = browsing.index(of: card, in: browsing.tabs.selection) else { return intents }
    browsing.tabs.selected.cards.select(index)
    browsing.tabs.selected.details = DetailsScreen()
    return intents + browsing.completeDetails()
  }

  /// `hasDetails`: whether the details are open; then they are closed, and the picture moves over the cards.
  mutating func togglePictureInPicture(hasDetails: Bool) -> [Intent] {
    guard screen.isActive else { return [.showMessage(PlayerWords.nothingPlays)] }
    guard hasDetails else {
      screen.toggleCorner()
      return []
    }
    screen.moveToCorner()
    return [.closeDetails]
  }

  private var title: String { screen.session.item?.title ?? "" }

  // MARK: - Neighbors

  /// Plays the previous or next video that may have an address, and shows its details.
  mutating func playNeighbor(by step: Int, in browsing: inout Browsing) -> [Intent] {
    browsing.updateTab(tab)
    guard let index = place(by: step, in: browsing) else { return [.showMessage(PlayerWords.isGone(title))] }
    guard let neighbor = next(to: index, by: step, in: browsing) else {
      return step > 0 ? requestNext(in: &browsing) : [.showMessage(PlayerWords.isFirst)]
    }
    let card = browsing.library.store[browsing.tabs[tab].cards.cards[neighbor]]
    let isShown = isCardShown(in: browsing) && tab == browsing.tabs.selection
    if isShown {
      browsing.tabs.selected.cards.select(neighbor)
      browsing.tabs.selected.details = DetailsScreen()
    }
    let intents = play(card, in: &browsing)
    let mayRequest = isShown && !browsing.library[card.source].details.isPending
    return intents + (mayRequest ? browsing.completeDetails() : [])
  }

  /// The index of the video before or after another one, in the shuffled order if there is one. A list that is repeated
  /// continues at its other end once all videos are loaded.
  private mutating func next(to index: Int, by step: Int, in browsing: Browsing) -> Int? {
    let wraps = screen.session.settings.loop == .list && !hasMore(in: browsing)
    if screen.session.settings.shuffles { return shuffled(by: step, startsOver: wraps, in: browsing) }
    if let neighbor = neighbor(of: index, by: step, in: browsing) { return neighbor }
    guard wraps else { return nil }
    return neighbor(of: step > 0 ? -1 : browsing.tabs[tab].cards.cards.count, by: step, in: browsing)
  }

  private mutating func shuffled(by step: Int, startsOver: Bool, in browsing: Browsing) -> Int? {
    guard let card else { return nil }
    let cards = browsing.tabs[tab].cards.cards.slots.lazy.map { browsing.library.store[$0] }
      .filter(\.mayBePlayed).map(\.id)
    let next =
      step > 0
      ? shuffledOrder.next(after: card, among: Array(cards), startsOver: startsOver)
      : shuffledOrder.previous(before: card, among: Array(cards))
    return next.flatMap { browsing.index(of: $0, in: tab) }
  }

  private func hasMore(in browsing: Browsing) -> Bool {
    browsing.library.hasMore(browsing.tabs[tab].content)
  }

  /// The index of the nearest video in a direction that may have an address.
  private func neighbor(of index: Int, by step: Int, in browsing: Browsing) -> Int? {
    let cards = browsing.tabs[tab].cards.cards
    return stride(from: index + step, to: step > 0 ? cards.count : -1, by: step)
      .first { browsing.library.store[cards[$0]].mayBePlayed }
  }

  /// Whether there are a previous and a next video, loaded or not, that may have an address.
  func neighbors(in browsing: Browsing) -> (previous: Bool, next: Bool) {
    guard let before = place(by: -1, in: browsing), let after = place(by: 1, in: browsing) else {
      return (false, false)
    }
    let settings = screen.session.settings
    if settings.shuffles || settings.loop == .list { return (true, true) }
    return (
      neighbor(of: before, by: -1, in: browsing) != nil,
      neighbor(of: after, by: 1, in: browsing) != nil || hasMore(in: browsing)
    )
  }

  /// In seconds of the video. The next video may be unknown at first, its source busy, or a request for it fail.
  private static let preparationInterval = 5.0

  private var isPreparationDue: Bool {
    guard screen.session.isNearEnd else { return false }
    return preparedAt.map { abs(screen.session.shownTime - $0) >= Self.preparationInterval } ?? true
  }

  /// Requests the address of the next video, or else the next page, several times before the playing video ends.
  mutating func prepareNext(in browsing: inout Browsing) -> [Intent] {
    guard isPreparationDue else { return [] }
    preparedAt = screen.session.shownTime
    browsing.updateTab(tab)
    guard let index = place(by: 1, in: browsing) else { return [] }
    // The shuffled order of a copy is that of the next video, without a change to what has been played.
    var trial = self
    guard let next = trial.next(to: index, by: 1, in: browsing) else {
      return browsing.requestMore(for: tab).map { $0.map(Intent.effect) } ?? []
    }
    return browsing.prepareAddress(of: browsing.library.store[browsing.tabs[tab].cards.cards[next]])
  }

  /// Requests more videos, the first of which is played when it arrives.
  private mutating func requestNext(in browsing: inout Browsing) -> [Intent] {
    guard let effects = browsing.requestMore(for: tab) else { return [noNext(in: browsing)] }
    isAwaitingNext = true
    return [.showMessage(PlayerWords.loadingNext)] + effects.map(Intent.effect)
  }

  /// Plays the next video if one was awaited and has arrived.
  mutating func playAwaited(in browsing: inout Browsing) -> [Intent] {
    guard isAwaitingNext else { return [] }
    browsing.updateTab(tab)
    if let index = place(by: 1, in: browsing), next(to: index, by: 1, in: browsing) == nil {
      guard !browsing.library.sources(of: browsing.tabs[tab].content).contains(where: \.isBusy) else { return [] }
      isAwaitingNext = false
      return [noNext(in: browsing)]
    }
    isAwaitingNext = false
    return playNeighbor(by: 1, in: &browsing)
  }

  private func noNext(in browsing: Browsing) -> Intent {
    // A failure of a page is the reason why the next video is missing.
    let failure = browsing.library.sources(of: browsing.tabs[tab].content).lazy.filter(\.hasMore)
      .compactMap { $0.loader.shownFailure?.failure }.first
    if let failure { return .showMessage(PlayerWords.nextFailed(failure)) }
    return .showMessage(hasMore(in: browsing) ? PlayerWords.isLastLoaded : PlayerWords.isLast)
  }
}
