import FeedfallFeeds

/// The tab that is seen, part by part. They are lent, not copied: a copy of a waterfall would be one of all its cards
/// as soon as it is changed.
extension AppState {
  var waterfall: WaterfallScreen {
    _read { yield tabs[seen].waterfall }
    _modify { yield &tabs[seen].waterfall }
  }

  var pull: PullGesture {
    _read { yield tabs[seen].pull }
    _modify { yield &tabs[seen].pull }
  }

  var pane: DetailPane? {
    _read { yield tabs[seen].pane }
    _modify { yield &tabs[seen].pane }
  }

  var search: SearchField? {
    _read { yield tabs[seen].search }
    _modify { yield &tabs[seen].search }
  }
}

/// The sources whose videos are seen.
extension AppState {
  var hasSeveralSources: Bool { sources.count > 1 }

  var seenSources: ArraySlice<SourceFeed> {
    switch tabs[seen].content {
    case .all: sources[...]
    case .source(let source): sources[source.number...source.number]
    }
  }

  /// The source of the selected video; in a tab of one source always that.
  var selectedSource: SourceID? {
    switch tabs[seen].content {
    case .all: waterfall.selectedCard?.source
    case .source(let source): source
    }
  }

  /// The request for the details of the selected video.
  var details: DetailsRequest { selectedSource.map { sources[$0.number].details } ?? DetailsRequest() }

  func tab(of source: SourceID) -> Int { hasSeveralSources ? source.number + 1 : source.number }

  /// Words about a source, which is named where there are several.
  func naming(_ source: SourceID?, _ words: String) -> String {
    guard hasSeveralSources, let source else { return words }
    return "\(sources[source.number].name): \(words)"
  }
}
