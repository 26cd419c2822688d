import FeedfallText
import Glibc

/// The user's settings of yt-dlp (github.com/yt-dlp/yt-dlp). All calls get their common arguments from here: lists, films
/// and downloads.
public struct YtDlp: Equatable, Sendable {
  /// The path of the program; nil for the newest one that is installed.
  public var program: String?
  /// Whether it reads its own configuration. The values here have precedence over it.
  public var readsConfiguration = true
  /// As `--cookies-from-browser` takes it, such as `firefox`.
  public var cookiesFromBrowser: String?
  /// The path of a file with cookies in Netscape's format.
  public var cookies: String?
  /// Arguments for all calls, without control characters.
  public var arguments: [String] = []
  /// Whether the settings could not be read: without a proxy or cookies, nothing must be requested.
  public var isFaulty = false
  /// The proxy that the user has chosen for a source or for all of them, empty for none; it has precedence over that of
  /// the program's configuration. Nil without a choice.
  public var proxy: String?
  /// The folder for the versions of programs; nil to ask for them in each run.
  public var cacheFolder: String?

  public init(program: String? = nil) { self.program = program }

  /// The start of a call: the program, words, and files that it inherits as descriptors from `firstDescriptor`.
  package struct Call: Equatable, Sendable {
    package let path: String
    package let words: [String]
    /// Other users cannot read these, unlike the words: they may contain the password of a proxy.
    package let files: [[UInt8]]

    package func program(timeLimitSeconds: Int, maximumByteCount: Int) -> HelperProgram {
      var program = HelperProgram(
        path: path, timeLimitSeconds: timeLimitSeconds, maximumByteCount: maximumByteCount)
      program.files = files
      return program
    }

    /// The arguments of a call that gets its address from standard input: it may contain a password, and other users
    /// can read arguments.
    package func arguments(_ own: [String]) -> [[UInt8]] {
      (words + own + ["--batch-file", "-"]).map { Array($0.utf8) }
    }
  }

  package static func input(_ address: String) -> [UInt8] { Array((address + "\n").utf8) }

  package enum Obstacle: Error, Equatable, Sendable {
    case notInstalled
    case faulty
    /// The file with the cookies.
    case cookies(FileError, path: String)

    package var reason: String {
      switch self {
      case .notInstalled: "yt-dlp is not installed"
      case .faulty: "config.toml has a fault, and settings of yt-dlp may be missing"
      case .cookies(let error, let path):
        "the cookies in \(cleanedLine(path, limit: 80)) could not be read: \(Self.reason(error))"
      }
    }

    private static func reason(_ error: FileError) -> String {
      switch error {
      case .system(let error): error.message
      case .notRegular: "it is not a file"
      case .tooLarge: "it is larger than \(maximumCookieByteCount >> 20) MB"
      }
    }

    package var advice: String {
      switch self {
      case .notInstalled: "install it: \(YtDlpCure.installation)"
      case .faulty: "run feedfall doctor"
      case .cookies: "correct cookies below [yt-dlp] in config.toml"
      }
    }
  }

  private static let firstDescriptor = 3
  package static let maximumCookieByteCount = 16 << 20

  /// Looks for the program, and for its version and its runtimes if they are not known yet: blocks for about a second.
  /// - Parameter readsConfiguration: false to try again without the user's configuration.
  package func call(readsConfiguration: Bool = true) throws(Obstacle) -> Call {
    guard !isFaulty else { throw .faulty }
    guard let installation else { throw .notInstalled }
    var files: [[UInt8]] = []
    var options = arguments
    if let cookiesFromBrowser { options += ["--cookies-from-browser", cookiesFromBrowser] }
    if let cookies {
      // A copy, because yt-dlp writes to the file.
      do throws(FileError) { files.append(try Files.read(cookies.utf8, limit: Self.maximumCookieByteCount)) } catch {
        throw .cookies(error, path: cookies)
      }
      options += ["--cookies", Self.path(ofDescriptor: Self.firstDescriptor)]
    }
    if let proxy { options += ["--proxy", proxy] }
    options += installation.runtimeArguments
    var words = Self.commonWords + (readsConfiguration && self.readsConfiguration ? [] : ["--ignore-config"])
    if !options.isEmpty {
      words += ["--config-locations", Self.path(ofDescriptor: Self.firstDescriptor + files.count)]
      files.append(Array(options.map { Self.quoted($0) + "\n" }.joined().utf8))
    }
    return Call(path: installation.path, words: words, files: files)
  }

