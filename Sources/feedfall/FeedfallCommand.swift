import ArgumentParser
import FeedfallConfiguration
import FeedfallCore
import FeedfallScreen
import FeedfallSources
import WaterfallEngine

/// `feedfall [SOURCE…]`: look through feeds.
struct FeedfallCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall",
    abstract: "Look through video feeds in a terminal.",
    discussion: """
      Several sources are tabs; before them stands one with all their videos. Without a source it shows those of
      ~/.config/feedfall/config.toml, else its built-in catalogue of free films.
      Keys: arrows or h j k l move, Enter shows details, space plays, ? shows all keys.

      feedfall list [SOURCE] prints what was understood, feedfall render [SOURCE...] the screen as text,
      feedfall probe FILE... what is understood of documents; feedfall import FILE.opml adds sources to the
      configuration, feedfall export prints them as OPML; each tells more with --help.
      """,
    version: "feedfall \(FeedSources.version)")

  @Argument(help: SourceArguments.help)
  var sources: [String] = []

  @OptionGroup var feed: SourceArguments
  @OptionGroup var view: ViewArguments

  @Flag(inversion: .prefixedNo, help: "Take the mouse, or leave it to the terminal.")
  var mouse: Bool?

  @Flag(inversion: .prefixedNo, help: "Use colours, or none (the usual where NO_COLOR is not empty).")
  var color: Bool?

  @Option(
    help: ArgumentHelp(
      "How covers are shown: auto (the best that the terminal can do), kitty, sixel, cells, symbols (finer shapes) or none.",
      valueName: "images"))
  var images: PictureChoice?

  func run() -> Int32 {
    withConfiguration { configuration in
      var options = view.options(over: configuration)
      options.usesMouse = mouse ?? options.usesMouse
      options.usesColor = color ?? options.usesColor
      options.pictures = images ?? options.pictures
      return Browse(
        sources: configuration.sources(named: sources), options: options, feed: feed.options(over: configuration)
      ).run()
    }
  }
}

/// How sources are asked for their videos.
struct SourceArguments: ParsableArguments {
  static let help: ArgumentHelp =
    "A feed's address, a file, a folder, yt-dlp:ADDRESS, - for standard input, or the name of a source of the configuration."

  @Option(help: ArgumentHelp("How many videos to ask for at a time (20).", valueName: "n"))
  var pageSize: Int?

  @Option(help: ArgumentHelp("The number of a feed's first page (0).", valueName: "n"))
  var firstPage: Int?

  @Option(help: ArgumentHelp("How many seconds an answer may take (10).", valueName: "seconds"))
  var timeout: Double?

  @Option(
    help: ArgumentHelp(
      "Slow and break requests, as in latency=800ms,jitter=300ms,loss=0.3,seed=1.", valueName: "conditions"),
    transform: NetworkSimulation.init(parsing:))
  var simulateNetwork: NetworkSimulation?

  func validate() throws {
    if let pageSize, !OptionLimits.pageSize.contains(pageSize) {
      throw ValidationError("--page-size is \(pageSize); it must be from 1 to 1000.")
    }
    if let firstPage, !(0...1_000_000).contains(firstPage) {
      throw ValidationError("--first-page is \(firstPage); it must be from 0 to 1000000.")
    }
    if let timeout, !OptionLimits.timeoutSeconds.contains(timeout) {
      throw ValidationError("--timeout is \(timeout); it must be from 0.1 to 3600 seconds.")
    }
  }

  /// What stands on the command line, else what is written down.
  func options(over configuration: Configuration) -> SourceOptions {
    var options = SourceOptions(configuration)
    options.pageSize = pageSize ?? options.pageSize
    options.firstPage = firstPage
    options.timeoutSeconds = timeout ?? options.timeoutSeconds
    options.simulation = simulateNetwork
    return options
  }
}

/// How the cards lie.
struct ViewArguments: ParsableArguments {
  @Option(help: ArgumentHelp("How the cards lie: waterfall (the usual), grid, list or carousel.", valueName: "layout"))
  var layout: LayoutKind?

  @Option(help: ArgumentHelp("The number of columns, whatever the window's width.", valueName: "n"))
  var columns: Int?

  @Option(help: ArgumentHelp("As many columns as fit with at least this many cells each.", valueName: "cells"))
  var minColumnWidth: Int?

  @Option(
    help: ArgumentHelp(
      "Under which column a waterfall's next card goes: shortest, left-to-right, right-to-left, or tolerance=ROWS.",
      valueName: "order"), transform: ItemOrder.argument)
  var order: ItemOrder?

  @Option(
    help: ArgumentHelp("What stands under one header: feed (as it says itself), day, channel or none.", valueName: "by")
  )
  var group: Grouping?

  func validate() throws {
    if columns != nil, minColumnWidth != nil {
      throw ValidationError("--columns and --min-column-width exclude each other; give one of them.")
    }
    if let columns, !OptionLimits.columns.contains(columns) {
      throw ValidationError("--columns is \(columns); it must be from 1 to 100.")
    }
    if let minColumnWidth, !OptionLimits.minimumColumnWidth.contains(minColumnWidth) {
      throw ValidationError("--min-column-width is \(minColumnWidth); it must be from 4 to 1000 cells.")
    }
  }

  /// What stands on the command line, else what is written down.
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

extension LayoutKind: ExpressibleByArgument {}
extension Grouping: ExpressibleByArgument {}
extension PictureChoice: ExpressibleByArgument {}

extension ItemOrder {
  /// An order as it stands on a command line.
  static func argument(_ text: String) throws -> ItemOrder {
    guard let order = ItemOrder(written: text) else { throw ValidationError("It is one of \(writtenForms).") }
    return order
  }
}
