import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText

/// Chooses the video to play: the selected one, one beside the last, or the next one as soon as it is loaded.
struct PlaybackDirector: Equatable, Sendable {
  var screen: PlayerScreen
  fileprivate(set) var card: CardID?
  /// Several cards may show the video: those of other sources, and a restored one in a tab of records.
  fileprivate(set) var key: VideoKey?
  @Boxed fileprivate var list: PlayList? = nil
  @Boxed fileprivate var upcoming = Upcoming.none { didSet { screen.awaitedTitle = upcoming.title } }
  /// Whether the next video in the queue follows the playing one.
  fileprivate var continuesInQueue = false
  /// The position at which the next video was prepared last, in seconds; nil before that.
  fileprivate var preparedAt: Double?
  fileprivate var skippedCount = 0
  fileprivate let shuffleSeed: UInt64

  fileprivate struct Next: Equatable, Sendable {
    var card: Card
    var list: PlayList
    var choice: Choice
    var isSoundOnly = false
  }

  fileprivate enum Choice: Sendable { case selected, neighbor, autoplay }

  fileprivate enum Upcoming: Equatable, Sendable {
    case none
    /// It is played as soon as a page with one arrives.
    case page(Choice)
    case next(Next, hasFailed: Bool)

    /// The player shows it in place of a video that has ended.
    var title: String? {
      switch self {
      case .page: Words.loadingNext
      case .next(let next, hasFailed: false): next.choice == .selected ? nil : next.card.video.title
      case .none, .next: nil
      }
    }
  }

  /// Autoplay skips this many videos without an address in succession.
  fileprivate static let maximumSkippedCount = 3

  init(settings: AppSettings) {
    screen = PlayerScreen(session: PlaySession(settings: settings.playing))
    shuffleSeed = settings.shuffleSeed
  }

  // MARK: - Place

  func isCardShown(in browsing: Browsing) -> Bool { shows(awaitedCard?.key ?? key, in: browsing) }

  fileprivate func shows(_ key: VideoKey?, in browsing: Browsing) -> Bool {
    browsing.tabs.selected.details != nil && key != nil && browsing.selectedCard?.key == key
  }

  /// The card of the video that was to play and has no address.
  var failedCard: Card? { if case .next(let next, hasFailed: true) = upcoming { next.card } else { nil } }

  fileprivate var next: Next? { if case .next(let next, hasFailed: false) = upcoming { next } else { nil } }
  fileprivate var shownList: PlayList? { awaitedCard == nil ? list : next?.list }

  /// The card of the next video, which the player shows after the end of the last one.
  var awaitedCard: Card? { screen.upcomingTitle == nil ? nil : next?.card }

  func shownCard(in store: CardStore) -> Card? { awaitedCard ?? card.flatMap { store.slot(of: $0) }.map { store[$0] } }

  /// The playing video's number in its list, from 1, and how many videos that has.
  func position(in browsing: Browsing) -> (number: Int, count: Int)? {
    guard let list = shownList, let tab = browsing.tabs.index(of: list.origin) else { return nil }
    return (list.place + 1, max(list.slots.count, browsing.tabs[tab].cards.cards.count))
  }

  /// The cards of the lists, which must stay in the store.
  var listedSlots: [[CardSlot]] {
    let nextList: PlayList? = if case .next(let next, _) = upcoming { next.list } else { nil }
    return [nextList, list].compactMap(\.self).flatMap { [$0.slots, $0.requests] }
  }

  // MARK: - Commands

  /// Whether a video is to play once its page or its address arrives.
  var awaitsNext: Bool {
    guard !screen.session.isUnderWay else { return false }
    return switch upcoming {
    case .page, .next(_, hasFailed: false): true
    case .none, .next: false
    }
  }

  /// Lets a video also follow the next one, which may be played once its address arrives, or after a retry.
  fileprivate mutating func requestAfterUpcoming(_ slot: CardSlot, _ key: VideoKey) {
    guard case .next(var next, let hasFailed) = upcoming, next.card.key != key else { return }
    next.list.request(slot)
    upcoming = .next(next, hasFailed: hasFailed)
  }

  fileprivate mutating func fail(_ next: Next) {
    upcoming = .next(next, hasFailed: true)
    if !screen.session.isUnderWay { screen.leaveFullWindow() }
  }

  fileprivate func isAsked(about key: VideoKey) -> Bool {
    guard case .leavesHTTPS = screen.session.failure else { return false }
    return screen.session.item?.key == key
  }

  mutating func update(_ card: Card, in browsing: Browsing) {
    guard card.key == key else { return }
    screen.session.update(browsing.playItem(of: card, isContinued: continuesInQueue))
  }

