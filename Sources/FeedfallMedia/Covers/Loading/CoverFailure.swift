import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Glibc

package enum CoverFailure: Error, Equatable, Sendable {
  case cancelled
  case noAddress
  case web(WebFailure)
  case file(FileError, name: String)
  case noThread(name: String)
  case frame(FeedFailure)
  case picture(PictureError)
  /// The picture can only be shown after others of the video have failed, by ffmpeg.
  case foreign(ForeignPicture)
  case needsProgram(ForeignPicture.Format)
  case notConverted(ForeignPicture.Format, ConversionFault)
  case webPage
  /// An earlier failure, with its reason from the disk cache, and whether no retry can end it.
  case earlier(reason: String, isFinal: Bool = false)

  package enum ConversionFault: Equatable, Sendable {
    case undecodable
    case tooMuchWork(seconds: Int)
    case timedOut(seconds: Int)
    case notStarted
  }

  /// Whether there is no picture at the address; false if a retry could find one.
  package var isMissing: Bool {
    switch self {
    case .web(.tooLarge), .web(.loginRefused), .web(.loginWithheld), .file, .picture, .webPage, .earlier, .noAddress:
      true
    case .foreign, .needsProgram, .notConverted: true
    case .web(.status(let status, let pause)): WebFailure.status(status, retryAfter: pause).retry == .permanent
    case .frame(let failure): [.permanent, .absent].contains(failure.kind)
    case .web, .cancelled, .noThread: false
    }
  }

  package var kind: FeedFailure.Kind {
    switch self {
    case .web(.tooLarge), .web(.noLibrary), .web(.invalidAddress), .noAddress, .file(.notRegular, _),
      .file(.tooLarge, _), .foreign, .notConverted(_, .undecodable), .notConverted(_, .tooMuchWork),
      .earlier(_, isFinal: true):
      .permanent
    case .web(let failure): if case .wait(let seconds) = failure.retry { .wait(seconds: seconds) } else { .temporary }
    case .picture(let error): [.damaged, .noMemory].contains(error) ? .temporary : .permanent
    case .frame(let failure): failure.kind
    case .cancelled, .file, .noThread, .webPage, .needsProgram, .notConverted, .earlier: .temporary
    }
  }

  package var isOffline: Bool {
    if case .web(let failure) = self { failure.isOffline } else { false }
  }

  /// The reason, such as `the server answered 404 Not Found`, without a full stop.
  package var reason: String {
    switch self {
    case .cancelled: WebFailure.cancelled.reason
    case .noAddress: "there is no cover"
    case .web(let failure): failure.reason
    case .file(.notRegular, let name): "\(name) is not a regular file"
    case .file(.tooLarge, let name): "\(name) is larger than \(PictureLimits().bytes >> 20) MB"
    case .file(.system(let error), let name): Self.reason(error, name)
    case .noThread(let name): "no thread could be started to read \(name)"
    case .picture(let error): Self.reason(error)
    case .webPage: "the server sent a web page, not a picture"
    case .frame(let failure): failure.reason
    case .foreign(let picture): "the cover is \(picture.format.name) picture"
    case .needsProgram(let format): "the cover is \(format.name) picture, which needs ffmpeg"
    case .notConverted(let format, .undecodable): "ffmpeg could not decode the cover, \(format.name) picture"
    case .notConverted(let format, .tooMuchWork(let seconds)), .notConverted(let format, .timedOut(let seconds)):
      "ffmpeg took more than \(seconds) s for the cover, \(format.name) picture"
    case .notConverted(let format, .notStarted):
      "ffmpeg could not be started for the cover, \(format.name) picture"
    case .earlier(let reason, _): reason
    }
  }

  /// The remedy, such as `check the address`; nil if a retry is the only one.
  package var advice: String? {
    switch self {
    case .web(let failure): failure.advice
    case .frame(let failure): failure.advice
    case .noThread: "close other programs"
    case .needsProgram: "install it: apt install ffmpeg"
    case .cancelled, .noAddress, .file, .picture, .foreign, .notConverted, .webPage, .earlier: nil
    }
  }

  private static func reason(_ error: SystemError, _ name: String) -> String {
    switch error.number {
    case ENOENT, ENOTDIR: "there is no \(name)"
    case EACCES, EPERM: "\(name) is not readable"
    default: "\(name) could not be opened: \(error.message)"
    }
  }

  private static func reason(_ error: PictureError) -> String {
    switch error {
    case .unknownFormat: "the cover is not a JPEG, PNG, WebP or GIF picture"
    case .noLibrary: "the library for the cover's format is not installed"
    case .damaged: "the cover is damaged"
    case .tooSmall: "the cover is less than \(PictureLimits.minimumSide) pixels wide or high"
    case .tooLarge: "the cover has too many pixels"
    case .tooMuchWork: "the cover is too complex to decode"
    case .noMemory: "there is not enough memory for the cover"
    }
  }
}
