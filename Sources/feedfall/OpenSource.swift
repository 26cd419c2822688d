import FeedfallSources
import FeedfallText
import Synchronization

/// A source as given by the user.
struct NamedSource: Equatable, Sendable {
  /// The user's name for it.
  var name: String?
  /// An address, a file, or `-`; nil for the built-in catalogue.
  var argument: String?
}

/// A source that can load pages.
struct OpenSource: Sendable {
  var givenName: String?
  var pages: PageSource

  /// Opens the sources. Throws if a single source cannot be opened. With several sources, one that cannot be opened
  /// fails when its pages are requested. Each request tries again, since the file may exist by then.
  static func open(_ sources: [NamedSource], options: SourceOptions) throws(FeedFailure) -> [OpenSource] {
    guard sources.filter({ $0.argument == "-" }).count <= 1 else {
      throw FeedFailure(.permanent, "standard input can be one source only", advice: "give - once")
    }
    if sources.count == 1 {
      return [
        OpenSource(givenName: sources[0].name, pages: try FeedSources.open(sources[0].argument, options: options))
      ]
    }
    return sources.map { source in
      OpenSource(givenName: source.name, pages: PageSource.opened(source.argument, options: options))
    }
  }
}

extension PageSource {
  fileprivate static func opened(_ argument: String?, options: SourceOptions) -> PageSource {
    if let source = try? FeedSources.open(argument, options: options) { return source }
    return late(argument ?? "", options: options)
  }

  private static func late(_ argument: String, options: SourceOptions) -> PageSource {
    let opened = LateSource(argument: argument, options: options)
    return PageSource(
      name: cleanedLine(argument, limit: 48), isLocal: true,
      page: { cursor, use throws(FeedFailure) in try await opened.get().page(cursor, use).get() },
      details: { video throws(FeedFailure) in try await opened.get().details(video).get() })
  }
}

/// A source that is opened on demand. Each call tries again until opening has succeeded once.
private final class LateSource: Sendable {
  private let argument: String
  private let options: SourceOptions
  private let source = Mutex<PageSource?>(nil)

  init(argument: String, options: SourceOptions) {
    self.argument = argument
    self.options = options
  }

  func get() throws(FeedFailure) -> PageSource {
    if let opened = source.withLock({ $0 }) { return opened }
    let opened = try FeedSources.open(argument, options: options)
    source.withLock { $0 = opened }
    return opened
  }
}
