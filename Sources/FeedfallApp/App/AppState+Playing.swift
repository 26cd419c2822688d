import FeedfallFeeds
import FeedfallScreen

extension AppState {
  mutating func start(_ item: PlayItem) -> [AppEffect] {
    // The end of the previous video may have marked it.
    if toast.offer == nil { toast.hide() }
    let former = player.session.isUnderWay ? player.session.item : nil
    let effects = play(item)
    if let former, former.key != item.key, toast.text == nil, let seconds = library.store.userData[former.key].position
    {
      toast.show(Words.left(former.title, at: seconds))
    }
    return effects
  }

  private mutating func play(_ item: PlayItem) -> [AppEffect] {
    // The player needs the size of the picture before the address.
    let effects = updatePlayer() + (browsing.settings.requestsSegments ? segments.begin(for: item, &tickets) : [])
    if let preview = preview.promote(item) { return effects + carryOut(playback.screen.adopt(preview, as: item)) }
    return effects + control(.play(item))
  }

  mutating func control(_ command: PlayCommand) -> [AppEffect] {
    // The stop of a preview must not follow the load of another video.
    let preparation = playback.screen.isActive ? [] : preview.end(&playback.screen)
    let wasUnderWay = player.session.isUnderWay
    let effects = playback.screen.showLevel(of: command, &tickets) + performInSession(command)
    return preparation + effects + (wasUnderWay ? [] : retrySegments())
  }

  /// Requests failed segments again when a failed or stopped video starts again.
  private mutating func retrySegments() -> [AppEffect] {
    guard player.session.isUnderWay, let item = player.session.item else { return [] }
    return segments.retry(for: item, &tickets)
  }

  /// In the full window the controls stay visible for a while after each use.
  mutating func showControls() -> [AppEffect] { isFullWindow ? playback.screen.showControls(&tickets) : [] }

  /// Controls the playing video from any screen; a preview does not count.
  mutating func controlPlaying(_ command: PlayCommand) -> [AppEffect] {
    guard player.session.isUnderWay else {
      return browsing.show(player.upcomingTitle == nil ? words.nothingPlays : Words.loadingNext)
    }
    return control(command)
  }

  /// Ends a failed playback after the user's next input, unless its video is shown.
  mutating func dismissFailure(after input: InputEvent) -> [AppEffect] {
    if case .mouse(let mouse) = input, mouse.kind != .press { return [] }
    guard player.session.failure != nil, !isPlayersCardShown, !isFullWindow else { return [] }
    // The next video stays requested.
    return carryOut(playback.screen.perform(.stop))
  }

  mutating func carryOut(_ effects: [PlaySession.Effect]) -> [AppEffect] {
    guard !effects.isEmpty else { return [] }
    // Read first, because the next video has others.
    let (position, item) = (player.session.savedPosition, player.session.item)
    // The end of the list leaves the full window.
    let continues = effects.contains(.playNext) || player.awaitedTitle != nil
    if !continues, effects.contains(.leaveFullWindow) { playback.screen.leaveFullWindow() }
    return effects.flatMap { effect -> [AppEffect] in
      switch effect {
      case .order(let order): return [.player(order)]
      case .savePosition: return position.map { browsing.save($0, at: now) } ?? []
      case .playNext: return playNext()
      case .ask(let redirect): if let item { ask(RedirectQuestion(item, redirect)) }
      case .show(let notice): toast.show(words.text(for: notice))
      case .leaveFullWindow: break
      }
      return []
    }
  }

  /// Closes the details that were opened by playing a video.
  mutating func leavePlayer() -> [AppEffect] { details?.areOpenedToPlay == true ? browsing.closeDetails() : [] }

  mutating func quitOrAsk() -> [AppEffect] {
    let reason = quitGuard.ask(
      isPlaying: player.session.isUnderWay || player.upcomingTitle != nil,
      downloadCount: browsing.downloads.activeCount, at: now)
    guard let reason else { return [.quit] }
    toast.show(words.askToQuit(reason))
    question = toast.number
    return []
  }

  /// Handles a key that has closed a screen. At the top level, the same key may quit.
  mutating func screenClosed(by key: Key) {
    if keys[.global].command(for: key) == .global(.quit) { quitGuard.screenClosed(at: now) }
  }

  mutating func withdrawQuestion() {
    question = nil
    quitGuard.cancel()
    browsing.downloads.cancelRemoval()
  }

  /// Decides whether the quit key asks first. It is easily pressed once too often on the way to the top level.
  struct QuitGuard: Equatable, Sendable {
    enum Reason: Equatable, Sendable {
      case playing
      case downloads(Int)
      case closedScreen
    }

    private enum Phase: Equatable {
      case resting
      /// The key closed a screen at this time, in milliseconds since 1970.
      case closedScreen(at: Int)
      case asked
    }

    private var phase = Phase.resting

    /// In milliseconds.
    static let pause = 1_000

    mutating func screenClosed(at now: Int) { phase = .closedScreen(at: now) }

    /// Nil to quit at once. Asks once until `cancel`. No time passes if the clock is set back.
    mutating func ask(isPlaying: Bool, downloadCount: Int, at now: Int) -> Reason? {
      let reason: Reason?
      switch phase {
      case .asked: reason = nil
      case _ where isPlaying: reason = .playing
      case _ where downloadCount > 0: reason = .downloads(downloadCount)
      case .closedScreen(let time):
        let (distance, overflow) = now.subtractingReportingOverflow(time)
        reason = !overflow && distance >= Self.pause || overflow && now > time ? nil : .closedScreen
      case .resting: reason = nil
      }
      phase = reason == nil ? .resting : .asked
      return reason
    }

    mutating func cancel() { if phase == .asked { phase = .resting } }
  }

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
      let failure = library[card.source].details.failure(of: card.id)
      return [.fail(Words.notPlayed(card.video.title, because: failure?.reason, advice: failure?.advice))]
    }
    guard let failure = player.session.failure else { return [.quit] }
    return [.fail(Words.notPlayed(player.title, because: failure.reason, advice: failure.advice))]
  }
}

/// `feedfall play`: the first video plays in the full window, and the program quits when it ends.
enum SoloPlayback: Equatable, Sendable {
  case off
  /// No source has listed a video yet.
  case awaiting
  case started, over
}
