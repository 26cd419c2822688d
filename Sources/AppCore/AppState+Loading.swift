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
    guard let request = loader.request(of: ticket) else { return [] }
    feedTitle = page.title ?? feedTitle
    let news = request.purpose == .replace ? sayNews(of: page) : 0
    if let notice = page.notice { message = notice.prefix(1).uppercased() + notice.dropFirst() }
    if request.purpose == .replace, waterfall.keepsPlace(with: page.videos) {
      let count = waterfall.prepend(page.videos)
      search?.origin += count
      total = page.total ?? total.map { $0 + news }
      return load(.newsArrived(ticket))
    }
    let added: Int
    switch request.purpose {
    case .replace:
      let isEmptyStart = page.videos.isEmpty && page.next != nil
      added = isEmptyStart ? 0 : waterfall.replace(with: page.videos)
      skippedCount = page.skippedCount + (request.cursor == .start ? 0 : skippedCount)
      total = page.total
    case .append:
      added = waterfall.append(page.videos)
      skippedCount += page.skippedCount
      total = page.total ?? total
    }
    return load(.pageArrived(ticket, next: page.next, newItemCount: added)) + completeShownVideo()
  }

  /// Tells how many videos of a first page that came anew were not there before.
  private mutating func sayNews(of page: FeedPage) -> Int {
    guard !waterfall.cards.isEmpty, !page.videos.isEmpty else { return 0 }
    let known = waterfall.cards
    let news = Set(page.videos.map(\.id).filter { known.index(ofID: $0) == nil }).count
    message = news == 0 ? "Nothing new" : "\(TextFormat.count(news)) new"
    return news
  }

  mutating func fail(_ failure: FeedFailure, for ticket: Ticket) -> [AppEffect] {
    switch failure.kind {
    case .wait(let seconds): load(.pageFailed(ticket, failure, hold: .seconds(seconds)))
    case .temporary, .permanent: load(.pageFailed(ticket, failure, hold: nil))
    }
  }

  /// `r`: what failed is tried again while its alert is up; else everything is asked for anew.
  mutating func refreshOrRetry() -> [AppEffect] {
    if loader.shownFailure != nil { return unlessHeld(.retryAsked) }
    if pane != nil, let hold = details.hold {
      message = "The " + HoldWords.goesOn(after: hold)
      return []
    }
    if pane != nil, let video = waterfall.selectedVideo, details.failure(of: video.id) != nil {
      return details.ask(for: video, .show, ticket: tickets.next())
    }
    return refresh()
  }

  mutating func refresh() -> [AppEffect] { unlessHeld(.refreshAsked) }

  /// Says so instead where the server wants to be left alone.
  private mutating func unlessHeld(_ wish: FeedLoader.Event) -> [AppEffect] {
    if let words = HoldWords.text(for: loader) {
      message = words
      return []
    }
    return load(wish)
  }

  mutating func loadMore() -> [AppEffect] {
    if case .end(let reason) = loader.position, loader.phase == .resting {
      message = FooterWords.end(reason, count: waterfall.cards.count)
      return []
    }
    return unlessHeld(.moreAsked)
  }

  // MARK: - Details of a video

  /// Asks for what the pane lacks, but not again by itself for what could not be had.
  mutating func completeShownVideo() -> [AppEffect] {
    guard pane != nil, let video = waterfall.selectedVideo, details.failure(of: video.id) == nil else { return [] }
    return details.ask(for: video, .show, ticket: tickets.next())
  }

  mutating func take(_ video: Video, for ticket: Ticket) -> [AppEffect] {
    guard let sequel = details.arrived(ticket) else { return [] }
    waterfall.complete(video)
    switch sequel {
    case .show: return []
    case .play: return start(video)
    case .copy: return copy(video.playbackURL, called: "playback address")
    }
  }

  mutating func fail(detailsWith failure: FeedFailure, for ticket: Ticket) -> [AppEffect] {
    guard let sequel = details.failed(ticket, failure) else { return [] }
    if sequel != .show { message = DetailsWords.message(failure, for: sequel) }
    return details.hold(after: failure, ticket: tickets.next())
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
      message = "The " + HoldWords.asksAgain(key: sequel == .play ? "space" : "y", after: hold)
      return []
    }
    message = "Asking where “\(video.title)” plays…"
    return details.ask(for: video, sequel, ticket: tickets.next())
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