  /// The video plays again from its downloaded file, or from its addresses once that was deleted.
  mutating func downloadChanged(_ key: VideoKey, in browsing: Browsing) {
    let store = browsing.library.store
    guard key == self.key, let card, let slot = store.slot(of: card) else { return }
    update(store[slot], in: browsing)
  }

  /// O(n) unless its card is there.
  fileprivate func index(of key: VideoKey, in browsing: Browsing, tab: Int) -> Int? {
    let (cards, store) = (browsing.tabs[tab].cards.cards, browsing.library.store)
    return (awaitedCard?.id ?? card).flatMap { store.slot(of: $0) }.flatMap(cards.index)
      ?? cards.slots.firstIndex { store[$0].key == key }
  }

  fileprivate func pictureWarning(_ obstacle: VideoOutput.Obstacle?) -> String? {
    let fault = screen.session.settings.libraryFault
    guard screen.session.lacksPicture, obstacle != nil || fault != nil else { return nil }
    return Words.noPicture(because: obstacle, fault)
  }

  // MARK: - Neighbors

  /// A list that is repeated continues at its other end once all videos are loaded.
  fileprivate func order(of list: PlayList, in browsing: Browsing) -> PlayList.Order {
    let settings = screen.session.settings
    let wraps = settings.loop == .list && !browsing.library.hasMore(list.origin)
    return PlayList.Order(shuffles: settings.shuffles, wraps: wraps)
  }

  fileprivate func continuesQueue(_ list: PlayList, in browsing: Browsing) -> Bool {
    list.isQueue || list.hasRequest(in: browsing.library.store)
  }

  /// Whether there are a previous and a next video, loaded or not, that may have an address.
  func neighbors(in browsing: Browsing) -> (previous: Bool, next: Bool) {
    guard let list else { return (false, false) }
    if screen.session.settings.shuffles || screen.session.settings.loop == .list { return (true, true) }
    let hasNext = list.mayMove(by: 1, in: browsing) || browsing.library.hasMore(list.origin)
    return (list.mayMove(by: -1, in: browsing), hasNext)
  }

  /// In seconds of the video. The next video may be unknown at first, its source busy, or a request for it fail.
  private static let preparationInterval = 5.0

  fileprivate var isPreparationDue: Bool {
    guard screen.session.isNearEnd else { return false }
    return preparedAt.map { abs(screen.session.shownTime - $0) >= Self.preparationInterval } ?? true
  }
}

extension AppState {
  // MARK: - Commands

  /// A command that stops or restarts playback replaces the next video.
  mutating func performInSession(_ command: PlayCommand) -> [AppEffect] {
    switch command {
    // The last video does not start again while the next one is awaited.
    case .togglePause where playback.awaitsNext, .replay where playback.awaitsNext: return []
    case .stop: return endAwaiting() + carryOut(playback.screen.perform(command))
    default: return carryOut(playback.screen.perform(command))
    }
  }

  private mutating func endAwaiting() -> [AppEffect] {
    playback.upcoming = .none
    if !player.session.isUnderWay { playback.screen.leaveFullWindow() }
    return browsing.library.withdrawDetails(.play)
  }

  /// Plays the selected video in its details, or pauses it; `isSoundOnly` toggles audio only for the playing one.
  mutating func play(isSoundOnly: Bool = false) -> [AppEffect] {
    guard let card = selectedCard else { return [] }
    if card.key == playback.key, player.session.isUnderWay {
      return control(isSoundOnly ? .togglePresentation(.soundOnly) : .togglePause)
    }
    guard details == nil else { return playSelected(isSoundOnly: isSoundOnly) }
    let opening = browsing.openDetails()
    browsing.tabs.selected.details?.areOpenedToPlay = true
    return opening + playSelected(isSoundOnly: isSoundOnly)
  }

  mutating func playSelected(isSoundOnly: Bool = false) -> [AppEffect] {
    guard let card = selectedCard, let place = tabs.selected.cards.selection else { return [] }
    let list = PlayList(of: tabs.selected, at: place, card.key, shuffledBy: playback.shuffleSeed)
    return play(.init(card: card, list: list, choice: .selected, isSoundOnly: isSoundOnly))
  }

  /// The video is played after the playing one, also without autoplay.
  mutating func queueNext() -> [AppEffect] {
    let effects = browsing.queueNext(at: now)
    guard let card = browsing.firstMeantCard, card.key != playback.key, let slot = library.store.slot(of: card.id)
    else { return effects }
    playback.requestAfterUpcoming(slot, card.key)
    guard player.session.isUnderWay else { return effects }
    playback.list?.request(slot)
    playback.continuesInQueue = true
    playback.screen.session.continueAfterEnd()
    return effects
  }

