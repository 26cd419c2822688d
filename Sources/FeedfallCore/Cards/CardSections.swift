import WaterfallEngine

/// The sections of the cards: consecutive cards of one group share one.
struct CardSections: Equatable, Sendable {
  private struct Section: Equatable {
    var group: String?
    var firstCard: Int
  }
  private var sections: [Section] = []

  var isEmpty: Bool { sections.isEmpty }

  /// The group of a section's cards; nil for cards without one.
  func group(of section: Int) -> String? { sections[section].group }

  /// The section that the next card of this group belongs to; a new one unless the last card's group is the same.
  mutating func section(forCard card: Int, of group: String?) -> Int {
    if sections.isEmpty || sections[sections.count - 1].group != group {
      sections.append(Section(group: group, firstCard: card))
    }
    return sections.count - 1
  }

  /// Moves all sections, for cards inserted before them.
  mutating func shift(by count: Int) {
    for index in sections.indices { sections[index].firstCard += count }
  }

  /// Inserts a section of cards before the others.
  mutating func insert(_ group: String?, firstCard: Int, at index: Int) {
    sections.insert(Section(group: group, firstCard: firstCard), at: index)
  }

  /// Counts cards inserted at a path.
  mutating func insertCards(_ count: Int, inSection section: Int) {
    for index in sections.indices.dropFirst(section + 1) { sections[index].firstCard += count }
  }

  /// Counts cards that are removed from a section.
  mutating func removeCards(_ count: Int, fromSection section: Int) { insertCards(-count, inSection: section) }

  mutating func removeSection(at index: Int) { sections.remove(at: index) }

  /// The path of a card. O(log sections).
  func path(ofCard card: Int) -> ElementPath {
    var low = 0
    var high = sections.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if sections[middle].firstCard <= card { low = middle } else { high = middle }
    }
    return ElementPath(section: low, item: card - (sections.isEmpty ? 0 : sections[low].firstCard))
  }

  func card(at path: ElementPath) -> Int { sections[path.section].firstCard + path.item }
}
