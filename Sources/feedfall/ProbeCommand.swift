import ArgumentParser

/// `feedfall probe FILE…`: print what is understood of documents.
struct ProbeCommand: ExitingCommand {
  static let word = "probe"

  static let configuration = CommandConfiguration(
    commandName: "feedfall probe",
    abstract: "Print what is understood of feed documents, one JSON object for each.",
    discussion: """
      Without a file it reads the paths from standard input, one a line. An object has a list of items, each with what \
      is known of title, link, published, durationSeconds, media and covers; or the error that stood against it.
      """)

  @Argument(help: "Feed documents.")
  var files: [String] = []

  @Flag(help: "Print JSON, which is the only form.")
  var json = false

  @Option(help: ArgumentHelp("What relative addresses in the documents are relative to.", valueName: "address"))
  var base = "http://example.org/base/"

  func run() -> Int32 { Probe(paths: files, base: base).run() }
}