  private var installation: YtDlpInstallation? { YtDlpInstallation(program, cache: cacheFolder) }

  /// Does not block the caller.
  package func prepared(readsConfiguration: Bool = true) async -> Result<Call, Obstacle> {
    await withCheckedContinuation { continuation in
      let isStarted = DetachedThread.start {
        let result = Result { () throws(Obstacle) in try call(readsConfiguration: readsConfiguration) }
        continuation.resume(returning: result)
      }
      if !isStarted { continuation.resume(returning: .failure(.notInstalled)) }
    }
  }

  /// Whether there is a program, which need not work. The folders of `PATH` are searched once: each source asks.
  package var isInstalled: Bool { program.map(InstalledPrograms.isProgram) ?? Self.isInPath }

  private static let isInPath = !InstalledPrograms.paths(of: "yt-dlp").isEmpty

  /// The cure if no JavaScript runtime is found, without which pages of YouTube have fewer formats; nil otherwise. Asks
  /// programs for their versions, which takes about a second and blocks the caller.
  package var lackOfRuntime: YtDlpCure? {
    guard !arguments.contains(where: { $0.hasPrefix("--js-runtimes") }) else { return nil }
    return installation.flatMap { $0.hasRuntime ? nil : .lacksRuntime }
  }

  /// Without the folder, yt-dlp would read `yt-dlp.conf` in the current one, which may be a stranger's. The others are the
  /// opposites of what the user's configuration may have, and what would hide errors or videos.
  private static let commonWords = [
    "--paths", "home:/dev/null", "--no-colors", "--no-download-archive", "--no-match-filter",
  ]

  /// The proxy in the arguments; nil if there is none, or if it is overridden.
  package var ownProxy: ProxyAddress? {
    guard proxy == nil, let place = arguments.lastIndex(where: { $0 == "--proxy" || $0.hasPrefix("--proxy=") }) else {
      return nil
    }
    let next = arguments.index(after: place)
    let value =
      arguments[place] == "--proxy"
      ? next < arguments.endIndex ? arguments[next] : "" : String(arguments[place].dropFirst("--proxy=".count))
    return value.isEmpty
      ? nil : ProxyAddress(value, setting: "arguments below [yt-dlp]") ?? ProxyAddress(invalid: "[yt-dlp]")
  }

  private static func path(ofDescriptor number: Int) -> String { "/proc/self/fd/\(number)" }

