import WaterfallEngine

extension PlaySession {
  /// Takes in what a person wants and says what to do about it.
  public mutating func perform(_ wish: PlayWish) -> [PlayEffect] {
    switch wish {
    case .play(let item): return play(item)
    case .togglePause: return togglePause()
    case .stop: return stop()
    case .again: return again()
    case .seek(let place): return seek(place)
    case .changeVolume(let step): settings.changeVolume(by: step)
    case .toggleMute: settings.isMuted.toggle()
    case .changeRate(let faster): settings.changeRate(faster: faster)
    case .changeBrightness(let step): settings.changeBrightness(by: step)
    case .toggleFit: settings.fit = settings.fit == .whole ? .filling : .whole
    case .togglePresentation(let kind): settings.presentation = settings.presentation == kind ? .cells : kind
    case .cycleSubtitles: return cycle(.subtitles, .cycleSubtitles)
    case .cycleSoundTracks: return cycle(.sound, .cycleSoundTracks)
    case .cycleHeight: return cycleHeight()
    case .togglePlayingOn:
      settings.playsOn.toggle()
      return [.tell(.playsOn(settings.playsOn))]
    case .takePicture: return loadState.isReady ? [.order(.takePicture)] : []
    }
    return settingsChanged()
  }

  /// Takes in how many cells there are for the picture; nil where there are none.
  public mutating func makeRoom(_ room: Size?, pixelAspect: Double = 1) -> [PlayEffect] {
    guard room != settings.room || pixelAspect != settings.pixelAspect else { return [] }
    (settings.room, settings.pixelAspect) = (room, pixelAspect)
    return settingsChanged()
  }

  /// The program is about to stand still.
  public mutating func suspend() -> [PlayEffect] {
    let kept = keepPlace()
    guard playState == .playing else { return kept }
    playState = .paused
    isPausedBySuspension = true
    return [.order(.pause)] + kept
  }

  /// The program goes on after it stood still.
  public mutating func proceed() -> [PlayEffect] {
    guard isPausedBySuspension, playState == .paused else { return [] }
    isPausedBySuspension = false
    playState = .playing
    return [.order(.resume)]
  }

  /// The program comes to its end.
  public mutating func close() -> [PlayEffect] { keepPlace() }

  // MARK: - Playing

  private mutating func play(_ item: PlayItem) -> [PlayEffect] {
    let kept = keepPlace()
    self.item = item
    remaining = addresses(of: item)
    return kept + load(at: Double(records[item.recordID] ?? 0), isPaused: false)
  }

  private mutating func togglePause() -> [PlayEffect] {
    isPausedBySuspension = false
    switch playState {
    case .playing:
      playState = .paused
      return [.order(.pause)]
    case .paused:
      playState = .playing
      return [.order(.resume)]
    case .playStopped: return item.map { play($0) } ?? []
    case .playFailed: return again()
    case .unknown: return []
    }
  }

  private mutating func stop() -> [PlayEffect] {
    switch playState {
    case .playing, .paused:
      let kept = keepPlace()
      end(.playStopped)
      return [.leaveFullWindow, .order(.stop)] + kept
    case .playFailed:
      end(.playStopped)
      return []
    case .unknown, .playStopped: return []
    }
  }

  private mutating func again() -> [PlayEffect] {
    switch playState {
    case .playing: return seek(.at(0))
    case .paused: return seek(.at(0)) + togglePause()
    case .playFailed:
      if remaining.isEmpty { remaining = item.map(addresses) ?? [] }
      return load(at: time, isPaused: false)
    case .playStopped:
      guard let item else { return [] }
      remaining = addresses(of: item)
      return load(at: 0, isPaused: false)
    case .unknown: return []
    }
  }

  // MARK: - Seeking

  private mutating func seek(_ place: PlayPlace) -> [PlayEffect] {
    guard isUnderWay, let target = target(of: place) else { return [] }
    return seeking.wish(target, isReady: loadState.isReady).map { [.order(.seek(to: $0))] } ?? []
  }

  /// Within the film, and so far before its end that this is seen to come.
  private func target(of place: PlayPlace) -> Double? {
    let wished: Double
    switch place {
    case .by(let seconds): wished = shownTime + seconds
    case .at(let seconds): wished = seconds
    case .share(let share):
      guard let duration else { return nil }
      wished = duration * share
    }
    guard wished.isFinite else { return nil }
    return max(0, duration.map { min(wished, $0 - Self.shownEnd) } ?? wished)
  }

  /// In seconds.
  private static let shownEnd = 1.0

  // MARK: - Choosing

  private mutating func cycle(_ kind: MediaTrack.Kind, _ order: PlayerOrder) -> [PlayEffect] {
    guard loadState.isReady else { return [] }
    // Subtitles can be switched off; of sound there is a choice from two tracks on.
    let needed = kind == .subtitles ? 1 : 2
    guard tracks.count(where: { $0.kind == kind }) >= needed else { return [.tell(.nothingToCycle(kind))] }
    cycled = kind
    return [.order(order)]
  }

  private mutating func cycleHeight() -> [PlayEffect] {
    guard isUnderWay, let item else { return [] }
    let heights = item.heights
    guard heights.count > 1, let highest = heights.first else { return [.tell(.noOtherHeight)] }
    let now = remaining.first?.height ?? settings.maximumHeight ?? .max
    let height = heights.first { $0 < now } ?? highest
    settings.maximumHeight = height
    remaining = addresses(of: item)
    return [.tell(.choseHeight(height))] + load(at: shownTime, isPaused: playState == .paused)
  }
}
