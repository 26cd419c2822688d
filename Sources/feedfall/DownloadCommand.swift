import ArgumentParser

/// `feedfall download ADDRESS…`: download videos.
struct DownloadCommand: ExitingCommand {
  static let word = "download"

  static let configuration = CommandConfiguration(
    commandName: "feedfall download", abstract: "Download videos.",
    discussion: """
      On a terminal it shows a progress bar, otherwise it prints one JSON object per line. An interrupted download is \
      continued by the same command, by --queue and by the browser.
      """)

  @Argument(help: "The addresses of videos or of their pages.")
  var addresses: [String] = []

  @Flag(help: "Continue the waiting downloads.")
  var queue = false

  @OptionGroup var downloads: DownloadArguments
  @OptionGroup var feed: SourceArguments

  func validate() throws {
    guard addresses.isEmpty == queue else {
      throw ValidationError("Write either the addresses of videos or --queue.")
    }
  }

  func run() -> Int32 {
    withConfiguration { configuration in
      let options = configuration.viewOptions { downloads.apply(to: &$0) }
      return Downloading(
        addresses: addresses, sources: configuration.sources, options: options, feed: configuration.sourceOptions(feed)
      ).run()
    }
  }
}
