import FeedfallApp
import FeedfallSystem
import FeedfallText
import Synchronization

/// Changes `own.toml` while the program runs.
final class Subscriptions: Sendable {
  /// Nil if the environment names no folder for it.
  private let file: OwnFile?
  private let sources: RunningSources
  private let changes = Mutex(Changes())

  /// With the name of the damaged file that was replaced.
  typealias Result = (outcome: SubscriptionRequest.Outcome, damagedCopy: String?)

  private struct Changes {
    /// Those that can be restored, the last one at the end.
    var removed: [Configuration.Removal] = []
    /// With the tab of each, the last one at the end.
    var added: [(name: String, tab: String)] = []
  }

  init(file: ConfigurationFile?, sources: RunningSources) {
    (self.file, self.sources) = (file.map { OwnFile(beside: $0) }, sources)
  }

  /// - Parameter deadline: when to give up if another program is changing the file.
  func change(_ request: SubscriptionRequest, until deadline: ContinuousClock.Instant) -> Result {
    guard var file else { return (.failed(Self.missingFolder), nil) }
    file.lockDeadline = deadline
    do {
      switch request.change {
      case .add: return try add(request, to: file)
      case .remove: return try remove(request, from: file)
      case .rename(let name): return try edit(request, in: file) { $0.name = cleanedLine(name) }
      case .tag(let tags): return try edit(request, in: file) { $0.tags = tags }
      }
    } catch { return (.failed(Self.message(of: error, in: file)), nil) }
  }

  private static func message(of error: ConfigurationError, in file: OwnFile) -> String {
    String((error.messages("", file.file.shownPath).first ?? "").drop { $0 == " " })
  }

  func save(_ settings: SavedSettings, until deadline: ContinuousClock.Instant) -> AppEvent {
    guard var file else { return .settingsSaved(settings, failure: Self.missingFolder) }
    file.lockDeadline = deadline
    do {
      return .settingsSaved(settings, failure: nil, damagedCopy: try file.save(settings).damagedCopy)
    } catch { return .settingsSaved(settings, failure: Self.message(of: error, in: file)) }
  }

  private static let missingFolder = "neither HOME nor XDG_CONFIG_HOME is set. Set one of them."

  private func add(_ request: SubscriptionRequest, to file: OwnFile) throws(ConfigurationError) -> Result {
    let address = file.file.expanded(Self.absolute(request.address))
    let source = Configuration.Source(name: cleanedLine(request.name), address: address)
    let removed = removed(request, at: source.address)
    guard !request.isUndo || removed != nil else { return (.notConfigured, nil) }
    if removed == nil {
      guard source.address.removingUser == source.address else {
        return (
          .failed("the address contains a login. Add the source in an editor, with user and password-command."), nil
        )
      }
      guard Configuration.Source.isAddress(source.address), !source.name.isEmpty else {
        let address = cleanedLine(request.address, limit: 80)
        return (.failed("“\(address)” is not a permanent address. Open the source by its path."), nil)
      }
    }
    let name = request.typedName.map { cleanedLine($0) }?.nonEmpty
    var configuredName = request.name
    let saved = try file.change { own, configured throws(ConfigurationError) in
      let configured = try configured.withAllSources()
      let present = configured.merging(own).sources.filter { $0.isAt(source.address) }.map(\.name)
      if !present.contains(request.name), let first = present.first { configuredName = first }
      return try own.add(
        removed?.source ?? source, as: name, at: removed?.index, replacing: name == nil ? removed?.replaced : nil,
        isUndo: request.isUndo, to: configured)
    }
    guard let added = saved.value else { return (.alreadyConfigured(name: configuredName), saved.damagedCopy) }
    changes.withLock { changes in
      // A source that was added under another name can still be restored.
      changes.removed.removeAll { $0 == removed && $0.source.name == added.name }
      changes.added.append((added.name, request.name))
    }
    sources.add(NamedSource(added))
    return (.added(Subscription(added)), saved.damagedCopy)
  }

  private func edit(
    _ request: SubscriptionRequest, in file: OwnFile, _ edit: (inout Configuration.Source) -> Void
  ) throws(ConfigurationError) -> Result {
    let address = file.file.expanded(Self.absolute(request.address))
    let saved = try file.change { own, configured throws(ConfigurationError) in
      try own.change(name: request.name, address: address, in: try configured.withAllSources(), edit)
    }
    switch saved.value {
    case .notFound: return (.notConfigured, saved.damagedCopy)
    case .nameInUse: return (.nameInUse, saved.damagedCopy)
    case .changed(let before, let after):
      sources.replace(named: before.name, by: NamedSource(after))
      return (.changed(before: Subscription(before), after: Subscription(after)), saved.damagedCopy)
    }
  }

  /// By name, or else by address: a source that was restored under another name is removed under that name.
  private func removed(_ request: SubscriptionRequest, at address: String) -> Configuration.Removal? {
    changes.withLock { changes in
      let candidates = changes.removed.filter { $0.source.isAt(address) }
      return candidates.last { $0.source.name == request.name } ?? candidates.last
    }
  }

  private func remove(_ request: SubscriptionRequest, from file: OwnFile) throws(ConfigurationError) -> Result {
    let addresses = [request.address, Self.absolute(request.address)].map(file.file.expanded)
    // The names under which the source of the tab was added, the last one first.
    let added = changes.withLock { $0.added.filter { $0.tab == request.name }.map(\.name).reversed() as [String] }
    let names = [request.name] + (request.isUndo ? [] : added)
    let saved = try file.change { own, configured throws(ConfigurationError) in
      for isNameRequired in request.isUndo || request.isNameConfigured ? [true] : [true, false] {
        for (name, address) in names.flatMap({ name in addresses.map { (name, $0) } }) {
          let removal = try own.remove(
            name: name, address: address, isNameRequired: isNameRequired, from: configured.configuration)
          if let removal { return removal as Configuration.Removal? }
        }
      }
      // A source that is not known cannot be removed either.
      _ = try configured.withAllSources()
      return nil
    }
    guard let removal = saved.value else { return (.notConfigured, saved.damagedCopy) }
    let name = removal.source.name
    changes.withLock { changes in
      changes.removed.append(removal)
      changes.added.removeAll { $0.name == name }
    }
    sources.remove(named: name)
    return (.removed(name: name, isHidden: removal.index == nil), saved.damagedCopy)
  }

  private static func absolute(_ address: String) -> String {
    let isAbsolute = address.contains("://") || address.hasPrefix("/") || address.hasPrefix("~/")
    guard !isAbsolute, SourcePrefix.split(address) == nil else { return address }
    return Files.absolutePath(address) ?? address
  }
}

extension Subscription {
  /// Nil for a live list, and for a source that is not in the configuration itself.
  init?(_ source: NamedSource) {
    guard let name = source.name, let address = source.argument, source.list == nil, source.listName == nil else {
      return nil
    }
    self.init(name: name, address: address, query: source.query, tags: source.tags, refresh: source.refresh)
  }

  fileprivate init(_ source: Configuration.Source) {
    self.init(
      name: source.name, address: source.address, query: source.query, tags: source.tags, refresh: source.refresh)
  }
}
