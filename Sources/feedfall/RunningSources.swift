import FeedfallCore
import FeedfallFeeds
import FeedfallSources
import FeedfallSystem
import FeedfallText
import Synchronization

/// The sources with which the program was started, and those that the user has opened since.
final class RunningSources: Sendable {
  private let initial: [PageSource]
  private let opened = Mutex<[SourceID: PageSource]>([:])
  private let configured: [NamedSource]
  private let options: SourceOptions

  init(_ initial: [OpenSource], configured: [NamedSource], options: SourceOptions) {
    self.initial = initial.map(\.pages)
    (self.configured, self.options) = (configured, options)
  }

  /// The source with an ID; one that is closed has no pages.
  subscript(id: SourceID) -> PageSource {
    if initial.indices.contains(id.number) { return initial[id.number] }
    return opened.withLock { $0[id] } ?? .closed
  }

  /// Opens a source with its first request, so that the main loop does not wait for a slow file system.
  func open(_ id: SourceID, _ request: SourceRequest) {
    let source: PageSource =
      switch request {
      case .address(let text): late(source(text))
      }
    opened.withLock { $0[id] = source }
  }

  func close(_ id: SourceID) { opened.withLock { $0[id] = nil } }

  private func late(_ source: NamedSource) -> PageSource {
    .late(named: source.argument ?? "") { [options] () throws(FeedFailure) in try source.open(options) }
  }

  /// The configured source with this name, or else the one at this address.
  private func source(_ text: String) -> NamedSource {
    if let named = configured.first(where: { $0.name == text }) { return named }
    guard text.hasPrefix("~/"), let home = Environment.process.home else { return NamedSource(argument: text) }
    return NamedSource(argument: home + text.dropFirst())
  }
}

extension PageSource {
  fileprivate static let closed = PageSource(name: "", isLocal: true) { _, _ throws(FeedFailure) in
    throw FeedFailure(.permanent, "the tab is closed")
  }
}
