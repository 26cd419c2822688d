/// What a person wants of playing.
public enum PlayWish: Equatable, Sendable {
  /// Play this instead of what plays now, from where it was left off.
  case play(PlayItem)
  case togglePause
  case stop
  /// Once more: from its last place where it failed, else from its beginning.
  case again
  case seek(PlayPlace)
  case changeVolume(by: Int)
  case toggleMute
  case changeRate(faster: Bool)
  case changeBrightness(by: Int)
  case toggleFit
  /// This presentation, or cells again where it is there already.
  case togglePresentation(PresentationKind)
  case cycleSubtitles
  case cycleSoundTracks
  /// The next lower height that the feed offers, after the lowest the highest.
  case cycleHeight
  case togglePlayingOn
  case takePicture
}

/// A place in a film.
public enum PlayPlace: Equatable, Sendable {
  /// So many seconds from where it is.
  case by(Double)
  /// So many seconds from the beginning.
  case at(Double)
  /// A share of its length, 0 to 1.
  case share(Double)
}

/// What is to be done for playing.
public enum PlayEffect: Equatable, Sendable {
  case order(PlayerOrder)
  /// The records have changed and are to be kept.
  case keepRecords
  case leaveFullWindow
  case playNext
  case tell(PlayNotice)
}

/// What a person is told in passing.
public enum PlayNotice: Equatable, Sendable {
  case noDisplay
  case pictureTaken(path: String)
  case pictureNotTaken(reason: String)
  /// There is nothing of this kind to choose from.
  case nothingToCycle(MediaTrack.Kind)
  /// Another track, or none, was chosen.
  case chose(MediaTrack.Kind, MediaTrack?)
  case noOtherHeight
  case choseHeight(Int)
  case playsOn(Bool)
}
