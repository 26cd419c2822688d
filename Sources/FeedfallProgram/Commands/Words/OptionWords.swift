import FeedfallSystem

enum OptionWords {
  static let unwatchedOnly = "Hide watched videos, except those watched since the start, or not (default)."
  static let newSource = "How many videos of a new source count as unwatched: the newest n (default: 5), or all."
  static let newSourceFault = "Write a whole number from 0 to 1000, or all."
}

enum DoctorWords {
  private static let noAnswer = "gave no answer in \(YtDlpInstallation.timeLimitSeconds) s"
  private static let tooMuch = "printed more than 1 MB"

  static func faulty(_ fault: YtDlp.OptionFault, isOfConfiguration: Bool, _ path: String) -> String {
    let (failure, cause) =
      switch fault {
      case .refused(let words): ("refuses its own: \(YtDlp.shown(words))", "")
      case .noAnswer: (noAnswer, " with its own")
      case .printedTooMuch: (tooMuch, " with its own")
      }
    return isOfConfiguration
      ? "configuration: yt-dlp \(failure)\(cause). \(YtDlp.configurationCure)"
      : "program: \(path) \(failure). Run it by hand to see why."
  }

  static func silent(_ path: String) -> String {
    "program: \(path) \(noAnswer). Run \(path) --version by hand to see why."
  }

  static func unsupported(_ runtime: YtDlpInstallation.Runtime) -> String {
    if runtime.isSilent { return "\(noAnswer). Run it by hand to see why." }
    return runtime.version == nil ? "which does not say its version" : "too old"
  }

  static func tooLargeCookies(_ path: String) -> String {
    "cookies: \(path) is larger than \(YtDlp.maximumCookieByteCount >> 20) MB. Correct cookies below [yt-dlp]."
  }

  static func proxyOfArguments(_ proxy: String) -> String { "proxy: \(proxy), by arguments below [yt-dlp]" }
}

enum LiveListWords {
  static let meaning =
    "whether it is a live list: its sources are those that the OPML at its address lists (default: `false`)"
  static let localFault = "a live list needs a web address"
  static let localAdvice = "Write address = \"https://…\", or import the file."
  static let notLoaded =
    "Could not find the sources of the live list: it has not been loaded yet. Start the program once to load it."
}
