import Loading
import VideoFeed

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
      case .play: return start(video)
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

  mutating func play() -> [AppEffect] {
    guard let video = waterfall.selectedVideo else { return [] }
    return video.detailsURL == nil ? start(video) : askWhere(video, plays: .play)
  }

  mutating func copyPlayback() -> [AppEffect] {
    guard let video = waterfall.selectedVideo else { return [] }
    return video.detailsURL == nil
      ? copy(video.playbackURL, called: "playback address") : askWhere(video, plays: .copy)
  }

  private mutating func askWhere(_ video: Video, plays sequel: DetailsRequest.Sequel) -> [AppEffect] {
    if let hold = details.hold {
      message = naming(selectedSource, "The " + HoldWords.asksAgain(key: sequel == .play ? "space" : "y", after: hold))
      return []
    }
    message = "Asking where “\(video.title)” plays…"
    return askDetails(of: video, sequel)
  }

  private mutating func start(_ video: Video) -> [AppEffect] {
    guard let address = video.playbackURL else {
      message = "“\(video.title)” has no playback address; o opens its page"
      return []
    }
    message = nil
    return [.play(address, title: video.title)]
  }
}
