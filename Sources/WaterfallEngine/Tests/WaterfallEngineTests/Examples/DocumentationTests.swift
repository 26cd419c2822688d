import Foundation
import TestBasics
import Testing

/// Compares the pages of the documentation with the examples and the pictures.
@Suite(.hangLimit) struct DocumentationTests {
  /// The engine's package.
  private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { file, _ in
    file.deletingLastPathComponent()
  }
  private static let sources = root.appendingPathComponent("Sources/WaterfallEngine")

  private static let pages: [URL] = {
    let catalog = sources.appendingPathComponent("WaterfallEngine.docc")
    let files = FileManager.default.enumerator(at: catalog, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    return (files ?? []).filter { $0.pathExtension == "md" }
  }()

  /// The lines of the file, trimmed, each after a newline.
  private func lines(_ file: URL) throws -> String {
    let text = try String(contentsOf: file, encoding: .utf8)
    return "\n"
      + text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }

  /// The contents of the fenced blocks of Swift and of drawings.
  private func blocks(_ page: URL) throws -> [String] {
    try lines(page).matches(of: #/\n```(?:swift|text)(\n.*?\n)```/#.dotMatchesNewlines()).map { String($0.1) }
  }

  @Test func `code and drawings on the pages match the examples`() throws {
    let folder = Self.root.appendingPathComponent("Tests/WaterfallEngineTests/Examples")
    let examples = try [
      "LayoutExampleTests.swift", "ChangeExampleTests.swift", "CustomLayoutExampleTests.swift",
    ].map { try lines(folder.appendingPathComponent($0)) }.joined()
    for page in Self.pages {
      for block in try blocks(page) where !block.hasPrefix("\nlet package = ") {
        #expect(
          examples.contains(block),
          "\(page.lastPathComponent) shows a block that is in no example:\(block)")
      }
    }
  }

  @Test func `every article has code, a drawing or picture, costs and related features`() throws {
    let articles = Self.pages.filter { $0.pathComponents.contains("Articles") }
    #expect(articles.count == 16)
    for article in articles {
      let text = try lines(article)
      #expect(text.contains("\n```swift\n"), "\(article.lastPathComponent)")
      #expect(text.contains("\n```text\n") || text.contains("!["), "\(article.lastPathComponent)")
      #expect(text.contains("\n## Cost\n"), "\(article.lastPathComponent)")
      #expect(text.contains("\n## Related features\n"), "\(article.lastPathComponent)")
    }
  }

  @Test func `every picture is shown, and every shown picture exists`() throws {
    let resources = Self.sources.appendingPathComponent("WaterfallEngine.docc/Resources")
    let existing = try FileManager.default.contentsOfDirectory(atPath: resources.path).sorted()
    let shown = try Self.pages.flatMap { try lines($0).matches(of: #/!\[[^\]]+\]\(([^)]+)\)/#).map { "\($0.1).svg" } }
    #expect(Set(shown).sorted() == existing)
  }
}
