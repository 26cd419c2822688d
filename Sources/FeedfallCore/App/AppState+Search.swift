import FeedfallScreen

extension AppState {
  mutating func handleSearch(_ key: Key) -> [AppEffect] {
    switch search?.handle(key) {
    case .changed: return followSearch()
    case .accepted:
      search = nil
      if waterfall.match(from: 0, forward: true) == nil { sayNothingMatches() }
      return []
    case .cancelled:
      if let origin = search?.origin, origin < waterfall.cards.count { waterfall.select(origin) }
      waterfall.needle = ""
      search = nil
      return []
    case .unchanged, nil: return []
    }
  }

  mutating func followSearch() -> [AppEffect] {
    guard let search else { return [] }
    waterfall.needle = search.needle
    if let match = waterfall.match(from: search.origin, forward: true) { waterfall.select(match) }
    return []
  }

  mutating func goToMatch(forward: Bool) -> [AppEffect] {
    guard !waterfall.needle.isEmpty else {
      message = "Nothing is searched for; / searches in titles"
      return []
    }
    let from = (waterfall.selection ?? 0) + (forward ? 1 : -1)
    if let match = waterfall.match(from: from, forward: forward) {
      waterfall.select(match)
    } else {
      sayNothingMatches()
    }
    return []
  }

  private mutating func sayNothingMatches() { message = "No loaded title holds “\(waterfall.needle)”" }
}
