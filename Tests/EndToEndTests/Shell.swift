import Foundation
import Testing

/// What a command printed, and how it ended.
struct Outcome {
  var status: Int32
  var output: String
  var errors: String
}

/// Runs a command to its end on a thread of its own, with `input` on standard input; at most `limit` seconds.
func run(
  _ program: String, _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [],
  limit: Double = 30
) async throws -> Outcome {
  try await onThread { try runBlocking(program, arguments, environment: environment, input: input, limit: limit) }
}

func runBlocking(
  _ program: String, _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [],
  limit: Double = 30
) throws -> Outcome {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-run-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let inputFile = folder.appendingPathComponent("input")
  if !input.isEmpty { try Data(input).write(to: inputFile) }
  let output = folder.appendingPathComponent("output")
  let errors = folder.appendingPathComponent("errors")
  let child = try spawn(
    program, arguments, environment: ["XDG_CACHE_HOME": folder.path].merging(environment) { $1 },
    input: input.isEmpty ? "/dev/null" : inputFile.path,
    output: output.path, errors: errors.path)
  var status: Int32 = 0
  let deadline = Date(timeIntervalSinceNow: limit)
  while waitpid(child, &status, WNOHANG) == 0 {
    if Date() > deadline {
      kill(child, SIGKILL)
      waitpid(child, &status, 0)
      throw TestTrouble("\(program) \(arguments) was still running after \(limit) s")
    }
    usleep(5000)
  }
  return Outcome(
    status: status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f,
    output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
    errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
}

/// Starts a program with files for its input and output. Foundation's own way never ends when the program leaves a
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
  // Foundation's threads block signals, and a child would go on to do so.
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
  let trouble = posix_spawn(&child, program, &files, &attributes, &words, &settings)
  guard trouble == 0 else { throw TestTrouble("\(program): \(String(cString: strerror(trouble)))") }
  return child
}

/// Runs blocking work on a thread of its own, so that tests beside it go on.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
  }
}

struct TestTrouble: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Where a program lies that was built with the tests.
func builtProgram(_ name: String) -> String {
  let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
  return (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
    .appendingPathComponent(name).path
}

/// The program under test: the one named by FEEDFALL_BINARY, else the one built with the tests.
enum Feedfall {
  static let path = ProcessInfo.processInfo.environment["FEEDFALL_BINARY"] ?? builtProgram("feedfall")

  /// What a person has written down on this machine is no part of a test.
  static let withoutConfiguration = ["XDG_CONFIG_HOME": "/nowhere"]

  static func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
    try await EndToEndTests.run(path, arguments, environment: environment)
  }
}
