import FeedfallSystem
import FeedfallText
import Glibc

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
    do {
      guard let bytes = try bytes() else {
        return Files.isLink(path) ? ConfigurationReading(ConfigurationError(.danglingLink)) : ConfigurationReading()
      }
      var reading = ConfigurationReading(toml: bytes, isOwn: path.hasSuffix("/" + Self.ownName), isOption: isOption)
      reading.expand(home: home)
      return reading
    } catch { return ConfigurationReading(error) }
  }

  func expanded(_ source: Configuration.Source) -> Configuration.Source { source.expanded(home: home) }

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
