import FeedfallFeeds
import FeedfallText

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
