import ArgumentParser

/// `feedfall probe FILE…`: print the parsed content of documents.
struct ProbeCommand: ExitingCommand {
  static let word = "probe"

  static let configuration = CommandConfiguration(
    commandName: "feedfall probe",
    abstract: "Print the parsed content of feed documents, one JSON object per document.",
    discussion: """
      Without files, the paths are read from standard input, one per line. An object contains a list of items with \
      the facts that list --json prints, such as title, link, published, durationSeconds, media and covers, as far as \
      they are known, or an error.
      """)

  @Argument(help: "Feed documents.")
  var files: [String] = []

  @Flag(help: "Print JSON. This is the only output format.")
  var json = false

  @Option(help: ArgumentHelp("The base address for relative addresses in the documents.", valueName: "address"))
  var base = "http://example.org/base/"

  func run() -> Int32 { Probe(paths: files, base: base).run() }
}
