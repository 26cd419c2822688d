import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct OptionSuggestionTests {
  private func message(_ arguments: String...) -> String? {
    do {
      _ = try FeedfallCommand.parse(arguments)
      return nil
    } catch {
      return FeedfallCommand.messageWithSuggestion(for: error)
    }
  }

  @Test(arguments: [
    ("--film-height", "--video-height"), ("--film-height=480", "--video-height"), ("--colour", "--color"),
    ("--min-colum-widht", "--min-column-width"), ("--mpv_config", "--mpv-config"),
  ])
  func `an unknown option is reported with the name of a similar one`(option: String, similar: String) {
    let name = option.prefix { $0 != "=" }
    let lines = message(option, "480")?.split(separator: "\n") ?? []
    #expect(lines.first == "Error: Unknown option '\(name)'. Did you mean '\(similar)'?")
    #expect(lines.contains { $0.hasPrefix("Usage: feedfall") })
  }

  @Test func `other errors have no suggestion`() {
    for arguments in [["--zzzzzzzz"], ["--layout", "spiral"], ["--columns"]] {
      let message = arguments.count == 1 ? message(arguments[0]) : message(arguments[0], arguments[1])
      #expect(message?.contains("Did you mean") == false)
    }
  }
}
