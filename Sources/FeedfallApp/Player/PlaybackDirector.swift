import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText

/// Chooses the video to play: the selected one, one beside the last, or the next one as soon as it is loaded.
struct PlaybackDirector: Equatable, Sendable {
  var screen: PlayerScreen
  private(set) var card: CardID?
  /// Several cards may show the video: those of other sources, and a restored one in a tab of records.
  private(set) var key: VideoKey?
  @Boxed private var list: PlayList? = nil
  @Boxed private var upcoming = Upcoming.none { didSet { screen.awaitedTitle = upcoming.title } }
  /// Whether the next video in the queue follows the playing one.
  private var continuesInQueue = false
  /// The position at which the next video was prepared last, in seconds; nil before that.
  private var preparedAt: Double?
  private var skippedCount = 0
  private let shuffleSeed: UInt64

  private struct Next: Equatable, Sendable {
    var card: Card
    var list: PlayList
    var choice: Choice
    var isSoundOnly = false
  }

  private enum Choice: Sendable {
    case selected
    case neighbor
    case autoplay
  }

  private enum Upcoming: Equatable, Sendable {
    case none
    /// It is played as soon as a page with one arrives.
    case page(Choice)
    case address(Next)
    case failed(Next)

    /// The player shows it in place of a video that has ended.
    var title: String? {
      switch self {
      case .page: return Words.loadingNext
      case .address(let next):
        if case .selected = next.choice { return nil }
        return next.card.video.title
      case .none, .failed: return nil
      }
    }
  }

  /// Autoplay skips this many videos without an address in succession.
  private static let maximumSkippedCount = 3

  init(settings: AppSettings) {
    screen = PlayerScreen(session: PlaySession(settings: settings.playing))
    shuffleSeed = settings.shuffleSeed
  }

  // MARK: - Place

  func isCardShown(in browsing: Browsing) -> Bool { shows(awaitedCard?.key ?? key, in: browsing) }

  private func shows(_ key: VideoKey?, in browsing: Browsing) -> Bool {
    browsing.tabs.selected.details != nil && key != nil && browsing.selectedCard?.key == key
  }

  private var next: Next? { if case .address(let next) = upcoming { next } else { nil } }
  private var shownList: PlayList? { awaitedCard == nil ? list : next?.list }

  /// The card of the next video, which the player shows after the end of the last one.
  var awaitedCard: Card? { screen.upcomingTitle == nil ? nil : next?.card }

  func shownCard(in store: CardStore) -> Card? {
    awaitedCard ?? card.flatMap { store.slot(of: $0) }.map { store[$0] }
  }

  /// The playing video's number in its list, from 1, and how many videos that has.
  func position(in browsing: Browsing) -> (number: Int, count: Int)? {
    guard let list = shownList, let tab = browsing.tabs.index(of: list.origin) else { return nil }
    return (list.place + 1, max(list.count, browsing.tabs[tab].cards.cards.count))
  }

  /// The cards of the lists, which must stay in the store.
  var listedSlots: [[CardSlot]] {
    let lists: [PlayList] =
      switch upcoming {
      case .address(let next), .failed(let next): [next.list] + (list.map { [$0] } ?? [])
      case .none, .page: list.map { [$0] } ?? []
      }
    return lists.flatMap { [$0.slots, $0.requests] }
  }

  // MARK: - Commands

  /// A command that stops or restarts playback replaces the next video.
  mutating func perform(_ command: PlayCommand, in browsing: inout Browsing) -> [Intent] {
    switch command {
    // The last video does not start again while the next one is awaited.
    case .togglePause where awaitsNext, .replay where awaitsNext: return []
    case .stop: return endAwaiting(in: &browsing) + screen.perform(command)
    default: return screen.perform(command)
    }
  }

  private var awaitsNext: Bool {
    guard !screen.session.isUnderWay else { return false }
    return switch upcoming {
    case .page, .address: true
    case .none, .failed: false
    }
  }

  private mutating func endAwaiting(in browsing: inout Browsing) -> [Intent] {
    upcoming = .none
    if !screen.session.isUnderWay { screen.leaveFullWindow() }
    return browsing.library.withdrawDetails(.play).map(Intent.effect)
  }

  /// Ends a failed playback. The next video stays requested.
  mutating func dismissFailure() -> [Intent] { screen.perform(.stop) }

