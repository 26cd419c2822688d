import CFeedfall

/// Limits on the work and memory for decoding a picture: counts, so that slow and fast machines accept the same ones.
public struct PictureLimits: Hashable, Sendable {
  /// The number of bytes in the file.
  public var bytes = 24 << 20
  /// The number of pixels in the file. GIF and WebP have lower limits of their own, and so has a JPEG of several scans.
  public var pixels = 100 << 20
  /// In bytes of samples: 3 or 4 for each pixel of an ordinary PNG; slower coding counts as more, see `ImageLimits`.
  /// The default takes a third of a second on a processor of 2020.
  public var work = 80 << 20

  static let webByteCount = 12 << 20
  /// The minimum width and height of a cover, in pixels; smaller pictures are tracking pixels or spacers.
  package static let minimumSide = 8

  public init() {}
}

/// The reason why a picture was not decoded.
public enum PictureError: Error, Hashable, Sendable {
  /// The format is not JPEG, PNG, WebP or GIF.
  case unknownFormat
  /// The library for the format is not installed.
  case noLibrary
  /// No row could be decoded.
  case damaged
  /// The file has too many bytes or pixels.
  case tooLarge
  /// A side is shorter than that of any cover.
  case tooSmall
  /// Decoding would take too much work.
  case tooMuchWork
  case noMemory

  init?(_ fault: ImageFault) {
    switch fault {
    case .none: return nil
    case .noLibrary: self = .noLibrary
    case .damaged: self = .damaged
    case .tooManyPixels: self = .tooLarge
    case .tooMuchWork: self = .tooMuchWork
    case .noMemory: self = .noMemory
    }
  }
}
