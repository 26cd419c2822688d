import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
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

  /// Returns the source of each feed; nil for one whose address is configured already.
  func add(_ feeds: [SubscriptionList.Feed]) throws(ConfigurationError) -> Saved<[Configuration.Source?]> {
    try change { own, configured throws(ConfigurationError) in
      try own.add(feeds.map { Configuration.Source($0) }, to: try configured.withAllSources())
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

/// A configuration without its faulty lines.
struct ConfigurationReading: Equatable, Sendable {
  private(set) var configuration = Configuration()
  private(set) var faults: [ConfigurationFault] = []
  /// The fault because of which nothing of the file could be read.
  private(set) var obstacle: ConfigurationFault?
  /// Whether it may have settings of yt-dlp, maybe in a line with a fault.
  private(set) var mayHaveYtDlp = false
  private var addressPlaces: [String: TextPlace] = [:]

  init() {}

  init(_ error: ConfigurationError) {
    faults = error.faults.map { $0.hidingRest() }
    obstacle = faults.first
    mayHaveYtDlp = true
  }

  init(toml bytes: [UInt8], isOwn: Bool = false, isOption: (String) -> Bool = { _ in false }) {
    mayHaveYtDlp = ["yt-dlp", "yt_dlp"].contains { bytes.contains(sequence: $0.utf8) }
    let document = TomlReading(bytes)
    faults = document.faults
    for entry in document.entries { add(entry, isOwn, isOption) }
  }

  private mutating func add(_ entry: TomlValue.Entry, _ isOwn: Bool, _ isOption: (String) -> Bool) {
    switch (entry.key, entry.item.value) {
    case ("removed", .array(let items)) where isOwn:
      configuration.removed = items.prefix(Configuration.maximumSourceCount).compactMap { removed($0) }
    case ("source", _):
      let sources = Configuration.Source.sources(entry, &faults, isOption)
      configuration.sources = sources.map(\.source)
      for (source, place) in sources { addressPlaces[source.name] = place }
    case ("view", _): configuration.views = Configuration.View.views(entry, &faults, isOption)
    case ("theme", .table) where isOwn, ("yt-dlp", .table) where isOwn:
      faults.append(
        entry.item.fault("[\(entry.key)] is not read here", advice: "Move it to \(ConfigurationFile.name)."))
    case ("yt-dlp", .table(let entries)): configuration.ytDlp = YtDlp(entries, &faults, isOption)
    case ("theme", .table(let entries)): configuration.theme = ThemeSettings(entries, &faults, isOption)
    default:
      if let fault = ConfigurationFault.misspelledTable(entry) {
        faults.append(fault)
      } else {
        do { configuration.options.append(try Configuration.Option(entry)) } catch {
          var fault = error
          fault.keys = [entry.key]
          fault.hidesSource = entry.isListOfTables && ConfigurationFault.mayBeSources(entry.key)
          faults.append(fault)
        }
      }
    }
  }

  /// Such as `config.toml:3:11`.
  func origin(ofSource name: String, in file: String) -> String? {
    addressPlaces[name].map { "\(file):\($0.line):\($0.column)" }
  }

  private mutating func removed(_ item: TomlValue.Item) -> Configuration.RemovedSource? {
    var texts: [String: String] = [:]
    if case .table(let entries) = item.value {
      for entry in entries { texts[entry.key] = try? entry.string() }
    }
    guard texts.count == 2, let name = texts["name"], let address = texts["address"] else {
      faults.append(item.fault("the removed source is not valid", advice: "Write its name and its address."))
      return nil
    }
    return Configuration.RemovedSource(name: name, address: address)
  }

  mutating func expand(_ expanded: (String) -> String) {
    for index in configuration.sources.indices {
      configuration.sources[index].address = expanded(configuration.sources[index].address)
    }
    for index in configuration.removed.indices {
      configuration.removed[index].address = expanded(configuration.removed[index].address)
    }
  }
}

extension ThemeSettings {
  private static let inherit = "inherit"

  /// Colors with a fault are omitted.
  fileprivate init(_ entries: [TomlValue.Entry], _ faults: inout [ConfigurationFault], _ isOption: (String) -> Bool) {
    self.init()
    for entry in entries {
      do { try set(entry, isOption) } catch { faults.append(error) }
    }
  }

  private mutating func set(_ entry: TomlValue.Entry, _ isOption: (String) -> Bool) throws(ConfigurationFault) {
    if entry.key == Self.inherit {
      base = try entry.themeChoice()
    } else if let slot = ThemeSettings.Slot(name: entry.key) {
      colors[slot] = try entry.color()
    } else {
      throw .unknown(entry, known: [Self.inherit] + ThemeSettings.Slot.names, below: "[theme]", isOption)
    }
  }
}

extension TomlValue.Entry {
  fileprivate func themeChoice() throws(ConfigurationFault) -> ThemeChoice {
    let text = try string()
    if let choice = ThemeChoice(rawValue: text) { return choice }
    let choices = ThemeChoice.allCases.map(\.rawValue).joined(separator: ", ")
    throw .wrong(key, item, value: "\"\(text)\"", needed: "one of \(choices)")
  }

  fileprivate func color() throws(ConfigurationFault) -> ThemeSettings.Color {
    let text = try string()
    if let color = ThemeSettings.Color(text) { return color }
    let needed = "a color such as \"#7aa2f7\", \"red\", \"bright-red\" or \"default\""
    throw .wrong(key, item, value: "\"\(text)\"", needed: needed)
  }
}

struct ConfigurationFile: Equatable, Sendable {
  let path: String
  private let home: String?

  static let maximumByteCount = 16 << 20

  /// Nil if there is neither `XDG_CONFIG_HOME` nor a home directory.
  init?(_ environment: Environment = .process) {
    guard let folder = environment.configurationFolder else { return nil }
    path = folder + "/feedfall/" + Self.name
    home = environment.home
  }

  private init(path: String, home: String?) { (self.path, self.home) = (path, home) }

  static let name = "config.toml"
  static let ownName = "own.toml"

  /// The file beside it that the program writes.
  var own: ConfigurationFile {
    ConfigurationFile(path: String(path.dropLast(Self.name.count)) + Self.ownName, home: home)
  }

  var exists: Bool { Files.exists(path) }

  var shownPath: String { shown(path) }

  func shown(_ path: String) -> String {
    guard let home, home != "/", path.hasPrefix(home + "/") else { return cleanedLine(path) }
    return cleanedLine("~" + path.dropFirst(home.count))
  }

  func reading(isOption: (String) -> Bool = { _ in false }) -> ConfigurationReading {
    let bytes: [UInt8]
    do { bytes = try Files.read(path.utf8, limit: Self.maximumByteCount) } catch {
      let fault: ConfigurationFault
      switch error {
      case .system(let error) where [ENOENT, ENOTDIR].contains(error.number):
        guard Files.isLink(path) else { return ConfigurationReading() }
        fault = .danglingLink
      case .system(let error): fault = .noAccess(error)
      case .notRegular: fault = .notAFile
      case .tooLarge: fault = .tooLarge
      }
      return ConfigurationReading(ConfigurationError(fault))
    }
    var reading = ConfigurationReading(toml: bytes, isOwn: path.hasSuffix("/" + Self.ownName), isOption: isOption)
    reading.expand(expanded)
    return reading
  }

  func expanded(_ address: String) -> String { Configuration.Source.expanded(address, home: home) }
}

extension ConfigurationFault {
  static let notAFile = ConfigurationFault(at: nil, "it is not a file", advice: "Put a file in its place.")
  static let danglingLink = ConfigurationFault(
    at: nil, "it is a symbolic link to a missing file", advice: "Create the file or delete the link.")
  static let tooLarge = ConfigurationFault(at: nil, "it is larger than 16 MB", advice: "Remove sources.")
  static let changing = ConfigurationFault(at: nil, "another program is changing it", advice: "Try again.")

  static func ambiguous(count: Int) -> ConfigurationFault {
    ConfigurationFault(at: nil, "\(count) sources have this address", advice: "Open one of them by its name.")
  }

  static func noLock(_ path: String, _ error: SystemError) -> ConfigurationFault {
    ConfigurationFault(at: nil, "its lock \(path) cannot be opened (\(error.message))", advice: "Delete the lock.")
  }

  static func noAccess(_ error: SystemError) -> ConfigurationFault {
    let isFull = [ENOSPC, EDQUOT].contains(error.number)
    return ConfigurationFault(
      at: nil, error.message, advice: isFull ? "Free some space." : "Check its permissions.")
  }
}
