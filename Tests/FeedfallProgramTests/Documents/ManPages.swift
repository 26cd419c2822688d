@testable import FeedfallProgram

/// The manual pages of section 1, 5 and 7.
enum ManPages {
  /// - Parameter documents: the documents with generated tables, by their paths.
  static func pages(from documents: [String: String]) throws -> [(path: String, text: String)] {
    func topic(_ name: String) throws -> Markdown {
      let path = "Resources/manual/\(name).md"
      return Markdown(try documents[path] ?? ManualTables.read(path))
    }
    return [
      ("Resources/man/feedfall.1", try program(topic, readme: Markdown(try ManualTables.read("README.md")))),
      ("Resources/man/feedfall.5", try configuration(topic)), ("Resources/man/feedfall-filters.7", try filters(topic)),
    ]
  }

  private static func program(_ topic: (String) throws -> Markdown, readme: Markdown) throws -> String {
    let (commands, configuration) = (try topic("commands"), try topic("configuration"))
    let description = FeedfallCommand.configuration.discussion.split(separator: "\n").prefix(1).map(String.init)
    var page = Roff("FEEDFALL", 1, "feedfall", FeedfallCommand.configuration.abstract.phrase)
    page.section(
      "Synopsis",
      [.paragraph("`feedfall` [OPTION...] [SOURCE...]"), .paragraph("`feedfall` COMMAND [OPTION...] [ARGUMENT...]")])
    page.section("Description", description.map { .paragraph($0) })
    page.subsection("Sources", try topic("sources").introduction)
    let shell = try commands.section("In a shell")
    page.section("Commands", shell.filter { !$0.isCode })
    page.subsection("Command options", try commands.section("Command options"))
    for name in ["list", "check", "find", "JSON"] { page.subsection(name, try commands.section(name)) }
    page.subsection("The prompt", try commands.section("In the program"))
    page.section("Options", try configuration.section("Options"))
    let keys = try topic("keys")
    page.section("Keys", keys.introduction)
    for section in keys.sections { page.subsection(section.title, section.blocks) }
    page.section("Environment", try configuration.section("Environment"))
    page.section("Files", try topic("files").introduction)
    page.section("Exit status", try commands.section("Exit status"))
    page.section("Examples", try readme.section("Use").filter(\.isCode) + shell.filter(\.isCode))
    page.section(
      "See also",
      [
        .paragraph("`feedfall`(5), `feedfall-filters`(7), `mpv`(1), `yt-dlp`(1)"),
        .paragraph("`feedfall help` lists the topics of the manual."),
      ])
    return page.text
  }

  private static func configuration(_ topic: (String) throws -> Markdown) throws -> String {
    let (configuration, services) = (try topic("configuration"), try topic("services"))
    var page = Roff("FEEDFALL", 5, "feedfall", "configuration of feedfall")
    page.section("Description", configuration.introduction)
    for section in configuration.sections where section.title != "Environment" {
      page.section(section.title, section.blocks)
      if section.title == "Views" {
        page.section("Sources with a login", services.introduction + (try services.section("Passwords")))
      }
    }
    page.section(
      "See also", [.paragraph("`feedfall`(1), `feedfall-filters`(7)")])
    return page.text
  }

  private static func filters(_ topic: (String) throws -> Markdown) throws -> String {
    let filters = try topic("filters")
    var page = Roff("FEEDFALL-FILTERS", 7, "feedfall-filters", "filter language of feedfall")
    page.section("Description", filters.introduction)
    for section in filters.sections { page.section(section.title, section.blocks) }
    page.section("See also", [.paragraph("`feedfall`(1), `feedfall`(5)")])
    return page.text
  }
}

extension Markdown.Block {
  fileprivate var isCode: Bool { if case .code = self { true } else { false } }
}
