import ArgumentParser
import FeedfallSources
import FeedfallText
import Glibc

struct FeedfallCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall",
    abstract: "Browse video feeds in a terminal.",
    discussion: """
      Each source is a tab. With several sources, the first tab shows the videos of all of them. Without a source, \
      feedfall shows the sources in ~/.config/feedfall/config.toml, or a built-in catalogue of free films.

      Keys: arrows or h j k l move, Enter shows details, space plays, ? shows all keys.

      Commands; run them with --help for details:
      \(Word.allCases.map(\.summary).joined(separator: "\n"))
      """,
    version: "feedfall \(FeedSources.version)")

  @Argument(help: NamedSource.help, completion: NamedSource.completion)
  var sources: [String] = []

  @OptionGroup var options: OptionArguments

  func run() -> Int32 { Self.browse(sources, options) }

  static func browse(_ sources: [String], _ arguments: OptionArguments? = nil) -> Int32 {
    withConfiguration(printsFaults: false) { configuration in
      let selection = configuration.selection(named: sources)
      if let status = refusal(of: sources, selection) { return status }
      return Browse(
        configuration, selection, options: configuration.viewOptions { arguments?.apply(to: &$0) },
        feed: configuration.sourceOptions(arguments?.feed), restoresPlace: sources.isEmpty && arguments == nil
      ).run()
    }
  }

  /// In the order of the help.
  enum Word: String, CaseIterable {
    case list, check, search, play, find, download, render, probe, `import`, export, queue, history, mark, doctor, help

    /// Reading the type of another command would delay the start.
    var command: any ExitingCommand.Type {
      switch self {
      case .list: ListCommand.self
      case .check: CheckCommand.self
      case .search: SearchCommand.self
      case .play: PlayNowCommand.self
      case .find: FindCommand.self
      case .download: DownloadCommand.self
      case .render: RenderCommand.self
      case .probe: ProbeCommand.self
      case .import: ImportCommand.self
      case .export: ExportCommand.self
      case .queue: QueueCommand.self
      case .history: HistoryCommand.self
      case .mark: MarkCommand.self
      case .doctor: DoctorCommand.self
      case .help: HelpCommand.self
      }
    }

    private static let width = words.map(\.count).max() ?? 0

    fileprivate var summary: String {
      let margin = String(repeating: " ", count: Self.width - rawValue.count + 2)
      return "  \(rawValue)\(margin)\(command.configuration.abstract)"
    }
  }

  static let words = Word.allCases.map(\.rawValue)

  private static func command(similarTo word: String) -> String? {
    let longer = word.utf8.count >= 4 ? words.filter { $0.hasPrefix(word) } : []
    return longer.count == 1 ? longer[0] : similarName(to: word, among: words)
  }

  /// Reports a first argument that is probably a mistyped command; nil if it is none.
  static func refusal(of arguments: [String], _ selection: UserConfiguration.Selection) -> Int32? {
    guard let word = arguments.first, word.utf8.allSatisfy(\.isASCIILetter), access(word, F_OK) != 0,
      let source = selection.sources.first, source.argument == word, source.name == nil, source.similarName == nil,
      let command = command(similarTo: word.lowercased())
    else { return nil }
    printError("Could not open “\(word)”: it is neither a command nor a source. Did you mean \(command)?")
    return ExitStatus.usage
  }
}

extension ParsableArguments {
  /// The names of all options except --help, read from the help.
  static var optionNames: [String] {
    let words = helpMessage().split { " \n,;/[]()=<>".contains($0) }
    return words.filter { $0.hasPrefix("--") && $0 != "--help" }.map { String($0.dropFirst(2)) }
  }

  static func messageWithSuggestion(for error: any Error) -> String {
    let (message, full) = (message(for: error), fullMessage(for: error))
    guard let option = unknownOption(in: message) else { return full }
    let suggestion = similarName(to: option, among: optionNames).map { " Did you mean '--\($0)'?" } ?? ""
    return full.replacing(message, with: "Unknown option '--\(option)'.\(suggestion)", maxReplacements: 1)
  }

  private static func unknownOption(in message: String) -> String? {
    guard message.hasPrefix("Unknown option '--") else { return nil }
    return message.split(separator: "'").dropFirst().first?.dropFirst(2).split(separator: "=").first.map(String.init)
  }
}
