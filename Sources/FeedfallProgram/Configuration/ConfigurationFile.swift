import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

struct ConfigurationFile: Equatable, Sendable {
  let path: String
  private let home: String?

  /// The maximum size of the file, 1 MiB.
  static let maximumByteCount = 1 << 20
  /// When the attempts to lock the file end; nil for about four seconds after the first one.
  var lockDeadline: ContinuousClock.Instant?
  /// The number of attempts to change the file while an editor does.
  private static let changeAttempts = 3

  /// Uses `$XDG_CONFIG_HOME/feedfall/config.toml`, by default in `~/.config`. Returns nil if there is no home directory
  /// either. A variable without an absolute path counts as unset (XDG Base Directory Specification).
  init?(_ environment: Environment = .process) {
    guard let folder = environment.configurationFolder else { return nil }
    path = folder + "/feedfall/" + Self.name
    home = environment.home
  }

  static let name = "config.toml"

  var exists: Bool { Files.exists(path) }

  /// The path for messages, with `~` for the home directory.
  var shownPath: String { shown(path) }

  private func shown(_ path: String) -> String {
    guard let home, home != "/", path.hasPrefix(home + "/") else { return cleanedLine(path) }
    return cleanedLine("~" + path.dropFirst(home.count))
  }

  /// Returns the configuration without its faulty lines, or an empty one if there is no file.
  func reading(isOption: (String) -> Bool = { _ in false }) -> ConfigurationReading {
    do {
      guard let bytes = try bytes() else {
        return Files.isLink(path) ? ConfigurationReading(ConfigurationError(.danglingLink)) : ConfigurationReading()
      }
      var reading = ConfigurationReading(toml: bytes, isOption: isOption)
      reading.expand(home: home)
      return reading
    } catch { return ConfigurationReading(error) }
  }

  /// Adds feeds to the file, and creates the file if necessary. If this fails, the file is unchanged.
  func add(_ feeds: [SubscriptionList.Feed]) throws(ConfigurationError) -> Configuration.Addition {
    try add(feeds.map { Configuration.Source($0) })
  }

  /// Adds a source to the file, as `add` does feeds. Returns nil if its address does not suit a configuration.
  func add(name: String, address: String) throws(ConfigurationError) -> Configuration.Addition? {
    let name = cleanedLine(name)
    guard Configuration.Source.isAddress(address), !name.isEmpty else { return nil }
    return try add([Configuration.Source(name: name, address: address)])
  }

  private func add(_ sources: [Configuration.Source]) throws(ConfigurationError) -> Configuration.Addition {
    try change { bytes throws(ConfigurationError) in
      let addition = try Configuration.adding(sources, to: bytes, home: home)
      return (addition, addition.added.isEmpty ? nil : addition.bytes)
    }
  }

  /// Removes the source with this address and returns it; nil if there is none. If several have the address, removes
  /// the one with this name, or throws. If this fails, the file is unchanged.
  ///
  /// - Parameter isNameRequired: whether a source of another name is not removed, even if it is the only one.
  func remove(
    name: String, address: String, isNameRequired: Bool = false
  ) throws(ConfigurationError) -> Configuration.RemovedSource? {
    try change { bytes throws(ConfigurationError) in
      let candidates = try Configuration(toml: bytes).sources.filter {
        isSource($0, at: address) && (!isNameRequired || $0.name == name)
      }
      guard let source = candidates.first(where: { $0.name == name }) ?? candidates.first else { return (nil, nil) }
      guard candidates.count == 1 || source.name == name else {
        throw ConfigurationError(.ambiguous(count: candidates.count))
      }
      return try removal(of: source, from: bytes)
    }
  }

  /// Removes a source whose table is still as it was written; nil if there is none of its name. Throws if the user has
  /// changed the table since.
  func remove(_ table: Configuration.SourceTable) throws(ConfigurationError) -> Configuration.RemovedSource? {
    try change { bytes throws(ConfigurationError) in
      let (removed, new) = try removal(of: table.source, from: bytes)
      if let removed, !removed.table.isSame(as: table) { throw ConfigurationError(.edited(table.source.name)) }
      return (removed, new)
    }
  }

  private func removal(
    of source: Configuration.Source, from bytes: [UInt8]
  ) throws(ConfigurationError) -> (Configuration.RemovedSource?, [UInt8]?) {
    guard let removal = try Configuration.removing(from: bytes, where: { $0.name == source.name }) else {
      return (nil, nil)
    }
    var removed = removal.removed
    removed.twinCount = try twins(of: removed, in: removal.bytes)
    return (removed, removal.bytes)
  }

