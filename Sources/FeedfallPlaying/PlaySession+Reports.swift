extension PlaySession {
  /// Takes in what a player tells and says what to do about it.
  public mutating func handle(_ report: PlayerReport) -> [PlayEffect] {
    switch report {
    case .playing(let id, let news): return id == current ? handle(news) : []
    case .presented(let kind): return presented(kind)
    case .pictureTaken(let path): return [.tell(.pictureTaken(path: path))]
    case .pictureNotTaken(let reason): return [.tell(.pictureNotTaken(reason: reason))]
    case .gone(let failure):
      told = nil
      return isUnderWay ? failed(failure) : []
    }
  }

  private mutating func handle(_ news: PlayNews) -> [PlayEffect] {
    switch news {
    case .ready: return ready()
    case .duration(let seconds): duration = seconds.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    case .time(let seconds): return moved(to: seconds)
    case .loaded(let seconds): loadedUntil = seconds.isFinite ? seconds : 0
    case .paused(let isPaused): playState = isPaused ? .paused : .playing
    case .stalled(let isStalled): if loadState.isReady { stalled(isStalled) }
    case .sought: return seeking.proceed().map { [.order(.seek(to: $0))] } ?? []
    case .pictureSize(let size): pictureSize = size
    case .sound(let hasDevice): hasSoundDevice = hasDevice
    case .tracks(let tracks): return take(tracks)
    case .subtitle(let text): subtitle = text ?? ""
    case .ended(let end): return ended(end)
    }
    return []
  }

  private mutating func moved(to seconds: Double) -> [PlayEffect] {
    guard seconds.isFinite, loadState.isReady, let item else { return [] }
    time = max(0, seconds)
    // However the program ends, not much is lost.
    return abs(shownTime - Double(records[item.recordID] ?? 0)) < Self.longestUnkept ? [] : keepPlace()
  }

  /// In seconds.
  private static let longestUnkept = 30.0

  private mutating func ready() -> [PlayEffect] {
    guard loadState == .prepare else { return [] }
    loadState = .playthroughOK
    if let item, let winner = remaining.first, addresses(of: item).first != winner { winners.note(winner) }
    return seeking.proceed().map { [.order(.seek(to: $0))] } ?? []
  }

  private mutating func stalled(_ isStalled: Bool) {
    if isStalled {
      loadState = .stalled
    } else if loadState == .stalled {
      loadState = .playable
    }
  }

  /// A player that cannot open a window shows the picture where it was before, or not at all.
  private mutating func presented(_ kind: PresentationKind) -> [PlayEffect] {
    guard settings.presentation == .window, kind != .window else { return [] }
    settings.presentation = .cells
    return [.tell(.noDisplay)] + settingsChanged()
  }

  private mutating func take(_ new: [MediaTrack]) -> [PlayEffect] {
    let old = tracks
    tracks = new
    return [MediaTrack.Kind.sound, .subtitles].filter { cycled == $0 }.compactMap { kind in
      let chosen = new.first { $0.kind == kind && $0.isSelected }
      let before = old.first { $0.kind == kind && $0.isSelected }
      guard chosen?.number != before?.number else { return nil }
      cycled = nil
      return .tell(.chose(kind, chosen))
    }
  }

  // MARK: - The end

  private mutating func ended(_ end: PlayEnd) -> [PlayEffect] {
    switch end {
    case .reachedEnd: return isAtEnd ? finish() : endedEarly()
    case .stopped, .closed:
      let kept = keepPlace()
      self.end(.playStopped)
      return [.leaveFullWindow] + kept
    case .failed(let failure): return failed(failure)
    }
  }

  /// Whether there cannot be more of it; a film whose length nobody knows ends where it ends.
  private var isAtEnd: Bool {
    guard let duration else { return loadState.isReady }
    return shownTime >= duration - max(1, duration * 0.02)
  }

  /// Where nothing more came from the place at which it began, to try again there would end there as well.
  private mutating func endedEarly() -> [PlayEffect] {
    let effects = failed(.endedEarly(seconds: shownTime))
    if time < start + 1 { time = 0 }
    return effects
  }

  private mutating func finish() -> [PlayEffect] {
    let hadRecord = item.flatMap { records[$0.recordID] } != nil
    if let item { records.forget(item.recordID) }
    end(.playStopped)
    time = 0
    return [.leaveFullWindow] + (hadRecord ? [.keepRecords] : []) + (settings.playsOn ? [.playNext] : [])
  }

  private mutating func failed(_ failure: PlayFailure) -> [PlayEffect] {
    if failure == .displayUnavailable, settings.presentation == .window {
      settings.presentation = .cells
      return [.tell(.noDisplay)] + load(at: shownTime, isPaused: playState == .paused)
    }
    if loadState == .prepare, failure.letsOthersTry, remaining.count > 1 {
      remaining.removeFirst()
      return load(at: shownTime, isPaused: playState == .paused)
    }
    if loadState == .prepare { remaining = [] }
    return fail(failure)
  }
}
