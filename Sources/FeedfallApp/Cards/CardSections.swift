import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import WaterfallEngine

extension CardSections {
  struct Run: Equatable, Sendable {
    var group: String?
    var cards: Range<Int>
  }
}

/// A group with at least as many cards as there are columns has a section with a header. Consecutive smaller groups
/// share a section without one, in which the first card of each has a label. Cards without a group begin a section,
/// because behind a label they would seem to belong to it.
struct CardSections: Equatable, Sendable {
  private struct Section: Equatable {
    struct Group: Equatable {
      var name: String?
      var firstItem = 0
    }
    var firstCard: Int
    var hasHeader: Bool
    /// The first is at item 0. Neighbors differ in their names.
    var groups: [Group]
  }
  private var sections: [Section] = []

  struct Change: Equatable, Sendable {
    /// The number of cards that first leave the end of the last section. An empty section is removed.
    var withdrawnCount = 0
    var opensSection = false
    var cards: Range<Int>
  }

  var isEmpty: Bool { sections.isEmpty }
  var count: Int { sections.count }

  func header(of section: Int) -> String? { sections[section].hasHeader ? sections[section].groups[0].name : nil }

  /// Nil except for the first card of a group without a header.
  /// - Complexity: O(log sections + log groups of the section).
  func label(ofCard card: Int) -> String? {
    let path = path(ofCard: card)
    guard sections.indices.contains(path.section), !sections[path.section].hasHeader else { return nil }
    let groups = sections[path.section].groups
    let group = groups[groups.lastIndex(inOrder: { $0.firstItem <= path.item })]
    return group.firstItem == path.item ? group.name : nil
  }

  /// If the run continues a small group that is now large, the cards of the group move to a new section.
  mutating func append(_ run: Run, columns: Int) -> Change {
    if let last = sections.last, let group = last.groups.last, group.name == run.group {
      let first = last.firstCard + group.firstItem
      let isLarge = run.cards.upperBound - first >= columns
      guard group.name != nil, !last.hasHeader, isLarge else { return Change(cards: run.cards) }
      sections[sections.count - 1].groups.removeLast()
      if last.groups.count == 1 { sections.removeLast() }
      sections.append(Section(firstCard: first, hasHeader: true, groups: [.init(name: run.group)]))
      return Change(
        withdrawnCount: run.cards.lowerBound - first, opensSection: true, cards: first..<run.cards.upperBound)
    }
    let hasHeader = run.group != nil && run.cards.count >= columns
    if run.group != nil, !hasHeader, let last = sections.last, !last.hasHeader {
      sections[sections.count - 1].groups.append(
        .init(name: run.group, firstItem: run.cards.lowerBound - last.firstCard))
      return Change(cards: run.cards)
    }
    sections.append(Section(firstCard: run.cards.lowerBound, hasHeader: hasHeader, groups: [.init(name: run.group)]))
    return Change(opensSection: true, cards: run.cards)
  }

  mutating func prepend(_ added: CardSections, cardCount: Int) {
    for index in sections.indices { sections[index].firstCard += cardCount }
    sections.insert(contentsOf: added.sections, at: 0)
  }

  func cards(of section: Int, cardCount: Int) -> Range<Int> {
    let end = section + 1 < sections.count ? sections[section + 1].firstCard : cardCount
    return sections[section].firstCard..<end
  }

  /// `place` is the number of sections before this one that begin with the same group.
  struct ID: Hashable, Sendable {
    var name: String?
    var hasHeader: Bool
    var place: Int
    var header: String? { hasHeader ? name : nil }
  }

  func version(of cards: CardList) -> [(id: ID, items: [CardSlot])] {
    var places: [ID: Int] = [:]
    return sections.indices.map { index in
      var id = ID(name: sections[index].groups[0].name, hasHeader: sections[index].hasHeader, place: 0)
      let place = places[id, default: 0]
      places[id] = place + 1
      id.place = place
      return (id, Array(cards.slots[self.cards(of: index, cardCount: cards.count)]))
    }
  }

  mutating func insertCards(_ count: Int, inSection section: Int) {
    for index in sections.indices.dropFirst(section + 1) { sections[index].firstCard += count }
  }

