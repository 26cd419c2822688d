import FeedfallApp
import FeedfallSystem
import FeedfallText
import Synchronization

/// Changes the sources of the configuration while the program runs.
final class Subscriptions: Sendable {
  /// Nil if the environment names no folder for it.
  private let file: ConfigurationFile?
  private let sources: RunningSources
  private let changes = Mutex(Changes())

  private struct Changes {
    /// The sources that were removed and can be restored, the last one at the end.
    var removed: [Configuration.RemovedSource] = []
    /// The tables that were added, which an undo removes again.
    var added: [AddedTable] = []
  }

  private struct AddedTable {
    var table: Configuration.SourceTable
    var tabName: String
  }

  init(file: ConfigurationFile?, sources: RunningSources) {
    (self.file, self.sources) = (file, sources)
  }

  /// - Parameter deadline: when to give up if another program is changing the file.
  func change(_ request: SubscriptionRequest, until deadline: ContinuousClock.Instant) -> SubscriptionRequest.Outcome {
    guard var file else { return .failed("neither HOME nor XDG_CONFIG_HOME is set. Set one of them.") }
    file.lockDeadline = deadline
    do {
      switch request.change {
      case .add: return try add(request, to: file)
      case .remove: return try remove(request, from: file)
      }
    } catch {
      let message = String((error.messages("", file.shownPath).first ?? "").drop { $0 == " " })
      return error.isPermanent ? .failedForGood(message) : .failed(message)
    }
  }

  // MARK: - Adding

  private func add(
    _ request: SubscriptionRequest, to file: ConfigurationFile
  ) throws(ConfigurationError) -> SubscriptionRequest.Outcome {
    let address = Self.absolute(request.address)
    if let removed = removed(request, at: address, in: file) {
      return try restore(removed, request, in: file)
    }
    guard !request.isUndo else { return .notConfigured }
    guard address.removingUser == address else {
      return .failed("the address contains a login. Add the source in an editor, with user and password-command.")
    }
    guard let addition = try file.add(name: request.typedName ?? request.name, address: address) else {
      return .failed("“\(cleanedLine(address, limit: 80))” is not a permanent address. Open the source by its path.")
    }
    return addition.added.first.map { added(Configuration.SourceTable(added: $0), request, to: file) }
      ?? .alreadyConfigured
  }

  /// The removed source with the name of the request, or else the one that was removed last at the address: a source
  /// that was restored under another name is removed under that name.
  private func removed(
    _ request: SubscriptionRequest, at address: String, in file: ConfigurationFile
  ) -> Configuration.RemovedSource? {
    changes.withLock { changes in
      let candidates = changes.removed.filter { file.isSource($0.table.source, at: address) }
      return candidates.last { $0.table.source.name == request.name } ?? candidates.last
    }
  }

  private func restore(
    _ removed: Configuration.RemovedSource, _ request: SubscriptionRequest, in file: ConfigurationFile
  ) throws(ConfigurationError) -> SubscriptionRequest.Outcome {
    let name = request.typedName ?? (request.isUndo ? request.name : removed.table.source.name)
    guard let table = try file.restore(removed, as: name) else { return .alreadyConfigured }
    changes.withLock { $0.removed.removeAll { $0 == removed } }
    return added(table, request, to: file)
  }

  private func added(
    _ table: Configuration.SourceTable, _ request: SubscriptionRequest, to file: ConfigurationFile
  ) -> SubscriptionRequest.Outcome {
    let source = file.expanded(table.source)
    changes.withLock { $0.added.append(AddedTable(table: table, tabName: request.name)) }
    sources.add(NamedSource(source))
    return .added(Subscription(name: source.name, address: source.address, query: source.query))
  }

  // MARK: - Removing

  private func remove(
    _ request: SubscriptionRequest, from file: ConfigurationFile
  ) throws(ConfigurationError) -> SubscriptionRequest.Outcome {
    guard let removed = try removed(request, from: file) else { return .notConfigured }
    let name = removed.table.source.name
    changes.withLock { changes in
      changes.removed.append(removed)
      changes.added.removeAll { $0.table.source.name == name }
    }
    sources.remove(named: name)
    return .removed(name: name)
  }

  private func removed(
    _ request: SubscriptionRequest, from file: ConfigurationFile
  ) throws(ConfigurationError) -> Configuration.RemovedSource? {
    if request.isUndo {
      guard let added = changes.withLock({ $0.added.last { $0.table.source.name == request.name } }) else { return nil }
      return try file.remove(added.table)
    }
    for name in [request.name] + addedNames(request) {
      if let removed = try remove(name, request, isNameRequired: true, from: file) { return removed }
    }
    return try request.isNameConfigured ? nil : remove(request.name, request, isNameRequired: false, from: file)
  }

  private func remove(
    _ name: String, _ request: SubscriptionRequest, isNameRequired: Bool, from file: ConfigurationFile
  ) throws(ConfigurationError) -> Configuration.RemovedSource? {
    for address in [request.address, Self.absolute(request.address)] {
      if let removed = try file.remove(name: name, address: address, isNameRequired: isNameRequired) { return removed }
    }
    return nil
  }

  /// The names under which the source of a tab was added, the last one first.
  private func addedNames(_ request: SubscriptionRequest) -> [String] {
    changes.withLock { changes in
      changes.added.filter { $0.tabName == request.name }.map(\.table.source.name).reversed()
    }
  }

  /// A path that does not depend on the working directory; other addresses unchanged.
  private static func absolute(_ address: String) -> String {
    let isAbsolute = address.contains("://") || address.hasPrefix("/") || address.hasPrefix("~/")
    guard !isAbsolute, SourcePrefix.split(address) == nil else { return address }
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
