import FeedfallText
import WaterfallEngine

public enum PlayerOrder: Equatable, Sendable {
  case load(PlayRequest)
  /// Applies a configuration; the player determines the difference.
  case configure(PlayerConfiguration)
  case pause
  case resume
  /// An exact seek, in seconds from the beginning.
  case seek(to: Double)
  /// Lifts the limit for the data of a preview, which plays on as a video.
  case liftLimit
  /// Stops playback; the player stays ready for the next file.
  case stop
  /// Selects the next subtitles of the file, or none after the last.
  case cycleSubtitles
  case cycleSoundTracks
  case takeScreenshot
}

/// Identifies one load of an address, so that late events of an earlier load are recognized.
public struct PlayID: Hashable, Sendable {
  public let number: Int

  public init(_ number: Int) { self.number = number }
}

public struct PlayRequest: Equatable, Sendable {
  public var id: PlayID
  public var address: MediaAddress
  /// Whether the address is a page in which a helper must find the video.
  public var isPage = false
  /// The headers of its request; nil for the player's own.
  public var headers: RequestHeaders?
  /// Whether the user allows redirects from https to http.
  public var allowsHTTP = false
  /// In pixels, where the server offers a choice; nil for no limit.
  public var maximumHeight: Int?
  /// In bytes, for a preview; nil for no limit.
  public var byteLimit: Int?
  public var startSeconds: Double = 0
  public var isPaused = false
  public var title: String

  public init(id: PlayID, address: MediaAddress, title: String) {
    (self.id, self.address, self.title) = (id, address, title)
  }

  /// Whether the address or the headers contain a password; such a request never leaves https.
  public var hasLogin: Bool { headers?.authorization != nil || address.web?.namesUser == true }
}

public struct PlayerConfiguration: Equatable, Sendable {
  /// 0 to 100.
  public var volume: Int
  public var isMuted: Bool
  /// 1 is normal speed.
  public var rate: Double
  public var presentation: Presentation
  public var loopsFile = false
  public var loopPart: LoopMarks.Part?

  public init(volume: Int = 100, isMuted: Bool = false, rate: Double = 1, presentation: Presentation = .soundOnly) {
    (self.volume, self.isMuted, self.rate, self.presentation) = (volume, isMuted, rate, presentation)
  }
}

public enum Presentation: Equatable, Sendable {
  /// In cells of this terminal; the aspect is the width of half a cell divided by its height.
  case cells(Size, Fit, pixelAspect: Double = 1)
  /// In this terminal, as frames of this size in square pixels.
  case pixels(Size, Fit)
  /// In a window of its own, which needs a display.
  case window
  case soundOnly

  public var kind: Kind {
    switch self {
    case .cells, .pixels: .cells
    case .window: .window
    case .soundOnly: .soundOnly
    }
  }

  public enum Kind: Equatable, Sendable {
    /// In this terminal, in cells or pixels.
    case cells
    case window
    case soundOnly
  }

  /// How a picture fits a frame of other proportions.
  public enum Fit: Equatable, Sendable, CaseIterable {
    /// Letterbox: the whole picture is visible, with bars at two sides.
    case whole
    /// The picture fills the frame and is cropped at two sides.
    case filling
  }
}
