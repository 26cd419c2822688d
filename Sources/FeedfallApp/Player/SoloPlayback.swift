import FeedfallFeeds

/// `feedfall play`: the first video plays in the full window, and the program quits when it ends.
enum SoloPlayback: Equatable, Sendable {
  case off
  /// No source has listed a video yet.
  case awaiting
  case started
  case over
}

extension AppState {
  /// Returns nil if nothing has changed.
  mutating func updateSoloPlayback() -> [AppEffect]? {
    switch solo {
    case .off, .over: nil
    case .awaiting: startSoloPlayback()
    case .started: endSoloPlayback()
    }
  }

  /// Cached cards wait for their source, whose first video may be another one by now.
  private mutating func startSoloPlayback() -> [AppEffect]? {
    let place = tabs.selected.cards.cards.slots.firstIndex { slot in
      let card = library.store[slot]
      return card.mayBePlayed && !awaitsFirstPage(of: card.source)
    }
    guard let place else {
      guard browsing.shownSources.allSatisfy({ !awaitsFirstPage(of: $0.id) && !$0.isBusy }) else { return nil }
      solo = .over
      return [.fail(FailureText(for: browsing.shownSources, isNamed: false)?.line ?? Words.nothingToPlay)]
    }
    solo = .started
    browsing.tabs.selected.cards.select(place)
    return playSelected() + playback.screen.enterFullWindow(&tickets)
  }

  private func awaitsFirstPage(of source: SourceID) -> Bool {
    library[source].isUntried || library[source].isRefreshing || library.waiting.isRefresh(source)
  }

  private mutating func endSoloPlayback() -> [AppEffect]? {
    guard !player.session.isUnderWay, !playback.awaitsNext, redirectQuestion == nil else { return nil }
    solo = .over
    if let card = playback.failedCard {
      return [.fail(Words.notPlayed(card.video.title, library[card.source].details.failure(of: card.id)))]
    }
    return [player.session.failure.map { .fail(Words.notPlayed(player.title, $0)) } ?? .quit]
  }
}
