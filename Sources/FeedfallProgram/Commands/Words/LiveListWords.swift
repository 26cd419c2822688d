/// The sentences about live lists.
enum LiveListWords {
  static let meaning =
    "whether it is a live list: its sources are those that the OPML at its address lists (default: `false`)"
  static let localFault = "a live list needs a web address"
  static let localAdvice = "Write address = \"https://…\", or import the file."
  static let notLoaded =
    "Could not find the sources of the live list: it has not been loaded yet. Start the program once to load it."
}
