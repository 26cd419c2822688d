import ArgumentParser
import FeedfallApp
import FeedfallScreen
import Glibc
import WaterfallEngine

struct RenderCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall render", abstract: "Print the screen as text, without a terminal.",
    discussion: "Key syntax: 'jj<Enter>', '<C-d>'.")

  @Argument(help: NamedSource.help, completion: NamedSource.completion)
  var sources: [String] = []

  @OptionGroup var feed: OptionArguments.Feed
  @OptionGroup var view: OptionArguments.View

  @Option("The size of the screen in columns and rows (default: 120x40).", "size", Self.screenSize)
  var size: Size?

  @Option(help: ArgumentHelp("The keys to type.", valueName: "keys"), transform: { try FeedfallScreen.keys(typed: $0) })
  var keys: [Key] = []

  func run() -> Int32 { withConfiguration(render) }

  private func render(_ configuration: UserConfiguration) -> Int32 {
    let feedOptions = configuration.sourceOptions(feed)
    let selection = configuration.selection(named: sources)
    selection.printNotices()
    guard let opened = OpenSource.opened(selection.sources, options: feedOptions) else { return ExitStatus.failure }
    var options = configuration.viewOptions(change: view.apply(to:))
    options.cards.animates = false
    var settings = AppSettings(for: opened, selection, options: options)
    settings.hasBrowser = false
    settings.options = LiveOptionValues.words
    settings.subscriptions = configuration.sources.compactMap { Subscription($0) }
    var services = Services(RunningSources(opened, configured: configuration.sources, options: feedOptions))
    services.setOption = LiveOptionValues(options).set
    let runtime = Runtime(
      state: AppState(settings: settings), terminal: TerminalPort(size: size ?? Size(width: 120, height: 40)),
      services: services)
    _ = runtime.run(typing: keys)
    print(runtime.state.draw().text)
    return ExitStatus.success
  }

  private static func screenSize(_ text: String) throws -> Size {
    guard let size = Size(parsing: text, in: 1...1000) else {
      throw ValidationError("Write a size such as 120x40, from 1x1 to 1000x1000.")
    }
    return size
  }
}
