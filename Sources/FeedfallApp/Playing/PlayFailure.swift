import FeedfallText

/// Why a video cannot be played.
public enum PlayFailure: Error, Equatable, Sendable {
  case notInstalled
  /// The address is a page, which needs yt-dlp, and that is not installed.
  case helperNotInstalled
  /// The address would be requested by a proxy of another kind than HTTP.
  case unsupportedProxy(String)
  /// The server redirects to an address without encryption, and the user has not allowed that.
  case leavesHTTPS(UnencryptedRedirect)
  /// The same for an address with a password, which the user cannot allow.
  case loginLeavesHTTPS(UnencryptedRedirect)
  /// yt-dlp found no video on the page; with its words.
  case page(reason: String, advice: String?)
  case noMedia
  case missingFile(name: String)
  case unreadableFile(name: String)
  case http(status: Int)
  case unreachable
  case nameNotFound
  case refused
  case timedOut
  case unrecognizedFormat
  case noStreams
  /// The file can only be read with requests for ranges, which the server does not support.
  case notSeekable
  /// The data ended at this position, long before the duration.
  case endedEarly(seconds: Double)
  case displayUnavailable
  case outputFailed
  case crashed
  case notResponding
  case tooMuchOutput
  case notStarted(reason: String)

  /// Whether another address of the same video may work: this one is gone, forbidden or no video.
  var allowsFallback: Bool {
    switch self {
    case .http(let status): [403, 404, 410].contains(status)
    case .missingFile, .unreadableFile, .unrecognizedFormat, .noStreams, .notSeekable: true
    case .notInstalled, .helperNotInstalled, .unsupportedProxy, .leavesHTTPS, .loginLeavesHTTPS, .page, .noMedia,
      .unreachable,
      .nameNotFound, .refused, .timedOut, .endedEarly,
      .displayUnavailable,
      .outputFailed, .crashed, .notResponding, .tooMuchOutput, .notStarted:
      false
    }
  }
}
