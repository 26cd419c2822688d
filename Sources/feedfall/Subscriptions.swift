import FeedfallConfiguration
import FeedfallCore
import FeedfallSystem
import FeedfallText
import Synchronization

/// Changes the sources of the configuration while the program runs.
final class Subscriptions: Sendable {
  /// Nil if the environment names no folder for it.
  private let file: ConfigurationFile?
  /// Opens the sources of the configuration by name.
  private let sources: RunningSources
  private let changes = Mutex(Changes())

  private struct Changes {
    /// The sources that were removed and can be restored, the last one at the end.
    var removed: [RemovedSource] = []
    /// The tables that were added, which an undo removes again.
    var added: [SourceTable] = []
  }

  init(file: ConfigurationFile?, sources: RunningSources) { (self.file, self.sources) = (file, sources) }

  func change(_ request: SubscriptionRequest) -> SubscriptionOutcome {
    guard let file else { return .failed("neither HOME nor XDG_CONFIG_HOME is set. Set one of them.") }
    do {
      switch request.change {
      case .add: return try add(request, to: file)
      case .remove: return try remove(request, from: file)
      }
    } catch {
      let message = error.messages("", file.shownPath).first ?? ""
      return .failed(String(message.drop { $0 == " " }))
    }
  }

  // MARK: - Adding

  private func add(
    _ request: SubscriptionRequest, to file: ConfigurationFile
  ) throws(ConfigurationError) -> SubscriptionOutcome {
    let address = Self.lasting(request.address)
    if let table = try restore(request, at: address, in: file) { return added(table, to: file) }
    guard address.removingUser == address else {
      return .failed("the address contains a login. Add the source in an editor, with user and password-command.")
    }
    guard let addition = try file.add(name: request.name, address: address) else {
      return .failed("“\(cleanedLine(address, limit: 80))” is not a lasting address. Open the source by its path.")
    }
    return addition.added.first.map { added(SourceTable(added: $0), to: file) } ?? .alreadyConfigured
  }

  /// Restores the source that was removed last at an address. An undo restores the source of its name.
  private func restore(
    _ request: SubscriptionRequest, at address: String, in file: ConfigurationFile
  ) throws(ConfigurationError) -> SourceTable? {
    let removed = changes.withLock { changes in
      changes.removed.last { removed in
        file.isSource(removed.table.source, at: address)
          && (!request.isUndo || removed.table.source.name == request.name)
      }
    }
    guard let removed else { return nil }
    let name = request.isNameTyped ? request.name : removed.table.source.name
    guard let table = try file.restore(removed, as: name) else { return nil }
    changes.withLock { $0.removed.removeAll { $0 == removed } }
    return table
  }

  private func added(_ table: SourceTable, to file: ConfigurationFile) -> SubscriptionOutcome {
    let source = file.expanded(table.source)
    changes.withLock { $0.added.append(table) }
    sources.add(NamedSource(source))
    return .added(Subscription(name: source.name, address: source.address, query: source.query))
  }

  // MARK: - Removing

  private func remove(
    _ request: SubscriptionRequest, from file: ConfigurationFile
  ) throws(ConfigurationError) -> SubscriptionOutcome {
    guard let removed = try removed(request, from: file) else { return .notConfigured }
    let name = removed.table.source.name
    changes.withLock { changes in
      changes.removed.append(removed)
      changes.added.removeAll { $0.source.name == name }
    }
    sources.remove(named: name)
    return .removed(name: name)
  }

  private func removed(
    _ request: SubscriptionRequest, from file: ConfigurationFile
  ) throws(ConfigurationError) -> RemovedSource? {
    if request.isUndo {
      guard let table = changes.withLock({ $0.added.last { $0.source.name == request.name } }) else { return nil }
      return try file.remove(table)
    }
    if let removed = try file.remove(name: request.name, address: request.address) { return removed }
    return try file.remove(name: request.name, address: Self.lasting(request.address))
  }

  /// A path that does not depend on the working directory; other addresses unchanged.
  private static func lasting(_ address: String) -> String {
    let isLasting = address.contains("://") || address.hasPrefix("/") || address.hasPrefix("~/")
    guard !isLasting, SourcePrefix.split(address) == nil else { return address }
    return Files.absolutePath(address) ?? address
  }
}

extension Subscription {
  /// Nil for a source that is not in the configuration.
  init?(_ source: NamedSource) {
    guard let name = source.name, let address = source.argument else { return nil }
    self.init(name: name, address: address, query: source.query)
  }
}
