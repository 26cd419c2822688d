import Foundation
import Testing

/// What a command printed, and how it ended.
struct Outcome {
  var status: Int32
  var output: String
  var errors: String
}

/// Runs a command to its end on a thread of its own, with nothing on standard input; at most `limit` seconds.
func run(
  _ program: String, _ arguments: [String], environment: [String: String] = [:], limit: Double = 30
) async throws -> Outcome {
  try await onThread { try runBlocking(program, arguments, environment: environment, limit: limit) }
}

func runBlocking(
  _ program: String, _ arguments: [String], environment: [String: String] = [:], limit: Double = 30
) throws -> Outcome {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  process.standardInput = FileHandle.nullDevice
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-run-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let output = folder.appendingPathComponent("output")
  let errors = folder.appendingPathComponent("errors")
  for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
  process.standardOutput = try FileHandle(forWritingTo: output)
  process.standardError = try FileHandle(forWritingTo: errors)
  try process.run()
  let deadline = Date(timeIntervalSinceNow: limit)
  while process.isRunning, Date() < deadline { usleep(5000) }
  if process.isRunning {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    throw TestTrouble("\(program) \(arguments) was still running after \(limit) s")
  }
  return Outcome(
    status: process.terminationStatus, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
    errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
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

/// The program under test: the one named by FEEDFALL_BINARY, else the one built with the tests.
enum Feedfall {
  static let path: String = {
    if let named = ProcessInfo.processInfo.environment["FEEDFALL_BINARY"] { return named }
    return Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }.map { bundle in
      bundle.bundleURL.deletingLastPathComponent().appendingPathComponent("feedfall").path
    }
      ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("feedfall")
      .path
  }()

  static func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
    try await EndToEndTests.run(path, arguments, environment: environment)
  }
}
