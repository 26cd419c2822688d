import Loading
import VideoFeed

extension AppState {
  /// Tells the loader what happened and turns its effects into the program's.
  mutating func load(_ event: FeedLoader.Event) -> [AppEffect] {
    loader.handle(event).map { effect in
      switch effect {
      case .request(let cursor, let ticket): .requestPage(cursor, ticket)
      case .wait(let duration, let ticket): .wait(duration, .loader(ticket))
      case .cancel(let ticket): .cancel(ticket)
      }
    }
  }

  mutating func take(_ page: FeedPage, for ticket: Ticket) -> [AppEffect] {
    guard let purpose = loader.purpose(of: ticket) else { return [] }
    let added: Int
    switch purpose {
    case .replace:
      let isEmptyStart = page.videos.isEmpty && page.next != nil
      added = isEmptyStart ? 0 : waterfall.replace(with: page.videos)
      skippedCount = page.skippedCount
      total = page.total
    case .append:
      added = waterfall.append(page.videos)
      skippedCount += page.skippedCount
      total = page.total ?? total
    }
    feedTitle = page.title ?? feedTitle
    return load(.pageArrived(ticket, next: page.next, newItemCount: added)) + completeShownVideo()
  }

  mutating func fail(_ failure: FeedFailure, for ticket: Ticket) -> [AppEffect] {
    switch failure.kind {
    case .wait(let seconds): load(.pageFailed(ticket, failure, hold: .seconds(seconds)))
    case .temporary, .permanent: load(.pageFailed(ticket, failure, hold: nil))
    }
  }

  /// `r`: what failed is tried again while its alert is up; else everything is asked for anew.
  mutating func refreshOrRetry() -> [AppEffect] {
    if let failure = loader.shownFailure {
      if let hold = failure.hold {
        message = "The server asks to wait \(TextFormat.wait(hold.duration)); r asks again after that"
        return []
      }
      return load(.retryAsked)
    }
    pull.spring()
    return load(.refreshAsked)
  }

  mutating func loadMore() -> [AppEffect] {
    if case .end(let reason) = loader.position, loader.phase == .resting {
      message = FooterWords.end(reason, count: waterfall.cards.count)
      return []
    }
    return load(.moreAsked)
  }

  // MARK: - Details of a video

  /// Asks for what the pane lacks.
  mutating func completeShownVideo() -> [AppEffect] {
    guard pane != nil, let video = waterfall.selectedVideo else { return [] }
    return details.ask(for: video, thenPlay: false, ticket: tickets.next())
  }

  mutating func take(_ video: Video, for ticket: Ticket) -> [AppEffect] {
    guard let request = details.arrived(ticket), request.id == video.id else { return [] }
    waterfall.complete(video)
    return request.thenPlay ? start(video) : []
  }

  mutating func fail(detailsWith failure: FeedFailure, for ticket: Ticket) -> [AppEffect] {
    details.failed(ticket, why: failure.reason)
    if pane == nil { message = "Details of the video: \(failure.reason); space tries again" }
    return []
  }

  mutating func play() -> [AppEffect] {
    guard let video = waterfall.selectedVideo else { return [] }
    if video.detailsURL != nil {
      message = "Asking where “\(video.title)” plays…"
      return details.ask(for: video, thenPlay: true, ticket: tickets.next())
    }
    return start(video)
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
