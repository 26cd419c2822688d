import FeedfallRecords
import FeedfallText

/// The tab and the card that a session shows at its end, for the next one.
public struct ShownPlace: Equatable, Sendable {
  public enum Tab: Equatable, Sendable {
    case first
    case source(name: String)
    case view(name: String)

    fileprivate var text: String {
      switch self {
      case .first: "first"
      case .source(let name): "source " + name
      case .view(let name): "view " + name
      }
    }

    fileprivate init?(text: String) {
      let kind = text.prefix { $0 != " " }
      let name = String(text.dropFirst(kind.count + 1))
      let isNamed = !name.isEmpty && cleanedLine(name, limit: ShownPlace.longestName) == name
      switch kind {
      case "first" where text == kind: self = .first
      case "source" where isNamed: self = .source(name: name)
      case "view" where isNamed: self = .view(name: name)
      default: return nil
      }
    }
  }

  public var tab: Tab
  /// Nil for the first card, because a later session may have newer ones.
  public var card: VideoKey?

  /// In bytes, of the text.
  public static let maximumLength = 4_096
  private static let longestName = 200

  public init(tab: Tab, card: VideoKey? = nil) { (self.tab, self.card) = (tab, card) }

  /// Parses `text`; nil for any other text.
  public init?(text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 3, lines[2].isEmpty, text.utf8.count <= Self.maximumLength,
      let tab = Tab(text: String(lines[0]))
    else { return nil }
    self.tab = tab
    guard !lines[1].isEmpty else { return }
    let key = VideoKey(text: String(lines[1]))
    guard key.isValid else { return nil }
    card = key
  }

  /// Two lines: the tab, and the key of the card or nothing.
  public var text: String { "\(tab.text)\n\(card?.text ?? "")\n" }
}

extension AppState {
  /// The place to store at the end; nil in a session that does not store it.
  var shownPlace: ShownPlace? {
    guard browsing.settings.storesPlace else { return nil }
    let card = (tabs.selected.cards.selection ?? 0) == 0 ? awaitedCard : selectedCard?.key
    return ShownPlace(tab: browsing.shownTab, card: card)
  }

  /// Selects the card of the last session once the cards from this machine are there, unless the user was faster.
  mutating func restorePlace() {
    guard restoresCard, let key = awaitedCard, !tabs.selected.cards.cards.isEmpty,
      !browsing.shownSources.contains(where: { $0.isAboutToShow })
    else { return }
    awaitedCard = nil
    browsing.updateTab(tabs.selection)
    let slots = tabs.selected.cards.cards.slots
    slots.firstIndex { library.store[$0].key == key }.map { browsing.tabs.selected.cards.select($0) }
  }
}

extension Browsing {
  fileprivate var shownTab: ShownPlace.Tab {
    switch content {
    case .all, .group: .first
    // Addresses may contain secrets.
    case .source(let source): library[source].settings.givenName.map { .source(name: $0) } ?? .first
    case .view(let number): .view(name: library.views[number].name)
    }
  }
}

extension AppSettings {
  /// The number of a source or view in the settings; nil for the first tab, or if it is gone.
  var placeInSettings: (isView: Bool, number: Int)? {
    switch place?.tab {
    case .first, nil: nil
    case .source(let name): sources.firstIndex { $0.givenName == name && $0.list == nil }.map { (false, $0) }
    case .view(let name): allViews.firstIndex { $0.name == name }.map { (true, $0) }
    }
  }

  /// The card to select; nil if its tab is gone.
  var awaitedCard: VideoKey? { place?.tab == .first || placeInSettings != nil ? place?.card : nil }
}
