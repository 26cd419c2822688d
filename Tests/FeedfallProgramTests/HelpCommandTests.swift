import FeedfallScreen
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

/// The manual and the other documents.
@Suite(.hangLimit) struct HelpCommandTests {
  private static let documents =
    ["README.md", "Sources/ARCHITECTURE.md", ".github/CONTRIBUTING.md"]
    + HelpCommand.Topic.all.map { "Resources/manual/\($0.name).md" }

  private static func read(_ path: String) throws -> String {
    try String(contentsOfFile: packageRoot + "/" + path, encoding: .utf8)
  }

  @Test func `each topic is embedded, listed and linked`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: packageRoot + "/Resources/manual")
    #expect(Set(files) == Set(HelpCommand.Topic.all.map { $0.name + ".md" }))
    let readme = try Self.read("README.md")
    for topic in HelpCommand.Topic.all {
      let file = try Self.read("Resources/manual/\(topic.name).md")
      #expect(topic.text == file)
      #expect(HelpCommand.Topic.list.contains("\n  \(topic.name) ") && !topic.summary.isEmpty)
      #expect(readme.contains("[\(topic.name)](Resources/manual/\(topic.name).md)"))
      #expect(!FeedfallCommand.words.contains(topic.name))
    }
  }

  @Test func `the documents are short`() throws {
    let (readme, architecture) = (try Self.read("README.md"), try Self.read("Sources/ARCHITECTURE.md"))
    #expect(readme.utf8.count <= 8_192)
    #expect(architecture.split(whereSeparator: \.isWhitespace).count <= 900)
  }

  @Test(arguments: documents) func `the targets of links exist`(document: String) throws {
    let folder = URL(filePath: packageRoot).appending(path: document).deletingLastPathComponent()
    for match in try Self.read(document).matches(of: #/\]\(([^)#]+)(#[^)]*)?\)/#) where !match.1.contains("://") {
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: match.1).path), "\(match.1)")
    }
  }

  @Test(arguments: HelpCommand.Topic.all.map(\.name)) func `the topics that a topic names exist`(name: String) throws {
    let text = try #require(HelpCommand.Topic.all.first { $0.name == name }).text
    let names = Set(HelpCommand.Topic.all.map(\.name) + FeedfallCommand.words)
    for match in text.matches(of: #/feedfall help ([a-z]+)/#) { #expect(names.contains(String(match.1))) }
  }

  @Test func `the list of topics fits 80 columns`() {
    for line in HelpCommand.Topic.list.split(separator: "\n") { #expect(TextWidths().width(of: String(line)) <= 80) }
  }

  @Test(arguments: [(80, 80), (200, 120)])
  func `a topic fits the width of the terminal`(columns: Int, limit: Int) {
    for topic in HelpCommand.Topic.all {
      let lines = HelpCommand.Page(topic.text, (columns: columns, bold: "", plain: "")).text.split(separator: "\n")
      for line in lines { #expect(TextWidths().width(of: String(line)) <= limit, "\(topic.name): \(line)") }
    }
  }

  @Test func `headings and code are bold, and tables have two columns`() {
    let page = HelpCommand.Page(
      """
      # Title
      Some `code of
      two` lines.

      | key | meaning |
      |---|---|
      | `a` | first \\| second |
      | `a longer term than all` `others` | third third third |

      ```sh
      | as it is
      ```

      """, (columns: 20, bold: "<", plain: ">"))
    #expect(
      page.text == """
        <Title>
        Some <code of two>
        lines.

          <a>  first | second
          <a longer term than>
          <all> <others>
             third third third

          | as it is

        """)
  }
}