  private mutating func play(_ next: PlaybackDirector.Next) -> [AppEffect] {
    guard !browsing.isDownloaded(next.card), browsing.isAddressMissing(in: next.card) else {
      return browsing.library.withdrawDetails(.play) + start(next)
    }
    playback.upcoming = .next(next, hasFailed: false)
    return browsing.requestAddress(of: next.card, .play)
  }

  /// Plays an awaited video whose address has arrived.
  mutating func start(_ card: Card) -> [AppEffect] {
    guard var next = playback.next, next.card.id == card.id else { return [] }
    next.card = card
    return start(next)
  }

  private mutating func start(_ next: PlaybackDirector.Next) -> [AppEffect] {
    let (card, video) = (next.card, browsing.playable(next.card))
    guard card.hasAddress || video.playbackURL != nil else {
      let (hasPage, isListed) = (card.video.pageURL != nil, card.video.id != card.key.text)
      toast.show(words.noAddress(card.video.title, hasPage: hasPage, isListed: isListed))
      return skip(next)
    }
    (playback.card, playback.key, playback.list) = (card.id, card.key, next.list)
    (playback.upcoming, playback.preparedAt, playback.skippedCount) = (.none, nil, 0)
    if isPlayersCardShown { browsing.tabs.selected.details?.followPlayer() }
    playback.continuesInQueue = playback.continuesQueue(next.list, in: browsing)
    let item = browsing.playItem(of: card, isContinued: playback.continuesInQueue)
    let check: [AppEffect] = browsing.isDownloaded(card) ? [.checkDownload(card.key)] : []
    let isPictureShown = player.session.settings.presentation != .soundOnly
    let chapters = browsing.requestChapters(of: card)
    let sound = next.isSoundOnly && isPictureShown ? control(.togglePresentation(.soundOnly)) : []
    return check + sound + start(item) + chapters
  }

  // MARK: - Failures

  mutating func addressFailed(_ card: CardID, _ failure: FeedFailure) -> [AppEffect] {
    guard let next = playback.next, next.card.id == card else { return [] }
    if failure.kind == .permanent { return skip(next) }
    playback.fail(next)
    return []
  }

  /// Handles a video without an address: autoplay skips it, and the next search for a neighbor starts at it.
  private mutating func skip(_ next: PlaybackDirector.Next) -> [AppEffect] {
    switch next.choice {
    case .selected: break
    case .neighbor: playback.list = next.list
    case .autoplay:
      playback.list = next.list
      playback.skippedCount += 1
      guard playback.skippedCount > PlaybackDirector.maximumSkippedCount else {
        playback.upcoming = .none
        return playNext()
      }
    }
    playback.skippedCount = 0
    playback.fail(next)
    return []
  }

  mutating func allowHTTP(of key: VideoKey) -> [AppEffect] {
    guard playback.isAsked(about: key), var item = player.session.item else { return [] }
    browsing.keysAllowingHTTP.insert(key)
    item.allowsHTTP = true
    playback.screen.session.update(item)
    let effects = control(.replay)
    return solo == .started ? effects + playback.screen.enterFullWindow(&tickets) : effects
  }

  mutating func refuseHTTP(of question: RedirectQuestion) -> [AppEffect] {
    guard playback.isAsked(about: question.key) else { return [] }
    // The next video may have been chosen meanwhile.
    let effects = carryOut(playback.screen.perform(.stop)) + leavePlayer()
    toast.show(Words.refused(question))
    return effects
  }

  mutating func retryPlayback() -> [AppEffect] {
    guard case .next(let next, hasFailed: true) = playback.upcoming else { return [] }
    return play(next)
  }

  // MARK: - Showing

  /// Opens the details in its tab, in the selected one or in that of its source, or else the full window.
  mutating func showPlaying() -> [AppEffect] {
    guard player.isActive, let key = playback.awaitedCard?.key ?? playback.key else {
      return browsing.show(words.nothingPlays)
    }
    let shown = [
      tabs.selection, playback.shownList.flatMap { tabs.index(of: $0.origin) },
      (playback.awaitedCard?.id ?? playback.card).flatMap { tabs.index(of: $0.source) },
    ].compactMap(\.self).filter(tabs.visible.contains)
    for tab in shown {
      browsing.updateTab(tab)
      guard let index = playback.index(of: key, in: browsing, tab: tab) else { continue }
      let effects = browsing.selectTab(tab)
      browsing.tabs.selected.cards.select(index)
      browsing.tabs.selected.details = DetailsScreen(areOpenedToPlay: details == nil)
      return effects + browsing.completeDetails()
    }
    return playback.screen.enterFullWindow(&tickets)
  }

