/// The sentences about live lists.
enum LiveListWords {
  static let meaning =
    "whether it is a live list: the sources of OPML at its address are opened and closed with it (default: `false`)"
  static let localFault = "a live list has no web address"
  static let localAdvice = "Write address = \"https://…\", or import the file."
  static let notLoaded = "Could not find the sources of the live list: it was not loaded yet. Start feedfall once."
}
