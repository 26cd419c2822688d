import ArgumentParser
import FeedfallApp
import FeedfallScreen
import FeedfallSources
import Glibc
import WaterfallEngine

struct RenderCommand: ExitingCommand {
  static let word = "render"

  static let configuration = CommandConfiguration(
    commandName: "feedfall render", abstract: "Print the screen as text, without a terminal.",
    discussion: "Key syntax: 'jj<Enter>', '<C-d>'.")

  @Argument(help: NamedSource.help)
  var sources: [String] = []

  @OptionGroup var feed: SourceArguments
  @OptionGroup var view: ViewArguments

  @Option(
    help: ArgumentHelp("The size of the screen in columns and rows.", valueName: "width>x<height"),
    transform: ScreenSize.init(parsing:))
  var size = ScreenSize(size: Size(width: 120, height: 40))

  @Option(help: ArgumentHelp("The keys to type.", valueName: "keys"), transform: { try FeedfallScreen.keys(typed: $0) })
  var keys: [Key] = []

  func run() -> Int32 { withConfiguration(render) }

  private func render(_ configuration: UserConfiguration) -> Int32 {
    let feedOptions = configuration.sourceOptions(feed)
    let selection = configuration.selection(named: sources)
    selection.printNotices()
    let opened: [OpenSource]
    do {
      opened = try OpenSource.open(selection.sources, options: feedOptions)
    } catch {
      printError(error.message("Could not open the source"))
      return ExitStatus.failure
    }
    var options = configuration.viewOptions(change: view.apply(to:))
    options.cards.animates = false
    var settings = AppSettings(for: opened, selection, options: options)
    settings.hasBrowser = false
    settings.options = LiveOptionValues.words
    settings.subscriptions = configuration.sources.compactMap { Subscription($0) }
    var services = Services(RunningSources(opened, configured: configuration.sources, options: feedOptions))
    services.setOption = LiveOptionValues(options).set
    let runtime = Runtime(
      state: AppState(settings: settings), terminal: TerminalPort(size: size.size), services: services)
    _ = runtime.run(typing: keys)
    print(runtime.state.draw().text)
    return ExitStatus.success
  }
}

/// A screen size as a command-line argument: `120x40`.
struct ScreenSize: CustomStringConvertible {
  static let limits = 1...1000
  var size: Size

  init(size: Size) { self.size = size }

  init(parsing text: String) throws(ValidationError) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1],
      Self.limits.contains(width), Self.limits.contains(height)
    else { throw ValidationError("Write a size such as 120x40, from 1x1 to 1000x1000.") }
    size = Size(width: width, height: height)
  }

  var description: String { "\(size.width)x\(size.height)" }
}
