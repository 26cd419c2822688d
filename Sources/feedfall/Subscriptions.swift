import FeedfallConfiguration
import FeedfallCore
import FeedfallSystem
import FeedfallText

/// Changes the sources of the configuration while the program runs.
enum Subscriptions {
  static func add(_ name: String, _ address: String) -> SubscriptionOutcome {
    change { file throws(ConfigurationError) in
      guard let addition = try file.add(name: name, address: lasting(address)) else {
        return .failed("“\(cleanedLine(address, limit: 80))” is not a lasting address. Open the source by its path.")
      }
      return addition.added.isEmpty ? .alreadyConfigured : .added
    }
  }

  static func remove(_ address: String) -> SubscriptionOutcome {
    change { file throws(ConfigurationError) in
      if try file.remove(address) { return .removed }
      return try file.remove(lasting(address)) ? .removed : .notConfigured
    }
  }

  private static func change(
    _ body: (ConfigurationFile) throws(ConfigurationError) -> SubscriptionOutcome
  ) -> SubscriptionOutcome {
    guard let file = ConfigurationFile.current else {
      return .failed("neither HOME nor XDG_CONFIG_HOME is set. Set one of them.")
    }
    do { return try body(file) } catch {
      let message = error.messages("", file.shownPath).first ?? ""
      return .failed(String(message.drop { $0 == " " }))
    }
  }

  /// A path that does not depend on the working directory; other addresses unchanged.
  private static func lasting(_ address: String) -> String {
    guard !address.contains("://"), SourcePrefix.split(address) == nil, !address.hasPrefix("~/") else { return address }
    return Files.absolutePath(address) ?? address
  }
}
