import Foundation

/// The path of a program that was built together with the tests.
public func builtProgram(_ name: String) -> String {
  let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name).path
}

/// The package's root folder.
public let packageRoot = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

/// The state of a process as in proc(5): `S` asleep, `T` stopped, `Z` a zombie; nil if there is no such process.
public func processState(_ process: pid_t) -> Character? {
  guard let facts = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return nil }
  return facts.split(separator: ")").last?.split(separator: " ").first?.first
}

/// Whether a process runs; a zombie does not.
public func isRunning(_ process: pid_t) -> Bool {
  let state = processState(process)
  return state != nil && state != "Z"
}

/// Runs a test with a new folder, which is removed afterwards.
public func withFolder<Value>(
  isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Value
) async throws -> Value {
  let folder = FileManager.default.temporaryDirectory.path + "/feedfall-test-\(UUID().uuidString.prefix(8))"
  try FileManager.default.createDirectory(
    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
}

/// Runs a test with the path of a folder that does not exist yet, and is removed afterwards.
public func withCacheFolder<Value>(
  isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Value
) async throws -> Value {
  try await withFolder { folder in try await body(folder + "/cache") }
}

public func fileBytes(of path: String) throws -> [UInt8] {
  guard let data = FileManager.default.contents(atPath: path) else { throw TestFailure("\(path) could not be read") }
  return Array(data)
}

extension Result {
  /// The result of work that throws.
  public static func of(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws(Failure) -> Success
  ) async -> Result {
    do { return .success(try await work()) } catch { return .failure(error) }
  }

  public var failure: Failure? {
    switch self {
    case .success: nil
    case .failure(let failure): failure
    }
  }
}

/// Writes a shell script and returns its path.
///
/// Another process writes it: a program that is open for writing cannot be started, and a descriptor of this process
/// may just be on its way to a child that another test starts.
public func writeScript(_ lines: String, to path: String) throws -> String {
  guard let writer = popen("cat > '\(path)' && chmod 700 '\(path)'", "we") else {
    throw TestFailure("\(path): no shell")
  }
  fputs("#!/bin/sh\n\(lines)\n", writer)
  guard pclose(writer) == 0 else { throw TestFailure("\(path) could not be written") }
  return path
}

extension Process {
  /// Kills the program and waits for its end. It may not react to `terminate()`, since it inherits the blocked signals
  /// of the thread that started it. `waitUntilExit()` would also wait for programs started at the same time, which
  /// inherit the descriptor that Foundation observes.
  public func end() {
    kill(processIdentifier, SIGKILL)
    while processState(processIdentifier).map({ $0 != "Z" }) == true { usleep(2_000) }
  }
}

/// The path of the yt-dlp that `.ci/install --tests` has installed; nil if there is none.
public let installedYtDlp: String? = {
  let path = packageRoot + "/.build/yt-dlp/bin/yt-dlp"
  return access(path, X_OK) == 0 ? path : nil
}()

/// The installed yt-dlp with settings of each kind, as the program passes them to its child.
public func allSettingsOfYtDlp(in folder: String, readsConfiguration: Bool) throws -> String {
  let cookies = folder + "/cookies.txt"
  try "# Netscape HTTP Cookie File\n".write(toFile: cookies, atomically: false, encoding: .utf8)
  let arguments = ["--proxy", "http://ann:secret@127.0.0.1:9", "--user-agent", "it's a test", "-4"]
  let flags = readsConfiguration ? "c" : ""
  return ([installedYtDlp ?? "", flags, "", cookies, folder, ""] + arguments).joined(separator: "\u{1F}")
}