  /// As Python's `shlex.split` reads it.
  private static func quoted(_ word: String) -> String { "'" + word.replacing("'", with: #"'\''"#) + "'" }

  /// Options that would change what the program prints, where it writes, or which file it reads: this program sets them.
  private static let ownOptions: Set<String> = [
    "-o", "-P", "-j", "-J", "-a", "-O", "-s", "-F", "-g", "-e", "-q", "-v", "-U", "-h", "-I", "-x", "-t",
    "--output", "--paths", "--exec", "--exec-before-download", "--print", "--print-to-file", "--dump-json",
    "--dump-single-json", "--print-json", "--batch-file", "--simulate", "--no-simulate", "--skip-download",
    "--no-download", "--list-formats", "--list-formats-as-table", "--list-subs", "--list-thumbnails",
    "--list-extractors", "--list-impersonate-targets", "--extractor-descriptions", "--ap-list-mso", "--get-url",
    "--get-title", "--get-id", "--get-filename", "--get-format", "--get-duration", "--get-thumbnail",
    "--get-description", "--verbose", "--quiet", "--no-quiet", "--update", "--update-to", "--version", "--help",
    "--config-locations", "--ignore-config", "--no-config", "--playlist-items", "--flat-playlist", "--extract-audio",
    "--progress-template", "--newline", "--cookies", "--cookies-from-browser", "--downloader", "--external-downloader",
    "--load-info-json", "--use-postprocessor", "--alias", "--preset-alias", "--dump-pages", "--write-pages",
    "--print-traffic", "--progress", "--no-progress", "--console-title",
  ]
  /// Ordinary options that begin like one of those.
  private static let otherOptions: Set<String> = ["--no-warnings", "--netrc"]
  /// The letters of options that take a value: the rest of the word is that.
  private static let lettersWithValue: Set<Character> = Set("fSNrRpu")

  /// Why an argument is refused.
  public enum Refusal: Equatable, Sendable {
    case control
    /// An address, or the value of an option that was refused.
    case notAnOption
    case ownOption(String)
  }

  /// The index and the reason of the first argument that the calls of this program could not use.
  public static func refusal(among arguments: [String]) -> (index: Int, reason: Refusal)? {
    for (index, argument) in arguments.enumerated() {
      if argument.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return (index, .control) }
      guard argument.hasPrefix("-") else {
        let followsOption = index > 0 && arguments[index - 1].hasPrefix("-") && !arguments[index - 1].contains("=")
        if followsOption { continue }
        return (index, .notAnOption)
      }
      let name = String(argument.prefix { $0 != "=" })
      if isOwn(name) { return (index, .ownOption(name)) }
    }
    return nil
  }

  /// An abbreviation counts as well, as Python's optparse has it, and each letter in one word.
  private static func isOwn(_ name: String) -> Bool {
    guard !name.hasPrefix("--") else {
      if name == "--" || ownOptions.contains(name) { return true }
      return name.count > 4 && !otherOptions.contains(name) && ownOptions.contains { $0.hasPrefix(name) }
    }
    for letter in name.dropFirst() {
      if ownOptions.contains("-\(letter)") { return true }
      if lettersWithValue.contains(letter) { return false }
    }
    return false
  }

  /// The start of a message, for the screen.
  package static func shown(_ words: String) -> String { cleanedLine(words, limit: 200) }

  /// Whether a call may be repeated without the user's configuration, which must not name a proxy: without it, the request
  /// would reveal the user's address.
  package var mayIgnoreConfiguration: Bool {
    guard readsConfiguration else { return false }
    let environment = Environment.process
    let home = environment.home.map { ["\($0)/.yt-dlp/config", "\($0)/.yt-dlp/config.txt", "\($0)/yt-dlp.conf"] } ?? []
    let folder = environment.configurationFolder.map {
      ["\($0)/yt-dlp.conf", "\($0)/yt-dlp/config", "\($0)/yt-dlp/config.txt"]
    }
    return (home + (folder ?? []) + ["/etc/yt-dlp.conf", "/etc/yt-dlp/config", "/etc/yt-dlp/config.txt"]).allSatisfy {
      do throws(FileError) { return !(try Files.read($0.utf8, limit: 1 << 20)).contains(sequence: "proxy".utf8) } catch
      {
        return error == .system(SystemError(ENOENT)) || error == .system(SystemError(ENOTDIR))
      }
    }
  }

  /// Asks programs for their versions if a runtime may be missing, which takes about a second and blocks the caller.
  package func cure(for words: String) -> YtDlpCure? {
    let cure = YtDlpCure(words, nil)
    guard cure == .lacksRuntime else { return cure }
    return YtDlpCure(words, YtDlpInstallation(program, cache: cacheFolder, asksAll: true))
  }

  package static let configurationNotice =
    "yt-dlp's own configuration made its output unreadable and was ignored. \(configurationCure)"
  package static let configurationCure = "Correct it, or write configuration = false below [yt-dlp] in config.toml."

  /// How yt-dlp fails to read its options.
  package enum OptionFault: Equatable, Sendable {
    case refused(reason: String)
    case noAnswer
    case printedTooMuch
  }

  /// Nil if yt-dlp reads its options, or if it refuses the arguments. Blocks for about a second.
  package var optionFault: (fault: OptionFault, isOfConfiguration: Bool)? {
    guard let fault = optionFault(readsConfiguration: readsConfiguration) else { return nil }
    if readsConfiguration, optionFault(readsConfiguration: false) == nil { return (fault, true) }
    if case .refused = fault { return nil }
    return (fault, false)
  }

  private func optionFault(readsConfiguration: Bool) -> OptionFault? {
    guard let call = try? self.call(readsConfiguration: readsConfiguration) else { return nil }
    // It reads all options and sends no request, even for an address in the configuration.
    let words = (call.words + ["--ap-list-mso"]).map { Array($0.utf8) }
    let program = call.program(timeLimitSeconds: YtDlpInstallation.timeLimitSeconds, maximumByteCount: 1 << 20)
    switch program.runAndWait(words) {
    case .ended(let answer):
      return answer.status == 2 ? Self.lastError(answer.errorOutput).map(OptionFault.refused) : nil
    case .timedOut: return .noAnswer
    case .printedTooMuch: return .printedTooMuch
    case .notStarted, .cancelled: return nil
    }
  }

  /// The last error message, without passwords; nil if there is none. Its hint about the cure is at its end.
  package static func lastError(_ errorOutput: [UInt8], hiding address: WebAddress? = nil) -> String? {
    let starts = ["ERROR:", "yt-dlp: error:"].map { Array($0.utf8) }
    for line in lines(of: errorOutput).reversed() {
      guard let start = starts.first(where: { line.starts(with: $0) }) else { continue }
      return words(line.dropFirst(start.count), hiding: address)
    }
    return nil
  }

  /// The last error message and its cure. A failure without one is a crash, whose traceback ends with the reason.
  package func failure(
    _ answer: HelperProgram.Answer, hiding address: WebAddress
  ) -> (words: String, cure: YtDlpCure?)? {
    if let words = Self.lastError(answer.errorOutput, hiding: address) { return (words, cure(for: words)) }
    let warning = Array("WARNING:".utf8)
    guard answer.status != 0, let line = Self.lines(of: answer.errorOutput).last(where: { !$0.starts(with: warning) }),
      let words = Self.words(line, hiding: address)
    else { return nil }
    return (words, cure(for: words) ?? .tooOld)
  }

  private static func lines(of output: [UInt8]) -> [ArraySlice<UInt8>] { output.split { $0 == 0x0A || $0 == 0x0D } }

  private static func words(_ line: ArraySlice<UInt8>, hiding address: WebAddress?) -> String? {
    let text = cleanedLine(String(decoding: line, as: UTF8.self), limit: 20_000)
    // yt-dlp may print the address in another spelling.
    let shown = address.map { text.replacing($0.text, with: $0.description) } ?? text
    let words = shown.split(separator: " ").map { String($0).hidingPassword }.joined(separator: " ")
    return words.isEmpty ? nil : words
  }

  private static let separator: Character = "\u{1F}"

  /// One text for an environment variable.
  package var text: String {
    let flags = (readsConfiguration ? "c" : "") + (isFaulty ? "f" : "")
    let proxy = proxy.map { "=" + $0 } ?? ""
    let parts = [program ?? "", flags, cookiesFromBrowser ?? "", cookies ?? "", cacheFolder ?? "", proxy] + arguments
    return parts.joined(separator: String(Self.separator))
  }

  package init?(text: String) {
    let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 6 else { return nil }
    func value(_ part: String) -> String? { part.isEmpty ? nil : part }
    (program, readsConfiguration, isFaulty) = (value(parts[0]), parts[1].contains("c"), parts[1].contains("f"))
    (cookiesFromBrowser, cookies, cacheFolder) = (value(parts[2]), value(parts[3]), value(parts[4]))
    proxy = parts[5].isEmpty ? nil : String(parts[5].dropFirst())
    arguments = Array(parts.dropFirst(6))
  }
}

// MARK: - The environment

// MARK: - Arguments

// MARK: - Failures

extension HelperProgram.Answer {
  /// Whether yt-dlp has refused an option, or has printed something else: its own configuration may be the cause.
  package var blamesConfiguration: Bool { status == 2 || status == 0 && !output.isEmpty }
}
