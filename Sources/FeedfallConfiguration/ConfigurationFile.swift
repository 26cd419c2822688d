import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

/// The configuration file.
public struct ConfigurationFile: Equatable, Sendable {
  public let path: String
  private let home: String?

  /// The maximum size of the file, 1 MiB.
  static let maximumByteCount = 1 << 20

  /// Uses `$XDG_CONFIG_HOME/feedfall/config.toml`, by default in `~/.config`. Returns nil if there is no home directory
  /// either. A variable without an absolute path counts as unset (XDG Base Directory Specification).
  package init?(_ environment: Environment = .process) {
    guard let folder = environment.configurationFolder else { return nil }
    path = folder + "/feedfall/config.toml"
    home = environment.home
  }

  /// The path for messages, with `~` for the home directory.
  public var shownPath: String {
    guard let home, home != "/", path.hasPrefix(home + "/") else { return cleanedLine(path) }
    return cleanedLine("~" + path.dropFirst(home.count))
  }

  /// Returns the configuration, or an empty one if there is no file.
  ///
  /// - Parameter check: Returns the faults of the options.
  public func read(
    check: ([ConfiguredOption]) -> [ConfigurationFault] = { _ in [] }
  ) throws(ConfigurationError) -> Configuration {
    guard let bytes = try bytes() else { return Configuration() }
    var configuration = try Configuration(toml: bytes, check: check)
    for index in configuration.sources.indices { configuration.sources[index].expand(home: home) }
    return configuration
  }

  /// Adds feeds to the file, and creates the file if necessary. If this fails, the file is unchanged.
  public func add(_ feeds: [SubscriptionList.Feed]) throws(ConfigurationError) -> Addition {
    try add(feeds.map { ConfiguredSource($0) })
  }

  /// Adds a source to the file, as `add` does feeds. Returns nil if its address does not suit a configuration.
  public func add(name: String, address: String) throws(ConfigurationError) -> Addition? {
    let name = cleanedLine(name)
    guard ConfiguredSource.isAddress(address), !name.isEmpty else { return nil }
    return try add([ConfiguredSource(name: name, address: address)])
  }

  private func add(_ sources: [ConfiguredSource]) throws(ConfigurationError) -> Addition {
    let addition = try Configuration.adding(sources, to: try bytes() ?? [], home: home)
    if !addition.added.isEmpty { try write(addition.bytes) }
    return addition
  }

  /// Removes the source with this address and returns it; nil if there is none. If several have the address, removes the
  /// one with this name, or throws. If this fails, the file is unchanged.
  public func remove(name: String, address: String) throws(ConfigurationError) -> ConfiguredSource? {
    let (bytes, normal) = (try bytes() ?? [], Configuration.normal(address))
    let candidates = try Configuration(toml: bytes).sources.filter {
      Configuration.normal(expanded($0).address) == normal
    }
    guard let source = candidates.first(where: { $0.name == name }) ?? candidates.first else { return nil }
    guard candidates.count == 1 || source.name == name else {
      throw ConfigurationError(.ambiguous(count: candidates.count))
    }
    guard let removal = try Configuration.removing(from: bytes, where: { $0.name == source.name }) else { return nil }
    try write(removal.bytes)
    return removal.removed
  }

  /// The source with its whole address, as `read` returns it.
  public func expanded(_ source: ConfiguredSource) -> ConfiguredSource { source.expanded(home: home) }

  /// Replaces the content of the file. If the path is a symbolic link, its target is replaced.
  private func write(_ bytes: [UInt8]) throws(ConfigurationError) {
    do {
      try Files.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), mode: 0o755)
      try Files.replace(path, with: bytes, mode: 0o644)
    } catch {
      throw ConfigurationError(.noAccess(error))
    }
  }

  /// Returns the content of the file, or nil if there is no file.
  private func bytes() throws(ConfigurationError) -> [UInt8]? {
    do {
      return try Files.read(path.utf8, limit: Self.maximumByteCount)
    } catch {
      switch error {
      case .system(let error) where [ENOENT, ENOTDIR].contains(error.number): return nil
      case .system(let error):
        throw ConfigurationError(.noAccess(error))
      case .notRegular:
        throw ConfigurationError(.notAFile)
      case .tooLarge: throw ConfigurationError(.tooLarge)
      }
    }
  }
}

extension ConfigurationFault {
  static let notAFile = ConfigurationFault(at: nil, "it is not a file", advice: "Put a file in its place.")
  static let tooLarge = ConfigurationFault(at: nil, "it is larger than 1 MB", advice: "Remove sources.")

  static func ambiguous(count: Int) -> ConfigurationFault {
    ConfigurationFault(at: nil, "\(count) sources have this address", advice: "Open one of them by its name.")
  }

  static func noAccess(_ error: SystemError) -> ConfigurationFault {
    ConfigurationFault(at: nil, error.message, advice: "Check its permissions.")
  }
}
