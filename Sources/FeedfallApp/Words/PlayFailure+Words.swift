import FeedfallText

extension PlayFailure {
  public var reason: String {
    switch self {
    case .notInstalled: "libmpv is not installed"
    case .helperNotInstalled: "this video is on a web page, which needs yt-dlp"
    case .unsupportedProxy(let proxy): "mpv cannot use the proxy \(proxy)"
    case .leavesHTTPS(let redirect), .loginLeavesHTTPS(let redirect): redirect.reason
    case .page(let reason, _): reason
    case .noMedia: "the feed has no address for it"
    case .missingFile(let name): "there is no file “\(name)”"
    case .unreadableFile(let name): "the file “\(name)” cannot be read"
    case .http(let status): Self.reason(ofStatus: status)
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
    case .helperNotInstalled: "install it: pipx install 'yt-dlp[default,deno]'"
    case .page(_, let advice): advice
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
      .crashed, .notResponding, .tooMuchOutput:
      nil
    }
  }

  private static func reason(ofStatus status: Int) -> String {
    switch status {
    case 401, 403: "the server answered \(status), not allowed"
    case 404: "the server answered \(status), not found"
    case 410: "the server answered \(status), gone"
    case 429: "the server answered \(status), too many requests"
    case 500...599: "the server answered \(status), a server error"
    default: "the server answered \(status)"
    }
  }
}
