import FeedfallText
import Glibc

/// The file that the configuration is written in.
public struct ConfigurationFile: Equatable, Sendable {
  public let path: String
  private let home: String?

  /// More is no configuration.
  static let maximumByteCount = 1 << 20

  /// `$XDG_CONFIG_HOME/feedfall/config.toml`, by default in `~/.config`; nil where there is no home either. A variable
  /// that holds no absolute path is as good as none (XDG Base Directory Specification).
  public init?(variable: (String) -> String?) {
    let home = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let folder = variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let folder = folder ?? home.map({ $0 + "/.config" }) else { return nil }
    path = folder + "/feedfall/config.toml"
    self.home = home
  }

  /// The path as a person writes it, with `~` for the home.
  public var shownPath: String {
    guard let home, home != "/", path.hasPrefix(home + "/") else { return cleanedLine(path) }
    return cleanedLine("~" + path.dropFirst(home.count))
  }

  /// The configuration; an empty one where there is no file.
  public func read() throws(ConfigurationFault) -> Configuration {
    guard let bytes = try bytes() else { return Configuration() }
    var configuration = try Configuration(toml: bytes)
    for index in configuration.sources.indices { configuration.sources[index].makeWhole(home: home) }
    return configuration
  }

  /// What is in the file; nil where there is none.
  func bytes() throws(ConfigurationFault) -> [UInt8]? {
    // What is no file must not keep anybody waiting.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw ConfigurationFault(at: nil, "it could not be opened: \(String(cString: strerror(errno))); check it")
    }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw ConfigurationFault(at: nil, "it is a folder or a device; put a file in its place")
    }
    guard facts.st_size <= Self.maximumByteCount else { throw .tooLarge }
    return try contents(of: descriptor)
  }

  private func contents(of descriptor: Int32) throws(ConfigurationFault) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw ConfigurationFault(at: nil, "it could not be read: \(String(cString: strerror(errno))); check it")
      }
      if count == 0 { return bytes }
      bytes += piece[..<count]
      guard bytes.count <= Self.maximumByteCount else { throw .tooLarge }
    }
  }
}

extension ConfigurationFault {
  static let tooLarge = ConfigurationFault(at: nil, "it is larger than 1 MB; take sources out of it")
}
