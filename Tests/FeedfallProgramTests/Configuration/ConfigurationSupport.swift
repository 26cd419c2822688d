import FeedfallSystem
import Foundation
import Testing

@testable import FeedfallProgram

/// Calls `body` with a configuration in a folder of its own, which has no file without a text.
func withConfiguration(_ toml: String?, _ body: (ConfigurationFile, _ folder: URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-\(UUID().uuidString)")
  let file = try #require(ConfigurationFile(Environment(["XDG_CONFIG_HOME": folder.path, "HOME": "/home/anna"])))
  defer { try? FileManager.default.removeItem(at: folder) }
  if let toml { try file.write(toml) }
  try body(file, folder)
}

extension Configuration {
  /// Throws all faults.
  init(toml bytes: [UInt8]) throws(ConfigurationError) { try self.init(ConfigurationReading(toml: bytes)) }

  fileprivate init(_ reading: ConfigurationReading) throws(ConfigurationError) {
    guard reading.faults.isEmpty else { throw ConfigurationError(reading.faults) }
    self = reading.configuration
  }
}

extension ConfigurationFile {
  func write(_ text: String) throws {
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

  /// Throws all faults.
  func read() throws(ConfigurationError) -> Configuration { try Configuration(reading()) }

  /// The names of the sources that the program shows.
  var names: [String] { UserConfiguration(file: self).sources.compactMap(\.name) }
}
