import ArgumentParser
import FeedfallSources

/// `feedfall [SOURCE…]`: browse feeds.
struct FeedfallCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall",
    abstract: "Browse video feeds in a terminal.",
    discussion: """
      Each source is a tab. With several sources, the first tab shows the videos of all of them. Without a source, \
      feedfall shows the sources in ~/.config/feedfall/config.toml, or a built-in catalogue of free films.

      Keys: arrows or h j k l move, Enter shows details, space plays, ? shows all keys.

      Other commands; run them with --help for details:
      feedfall list [SOURCE]        prints the videos of a source
      feedfall check [SOURCE...]    prints the videos that are new since the last check
      feedfall find WORDS...        prints the videos ever loaded that have the words
      feedfall download ADDRESS...  downloads videos
      feedfall render [SOURCE...]   prints the screen as text
      feedfall probe FILE...        prints the parsed content of feed documents
      feedfall import FILE          adds the subscriptions of another program
      feedfall export               prints the configured sources as OPML
      feedfall queue [ACTION]       prints or changes the queue
      feedfall history              prints the watched videos
      feedfall watched ID...        marks videos as watched
      feedfall doctor               checks the configuration
      """,
    version: "feedfall \(FeedSources.version)")

  @Argument(help: NamedSource.help)
  var sources: [String] = []

  @OptionGroup var options: OptionArguments

  func run() -> Int32 {
    withConfiguration(printsFaults: false) { configuration in
      Browse(
        configuration, sources: sources, options: configuration.viewOptions(change: options.apply(to:)),
        feed: configuration.sourceOptions(options.feed)
      ).run()
    }
  }
}
