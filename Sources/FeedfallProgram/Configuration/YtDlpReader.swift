import FeedfallSystem

extension YtDlp {
  private enum Key: String, CaseIterable {
    case program, configuration
    case cookiesFromBrowser = "cookies-from-browser"
    case cookies, arguments

    var meaning: String {
      switch self {
      case .program: "its path (default: the newest one that is installed)"
      case .configuration: "whether it reads its own configuration (default: `true`); the values here have precedence"
      case .cookiesFromBrowser: "the browser whose cookies it uses, such as `firefox` or `chrome:Profile 1`"
      case .cookies: "a file with cookies; yt-dlp gets a copy"
      case .arguments: "a list of further arguments for lists, films and downloads"
      }
    }
  }

  /// For the manual.
  static let keyMeanings = Key.allCases.map { ($0.rawValue, $0.meaning) }

  /// A table with a fault is not used at all: a request could bypass a proxy, for example.
  init(_ entries: [TomlValue.Entry], _ faults: inout [ConfigurationFault], _ isOption: (String) -> Bool) {
    self.init()
    for entry in entries {
      do { try set(entry, isOption) } catch {
        faults.append(error)
        isFaulty = true
      }
    }
  }

  private mutating func set(_ entry: TomlValue.Entry, _ isOption: (String) -> Bool) throws(ConfigurationFault) {
    switch Key(rawValue: entry.key) {
    case .program: program = try entry.path()
    case .configuration: readsConfiguration = try entry.boolean()
    case .cookiesFromBrowser: cookiesFromBrowser = try entry.browser()
    case .cookies: cookies = try entry.path()
    case .arguments: arguments = try entry.arguments()
    case nil:
      throw .unknown(entry, known: Key.allCases.map(\.rawValue), below: Configuration.Table.ytDlp.header, isOption)
    }
  }

  func expanded(home: String?) -> YtDlp {
    func expanded(_ path: String?) -> String? {
      guard let path, path.hasPrefix("~/"), let home else { return path }
      return home + path.dropFirst()
    }
    var settings = self
    (settings.program, settings.cookies) = (expanded(program), expanded(cookies))
    return settings
  }
}

extension TomlValue.Entry {
  fileprivate func path() throws(ConfigurationFault) -> String {
    let text = try string()
    guard text.hasPrefix("/") || text.hasPrefix("~/"), !text.hasControl else {
      throw item.fault("the path is not valid", advice: "Write a path that begins with / or ~/.")
    }
    return text
  }

  func browser() throws(ConfigurationFault) -> String {
    let text = try string()
    guard (1...400).contains(text.utf8.count), !text.hasControl, !text.hasPrefix("-") else {
      throw item.fault("the browser is not valid", advice: "Write its name, such as firefox, chrome or chromium.")
    }
    return text
  }

  fileprivate func arguments() throws(ConfigurationFault) -> [String] {
    guard case .array(let items) = item.value else {
      throw .wrong(key, item, needed: "a list such as [\"--proxy\", \"socks5://127.0.0.1:9050\"]")
    }
    guard items.count <= 100 else { throw item.fault("there are more than 100 arguments", advice: "Remove some.") }
    var words: [String] = []
    var byteCount = 0
    for item in items {
      guard case .string(let text) = item.value, text.utf8.count <= 4_096 else {
        throw item.fault("the argument is not valid", advice: "Write a text in quotation marks.")
      }
      words.append(text)
      byteCount += text.utf8.count
    }
    // They are passed in the environment, which has a limit.
    guard byteCount <= 64 << 10 else {
      throw item.fault("the arguments have more than 64 KB", advice: "Remove some.")
    }
    guard let (index, refusal) = YtDlp.refusal(among: words) else { return words }
    switch refusal {
    case .control: throw items[index].fault("the argument contains a control character", advice: "Remove it.")
    case .notAnOption:
      throw items[index].fault(
        "the argument belongs to no option", advice: "Write an option of yt-dlp before it, such as \"--proxy\".")
    case .ownOption("--cookies"), .ownOption("--cookies-from-browser"):
      throw items[index].fault(
        "cookies have lines of their own", advice: "Write cookies-from-browser = \"…\" or cookies = \"…\".")
    case .ownOption(let name):
      throw items[index].fault(
        "\(name) would change what feedfall reads from yt-dlp", advice: "Remove it.")
    }
  }
}

extension String {
  fileprivate var hasControl: Bool { utf8.contains { $0 < 0x20 || $0 == 0x7F } }
}
