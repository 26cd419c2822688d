import FeedfallFeeds
import FeedfallLoading
import FeedfallText

/// Completing a video, to show, to play or to copy the rest of it.
extension AppState {
  /// Asks for what the pane lacks, but not again by itself for what could not be had.
  mutating func completeShownVideo() -> [AppEffect] {
    guard pane != nil, let video = waterfall.selectedVideo, details.failure(of: video.id) == nil else { return [] }
    return askDetails(of: video, .show)
  }

  /// Asks the selected video's source for the rest of it.
  mutating func askDetails(of video: Video, _ sequel: DetailsRequest.Sequel) -> [AppEffect] {
    guard let source = selectedSource else { return [] }
    return sources[source.number].details.ask(for: video, of: source, sequel, ticket: tickets.next())
  }

  mutating func take(_ video: Video, for ticket: Ticket) -> [AppEffect] {
    for source in sources.map(\.id) {
      guard let sequel = sources[source.number].details.arrived(ticket) else { continue }
      let card = Card(video: video, source: source)
      tabs[tab(of: source)].waterfall.complete(card)
      if hasSeveralSources { tabs[0].waterfall.complete(card) }
      switch sequel {
      case .show: return []
      case .play: return start(card)
      case .copy: return copy(video.playbackURL, called: "playback address")
      }
    }
    return []
  }

  mutating func fail(detailsWith failure: FeedFailure, for ticket: Ticket) -> [AppEffect] {
    for source in sources.map(\.id) {
      guard let sequel = sources[source.number].details.failed(ticket, failure) else { continue }
      if sequel != .show { message = DetailsWords.message(failure, for: sequel).map { naming(source, $0) } }
      return sources[source.number].details.hold(after: failure, ticket: tickets.next())
    }
    return []
  }

  mutating func copyPlayback() -> [AppEffect] {
    guard let card = waterfall.selectedCard else { return [] }
    return card.video.detailsURL == nil
      ? copy(card.video.playbackURL, called: "playback address") : askWhere(card, sequel: .copy)
  }

  mutating func askWhere(_ card: Card, sequel: DetailsRequest.Sequel) -> [AppEffect] {
    let source = card.source
    if let hold = sources[source.number].details.hold {
      message = naming(source, "The " + HoldWords.asksAgain(key: sequel == .play ? "space" : "y", after: hold))
      return []
    }
    message = "Asking where “\(card.video.title)” plays…"
    return sources[source.number].details.ask(for: card.video, of: source, sequel, ticket: tickets.next())
  }
}
