import AppCore
import AppRuntime
import CGuard
import FeedSources
import Geometry
import Glibc
import Loading
import Screen
import Terminal
import VideoFeed

/// How the screen is to look.
struct ViewOptions {
  var layout = LayoutKind.waterfall
  var cards = LayoutOptions()
  var usesMouse = true
  var usesColor = true
}

/// Looking through a feed in the terminal.
struct Browse {
  var source: String?
  var options: ViewOptions
  var feed: SourceOptions

  /// In milliseconds: about as long as a frame, so that nobody sees it, and longer than a document takes.
  private static let localPatience: Int32 = 20

  /// Runs until the person has seen enough, and returns the exit status.
  func run() -> Int32 {
    guard isatty(STDOUT_FILENO) == 1 else {
      return Listing(source: source, feed: feed, pageCount: 1, format: .text).run()
    }
    let pages: PageSource
    do { pages = try FeedSources.open(source, options: feed) } catch {
      complain("feedfall: \(error.sentence)")
      return ExitStatus.failure
    }
    do { return try run(pages) } catch {
      complain("feedfall: \(error.message)")
      return ExitStatus.usage
    }
  }

  private func run(_ pages: PageSource) throws(TerminalError) -> Int32 {
    guard_share_heap()
    let signals = SignalInbox()
    let worker = Worker()
    let services = Services(pages).beginning(on: worker)
    var terminalOptions = TerminalOptions()
    terminalOptions.usesMouse = options.usesMouse
    terminalOptions.usesColor = options.usesColor
    let terminal = try CursesTerminal(options: terminalOptions)
    var settings = AppSettings(for: pages, options: options)
    settings.hasClipboard = terminal.hasClipboard
    let runtime = Runtime(
      state: AppState(settings: settings), terminal: TerminalPort(terminal),
      signals: SignalPort(descriptor: signals.descriptor, next: signals.next), services: services, worker: worker,
      firstPaintPatience: pages.isLocal ? Self.localPatience : 0)
    let ending = runtime.run()
    terminal.close()
    switch ending {
    case .quit, .settled: return ExitStatus.success
    case .terminalClosed: return ExitStatus.failure
    case .signal(let signal): signals.dieBy(signal)
    }
  }
}

extension AppSettings {
  init(for pages: PageSource, options: ViewOptions) {
    self.init(sourceName: pages.name)
    layout = options.layout
    layoutOptions = options.cards
    policy.timeout = pages.timeLimitSeconds.map { .milliseconds(Int($0 * 1000)) }
    hasBrowser = Browser.isAvailable
    guard pages.isLocal else { return }
    // What was asked for is painted before the next pages take the processor.
    policy.debounce = .milliseconds(30)
    readAhead = .cards(2000)
  }
}

extension Services {
  init(_ pages: PageSource) {
    self.init(page: { await pages.page($0, .whileFresh) }, details: pages.details, openInBrowser: Browser.open)
  }
}

extension TerminalPort {
  init(_ terminal: CursesTerminal) {
    self.init(size: terminal.size)
    inputDescriptor = terminal.inputDescriptor
    read = {
      let input = terminal.readInput()
      return TerminalReading(
        events: input.events, isClosed: input.isClosed, changesAppearance: input.isAppearanceChanged)
    }
    pendingInputTimeout = { terminal.pendingInputTimeout }
    size = { terminal.size }
    cellSize = { terminal.cellSize }
    paint = terminal.paint
    repaintAll = terminal.repaintAll
    updateSize = terminal.updateSize
    suspend = terminal.suspend
    copy = terminal.copyToClipboard
    play = { address, title in terminal.handOver { Player.play(address, title: title) } }
  }
}
