/// What a tab shows.
enum TabContent: Equatable, Sendable {
  /// The videos of all sources, the newest first.
  case all
  case source(SourceID)
}

/// How one tab is looked at: its cards, which one is selected, and what is open.
struct Tab: Sendable {
  let content: TabContent
  var waterfall: WaterfallScreen
  var pull = PullGesture()
  /// The open detail pane.
  var pane: DetailPane?
  var search: SearchField?
  /// How many videos have come with refreshes since it was looked at.
  var newsCount = 0
  /// Whether its cards are to be put in order anew before it is seen; only the tab of all ever is.
  var isStale = false

  /// Whether one card is looked at, in the pane or as what was searched for, and not only where it lies.
  var isCardRead: Bool { pane != nil || search != nil }

  /// Whether the first of its cards is all that is looked at.
  var isAtStart: Bool { !isCardRead && waterfall.isAtTop && (waterfall.selection ?? 0) == 0 }

  init(_ content: TabContent, settings: AppSettings) {
    self.content = content
    waterfall = WaterfallScreen(kind: settings.layout, options: settings.layoutOptions)
  }
}
