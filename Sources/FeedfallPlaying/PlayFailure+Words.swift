extension PlayFailure {
  /// Why it cannot be played, as a part of a sentence.
  public var reason: String {
    switch self {
    case .notInstalled: "mpv is not installed"
    case .helperNotInstalled: "it is a page, and yt-dlp, which finds films in pages, is not installed"
    case .noMedia: "its feed names nothing to play"
    case .http(let status): "the server answered \(status)\(Self.meaning(ofStatus: status))"
    case .unreachable: "the server cannot be reached"
    case .timedOut: "the server does not answer"
    case .unrecognizedFormat: "what came is no video"
    case .noStreams: "there is neither picture nor sound in it"
    case .endedEarly(let seconds): "it ended early, at \(PlayTime.text(seconds))"
    case .displayUnavailable: "there is no display for a window"
    case .outputFailed: "neither picture nor sound can be put out"
    case .crashed: "mpv has ended by itself"
    case .notStarted(let reason): "mpv could not be started: \(reason)"
    }
  }

  /// What helps, where something does but to try again.
  public var advice: String? {
    switch self {
    case .notInstalled: "install mpv to play"
    case .helperNotInstalled: "install yt-dlp to play"
    case .unreachable: "check the network"
    case .noMedia, .http, .timedOut, .unrecognizedFormat, .noStreams, .endedEarly, .displayUnavailable, .outputFailed,
      .crashed, .notStarted:
      nil
    }
  }

  /// Whether another address of the same film may do better: this one is gone, forbidden or no film.
  var letsOthersTry: Bool {
    switch self {
    case .http(let status): [403, 404, 410].contains(status)
    case .unrecognizedFormat, .noStreams: true
    case .notInstalled, .helperNotInstalled, .noMedia, .unreachable, .timedOut, .endedEarly, .displayUnavailable,
      .outputFailed, .crashed, .notStarted:
      false
    }
  }

  private static func meaning(ofStatus status: Int) -> String {
    switch status {
    case 401, 403: ", not allowed"
    case 404: ", not found"
    case 410: ", gone"
    case 429: ", too many requests"
    case 500...599: ", an error of its own"
    default: ""
    }
  }
}
