import ArgumentParser
import FeedfallMedia

struct FindCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall find", abstract: "Print the videos ever loaded that have all words, one per line.",
    discussion: """
      Searches the titles, channels, authors and descriptions (their first 4,000 characters) of up to 200,000 videos. \
      Matches in the title come first. A word also matches the start of a longer one, and words between quotation \
      marks are a phrase. Videos of sources with a password are not stored.
      """)

  @Argument(help: ArgumentHelp("The words.", valueName: "word"))
  var words: [String]

  @Option(
    help: ArgumentHelp("The largest number of videos to print (default: all).", valueName: "n"))
  var limit: Int?

  @Flag(help: "Print one JSON object per line.")
  var json = false

  private static let batchCount = 500

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit \(limit) is out of range. Write a value of at least 1.") }
    guard SearchWords(words.joined(separator: " ")) != nil else {
      throw ValidationError("There is no word to find. Write at least one letter or digit.")
    }
  }

  func run() -> Int32 {
    withConfiguration { configuration in
      guard let records = UserLog.records(sharedFolder: configuration.viewOptions().stateFolder) else {
        return ExitStatus.failure
      }
      let index = VideoIndex.ofUser(executor: Worker())
      let count = forEachVideo(of: index) { found in
        let key = records.key(of: found.video)
        let row = VideoRow(found.video, source: found.source, key: key, record: records[key])
        print(json ? row.json : row.text)
      }
      if let notice = index.dequeueNotice() { printError(notice) }
      if count == 0 { printError("Found no videos: none that was loaded has these words. Use fewer or shorter words.") }
      return count > 0 ? ExitStatus.success : ExitStatus.failure
    }
  }

  private func forEachVideo(of index: VideoIndex, _ body: (FoundVideo) -> Void) -> Int {
    guard let words = SearchWords(words.joined(separator: " ")) else { return 0 }
    var (count, place) = (0, nil as Int?)
    while count < limit ?? .max {
      let found = index.videos(with: words, after: place, limit: min(Self.batchCount, (limit ?? .max) - count))
      guard let last = found.last else { break }
      found.forEach(body)
      count += found.count
      place = last.place
    }
    return count
  }
}
