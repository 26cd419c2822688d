import FeedfallFeeds
import FeedfallText

/// The numbered links in the description of a video, and the number that the user types.
struct LinkPrompt: Equatable, Sendable {
  enum Outcome: Equatable {
    case open(WebAddress)
    case cancelled
  }

  let card: CardID
  let links: TextLinks
  /// The details before the prompt, which return after it.
  let former: DetailsScreen?
  private(set) var prompt = Prompt()

  /// That of the typed number.
  var address: WebAddress? {
    Int(prompt.needle).flatMap { links.addresses.indices.contains($0 - 1) ? links.addresses[$0 - 1] : nil }
  }

  /// Returns nil while the number may continue. Other characters than its digits are ignored.
  mutating func handle(_ input: Prompt.Input) -> Outcome? {
    let former = prompt
    switch prompt.handle(input) {
    case .cancelled: return .cancelled
    case .accepted: return address.map(Outcome.open)
    case .changed: break
    case nil: return nil
    }
    let matches = (1...links.addresses.count).count { String($0).hasPrefix(prompt.needle) }
    if matches == 0 { prompt = former }
    return matches == 1 ? address.map(Outcome.open) : nil
  }
}

extension AppState {
  /// In the full window, shows the player's video beside the cards first.
  mutating func openLinks() -> [AppEffect] {
    guard isFullWindow else { return browsing.openLinks() }
    playback.screen.leaveFullWindow()
    let effects = isPlayersCardShown ? [] : showPlaying()
    return effects + (isFullWindow ? browsing.show(words.promptNeedsWindow) : browsing.openLinks())
  }

  mutating func handleLinks(_ input: Prompt.Input) -> [AppEffect] {
    switch input {
    case .command(.previousText): scrollDetails(by: -1)
    case .command(.nextText): scrollDetails(by: 1)
    case .command, .character, .none: return browsing.handleLinks(input)
    }
    return []
  }

  /// Continues the command for which the details were requested, unless the user has turned to something else.
  mutating func resume(on card: Card, _ command: (inout AppState) -> [AppEffect]) -> [AppEffect] {
    let meant = isFullWindow ? playersCard : selectedCard
    return meant?.id == card.id && openPrompt == nil && help == nil ? command(&self) : []
  }
}

extension Browsing {
  mutating func openLinks() -> [AppEffect] {
    guard let card = selectedCard else { return [] }
    return card.lacksDetails ? requestAddress(of: card, .links) : showLinks(of: card)
  }

  private mutating func showLinks(of card: Card) -> [AppEffect] {
    let links = TextLinks(in: card.video.summary ?? "")
    guard !links.addresses.isEmpty else { return show(Words.noLinks(hasDescription: card.video.summary != nil)) }
    toast.hide()
    tabs.selected.links = LinkPrompt(card: card.id, links: links, former: tabs.selected.details)
    tabs.selected.details = DetailsScreen()
    return []
  }

  mutating func handleLinks(_ input: Prompt.Input) -> [AppEffect] {
    guard let outcome = tabs.selected.links?.handle(input) else { return [] }
    closeLinks()
    switch outcome {
    case .cancelled: return completeDetails()
    case .open(let address) where KnownSite.hasVideos(at: address): return open(address.text)
    case .open(let address): return openInBrowser(address)
    }
  }

  mutating func closeLinks() {
    guard let links = tabs.selected.links else { return }
    (tabs.selected.links, tabs.selected.details) = (nil, links.former)
  }
}