  mutating func play(isSoundOnly: Bool = false, in browsing: inout Browsing) -> [Intent] {
    guard let card = browsing.selectedCard, let place = browsing.tabs.selected.cards.selection else { return [] }
    if card.key == key, screen.session.isUnderWay {
      return [.control(isSoundOnly ? .togglePresentation(.soundOnly) : .togglePause)]
    }
    let opening = browsing.tabs.selected.details == nil ? openDetails(in: &browsing) : []
    let list = PlayList(of: browsing.tabs.selected, at: place, card.key, shuffledBy: shuffleSeed)
    return opening + play(Next(card: card, list: list, choice: .selected, isSoundOnly: isSoundOnly), in: &browsing)
  }

  private func openDetails(in browsing: inout Browsing) -> [Intent] {
    let intents = browsing.openDetails()
    browsing.tabs.selected.details?.areOpenedToPlay = true
    return intents
  }

  /// The video is played after the playing one, also without autoplay.
  mutating func queueNext(in browsing: inout Browsing, at now: Int) -> [Intent] {
    let intents = browsing.queueNext(at: now)
    guard let card = browsing.selectedCard, card.key != key, let slot = browsing.library.store.slot(of: card.id) else {
      return intents
    }
    requestAfterUpcoming(slot, card.key)
    guard screen.session.isUnderWay else { return intents }
    list?.request(slot)
    continuesInQueue = true
    screen.session.continueAfterEnd()
    return intents
  }

  /// Lets a video also follow the next one, which may be played once its address arrives, or after a retry.
  private mutating func requestAfterUpcoming(_ slot: CardSlot, _ key: VideoKey) {
    switch upcoming {
    case .address(var next) where next.card.key != key:
      next.list.request(slot)
      upcoming = .address(next)
    case .failed(var next) where next.card.key != key:
      next.list.request(slot)
      upcoming = .failed(next)
    case .none, .page, .address, .failed: break
    }
  }

  private mutating func play(_ next: Next, in browsing: inout Browsing) -> [Intent] {
    guard !browsing.isDownloaded(next.card), browsing.isAddressMissing(in: next.card) else {
      return browsing.library.withdrawDetails(.play).map(Intent.effect) + start(next, in: &browsing)
    }
    upcoming = .address(next)
    return browsing.requestAddress(of: next.card, .play)
  }

  mutating func start(_ card: Card, in browsing: inout Browsing) -> [Intent] {
    guard var next, next.card.id == card.id else { return [] }
    next.card = card
    return start(next, in: &browsing)
  }

  private mutating func start(_ next: Next, in browsing: inout Browsing) -> [Intent] {
    let (card, video) = (next.card, browsing.playable(next.card))
    guard card.hasAddress || video.playbackURL != nil else {
      let (hasPage, isListed) = (card.video.pageURL != nil, card.video.id != card.key.text)
      let words = browsing.words.noAddress(card.video.title, hasPage: hasPage, isListed: isListed)
      return [.showMessage(words)] + skip(next, in: &browsing)
    }
    (self.card, key, list) = (card.id, card.key, next.list)
    (upcoming, preparedAt, skippedCount) = (.none, nil, 0)
    if isCardShown(in: browsing) { browsing.tabs.selected.details?.followPlayer() }
    continuesInQueue = continuesQueue(next.list, in: browsing)
    let item = browsing.playItem(of: card, isContinued: continuesInQueue)
    let check = browsing.isDownloaded(card) ? [Intent.effect(.checkDownload(card.key))] : []
    let isPictureShown = screen.session.settings.presentation != .soundOnly
    let sound: [Intent] = next.isSoundOnly && isPictureShown ? [.control(.togglePresentation(.soundOnly))] : []
    return check + sound + [.start(item)] + browsing.requestChapters(of: card)
  }

  // MARK: - Failures

  mutating func addressFailed(_ card: CardID, _ failure: FeedFailure, in browsing: inout Browsing) -> [Intent] {
    guard let next, next.card.id == card else { return [] }
    if failure.kind == .permanent { return skip(next, in: &browsing) }
    return fail(next)
  }

  /// Handles a video without an address: autoplay skips it, and the next search for a neighbor starts at it.
  private mutating func skip(_ next: Next, in browsing: inout Browsing) -> [Intent] {
    switch next.choice {
    case .selected: break
    case .neighbor: list = next.list
    case .autoplay:
      list = next.list
      skippedCount += 1
      guard skippedCount > Self.maximumSkippedCount else {
        upcoming = .none
        return playNext(in: &browsing)
      }
    }
    skippedCount = 0
    return fail(next)
  }

