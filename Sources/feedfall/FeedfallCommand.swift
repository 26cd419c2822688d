import ArgumentParser
import FeedfallConfiguration
import FeedfallCore
import FeedfallScreen
import FeedfallSources
import WaterfallEngine

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
      feedfall render [SOURCE...]   prints the screen as text
      feedfall probe FILE...        prints the parsed content of feed documents
      feedfall import FILE          adds the subscriptions of another program
      feedfall export               prints the configured sources as OPML
      """,
    version: "feedfall \(FeedSources.version)")

  @Argument(help: SourceArguments.help)
  var sources: [String] = []

  @OptionGroup var feed: SourceArguments
  @OptionGroup var view: ViewArguments

  @Flag(inversion: .prefixedNo, help: "Use the mouse, or leave it to the terminal.")
  var mouse: Bool?

  @Flag(inversion: .prefixedNo, help: "Use color. The default is yes, or no if NO_COLOR is not empty.")
  var color: Bool?

  @Option(
    help: ArgumentHelp(
      "How to show covers: auto (best supported), kitty, sixel, cells, symbols (finer than cells) or none.",
      valueName: "images"))
  var images: PictureChoice?

  func run() -> Int32 {
    withConfiguration { configuration in
      var options = view.options(over: configuration)
      options.terminal.usesMouse = mouse ?? options.terminal.usesMouse
      options.terminal.usesColor = color ?? options.terminal.usesColor
      options.terminal.pictures = images ?? options.terminal.pictures
      return Browse(
        sources: configuration.sources(named: sources), options: options, feed: feed.options(over: configuration)
      ).run()
    }
  }
}

/// The options for loading sources.
struct SourceArguments: ParsableArguments {
  static let help: ArgumentHelp = """
    A feed address, a file, a folder, davs://FOLDER, yt-dlp:ADDRESS, - for standard input, or the name of a configured \
    source.
    """

  @Option(help: ArgumentHelp("The number of videos per page (default: 20).", valueName: "n"))
  var pageSize: Int?

  @Option(help: ArgumentHelp("The number of a feed's first page (default: 0).", valueName: "n"))
  var firstPage: Int?

  @Option(help: ArgumentHelp("The time limit for a response in seconds (default: 10).", valueName: "seconds"))
  var timeout: Double?

  @Option(
    help: ArgumentHelp(
      "Delay and drop requests, for example latency=800ms,jitter=300ms,loss=0.3,seed=1.", valueName: "conditions"),
    transform: NetworkSimulation.init(parsing:))
  var simulateNetwork: NetworkSimulation?

  func validate() throws {
    try checkRange(of: "--page-size", pageSize, OptionLimits.pageSize)
    try checkRange(of: "--first-page", firstPage, OptionLimits.firstPage)
    try checkRange(of: "--timeout", timeout, OptionLimits.timeoutSeconds, unit: "seconds")
  }

  /// Returns the command-line options, with the configuration as the fallback.
  func options(over configuration: Configuration) -> SourceOptions {
    var options = SourceOptions(configuration)
    options.pageSize = pageSize ?? options.pageSize
    options.firstPage = firstPage
    options.timeoutSeconds = timeout ?? options.timeoutSeconds
    options.simulation = simulateNetwork
    return options
  }
}

/// The options for the layout of cards.
struct ViewArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The layout of cards (default: \(ViewOptions().layout.rawValue)).", valueName: "layout"))
  var layout: LayoutKind?

  @Option(help: ArgumentHelp("The number of columns, regardless of the width of the terminal.", valueName: "n"))
  var columns: Int?

  @Option(help: ArgumentHelp("As many columns as fit, each at least this many cells wide.", valueName: "cells"))
  var minColumnWidth: Int?

  @Option(
    help: ArgumentHelp(
      "The column of the next card in a waterfall: shortest, left-to-right, right-to-left or tolerance=ROWS.",
      valueName: "order"), transform: ItemOrder.argument)
  var order: ItemOrder?

  @Option(
    help: ArgumentHelp("Group videos by feed (the groups of the feed), day, channel or none.", valueName: "by")
  )
  var group: Grouping?

  func validate() throws {
    if columns != nil, minColumnWidth != nil {
      throw ValidationError("--columns and --min-column-width exclude each other. Remove one of them.")
    }
    try checkRange(of: "--columns", columns, OptionLimits.columns)
    try checkRange(of: "--min-column-width", minColumnWidth, OptionLimits.minimumColumnWidth, unit: "cells")
  }

  /// Returns the command-line options, with the configuration as the fallback.
  func options(over configuration: Configuration) -> ViewOptions {
    var options = ViewOptions(configuration)
    options.layout = layout ?? options.layout
    if let columns { options.cards.columns = .count(columns) }
    if let minColumnWidth { options.cards.columns = .minimumWidth(minColumnWidth) }
    if let order { options.cards.order = order }
    options.cards.grouping = group ?? options.cards.grouping
    return options
  }
}

/// Throws if the value of an option is out of range.
private func checkRange<Value>(
  of option: String, _ value: Value?, _ limits: ClosedRange<Value>, unit: String? = nil
) throws {
  guard let value, !limits.contains(value) else { return }
  let limits = [OptionLimits.words(limits), unit].compactMap { $0 }.joined(separator: " ")
  throw ValidationError("\(option) \(value) is out of range. Write a value from \(limits).")
}

extension LayoutKind: ExpressibleByArgument {}
extension Grouping: ExpressibleByArgument {}
extension PictureChoice: ExpressibleByArgument {}

extension ItemOrder {
  /// Parses an order from the command line.
  static func argument(_ text: String) throws -> ItemOrder {
    guard let order = ItemOrder(written: text) else { throw ValidationError("Write \(writtenForms).") }
    return order
  }
}
