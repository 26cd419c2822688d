import ArgumentParser
import FeedfallConfiguration

/// `feedfall doctor`: check the configuration.
struct DoctorCommand: ExitingCommand {
  static let word = "doctor"

  static let configuration = CommandConfiguration(
    commandName: "feedfall doctor", abstract: "Check the configuration.",
    discussion: "The exit status is 0, or 1 if there are faults.")

  /// A part of the output.
  private struct Section {
    var title: String
    /// Each one on its line.
    var faults: [String]
  }

  private static var sections: [Section] { [configurationSection] }

  func run() -> Int32 {
    let sections = Self.sections
    for section in sections {
      print("\(section.title): \(section.faults.isEmpty ? "no faults" : Self.count(section.faults.count))")
      for fault in section.faults { print("  \(fault)") }
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
}