  /// Closes open details, and moves the picture over the cards.
  mutating func togglePictureInPicture() -> [AppEffect] {
    guard player.isActive else { return browsing.show(words.nothingPlays) }
    let warning = playback.pictureWarning(videoOutput.obstacle)
    var effects: [AppEffect] = []
    if details != nil || player.isFullWindow {
      playback.screen.moveToCorner()
      effects = browsing.closeDetails()
    } else {
      playback.screen.toggleCorner()
    }
    if let warning, player.isInCorner { toast.show(warning) }
    return effects
  }

  // MARK: - Neighbors

  private mutating func update(_ list: PlayList, postponesPages: Bool = false) {
    if let tab = tabs.index(of: list.origin) { browsing.updateTab(tab, postponesPages: postponesPages) }
  }

  mutating func playNeighbor(by step: Int) -> [AppEffect] { playNeighbor(by: step, .neighbor) }

  mutating func playNext() -> [AppEffect] {
    if playback.awaitsNext { return [] }
    // The requested video may have left the queue.
    let continues =
      player.session.settings.continues || playback.list.map { playback.continuesQueue($0, in: browsing) } ?? false
    return continues ? playNeighbor(by: 1, .autoplay) : endAwaiting()
  }

  private mutating func playNeighbor(by step: Int, _ choice: PlaybackDirector.Choice) -> [AppEffect] {
    guard var list = playback.next?.list ?? playback.list else { return [] }
    update(list)
    guard let card = list.move(by: step, playback.order(of: list, in: browsing), in: browsing) else {
      return step > 0 ? requestNext(of: list, choice) : browsing.show(Words.isFirst)
    }
    let isShown = playback.shows(playback.next?.card.key ?? playback.key, in: browsing) && !tabs.selected.hasPrompt
    let slot = list.slots[list.place]
    if isShown, let index = tabs.selected.cards.cards.index(of: slot) {
      browsing.tabs.selected.cards.select(index)
      browsing.tabs.selected.details?.followPlayer()
    }
    let effects = play(.init(card: card, list: list, choice: choice))
    return effects + (isShown ? browsing.completeDetails() : [])
  }

  /// Requests the address of the next video, or else the next page, several times before the playing video ends.
  mutating func prepareNext() -> [AppEffect] {
    guard playback.isPreparationDue, var list = playback.list else { return [] }
    playback.preparedAt = player.session.shownTime
    update(list)
    guard let card = list.move(by: 1, playback.order(of: list, in: browsing), in: browsing) else {
      _ = browsing.requestMore(for: list.origin)
      return []
    }
    return browsing.prepareAddress(of: card)
  }

  private mutating func requestNext(of list: PlayList, _ choice: PlaybackDirector.Choice) -> [AppEffect] {
    guard browsing.requestMore(for: list.origin) else { return endOfList(list, choice) }
    let withdrawn = browsing.library.withdrawDetails(.play)
    playback.list = list
    playback.upcoming = .page(choice)
    toast.show(Words.loadingNext)
    return withdrawn
  }

  /// Plays an awaited video that has arrived; one whose tab was closed never does. Returns nil if nothing has changed.
  mutating func playAwaited() -> [AppEffect]? {
    if let next = playback.next, !library[next.card.source].details.isPending(for: next.card.id) {
      return endAwaiting()
    }
    guard case .page(let choice) = playback.upcoming, var next = playback.list else { return nil }
    update(next, postponesPages: true)
    if next.move(by: 1, playback.order(of: next, in: browsing), in: browsing) == nil {
      let isAwaited = library.sources(of: next.origin).contains { $0.isBusy || library.waiting.contains($0.id) }
      return isAwaited ? nil : endOfList(next, choice)
    }
    playback.upcoming = .none
    return playNeighbor(by: 1, choice)
  }

  private mutating func endOfList(_ list: PlayList, _ choice: PlaybackDirector.Choice) -> [AppEffect] {
    // A failure of a page is the reason why the next video is missing.
    let failure = library.sources(of: list.origin).first { $0.hasMore && $0.hasShownFailure }
      .flatMap { library[$0.id].loader.shownFailure?.failure }
    // The user may request further pages behind those without new videos.
    let mayGoOn =
      library.requiredField(of: list.origin) == nil
      && library.sources(of: list.origin).contains { $0.hasMore || $0.isPaused }
    let hasEnded = if case .autoplay = choice { true } else { false }
    toast.show(failure.map(words.nextFailed) ?? Words.isLast(hasEnded: hasEnded, isOfLoaded: mayGoOn))
    return endAwaiting()
  }
}
