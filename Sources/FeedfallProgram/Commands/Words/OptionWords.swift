import FeedfallSystem

enum OptionWords {
  static let unwatchedOnly = "Hide watched videos, except those watched since the start, or not (default)."
  static let newSource = "How many videos of a new source count as unwatched: the newest n (default: 5), or all."
  static let newSourceFault = "Write a whole number from 0 to 1000, or all."
}

enum DoctorWords {
  static func refusedConfiguration(_ reason: String) -> String {
    "configuration: yt-dlp refuses its own: \(YtDlp.shown(reason)). \(YtDlp.configurationCure)"
  }
}

enum LiveListWords {
  static let meaning =
    "whether it is a live list: its sources are those that the OPML at its address lists (default: `false`)"
  static let localFault = "a live list needs a web address"
  static let localAdvice = "Write address = \"https://…\", or import the file."
  static let notLoaded =
    "Could not find the sources of the live list: it has not been loaded yet. Start the program once to load it."
}
