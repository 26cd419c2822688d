import FeedfallFeeds
import FeedfallRecords
import FeedfallText

extension Browsing {
  mutating func openDetails() -> [AppEffect] {
    guard let card = selectedCard else { return [] }
    if let list = card.video.list { return open(list.address.text, named: card.video.title) }
    dismissShownAddresses()
    if tabs.selected.details == nil { tabs.selected.details = DetailsScreen() }
    return requestDetails(of: card, .show)
  }

  /// Closes the full-window cover first, if it is open.
  mutating func closeDetails() -> [AppEffect] {
    if tabs.selected.details?.showsCover == true {
      tabs.selected.details?.showsCover = false
      return []
    }
    tabs.selected.details = nil
    return library.withdrawDetails(.show)
  }

  mutating func showSelectedVideo() -> [AppEffect] {
    if tabs.selected.details != nil { tabs.selected.details = DetailsScreen() }
    return completeDetails()
  }

  mutating func showVideo(by step: Int) -> [AppEffect] {
    guard let selection = tabs.selected.cards.selection else { return [] }
    let target = selection + step
    guard (0..<tabs.selected.cards.cards.count).contains(target) else { return [] }
    tabs.selected.cards.select(target)
    tabs.selected.details = DetailsScreen(showsCover: tabs.selected.details?.showsCover ?? false)
    return completeDetails()
  }

  /// Not while a text is typed: the selection then changes with each key.
  mutating func completeDetails() -> [AppEffect] {
    guard tabs.selected.details != nil, !tabs.selected.hasPrompt, let card = selectedCard,
      library[card.source].details.failure(of: card.id) == nil
    else { return [] }
    return requestDetails(of: card, .show)
  }

  mutating func requestChapters(of card: Card) -> [AppEffect] {
    guard card.listed.detailsURL == nil, card.video.chaptersURL != nil,
      library[card.source].details.failure(of: card.id) == nil
    else { return [] }
    return requestDetails(of: card, .show)
  }

  /// Nil for an old ticket.
  mutating func complete(
    _ video: Video, for ticket: Ticket
  ) -> (card: Card, purposes: [DetailsRequest.Purpose], effects: [AppEffect])? {
    guard let (request, effects) = library.detailsArrived(for: ticket) else { return nil }
    var video = video
    // The answer belongs to the video of the request, whatever ID it states.
    (video.id, video.scope) = (request.card.video.id, request.card.video.scope)
    let card = Card(video: video, source: request.card.source, key: request.card.key)
    learnSize(video.pictureSize, of: card.id, isFilm: true)
    library.store.complete(card.id, with: video)
    tabs.updateCard(card.id, in: library)
    return (card, request.purposes, effects)
  }

  /// A failure for which the user waits is shown above the cards of its source; its open details show it themselves. In
  /// another tab, a message reports it. Returns the failed request; nil for an old ticket.
  mutating func detailsFailed(
    _ failure: FeedFailure, for ticket: Ticket
  ) -> (failed: DetailsRequest?, effects: [AppEffect]) {
    guard let (ending, effects) = library.detailsFailed(failure, for: ticket) else { return (nil, []) }
    switch ending {
    case .delayed(let request, let time):
      if !request.awaitedPurposes.isEmpty { showDelay(of: request.card, time) }
      return (nil, effects)
    case .failed(let request):
      for purpose in request.awaitedPurposes { report(request.card, purpose, failure) }
      return (request, effects)
    }
  }

  private mutating func report(_ card: Card, _ purpose: DetailsRequest.Purpose, _ failure: FeedFailure) {
    let failed = DetailsRequest.FailedAddress(card: card, purpose: purpose, failure: failure)
    if !purpose.needsAddress { return toast.show(words.addressFailed(failure, purpose)) }
    if purpose.isDownload { setDownload(.failed(failure), of: card.key) }
    let isOpen = tabs.selected.details != nil && shows(card.source)
    if isOpen, selectedCard?.id == card.id { return toast.show(words.addressFailed(failure, purpose)) }
    addFailedAddress(failed)
    if isOpen {
      // The details may cover the failure above the cards.
      toast.show(FailureText(for: [failed])?.line ?? "")
    } else if !shows(card.source) {
      toast.show(FailureText.line(for: failed, inTabOf: library[card.source].name))
    }
  }

  private mutating func showDelay(of card: Card, _ time: Duration) {
    toast.show(library.naming(card.source, Words.lookup(of: card.video.title, after: time)))
  }

  mutating func retry(_ failed: DetailsRequest.FailedAddress) -> [AppEffect] {
    if failed.purpose.isDownload { setDownload(.waiting, of: failed.card.key) }
    return requestAddress(of: failed.card, failed.purpose)
  }

  /// Adds the duration that the player or ffprobe has found to a video without one, or with a shorter one.
  mutating func updateDuration(of card: CardID?, seconds: Double?, at now: Int) -> [AppEffect] {
    guard let card, let seconds, library.store.addDuration(seconds, to: card) else { return [] }
    tabs.updateLength(of: card, in: library)
    return storeFacts(of: card, fromDetails: false, at: now)
  }

  /// The size of a cover in pixels, adopted where the source states none, or of a film, where no other is known.
  mutating func learnSize(_ size: PixelSize?, of card: CardID?, isFilm: Bool = false) {
    guard let card, let size, let slot = library.store.learnSize(size, of: card, isFilm: isFilm) else { return }
    tabs.coverSizeArrived(slot, of: card.source, in: library)
  }

  /// The cards of the selected tab's sources whose length a program on this machine may find. O(n).
  var cardsWithoutLength: [CardSlot] {
    shownSources.lazy.filter(\.isLocal).flatMap { library[$0.id].slots }.filter { library.store[$0].lacksLength }
  }

  /// An answer may still lack an address: only a command that needs one requests it again.
  mutating func requestDetails(of card: Card, _ purpose: DetailsRequest.Purpose) -> [AppEffect] {
    if !purpose.isAwaited, card.hasDetails { return [] }
    return library.requestDetails(of: card, purpose)
  }

  /// An outdated address may have expired, but is used while a server asked to wait.
  func isAddressMissing(in card: Card) -> Bool {
    if library[card.source].details.hold != nil, card.hasAddress { return card.video.detailsURL != nil }
    return card.listed.detailsURL != nil
  }

  mutating func requestAddress(of card: Card, _ purpose: DetailsRequest.Purpose) -> [AppEffect] {
    dismissShownAddresses()
    let request = requestDetails(of: card, purpose)
    if let hold = library[card.source].details.hold {
      showDelay(of: card, hold)
    } else {
      toast.show(Words.requesting(purpose, of: card.video.title))
    }
    return request
  }

  mutating func prepareAddress(of card: Card) -> [AppEffect] {
    guard !isDownloaded(card), isAddressMissing(in: card), library[card.source].details.hold == nil else { return [] }
    return requestDetails(of: card, .prepare)
  }
}
