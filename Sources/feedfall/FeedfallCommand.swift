import AppCore
import ArgumentParser
import FeedSources
import WaterfallEngine

/// `feedfall [SOURCE…]`: look through feeds.
struct FeedfallCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall",
    abstract: "Look through video feeds in a terminal.",
    discussion: """
      Without a source it shows its built-in catalogue of free films.
      Keys: arrows or h j k l move, Enter shows details, space plays, ? shows all keys.

      feedfall list [SOURCE] prints what was understood, feedfall render [SOURCE...] the screen as text,
      feedfall probe FILE... what is understood of documents; each tells more with --help.
      """,
    version: "feedfall \(FeedSources.version)")

  @Argument(help: SourceArguments.help)
  var sources: [String] = []

  @OptionGroup var feed: SourceArguments
  @OptionGroup var view: ViewArguments

  @Flag(help: "Leave the mouse to the terminal.")
  var noMouse = false

  @Flag(help: "Use no colours (as does a NO_COLOR that is not empty).")
  var noColor = false

  func run() -> Int32 {
    var options = view.options
    options.usesMouse = !noMouse
    options.usesColor = !noColor
    return Browse(sources: .named(sources), options: options, feed: feed.options).run()
  }
}

/// How sources are asked for their videos.
struct SourceArguments: ParsableArguments {
  static let help: ArgumentHelp =
    "A feed's address, a file, or - for standard input; none is the built-in catalogue."

  @Option(help: ArgumentHelp("How many videos to ask for at a time (20).", valueName: "n"))
  var pageSize: Int?

  @Option(help: ArgumentHelp("The number of a feed's first page (0).", valueName: "n"))
  var firstPage: Int?

  @Option(help: ArgumentHelp("How many seconds an answer may take.", valueName: "seconds"))
  var timeout: Double = 10

  @Option(
    help: ArgumentHelp(
      "Slow and break requests, as in latency=800ms,jitter=300ms,loss=0.3,seed=1.", valueName: "conditions"),
    transform: NetworkSimulation.init(parsing:))
  var simulateNetwork: NetworkSimulation?

  func validate() throws {
    if let pageSize, !(1...1000).contains(pageSize) {
      throw ValidationError("--page-size is \(pageSize); it must be from 1 to 1000.")
    }
    if let firstPage, !(0...1_000_000).contains(firstPage) {
      throw ValidationError("--first-page is \(firstPage); it must be from 0 to 1000000.")
    }
    guard timeout >= 0.1, timeout <= 3600 else {
      throw ValidationError("--timeout is \(timeout); it must be from 0.1 to 3600 seconds.")
    }
  }

  var options: SourceOptions {
    var options = SourceOptions()
    options.pageSize = pageSize
    options.firstPage = firstPage
    options.timeoutSeconds = timeout
    options.simulation = simulateNetwork
    return options
  }
}

/// How the cards lie.
struct ViewArguments: ParsableArguments {
  @Option(help: ArgumentHelp("How the cards lie: waterfall, grid, list or carousel.", valueName: "layout"))
  var layout: LayoutKind = .waterfall

  @Option(help: ArgumentHelp("The number of columns, whatever the window's width.", valueName: "n"))
  var columns: Int?

  @Option(help: ArgumentHelp("As many columns as fit with at least this many cells each.", valueName: "cells"))
  var minColumnWidth: Int?

  @Option(
    help: ArgumentHelp(
      "Under which column a waterfall's next card goes: shortest, left-to-right, right-to-left, or tolerance=ROWS.",
      valueName: "order"), transform: ItemOrder.init(argument:))
  var order: ItemOrder?

  @Option(
    help: ArgumentHelp("What stands under one header: feed (as it says itself), day, channel or none.", valueName: "by")
  )
  var group: Grouping = .feed

  func validate() throws {
    if columns != nil, minColumnWidth != nil {
      throw ValidationError("--columns and --min-column-width exclude each other; give one of them.")
    }
    if let columns, !(1...100).contains(columns) {
      throw ValidationError("--columns is \(columns); it must be from 1 to 100.")
    }
    if let minColumnWidth, !(4...1000).contains(minColumnWidth) {
      throw ValidationError("--min-column-width is \(minColumnWidth); it must be from 4 to 1000 cells.")
    }
  }

  var options: ViewOptions {
    var options = ViewOptions()
    options.layout = layout
    if let columns { options.cards.columns = .count(columns) }
    if let minColumnWidth { options.cards.columns = .minimumWidth(minColumnWidth) }
    if let order { options.cards.order = order }
    options.cards.grouping = group
    return options
  }
}

extension LayoutKind: ExpressibleByArgument {}
extension Grouping: ExpressibleByArgument {}

extension ItemOrder {
  /// An order as a person writes it: `tolerance=4`.
  init(argument: String) throws {
    let tolerance = "tolerance="
    switch argument {
    case "shortest": self = .shortest
    case "left-to-right": self = .leftToRight
    case "right-to-left": self = .rightToLeft
    case _ where argument.hasPrefix(tolerance):
      guard let rows = Int(argument.dropFirst(tolerance.count)), (0...1000).contains(rows) else {
        throw ValidationError("A tolerance is from 0 to 1000 rows, as in tolerance=4.")
      }
      self = .tolerance(rows)
    default: throw ValidationError("It is one of shortest, left-to-right, right-to-left or tolerance=ROWS.")
    }
  }
}
