import Foundation
import TestSupport
import Testing

struct Outcome {
  var status: Int32
  var output: String
  var errors: String
}

/// Runs a command to its end on a thread of its own, with `input` on standard input.
func run(
  _ program: String, _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = []
) async throws -> Outcome {
  try await onThread { try runBlocking(program, arguments, environment: environment, input: input) }
}

func runBlocking(
  _ program: String, _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = []
) throws -> Outcome {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-run-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let inputFile = folder.appendingPathComponent("input")
  if !input.isEmpty { try Data(input).write(to: inputFile) }
  let output = folder.appendingPathComponent("output")
  let errors = folder.appendingPathComponent("errors")
  let child = try spawn(
    program, arguments,
    environment: ["XDG_CACHE_HOME": folder.path, "XDG_STATE_HOME": folder.path].merging(environment) { $1 },
    input: input.isEmpty ? "/dev/null" : inputFile.path,
    output: output.path, errors: errors.path)
  var status: Int32 = 0
  do {
    try blockUntil("\(program) \(arguments) has ended") { waitpid(child, &status, WNOHANG) != 0 }
  } catch {
    kill(child, SIGKILL)
    waitpid(child, &status, 0)
    throw error
  }
  return Outcome(
    status: status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f,
    output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
    errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
}

/// Starts a command and kills it once `isDue`, unless it has ended before.
func runAndKill(
  _ program: String, _ arguments: [String], environment: [String: String], when isDue: @escaping @Sendable () -> Bool
) async throws {
  try await onThread {
    let child = try spawn(
      program, arguments, environment: environment, input: "/dev/null", output: "/dev/null", errors: "/dev/null")
    var status: Int32 = 0
    try blockUntil("\(program) \(arguments) is to be killed") { waitpid(child, &status, WNOHANG) != 0 || isDue() }
    kill(child, SIGKILL)
    waitpid(child, &status, 0)
  }
}

/// Starts a program with files for its input and output. Foundation's `Process` never ends if the program leaves a
/// daemon behind.
private func spawn(
  _ program: String, _ arguments: [String], environment: [String: String], input: String, output: String,
  errors: String
) throws -> pid_t {
  var files = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&files)
  defer { posix_spawn_file_actions_destroy(&files) }
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input, O_RDONLY, 0)
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output, O_WRONLY | O_CREAT, 0o600)
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors, O_WRONLY | O_CREAT, 0o600)
  // Foundation's threads block signals, and a child would inherit that.
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  let variables = ProcessInfo.processInfo.environment.merging(Feedfall.withoutConfiguration) { $1 }
    .merging(environment) { $1 }
  var words = ([program] + arguments).map { strdup($0) } + [nil]
  var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
  defer { for word in words + settings { free(word) } }
  var child: pid_t = 0
  let error = posix_spawn(&child, program, &files, &attributes, &words, &settings)
  guard error == 0 else { throw TestFailure("\(program): \(String(cString: strerror(error)))") }
  return child
}

/// How often the tests of crashes kill the program.
enum Kills {
  /// `FEEDFALL_KILLS=100` kills it more often than usual.
  static func count(usually usual: Int) -> Int {
    ProcessInfo.processInfo.environment["FEEDFALL_KILLS"].flatMap { Int($0) } ?? usual
  }
}

/// The program under test: the one named by FEEDFALL_BINARY, else the one built with the tests.
enum Feedfall {
  static let path = ProcessInfo.processInfo.environment["FEEDFALL_BINARY"] ?? builtProgram("feedfall")

  /// Replaces the user's configuration by one that gives servers ten minutes to answer.
  static let withoutConfiguration = ["XDG_CONFIG_HOME": packageRoot + "/Tests/EndToEndTests/Configuration"]

  static func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
    try await EndToEndTests.run(path, arguments, environment: environment)
  }
}
