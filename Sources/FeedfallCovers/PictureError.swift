import CFeedfallImages

/// Why there is no picture.
public enum PictureError: Error, Hashable, Sendable {
  /// Neither JPEG, PNG, WebP nor GIF.
  case unknownFormat
  /// The library that decodes the format is not on this system.
  case noLibrary
  /// Nothing of the picture could be read.
  case damaged
  /// More bytes or more pixels than are allowed.
  case tooLarge
  /// Decoding takes more work than is allowed.
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
