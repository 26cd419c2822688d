import ArgumentParser
import FeedfallApp
import FeedfallSources
import Glibc

struct PlayNowCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: PlayNowWords.command, abstract: PlayNowWords.abstract, discussion: PlayNowWords.discussion)

  @Argument(help: ArgumentHelp("\(PlayNowWords.argument)", valueName: "word"), completion: NamedSource.completion)
  var words: [String]

  @OptionGroup var options: OptionArguments

  private var source: String? { words.count == 1 && FeedSources.isSource(words[0]) ? words[0] : nil }

  func validate() throws {
    // Addresses and paths may be private: no service gets them as words.
    if words.count > 1, let address = words.first(where: FeedSources.isWrittenAddress) {
      throw ValidationError(PlayNowWords.notAlone(address))
    }
    if source == nil { _ = try WrittenSearch(words) }
  }

  func run() -> Int32 {
    guard isatty(STDOUT_FILENO) == 1 else {
      printError(PlayNowWords.noTerminal)
      return ExitStatus.usage
    }
    return withConfiguration(printsFaults: false) { configuration in
      var view = configuration.viewOptions { options.apply(to: &$0) }
      let feed = configuration.sourceOptions(options.feed)
      view.playing.autoplays = false
      let named = configuration.selection(named: words)
      let isNamed = words.count == 1 && (named.startsWithView || named.sources.contains { $0.name != nil })
      let search = isNamed || source != nil ? nil : try? WrittenSearch(words)
      return Browse(
        configuration, search?.selection(view, feed) ?? named, options: view, feed: feed, playsFirst: true
      ).run()
    }
  }
}