  private mutating func fail(_ next: Next) -> [Intent] {
    upcoming = .failed(next)
    if !screen.session.isUnderWay { screen.leaveFullWindow() }
    return []
  }

  private func isAsked(about key: VideoKey) -> Bool {
    guard case .leavesHTTPS = screen.session.failure else { return false }
    return screen.session.item?.key == key
  }

  mutating func allowHTTP(of key: VideoKey, in browsing: inout Browsing) -> [Intent] {
    guard isAsked(about: key), var item = screen.session.item else { return [] }
    browsing.keysAllowingHTTP.insert(key)
    item.allowsHTTP = true
    screen.session.update(item)
    return [.control(.replay)]
  }

  mutating func refuseHTTP(of question: RedirectQuestion) -> [Intent] {
    guard isAsked(about: question.key) else { return [] }
    // The next video may have been chosen meanwhile.
    return screen.perform(.stop) + [.leavePlayer, .showMessage(Words.refused(question))]
  }

  mutating func retry(in browsing: inout Browsing) -> [Intent] {
    guard case .failed(let next) = upcoming else { return [] }
    return play(next, in: &browsing)
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

  // MARK: - Showing

  /// Opens the details in its tab, in the selected one or in that of its source, or else the full window.
  mutating func showPlaying(in browsing: inout Browsing) -> [Intent] {
    guard screen.isActive, let key = awaitedCard?.key ?? key else { return [.showMessage(browsing.words.nothingPlays)] }
    let tabs = [
      browsing.tabs.selection, shownList.flatMap { browsing.tabs.index(of: $0.origin) },
      (awaitedCard?.id ?? card).flatMap { browsing.tabs.index(of: $0.source) },
    ].compactMap(\.self).filter(browsing.tabs.visible.contains)
    for tab in tabs {
      browsing.updateTab(tab)
      guard let index = index(of: key, in: browsing, tab: tab) else { continue }
      let intents = browsing.selectTab(tab)
      browsing.tabs.selected.cards.select(index)
      browsing.tabs.selected.details = DetailsScreen(areOpenedToPlay: browsing.tabs.selected.details == nil)
      return intents + browsing.completeDetails()
    }
    return [.enterFullWindow]
  }

  /// O(n) unless its card is there.
  private func index(of key: VideoKey, in browsing: Browsing, tab: Int) -> Int? {
    let (cards, store) = (browsing.tabs[tab].cards.cards, browsing.library.store)
    return (awaitedCard?.id ?? card).flatMap { store.slot(of: $0) }.flatMap(cards.index)
      ?? cards.slots.firstIndex { store[$0].key == key }
  }

  /// `hasDetails`: open details are closed, and the picture moves over the cards.
  mutating func togglePictureInPicture(
    hasDetails: Bool, obstacle: VideoOutput.Obstacle?, _ words: Words
  ) -> [Intent] {
    guard screen.isActive else { return [.showMessage(words.nothingPlays)] }
    let warning = pictureWarning(obstacle).map { [Intent.showMessage($0)] } ?? []
    guard hasDetails || screen.isFullWindow else {
      screen.toggleCorner()
      return screen.isInCorner ? warning : []
    }
    screen.moveToCorner()
    return [.closeDetails] + warning
  }

  private func pictureWarning(_ obstacle: VideoOutput.Obstacle?) -> String? {
    let fault = screen.session.settings.libraryFault
    guard screen.session.lacksPicture, obstacle != nil || fault != nil else { return nil }
    return Words.noPicture(because: obstacle, fault)
  }

  // MARK: - Neighbors

  private var order: PlayList.Order {
    PlayList.Order(shuffles: screen.session.settings.shuffles, wraps: screen.session.settings.loop == .list)
  }

  private func order(of list: PlayList, in browsing: Browsing) -> PlayList.Order {
    var order = order
    // A list that is repeated continues at its other end once all videos are loaded.
    order.wraps = order.wraps && !browsing.library.hasMore(list.origin)
    return order
  }

  private func update(_ list: PlayList, in browsing: inout Browsing) {
    if let tab = browsing.tabs.index(of: list.origin) { browsing.updateTab(tab) }
  }

  mutating func playNeighbor(by step: Int, in browsing: inout Browsing) -> [Intent] {
    playNeighbor(by: step, .neighbor, in: &browsing)
  }

  mutating func playNext(in browsing: inout Browsing) -> [Intent] {
    if awaitsNext { return [] }
    // The requested video may have left the queue.
    let continues = screen.session.settings.continues || list.map { continuesQueue($0, in: browsing) } ?? false
    return continues ? playNeighbor(by: 1, .autoplay, in: &browsing) : endAwaiting(in: &browsing)
  }

  private func continuesQueue(_ list: PlayList, in browsing: Browsing) -> Bool {
    list.isQueue || list.hasRequest(in: browsing.library.store)
  }

  private mutating func playNeighbor(by step: Int, _ choice: Choice, in browsing: inout Browsing) -> [Intent] {
    guard var list = next?.list ?? list else { return [] }
    update(list, in: &browsing)
    guard let card = list.move(by: step, order(of: list, in: browsing), in: browsing) else {
      return step > 0
        ? requestNext(of: list, choice, in: &browsing) : [.showMessage(Words.isFirst)]
    }
    let isShown = shows(next?.card.key ?? key, in: browsing) && !browsing.tabs.selected.hasPrompt
    let slot = list.slots[list.place]
    if isShown, let index = browsing.tabs.selected.cards.cards.index(of: slot) {
      browsing.tabs.selected.cards.select(index)
      browsing.tabs.selected.details?.followPlayer()
    }
    let intents = play(Next(card: card, list: list, choice: choice), in: &browsing)
    return intents + (isShown ? browsing.completeDetails() : [])
  }

  /// Whether there are a previous and a next video, loaded or not, that may have an address.
  func neighbors(in browsing: Browsing) -> (previous: Bool, next: Bool) {
    guard let list else { return (false, false) }
    if order.shuffles || order.wraps { return (true, true) }
    return (
      list.mayMove(by: -1, in: browsing),
      list.mayMove(by: 1, in: browsing) || browsing.library.hasMore(list.origin)
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
    guard isPreparationDue, var list else { return [] }
    preparedAt = screen.session.shownTime
    update(list, in: &browsing)
    guard let card = list.move(by: 1, order(of: list, in: browsing), in: browsing) else {
      return browsing.requestMore(for: list.origin).map { $0.map(Intent.effect) } ?? []
    }
    return browsing.prepareAddress(of: card)
  }

  private mutating func requestNext(
    of list: PlayList, _ choice: Choice, in browsing: inout Browsing
  ) -> [Intent] {
    guard let effects = browsing.requestMore(for: list.origin) else { return endOfList(list, choice, in: &browsing) }
    let withdrawn = browsing.library.withdrawDetails(.play)
    self.list = list
    upcoming = .page(choice)
    return [.showMessage(Words.loadingNext)] + (withdrawn + effects).map(Intent.effect)
  }

  /// Plays the next video if one was awaited and has arrived. One whose tab was closed does not arrive.
  mutating func playAwaited(in browsing: inout Browsing) -> [Intent] {
    if let next, !browsing.library[next.card.source].details.isPending(for: next.card.id) {
      return endAwaiting(in: &browsing)
    }
    guard case .page(let choice) = upcoming, var next = list else { return [] }
    update(next, in: &browsing)
    if next.move(by: 1, order(of: next, in: browsing), in: browsing) == nil {
      let sources = browsing.library.sources(of: next.origin)
      return sources.contains(where: \.isBusy) ? [] : endOfList(next, choice, in: &browsing)
    }
    upcoming = .none
    return playNeighbor(by: 1, choice, in: &browsing)
  }

  private mutating func endOfList(_ list: PlayList, _ choice: Choice, in browsing: inout Browsing) -> [Intent] {
    // A failure of a page is the reason why the next video is missing.
    let failure = browsing.library.sources(of: list.origin).lazy.filter(\.hasMore)
      .compactMap { $0.loader.shownFailure?.failure }.first
    // The user may request further pages behind those without new videos.
    let mayGoOn =
      browsing.library.requiredField(of: list.origin) == nil
      && browsing.library.sources(of: list.origin).contains { $0.hasMore || $0.isPaused }
    let hasEnded = if case .autoplay = choice { true } else { false }
    let words = failure.map(browsing.words.nextFailed) ?? Words.isLast(hasEnded: hasEnded, isOfLoaded: mayGoOn)
    return endAwaiting(in: &browsing) + [.showMessage(words)]
  }
}
