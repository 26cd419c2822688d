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

  public var reason: String {
    switch self {
    case .notInstalled: "libmpv is not installed"
    case .helperNotInstalled: "this video is on a web page, which needs yt-dlp"
    case .unsupportedProxy(let proxy): "mpv cannot use the proxy \(proxy)"
    case .leavesHTTPS(let redirect), .loginLeavesHTTPS(let redirect): redirect.reason
    case .noMedia: "the feed has no address for it"
    case .missingFile(let name): "there is no file “\(name)”"
    case .unreadableFile(let name): "the file “\(name)” cannot be read"
    case .http(let status): "the server answered \(status)\(Self.meaning(ofStatus: status))"
    case .unreachable: "the server cannot be reached"
    case .nameNotFound: "the server's name was not found"
    case .refused: "the server refused the connection"
    case .timedOut: "the server does not answer"
    case .unrecognizedFormat: "the file is not a video"
    case .noStreams: "the file has neither picture nor sound"
    case .notSeekable: "it must be downloaded completely before it can play"
    case .endedEarly(let seconds): "it ended early, at \(playTime(seconds))"
    case .displayUnavailable: "there is no display for a window"
    case .outputFailed: "no picture or sound output could be opened"
    case .crashed: "mpv has crashed"
    case .notResponding: "mpv has stopped responding"
    case .tooMuchOutput: "mpv sent too much data"
    case .notStarted(let reason): "mpv could not be started: \(reason)"
    }
  }

  /// Advice besides retrying; nil if there is none.
  public var advice: String? {
    switch self {
    case .notInstalled: "install it: apt install libmpv2"
    case .helperNotInstalled: "install it: apt install yt-dlp"
    case .missingFile: "check whether it was moved or its disk is not mounted"
    case .unreadableFile: "check its permissions"
    case .unsupportedProxy: "use a proxy that begins with http://"
    case .leavesHTTPS: "write allow-http = true in the source's table of config.toml"
    case .loginLeavesHTTPS: "to allow that, use the http address"
    case .unreachable: "check the network"
    case .nameNotFound: "check the address and the network"
    case .refused: "check the address and whether the server runs"
    case .outputFailed: "check the sound output"
    case .notStarted: "check the installation of mpv"
    case .noMedia, .http, .timedOut, .unrecognizedFormat, .noStreams, .notSeekable, .endedEarly, .displayUnavailable,
      .crashed,
      .notResponding, .tooMuchOutput:
      nil
    }
  }

  /// Whether another address of the same video may work: this one is gone, forbidden or no video.
  var allowsFallback: Bool {
    switch self {
    case .http(let status): [403, 404, 410].contains(status)
    case .missingFile, .unreadableFile, .unrecognizedFormat, .noStreams, .notSeekable: true
    case .notInstalled, .helperNotInstalled, .unsupportedProxy, .leavesHTTPS, .loginLeavesHTTPS, .noMedia, .unreachable,
      .nameNotFound, .refused, .timedOut, .endedEarly,
      .displayUnavailable,
      .outputFailed, .crashed, .notResponding, .tooMuchOutput, .notStarted:
      false
    }
  }

  private static func meaning(ofStatus status: Int) -> String {
    switch status {
    case 401, 403: ", not allowed"
    case 404: ", not found"
    case 410: ", gone"
    case 429: ", too many requests"
    case 500...599: ", a server error"
    default: ""
    }
  }
}
