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

  init(card: CardID, links: TextLinks, former: DetailsScreen?) {
    (self.card, self.links, self.former) = (card, links, former)
  }

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
