import CFeedfallImages

/// Bounds for the work and the memory of decoding one picture.
///
/// Every limit is a count, never a time: a picture is accepted on a slow machine exactly if it is on a fast one.
public struct PictureLimits: Hashable, Sendable {
  /// Of the file.
  public var bytes = 8 << 20
  /// Of the picture in the file. Podcasts have covers of 3000 by 3000 pixels.
  public var pixels = 16 << 20
  /// Of decoding, in bytes of samples: each pixel of an ordinary PNG is three or four. Slow ways of coding count as
  /// more; see `ImageLimits` in CFeedfallImages. The default takes a quarter of a second on a processor of 2020.
  public var work = 60 << 20

  public init() {}
}

/// Why a picture was not decoded.
public enum PictureError: Error, Hashable, Sendable {
  /// Neither JPEG, PNG, WebP nor GIF.
  case unknownFormat
  /// The library that decodes the format is not on this system.
  case noLibrary
  /// No row could be decoded.
  case damaged
  /// More bytes or pixels than allowed.
  case tooLarge
  /// Decoding takes more work than allowed.
  case tooMuchWork
  case noMemory

  /// Nil for no fault.
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
