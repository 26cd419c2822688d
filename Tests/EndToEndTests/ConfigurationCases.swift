import Foundation
import TestSupport
import Testing

/// A configuration file and the program that reads it.
struct ConfiguredProgram {
  static let film = "[[source]]\nname = \"Film\"\naddress = \"FOLDER/film.json\"\n"

  let folder: String
  private var file: String { folder + "/feedfall/config.toml" }
  private var environment: [String: String] { ["XDG_CONFIG_HOME": folder] }

  /// Runs the body with a configuration in which FOLDER is the path of a folder. It has a feed with one film.
  static func with(_ toml: String, _ body: (ConfiguredProgram) async throws -> Void) async throws {
    try await with(bytes: nil, toml, body)
  }

  static func with(
    bytes: [UInt8]?, _ toml: String = "", _ body: (ConfiguredProgram) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/feedfall", withIntermediateDirectories: true)
      let program = ConfiguredProgram(folder: folder)
      let feed =
        #"{"version":"https://jsonfeed.org/version/1.1","title":"F","items":[{"id":"1","title":"The good film","#
      let item = #""attachments":[{"url":"https://films.example/1.mp4","mime_type":"video/mp4"}]}]}"#
      try Data((feed + item).utf8).write(to: URL(fileURLWithPath: folder + "/film.json"))
      let text = Array(toml.replacing("FOLDER", with: folder).utf8)
      try Data(bytes ?? text).write(to: URL(fileURLWithPath: program.file))
      try await body(program)
    }
  }

  /// Checks that the film is listed, and that exactly one line on standard error has the words.
  func listsFilm(saying words: String...) async throws {
    let outcome = try await run("list")
    #expect(outcome.output.hasPrefix("The good film\t"), "\(outcome.errors)")
    for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
    #expect(outcome.errors.split(separator: "\n").count == (words.isEmpty ? 0 : 1), "\(outcome.errors)")
  }

  /// Checks the faults of the configuration that `doctor` prints, by their starts.
  func hasFaults(_ starts: String...) async throws {
    let outcome = try await run("doctor")
    let lines = outcome.output.split(separator: "\n").dropFirst().prefix { $0.hasPrefix(" ") }
      .map { $0.drop { $0 == " " } }
    #expect(lines.count == starts.count && outcome.status == (starts.isEmpty ? 0 : 1), "\(outcome.output)")
    for (line, start) in zip(lines, starts) { #expect(line.hasPrefix(start), "\(line)") }
  }

  func run(_ arguments: String...) async throws -> Outcome {
    try await EndToEndTests.run(Feedfall.path, arguments, environment: environment)
  }

  func writeOwn(_ toml: String) throws {
    try Data(toml.replacing("FOLDER", with: folder).utf8).write(to: URL(filePath: folder + "/feedfall/own.toml"))
  }

  func replaceByFolder() throws {
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
  }

  func replaceByDanglingLink() throws {
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "gone.toml")
  }
}
