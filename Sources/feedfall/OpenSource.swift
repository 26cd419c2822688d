import FeedfallSources
import FeedfallText
import Synchronization

/// A source as a person names it.
struct NamedSource: Equatable, Sendable {
  /// What the person calls it.
  var name: String?
  /// An address, a file, or `-`; nil for the built-in catalogue.
  var argument: String?
}

/// A source that can be asked for its pages.
struct OpenSource: Sendable {
  var givenName: String?
  var pages: PageSource

  /// Opens the sources. Where there are several, one that cannot be opened fails by itself each time that it is asked;
  /// a single one fails here.
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
    do { return try FeedSources.open(argument, options: options) } catch {
      return late(argument ?? "", options: options)
    }
  }

  /// A source that could not be opened and is tried again whenever it is asked: its file may be there by then.
  private static func late(_ argument: String, options: SourceOptions) -> PageSource {
    let opened = LateSource(argument: argument, options: options)
    return PageSource(
      name: cleanedLine(argument, limit: 48), isLocal: true, timeLimitSeconds: nil,
      page: { cursor, use in
        switch opened.get() {
        case .success(let source): await source.page(cursor, use)
        case .failure(let failure): .failure(failure)
        }
      },
      details: { video in
        switch opened.get() {
        case .success(let source): await source.details(video)
        case .failure(let failure): .failure(failure)
        }
      })
  }
}

/// Opens a source when it first can be.
private final class LateSource: Sendable {
  private let argument: String
  private let options: SourceOptions
  private let source = Mutex<PageSource?>(nil)

  init(argument: String, options: SourceOptions) {
    self.argument = argument
    self.options = options
  }

  func get() -> Result<PageSource, FeedFailure> {
    if let opened = source.withLock({ $0 }) { return .success(opened) }
    do {
      let opened = try FeedSources.open(argument, options: options)
      source.withLock { $0 = opened }
      return .success(opened)
    } catch {
      return .failure(error)
    }
  }
}
