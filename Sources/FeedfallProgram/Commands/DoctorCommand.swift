import ArgumentParser
import FeedfallPlayer
import FeedfallTerminal

struct DoctorCommand: ExitingCommand {
  static let word = "doctor"

  static let configuration = CommandConfiguration(
    commandName: "feedfall doctor", abstract: "Check the configuration, the terminal and the player.",
    discussion: "The exit status is 0, or 1 if there are faults.")

  private struct Section {
    var title: String
    var faults: [String]
    var facts: [String] = []
  }

  private static var sections: [Section] { [configurationSection, terminalSection, playerSection] }

  func run() -> Int32 {
    let sections = Self.sections
    for section in sections {
      print("\(section.title): \(section.faults.isEmpty ? "no faults" : Self.count(section.faults.count))")
      for line in section.faults + section.facts { print("  \(line)") }
    }
    return sections.allSatisfy(\.faults.isEmpty) ? ExitStatus.success : ExitStatus.failure
  }

  private static func count(_ count: Int) -> String { count == 1 ? "1 fault" : "\(count) faults" }

  private static var configurationSection: Section {
    guard let file = ConfigurationFile.current else {
      return Section(
        title: "Configuration", faults: ["neither HOME nor XDG_CONFIG_HOME is set. Set one of them."])
    }
    return Section(
      title: "Configuration \(file.shownPath)\(file.exists ? "" : " (there is no file)")",
      faults: UserConfiguration(file: file).faults?.lines ?? [])
  }

  private static var terminalSection: Section {
    let words = TerminalWords(of: .current)
    return Section(title: "Terminal", faults: words.faults, facts: words.facts)
  }

  private static var playerSection: Section {
    let pictures = MPVHost.isAvailable ? "by libmpv" : "none. Install libmpv2: apt install libmpv2."
    return Section(title: "Player", faults: [], facts: ["pictures: \(pictures)"])
  }
}
