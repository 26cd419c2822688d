import FeedfallConfiguration
import FeedfallCore
import FeedfallSystem
import FeedfallText

/// Changes the sources of the configuration while the program runs.
struct Subscriptions: Sendable {
  /// Nil if the environment names no folder for it.
  let file: ConfigurationFile?
  /// Opens the sources of the configuration by name.
  let sources: RunningSources

  func add(_ name: String, _ address: String) -> SubscriptionOutcome {
    guard address.removingUser == address else {
      return .failed("the address contains a login. Add the source in an editor, with user and password-command.")
    }
    return change { file throws(ConfigurationError) in
      guard let addition = try file.add(name: name, address: Self.lasting(address)) else {
        return .failed("“\(cleanedLine(address, limit: 80))” is not a lasting address. Open the source by its path.")
      }
      guard let added = addition.added.first else { return .alreadyConfigured }
      let source = file.expanded(added)
      sources.add(NamedSource(source))
      return .added(Subscription(name: source.name, address: source.address, query: source.query))
    }
  }

  func remove(_ name: String, _ address: String) -> SubscriptionOutcome {
    change { file throws(ConfigurationError) in
      var removed = try file.remove(name: name, address: address)
      if removed == nil { removed = try file.remove(name: name, address: Self.lasting(address)) }
      guard let removed else { return .notConfigured }
      sources.remove(named: removed.name)
      return .removed(name: removed.name)
    }
  }

  private func change(
    _ body: (ConfigurationFile) throws(ConfigurationError) -> SubscriptionOutcome
  ) -> SubscriptionOutcome {
    guard let file else { return .failed("neither HOME nor XDG_CONFIG_HOME is set. Set one of them.") }
    do { return try body(file) } catch {
      let message = error.messages("", file.shownPath).first ?? ""
      return .failed(String(message.drop { $0 == " " }))
    }
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
