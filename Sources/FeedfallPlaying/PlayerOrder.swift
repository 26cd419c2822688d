import FeedfallText
import WaterfallEngine

/// What a player is told to do.
public enum PlayerOrder: Equatable, Sendable {
  /// Play this instead of what plays now.
  case load(PlayRequest)
  case pause
  case resume
  /// To a place in seconds from the beginning, exactly there.
  case seek(to: Double)
  /// End what plays; the player stays ready for the next.
  case stop
  /// 0 to 100.
  case setVolume(Int)
  case setMuted(Bool)
  /// 1 is the pace of the film itself.
  case setRate(Double)
  case setPresentation(Presentation)
  /// The next of the film's subtitles, or none after the last.
  case cycleSubtitles
  case cycleSoundTracks
  /// Keep the picture that is seen as a file.
  case takePicture
}

/// What is to be played, and how it begins.
public struct PlayRequest: Equatable, Sendable {
  public var id: PlayID
  public var address: MediaAddress
  /// Whether the address is a page in which a helper must find the film.
  public var isPage = false
  /// The most pixels that the picture should have from top to bottom, where there is a choice.
  public var maximumHeight: Int?
  public var startSeconds: Double = 0
  public var isPaused = false
  public var title: String

  public init(id: PlayID, address: MediaAddress, title: String) {
    self.id = id
    self.address = address
    self.title = title
  }
}

/// Where the picture goes.
public enum Presentation: Equatable, Sendable {
  /// In cells of this terminal, each of two pixels; the aspect is such a pixel's width divided by its height.
  case cells(Size, PictureFit, pixelAspect: Double = 1)
  /// In a window of its own, where there is a display.
  case window
  case soundOnly
}

/// How a picture goes into a frame of other proportions.
public enum PictureFit: Equatable, Sendable, CaseIterable {
  /// All of it, with bars at two sides.
  case whole
  /// The frame is full, and two sides of the picture are cut off.
  case filling
}
