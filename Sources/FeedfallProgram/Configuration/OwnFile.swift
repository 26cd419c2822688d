import FeedfallApp
import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

/// `own.toml`, which has the changes that the program has saved itself. `config.toml` is never written.
struct OwnFile: Sendable {
  let file: ConfigurationFile
  /// `config.toml`, whose values have a lower precedence.
  private let configured: ConfigurationFile
  /// Nil to try to lock the file for about four seconds.
  var lockDeadline: ContinuousClock.Instant?

  init(beside configured: ConfigurationFile) { (self.configured, file) = (configured, configured.own) }

  struct Saved<Value> {
    var value: Value
    /// The name of the damaged file that was replaced.
    var damagedCopy: String?
  }

  struct Addition: Equatable, Sendable {
    var added: [Configuration.Source] = []
    var configuredAddresses: [String] = []
  }

  func add(_ feeds: [SubscriptionList.Feed]) throws(ConfigurationError) -> Saved<Addition> {
    try change { own, configured throws(ConfigurationError) in
      let added = try own.add(feeds.map { Configuration.Source($0) }, to: try configured.withAllSources())
      return zip(feeds, added).reduce(into: Addition()) { addition, entry in
        if let source = entry.1 {
          addition.added.append(source)
        } else {
          addition.configuredAddresses.append(entry.0.address.text)
        }
      }
    }
  }

  func save(_ settings: SavedSettings) throws(ConfigurationError) -> Saved<Void> {
    try change { own, _ throws(ConfigurationError) in
      switch settings {
      case .options(let options): own.set(options)
      case .view(let view): try own.set(Configuration.View(name: view.name, query: view.query, layout: view.layout))
      }
    }
  }

  /// Changes the content of the file, which is created if necessary. Its readable part stays; if it is damaged, it is
  /// renamed before. If the path is a symbolic link, its target is locked and replaced.
  func change<Value>(
    _ body: (inout Configuration, _ configured: ConfigurationReading) throws(ConfigurationError) -> Value
  ) throws(ConfigurationError) -> Saved<Value> {
    let lock = try acquireLock()
    defer { Files.unlock(lock) }
    let reading = file.reading()
    if let fault = reading.obstacle { throw ConfigurationError(fault) }
    var own = reading.configuration
    let isDamaged = !reading.faults.isEmpty || own.sources.contains { $0.fault != nil }
    // The damaged copy keeps them.
    own.sources.removeAll { $0.fault != nil }
    let old = own
    let value = try body(&own, configured.reading())
    guard own != old else { return Saved(value: value) }
    let bytes = Array(own.toml.utf8)
    guard bytes.count <= ConfigurationFile.maximumByteCount else { throw ConfigurationError(.tooLarge) }
    do throws(SystemError) {
      let target = Files.absolutePath(file.path) ?? file.path
      let copy = isDamaged ? try Files.setAside(target, staysUntilReplaced: true) : nil
      do { try Files.replace(target, with: bytes, mode: 0o600) } catch {
        // Each further attempt would leave another link to the file.
        if let copy, Files.exists(target) { unlink(copy) }
        throw error
      }
      return Saved(value: value, damagedCopy: copy.map(file.shown))
    } catch { throw ConfigurationError(.noAccess(error)) }
  }

  private func acquireLock() throws(ConfigurationError) -> Int32 {
    let path = file.path
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
      throw ConfigurationError(isFaulty ? .noLock(file.shown(lock), error) : .noAccess(error))
    }
  }
}

extension ConfigurationReading {
  /// Throws if sources may be missing, because a new source could take the name of one of them.
  func withAllSources() throws(ConfigurationError) -> Configuration {
    guard let fault = faults.first(where: \.mayHideSource) else { return configuration }
    let failure = fault.failure(in: ConfigurationFile.name)
    throw ConfigurationError(
      ConfigurationFault(at: nil, "not all sources are known (\(failure.reason))", advice: fault.advice))
  }
}
