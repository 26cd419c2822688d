import Glibc
import Synchronization

/// The yt-dlp that is used, and the JavaScript runtimes that YouTube's pages need (github.com/yt-dlp/yt-dlp/wiki/EJS).
public struct YtDlpInstallation: Equatable, Sendable {
  public let path: String
  /// Such as `2026.10.26`; nil if the program did not name it, or was not asked.
  public let version: ProgramVersion?
  /// Whether the program was asked for its version, and gave no answer in time.
  public let isSilent: Bool
  public let runtimes: [Runtime]

  /// The limit of time of a program that only names its version or reads its options.
  package static let timeLimitSeconds = 5

  /// A JavaScript runtime.
  public struct Runtime: Equatable, Sendable {
    /// yt-dlp's name of it.
    public let name: String
    public let path: String
    public let version: ProgramVersion?
    /// Whether yt-dlp can use this version.
    public let isSupported: Bool
    /// Whether it gave no answer in time.
    public let isSilent: Bool

    /// Only deno in `PATH` is enabled by default.
    fileprivate var needsArgument: Bool {
      isSupported && (name != "deno" || InstalledPrograms.path(of: "deno") != path)
    }
  }

  /// Asks programs for their versions where that decides something; blocks for about a second. Nil if there is no yt-dlp.
  /// - Parameters:
  ///   - program: the path that the user has chosen; nil for the newest one that is installed.
  ///   - cache: the folder for versions, which are kept until a program's file changes; nil to ask each time.
  ///   - asksAll: whether to ask for all versions.
  public init?(_ program: String? = nil, cache: String? = nil, asksAll: Bool = false) {
    let paths = program.map { InstalledPrograms.isProgram($0) ? [$0] : [] } ?? InstalledPrograms.paths(of: "yt-dlp")
    guard let first = paths.first else { return nil }
    var versions = ProgramVersions(in: cache)
    defer { versions.store() }
    runtimes = Self.kinds.flatMap { kind in
      InstalledPrograms.paths(of: kind.program).prefix(1).map { path in
        let (version, isSilent) = versions.version(of: path, kind.arguments, after: kind.start)
        let isSupported = version.map { !Self.isOlder($0, ProgramVersion(kind.oldest)) } ?? false
        return Runtime(
          name: kind.name, path: path, version: version, isSupported: isSupported, isSilent: isSilent)
      }
    }
    guard asksAll || paths.count > 1 || runtimes.contains(where: \.needsArgument) else {
      (path, version, isSilent) = (first, nil, false)
      return
    }
    var newest = (path: first, answer: versions.version(of: first, ["--version"], after: ""))
    // Of equal ones the first, as a shell would.
    for path in paths.dropFirst() {
      let answer = versions.version(of: path, ["--version"], after: "")
      if Self.isOlder(newest.answer.version, answer.version) { newest = (path, answer) }
    }
    (path, version, isSilent) = (newest.path, newest.answer.version, newest.answer.isSilent)
  }

  /// In yt-dlp's order of preference, with the oldest version that it accepts.
  private static let kinds = [
    (name: "deno", program: "deno", arguments: ["--version"], start: "deno ", oldest: [2, 3, 0]),
    (name: "node", program: "node", arguments: ["--version"], start: "v", oldest: [22, 0, 0]),
    // It prints its version only in its help.
    (name: "quickjs", program: "qjs", arguments: ["--help"], start: "QuickJS version ", oldest: [2023, 12, 9]),
  ]

  private static func isOlder(_ left: ProgramVersion?, _ right: ProgramVersion?) -> Bool {
    (left?.numbers ?? []).lexicographicallyPrecedes(right?.numbers ?? [])
  }

  /// The first release that has runtimes; earlier ones refuse the argument, and cannot play YouTube's videos.
  private static let firstWithRuntimes = [2025, 11, 12]

  public var knowsRuntimes: Bool {
    version.map { !$0.numbers.lexicographicallyPrecedes(Self.firstWithRuntimes) } ?? false
  }

  public var hasRuntime: Bool { runtimes.contains(where: \.isSupported) }

  var runtimeArguments: [String] {
    guard knowsRuntimes else { return [] }
    return runtimes.filter(\.needsArgument).flatMap { ["--js-runtimes", "\($0.name):\($0.path)"] }
  }
}

/// The version of a program, in numbers.
public struct ProgramVersion: Equatable, Sendable, CustomStringConvertible {
  public let numbers: [Int]

  init(_ numbers: [Int]) { self.numbers = numbers }

  /// The numbers at the start of a text such as `2026.10.26`, `2.9.8 (stable)` or `2024-01-13`.
  init?(_ text: some StringProtocol) {
    let word = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
    numbers = word.split { $0 == "." || $0 == "-" }.prefix(5).compactMap { Int($0) }
    if numbers.isEmpty { return nil }
  }

  public var description: String {
    numbers.enumerated().map { $0 == 0 || $1 > 9 ? "\($1)" : numbers[0] > 999 ? "0\($1)" : "\($1)" }
      .joined(separator: ".")
  }
}

/// The versions of programs by path, size and time of change, kept for all runs of this program.
private struct ProgramVersions {
  private let folder: String?
  private var lines: [String]
  private var isChanged = false

  private static let known = Mutex<[String]?>(nil)
  private static let maximumLineCount = 100

  private static let name = "/programs"

  init(in folder: String?) {
    self.folder = folder
    lines =
      Self.known.withLock { $0 }
      ?? folder.flatMap { try? Files.readOwn($0 + Self.name, limit: 1 << 16) }
      .map { $0.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) } } ?? []
  }

  typealias Answer = (version: ProgramVersion?, isSilent: Bool)

  /// - Parameter start: the words before the version in its line.
  mutating func version(of path: String, _ arguments: [String], after start: String) -> Answer {
    var status = stat()
    guard stat(path, &status) == 0 else { return (nil, false) }
    let change = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_size) "
    let identity = change + path.replacing("\n", with: " ") + " "
    if let line = lines.last(where: { $0.hasPrefix(identity) }) {
      return (ProgramVersion(line.dropFirst(identity.count)), false)
    }
    let answer = Self.ask(path, arguments, after: start)
    // A program without a version is asked again.
    guard let version = answer.version else { return answer }
    lines.removeAll { $0.contains(" \(path) ") }
    lines = lines.suffix(Self.maximumLineCount - 1) + ["\(identity)\(version)"]
    isChanged = true
    return answer
  }

  private static func ask(_ path: String, _ arguments: [String], after start: String) -> Answer {
    let program = HelperProgram(
      path: path, timeLimitSeconds: YtDlpInstallation.timeLimitSeconds, maximumByteCount: 64 << 10)
    let end = program.runAndWait(arguments.map { Array($0.utf8) })
    guard case .ended(let answer) = end else { return (nil, end == .timedOut) }
    for line in (answer.output + [0x0A] + answer.errorOutput).split(separator: 0x0A) {
      let text = String(decoding: line, as: UTF8.self).replacing("QuickJS-ng", with: "QuickJS")
      if text.hasPrefix(start), let version = ProgramVersion(text.dropFirst(start.count)) { return (version, false) }
    }
    return (nil, false)
  }

  func store() {
    Self.known.withLock { $0 = lines }
    // Without the file, programs are asked again.
    guard isChanged, let folder, (try? Files.makeCacheFolder(folder)) != nil else { return }
    try? Files.replace(folder + Self.name, with: Array(lines.map { $0 + "\n" }.joined().utf8), mode: 0o600)
  }
}
