import ArgumentParser
import FeedfallPlayer
import FeedfallSystem
import FeedfallTerminal
import FeedfallText
import Glibc

struct DoctorCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall doctor", abstract: "Check the configuration, the terminal and the player.",
    discussion: "The exit status is 0, or 1 if there are faults.")

  private struct Section {
    var title: String
    var faults: [String]
    var facts: [String] = []
  }

  private static var sections: [Section] { configurationSections + [terminalSection, playerSection, ytDlpSection] }

  func run() -> Int32 {
    let sections = Self.sections
    for section in sections {
      print("\(section.title): \(section.faults.isEmpty ? "no faults" : Self.count(section.faults.count))")
      for line in section.faults + section.facts { print("  \(line)") }
    }
    return sections.allSatisfy(\.faults.isEmpty) ? ExitStatus.success : ExitStatus.failure
  }

  private static func count(_ count: Int) -> String { count == 1 ? "1 fault" : "\(count) faults" }

  private static var configurationSections: [Section] {
    guard let file = ConfigurationFile() else {
      return [
        Section(title: "Configuration", faults: ["neither HOME nor XDG_CONFIG_HOME is set. Set one of them."])
      ]
    }
    let configuration = UserConfiguration(file: file)
    let main = Section(
      title: "Configuration \(file.shownPath)\(file.exists ? "" : " (there is no file)")",
      faults: configuration.faults?.lines ?? [])
    guard file.own.exists else { return [main] }
    let replaced = configuration.replacedNames.map { "\"\($0)\" is in \(ConfigurationFile.name) too. This one counts." }
    return [
      main,
      Section(
        title: "Saved changes \(file.own.shownPath)", faults: configuration.ownFaults?.lines ?? [], facts: replaced),
    ]
  }

  private static var terminalSection: Section {
    let words = TerminalWords(of: .current)
    return Section(title: "Terminal", faults: words.faults, facts: words.facts)
  }

  private static var ytDlpSection: Section {
    let options = UserConfiguration(file: ConfigurationFile()).sourceOptions()
    let words = YtDlpWords(options.ytDlp.common, options.proxies.common)
    return Section(title: "yt-dlp", faults: words.faults, facts: words.facts)
  }

  private static var playerSection: Section {
    let pictures = MPVHost.isAvailable ? "by libmpv" : "none. Install libmpv2: apt install libmpv2."
    return Section(title: "Player", faults: [], facts: ["pictures: \(pictures)"])
  }

  struct TerminalWords: Equatable {
    /// Those that prevent the program from opening the screen.
    private(set) var faults: [String] = []
    private(set) var facts: [String] = []

    init(of survey: TerminalSurvey) {
      if !survey.hasUTF8 {
        faults.append("there is no UTF-8 locale. Set LC_ALL to C.UTF-8, or install the package locales.")
      }
      if survey.isTerminal { Self.fault(of: survey).map { faults.append($0) } }
      if !survey.isTerminal { facts.append("no terminal. Run feedfall doctor in the terminal to check it.") }
      if case .known(let type, _) = survey.kind { facts.append("type: \(Self.type(type, survey.name))") }
      if let size = survey.size { facts.append("size: \(size.width)x\(size.height)\(Self.sizeAdvice(size.width))") }
      switch survey.multiplexer {
      case nil: break
      case .tmux: facts.append("multiplexer: tmux. For pictures, run tmux set -g allow-passthrough on.")
      case .screen: facts.append("multiplexer: GNU Screen. For more colors and for pictures, use tmux.")
      }
      if case .known = survey.kind {
        facts.append("colors: \(Self.colors(survey))")
        facts.append("pictures: \(Self.pictures(survey))")
      }
      if survey.hasUTF8 { facts.append("text: UTF-8") }
    }

    /// A program in a pipe has no terminal, so only a terminal can have a fault.
    private static func fault(of survey: TerminalSurvey) -> String? {
      let name = cleanedLine(survey.name, limit: 40)
      return switch survey.kind {
      case .none where survey.name.isEmpty: "TERM is not set. Set it to the terminal's type, such as xterm-256color."
      case .none: "TERM is \(name), a terminal without a screen. Set it to the terminal's type."
      case .unknown: "the type \(name) is not known. Set TERM to xterm-256color, or install ncurses-term."
      case .known(_, canMoveCursor: false): "the type \(name) cannot move the cursor. Set TERM to the terminal's type."
      case .known: nil
      }
    }

    private static func type(_ type: String, _ name: String) -> String {
      type == name
        ? type
        : "\(type), because \(cleanedLine(name, limit: 40)) is not known. Install ncurses-term for all its functions."
    }

    private static let fewColumns = 40

    private static func sizeAdvice(_ columns: Int) -> String {
      columns < fewColumns ? ". Make it at least \(fewColumns) columns wide." : ""
    }

    private static func colors(_ survey: TerminalSurvey) -> String {
      if survey.refusesColors { return "none, because NO_COLOR is set. Start with --color, or unset it." }
      let isInMultiplexer = survey.multiplexer != nil || ["screen", "tmux"].contains(where: survey.name.hasPrefix)
      let type = isInMultiplexer ? "screen-256color" : "xterm-256color"
      return switch survey.colors {
      case .none: "none. Set TERM to \(type) if the terminal has colors."
      case .indexed(let count) where count < 256: "\(count). Set TERM to \(type) if the terminal has more."
      case .indexed(let count) where survey.multiplexer == .screen: "\(count)"
      case .indexed(let count): "\(count). Set COLORTERM to truecolor if the terminal has 24-bit colors."
      case .direct: "24-bit"
      }
    }

    private static func pictures(_ survey: TerminalSurvey) -> String {
      switch survey.pictures {
      case nil: "feedfall asks the terminal when it starts"
      case .cells: "colored characters. For pixels, use a terminal such as kitty, ghostty or foot."
      case .sixel: "sixel graphics"
      case .kittyPlacements, .kittyPlaceholders: "kitty's graphics protocol"
      }
    }
  }

  /// What yt-dlp can do here, without secrets.
  struct YtDlpWords: Equatable {
    private(set) var faults: [String] = []
    private(set) var facts: [String] = []

    init(_ ytDlp: YtDlp, _ proxies: Proxies) {
      let installation = YtDlpInstallation(ytDlp.program, cache: ytDlp.cacheFolder, asksAll: true)
      if let installation {
        addProgram(installation)
        addRuntimes(installation)
      } else if let program = ytDlp.program {
        faults.append("program: \(Self.shown(program)) is not a program. Correct program below [yt-dlp].")
      } else {
        facts.append("program: none. Most web pages need it: \(YtDlpCure.installation).")
      }
      facts.append("configuration: \(ytDlp.readsConfiguration ? "its own, then [yt-dlp]" : "[yt-dlp] only")")
      if let installation, !installation.isSilent, let (fault, isOfConfiguration) = ytDlp.optionFault {
        let path = Self.shown(installation.path)
        faults.append(DoctorWords.faulty(fault, isOfConfiguration: isOfConfiguration, path))
      }
      addCookies(ytDlp)
      // Only names: a value, or the rest of a short option, may be a password.
      let options = ytDlp.arguments.compactMap { word -> String? in
        if word.hasPrefix("--") { return String(word.prefix { $0 != "=" }) }
        return word.hasPrefix("-") ? String(word.prefix(2)) : nil
      }
      if !options.isEmpty { facts.append("arguments: \(cleanedLine(options.joined(separator: " "), limit: 200))") }
      if let address = WebAddress("https://www.youtube.com/") {
        // A proxy of the program replaces that of the arguments.
        let own = proxies.chosen(for: address) == nil ? ytDlp.ownProxy : nil
        let common = proxies.proxy(for: address)?.description ?? "none"
        facts.append(own.map { DoctorWords.proxyOfArguments($0.description) } ?? "proxy: \(common)")
      }
    }

    private mutating func addProgram(_ installation: YtDlpInstallation) {
      let path = Self.shown(installation.path)
      guard !installation.isSilent else { return faults.append(DoctorWords.silent(path)) }
      guard let version = installation.version else {
        faults.append("program: \(path) does not say its version. Install it again: \(YtDlpCure.installation).")
        return
      }
      let advice = installation.knowsRuntimes ? "" : ", too old for YouTube. Update it: \(YtDlpCure.installation)."
      facts.append("program: \(path), version \(version)\(advice)")
    }

    private mutating func addRuntimes(_ installation: YtDlpInstallation) {
      for runtime in installation.runtimes {
        let version = runtime.version.map { " \($0)" } ?? ""
        let lack = runtime.isSupported ? "" : ", \(DoctorWords.unsupported(runtime))"
        facts.append("runtime: \(runtime.name)\(version), \(Self.shown(runtime.path))\(lack)")
      }
      guard installation.knowsRuntimes, !installation.hasRuntime else { return }
      facts.append("runtime: none that YouTube's pages need for all formats. Install deno: \(YtDlpCure.installation).")
    }

    private mutating func addCookies(_ ytDlp: YtDlp) {
      if let browser = ytDlp.cookiesFromBrowser { facts.append("cookies: from \(Self.shown(browser))") }
      guard let path = ytDlp.cookies else { return }
      var status = stat()
      guard access(path, R_OK) == 0, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        faults.append("cookies: \(Self.shown(path)) cannot be read. Correct cookies below [yt-dlp].")
        return
      }
      if status.st_size > YtDlp.maximumCookieByteCount { faults.append(DoctorWords.tooLargeCookies(Self.shown(path))) }
      let isOpen = status.st_mode & 0o044 != 0
      facts.append("cookies: \(Self.shown(path))")
      if isOpen { faults.append("cookies: other users can read \(Self.shown(path)). Run chmod 600 on it.") }
    }

    private static func shown(_ text: String) -> String { cleanedLine(text, limit: 80) }
  }
}
