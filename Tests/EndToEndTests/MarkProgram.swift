import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallSources
import Synchronization
import TestServer
import TestSupport
import WaterfallEngine

@testable import FeedfallProgram

/// A program without a terminal, whose only source is on a server that stores marks.
struct MarkProgram {
  private let source: NamedSource
  private let folder: String

  init(_ source: NamedSource, in folder: String) { (self.source, self.folder) = (source, folder) }

  var log: UserLog { UserLog(folder: folder, stateFolder: folder) }

  /// Shows the first page, types keys and ends. Returns the last screen and the keys of the videos.
  func run(typing script: String = "") async throws -> (screen: String, videos: [VideoKey]) {
    let log = log
    let videos = Mutex<[VideoKey]>([])
    let typed = try keys(typed: script)
    var options = SourceOptions()
    options.timeoutSeconds = 600
    let sources = RunningSources([], configured: [source], options: options)
    sources.open(SourceID(0), .configured(name: source.name ?? ""))
    var services = Services(sources)
    services.exchangeMarks(of: sources, AgreementFiles(log))
    (services.addEvents, services.writeEvents) = (log.add, log.write)
    services.page = { [page = services.page] source, cursor, use in
      let result = await page(source, cursor, use)
      if case .success(let page) = result { videos.withLock { $0 += page.videos.map { VideoKey($0) } } }
      return result
    }
    var settings = AppSettings(sources: [SourceSettings(name: "Account", isLocal: false)])
    (settings.userData, settings.exchangesMarks) = (log.load().records, true)
    let screen = await onThread { [settings, services] in
      let runtime = Runtime(
        state: AppState(settings: settings), terminal: TerminalPort(size: Size(width: 100, height: 30)),
        services: services)
      _ = runtime.run(typing: typed)
      log.writeLast()
      runtime.close(atMost: .seconds(600))
      return runtime.state.draw().text
    }
    return (screen, videos.withLock { $0 })
  }
}

extension NamedSource {
  /// A `JellyfinAccount`.
  static func jellyfin(on server: TestServer) -> NamedSource {
    var source = NamedSource(name: "Account", argument: "jellyfin+\(server.origin)")
    source.login = SourceLogin(user: nil, passwordCommand: "echo \(JellyfinAccount.token)")
    return source
  }

  /// A `GoogleReaderAccount`.
  static func reader(on server: TestServer) -> NamedSource {
    var source = NamedSource(name: "Account", argument: "greader+\(server.origin)")
    source.login = SourceLogin(
      user: GoogleReaderAccount.user, passwordCommand: "echo '\(GoogleReaderAccount.password)'")
    return source
  }
}
