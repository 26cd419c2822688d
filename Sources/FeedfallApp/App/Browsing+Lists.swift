import FeedfallFeeds
import FeedfallText

/// The way from card to tab, and back.
extension Browsing {
  /// The selected card if it is a video. A message says what to do with a list instead.
  mutating func selectedFilm() -> Card? {
    guard let card = selectedCard, let list = card.video.list else { return selectedCard }
    toast.show(words.isList(list, card.video.title))
    return nil
  }

  mutating func open(_ list: ListFacts, titled title: String) -> [AppEffect] {
    open(list.address.text, named: title)
  }

  /// Opens a list of the channel that the tab shows, or else of that of the selected card.
  mutating func open(_ list: ChannelList) -> [AppEffect] {
    let (source, video) = (content.source.map { library[$0] }, selectedCard?.video)
    let tab = source.flatMap { source in
      let address = source.settings.address
      return WebAddress(typed: SourcePrefix.split(address)?.rest ?? address).map { ($0, source.name) }
    }
    let card = video.flatMap { video in video.list?.address.web.map { ($0, video.title) } }
    let channel = video.flatMap { video in video.channelURL.map { ($0, video.channel ?? $0.shownHost) } }
    for (address, name) in [tab, card, channel].compactMap({ $0 }) {
      if let text = KnownSite.address(of: list, of: address) { return open(text, named: "\(name): \(list.rawValue)") }
    }
    return show(Words.noChannelList(list))
  }

  /// Selects the tab that the selected card or a command opens.
  mutating func goTo(_ tab: Int) -> [AppEffect] {
    trail.add(Trail.Step(from: content, card: selectedCard?.id, to: tabs[tab].content))
    return selectTab(tab)
  }

  mutating func goBack() -> [AppEffect] {
    guard let step = trail.removeLast(to: content), let tab = tabs.index(of: step.from) else {
      return show(Words.nothingToGoBackTo)
    }
    let effects = selectTab(tab)
    if let card = step.card, let index = index(of: card, in: tab) { tabs.selected.cards.select(index) }
    return effects + completeDetails()
  }
}

extension Browsing {
  /// The steps that opened tabs, for the way back. Each is used once, so that lists of each other have an end.
  struct Trail: Equatable, Sendable {
    struct Step: Equatable, Sendable {
      let from: TabContent
      let card: CardID?
      let to: TabContent
    }

    private var steps: [Step] = []

    private static let maximumCount = 100

    mutating func add(_ step: Step) {
      guard step.from != step.to else { return }
      steps = steps.suffix(Self.maximumCount - 1) + [step]
    }

    mutating func removeLast(to content: TabContent) -> Step? {
      steps.lastIndex { $0.to == content }.map { steps.remove(at: $0) }
    }

    mutating func forget(_ content: TabContent) { steps.removeAll { $0.from == content || $0.to == content } }
  }
}
