import FeedfallSystem
import Foundation
import Testing

@testable import FeedfallProgram

/// A configuration without a file, in a folder of its own.
func configurationFile() throws -> (ConfigurationFile, folder: URL) {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-\(UUID().uuidString)")
  return (
    try #require(ConfigurationFile(Environment(["XDG_CONFIG_HOME": folder.path, "HOME": "/home/anna"]))), folder
  )
}

/// Calls `body` with a configuration in a folder of its own, which has no file without a text.
func withConfiguration(_ toml: String?, _ body: (ConfigurationFile, _ folder: URL) throws -> Void) throws {
  let (file, folder) = try configurationFile()
  defer { try? FileManager.default.removeItem(at: folder) }
  if let toml { try file.write(toml) }
  try body(file, folder)
}

extension ConfigurationFile {
  func write(_ text: String) throws {
    let folder = String(path.dropLast("/config.toml".count))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  /// Throws all faults.
  func read() throws(ConfigurationError) -> Configuration {
    let reading = reading()
    guard reading.faults.isEmpty else { throw ConfigurationError(reading.faults) }
    return reading.configuration
  }
}
