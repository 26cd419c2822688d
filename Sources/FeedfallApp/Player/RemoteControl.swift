extension AppState {
  /// The video that plays or was played last, as other programs see it; nil before the first one.
  public var nowPlaying: NowPlaying? {
    guard var nowPlaying = NowPlaying(player.session) else { return nil }
    (nowPlaying.hasPrevious, nowPlaying.hasNext) = playback.neighbors(in: browsing)
    return nowPlaying
  }

  mutating func perform(_ command: RemoteCommand) -> [AppEffect] {
    let session = player.session
    switch command {
    case .play: return session.playState == .playing ? [] : control(.togglePause)
    case .pause: return session.playState == .playing ? control(.togglePause) : []
    case .togglePause: return control(.togglePause)
    case .stop: return control(.stop)
    case .next: return playNeighbor(by: 1)
    case .previous: return playNeighbor(by: -1)
    case .seek(let offset):
      let isBeyondEnd = session.isUnderWay && session.shownDuration.map { session.shownTime + offset > $0 } == true
      return isBeyondEnd ? playNeighbor(by: 1) : control(.seek(.by(offset)))
    case .setPosition(let seconds, let id):
      let isInside = seconds >= 0 && seconds <= session.shownDuration ?? seconds
      return isInside && session.item?.key.text == id ? control(.seek(.at(seconds))) : []
    case .setVolume(let volume):
      let step = min(max(0, volume), 100) - session.settings.volume
      return step == 0 ? [] : control(.changeVolume(by: step))
    case .setRate(let rate): return control(.setRate(rate))
    case .setLoop(let mode): return mode == session.settings.loop ? [] : control(.setLoop(mode))
    case .setShuffle(let shuffles): return shuffles == session.settings.shuffles ? [] : control(.toggleShuffle)
    }
  }
}