  mutating func removeCards(_ count: Int, fromSection section: Int) { insertCards(-count, inSection: section) }

  mutating func removeSection(at index: Int) { sections.remove(at: index) }

  /// O(log sections).
  func path(ofCard card: Int) -> ElementPath {
    guard !sections.isEmpty else { return ElementPath(section: 0, item: card) }
    let section = sections.lastIndex(inOrder: { $0.firstCard <= card })
    return ElementPath(section: section, item: card - sections[section].firstCard)
  }

  func card(at path: ElementPath) -> Int { sections[path.section].firstCard + path.item }
}

extension Array {
  /// The index of the last element that meets a condition, which all before it must meet; 0 for none. O(log n).
  func lastIndex(inOrder condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if condition(self[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}

/// Scrolls with the cards above the first row.
struct CollectionHeader: Equatable, Sendable {
  var title: String
  var summary: String
  /// One for each line below the summary.
  var failures: [String] = []
  @Boxed var picture: Card?
  var widths: TextWidths

  private static let maximumLines = 3
  /// A line of the description needs a window of this many rows.
  private static let rowsPerLine = 8
  /// In cells; about square.
  private static let pictureSize = Size(width: 6, height: 3)
  private static let leastWidthForPicture = 60

  func picture(width: Int) -> (card: Card, key: CoverKey)? {
    guard width >= Self.leastWidthForPicture, let picture else { return nil }
    return (picture, CoverKey(card: picture.id, size: Self.pictureSize))
  }

  /// With an empty row below the text; 0 in a low window.
  func height(in window: Size) -> Int {
    let count = lines(in: window).count
    guard count > 0 else { return 0 }
    return max(count + 1, picture(width: window.width) == nil ? 0 : Self.pictureSize.height) + 1
  }

  private func lines(in window: Size, minimumCount: Int = 0) -> [String] {
    let count = max(minimumCount, min(Self.maximumLines, window.height / Self.rowsPerLine))
    let width = window.width - indent(in: window.width) - 1
    guard count > 0, width > 0 else { return [] }
    return widths.wrapped(summary, width: width, maximumLines: count) + failureLines(maximumCount: count, width: width)
  }

  /// The last line names the number of the failures without one.
  private func failureLines(maximumCount: Int, width: Int) -> [String] {
    let hiddenCount = max(0, failures.count - maximumCount)
    let more = hiddenCount > 0 ? "  " + Words.more(hiddenCount) : ""
    return failures.prefix(maximumCount).enumerated().map { index, failure in
      let end = index == maximumCount - 1 ? more : ""
      return widths.truncated(failure, width: max(1, width - widths.width(of: end))) + end
    }
  }

  private func indent(in width: Int) -> Int { picture(width: width) == nil ? 1 : Self.pictureSize.width + 2 }

  func draw(in frame: Rect, ofWindow window: Size, picture: (CoverKey) -> CoverView?, on canvas: inout Canvas) {
    if let key = self.picture(width: frame.width)?.key {
      let place = Rect(x: frame.minX + 1, y: frame.minY, width: key.size.width, height: key.size.height)
      picture(key)?.draw(in: place, on: &canvas)
    }
    let text = frame.inset(by: Insets(left: indent(in: frame.width), right: 1))
    canvas.write(widths.truncated(title, width: text.width), at: text.origin, style: Style(.heading))
    let room = max(0, frame.height - 2)
    // The picture may leave room for another line.
    let lines = lines(
      in: Size(width: frame.width, height: window.height), minimumCount: failures.isEmpty ? room : 0)
    for (row, line) in lines.prefix(room).enumerated() {
      canvas.write(line, at: Point(x: text.minX, y: text.minY + 1 + row), style: Style(.dim))
    }
  }
}

extension Card {
  /// A feed's picture as the cover of a video that is in no list: cleaned identifiers have no control characters.
  init(picture: WebAddress, of source: SourceID) {
    var video = Video(id: "\u{0}picture", title: "", playback: .unknown)
    video.covers = [Cover(url: picture)]
    self.init(video: video, source: source)
  }
}