  /// Restores a removed source under a name; returns nil if its address has been added again.
  func restore(_ removed: Configuration.RemovedSource, as name: String) throws(ConfigurationError) -> Configuration
    .SourceTable?
  {
    try change { bytes throws(ConfigurationError) in
      guard try twins(of: removed, in: bytes) <= removed.twinCount else { return (nil, nil) }
      guard let restoration = try Configuration.restoring(removed, as: name, to: bytes) else {
        throw ConfigurationError(.notRestored(removed.table.source.name))
      }
      return (restoration.restored, restoration.bytes)
    }
  }

  /// The number of sources with the address of a removed one.
  private func twins(of removed: Configuration.RemovedSource, in bytes: [UInt8]) throws(ConfigurationError) -> Int {
    try Configuration(toml: bytes).sources.count { isSource($0, at: removed.table.source.address) }
  }

  /// Whether a source has this address, in whatever form both are written.
  func isSource(_ source: Configuration.Source, at address: String) -> Bool {
    let other = Configuration.Source(name: "", address: address)
    return Configuration.normal(expanded(source).address) == Configuration.normal(expanded(other).address)
  }

  /// The source with its whole address, as `read` returns it.
  func expanded(_ source: Configuration.Source) -> Configuration.Source { source.expanded(home: home) }

  /// Replaces the content of the file with the bytes that `body` returns, unless they are nil. If another program
  /// changes the file meanwhile, `body` is called again. If the path is a symbolic link, its target is locked and
  /// replaced.
  func change<Value>(
    _ body: (_ old: [UInt8]) throws(ConfigurationError) -> (Value, new: [UInt8]?)
  ) throws(ConfigurationError) -> Value {
    var lock: Int32?
    defer { if let lock { Files.unlock(lock) } }
    for _ in 0..<Self.changeAttempts {
      let old = try bytes()
      // Replacing the file would replace the link.
      if old == nil, Files.isLink(path) { throw ConfigurationError(.danglingLink) }
      let (value, new) = try body(old ?? [])
      guard let new else { return value }
      // The file may have changed before the lock was acquired, and editors ignore the lock.
      if lock == nil { lock = try acquireLock() }
      guard try bytes() == old else { continue }
      do { try Files.replace(path, with: new, mode: 0o644, followsLink: true) } catch {
        throw ConfigurationError(.noAccess(error))
      }
      return value
    }
    throw ConfigurationError(.changing)
  }

  private func acquireLock() throws(ConfigurationError) -> Int32 {
    do {
      try Files.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), mode: 0o755)
    } catch { throw ConfigurationError(.noAccess(error)) }
    let target = Files.absolutePath(path) ?? path
    let attempts = lockDeadline.map { Files.lockAttempts(until: $0) } ?? Files.lockAttempts
    do { return try Files.lock(target, attempts: attempts) } catch {
      let lock = Files.lockPath(of: target)
      if error.number == EWOULDBLOCK { throw ConfigurationError(.changing) }
      // Another failure is no fault of the lock, which another program may hold.
      let isFaulty =
        (error.isOfPlace || [EACCES, EPERM, EISDIR].contains(error.number)) && Files.exists(lock)
      throw ConfigurationError(isFaulty ? .noLock(shown(lock), error) : .noAccess(error))
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
  static let danglingLink = ConfigurationFault(
    at: nil, "it is a symbolic link to a missing file", advice: "Create the file or delete the link.")
  static let tooLarge = ConfigurationFault(at: nil, "it is larger than 1 MB", advice: "Remove sources.")

  static let changing = ConfigurationFault(at: nil, "another program is changing it", advice: "Try again.")

  static func ambiguous(count: Int) -> ConfigurationFault {
    ConfigurationFault(at: nil, "\(count) sources have this address", advice: "Open one of them by its name.")
  }

  static func edited(_ name: String) -> ConfigurationFault {
    permanent("the table of \"\(name)\" has been edited", advice: "Enter :unsubscribe in its tab to remove it anyway.")
  }

  static func notRestored(_ name: String) -> ConfigurationFault {
    permanent("the table of \"\(name)\" cannot be restored", advice: "Add it in an editor.")
  }

  private static func permanent(_ reason: String, advice: String) -> ConfigurationFault {
    var fault = ConfigurationFault(at: nil, reason, advice: advice)
    fault.isPermanent = true
    return fault
  }

  static func noLock(_ path: String, _ error: SystemError) -> ConfigurationFault {
    ConfigurationFault(at: nil, "its lock \(path) cannot be opened (\(error.message))", advice: "Delete the lock.")
  }

  static func noAccess(_ error: SystemError) -> ConfigurationFault {
    ConfigurationFault(at: nil, error.message, advice: "Check its permissions.")
  }
}
