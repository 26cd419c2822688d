import Foundation
import TestSupport
import Testing

/// What the program says of documents.
@Suite(.hangLimit) struct ProbeTests {
  @Test func `probe prints an object for each document, and what stood against one`() async throws {
    let feed = try temporaryFile(
      "<rss><channel><title>T</title><item><title>One</title><link>a/1</link>"
        + "<enclosure url='1.mp4' type='video/mp4'/></item></channel></rss>")
    let page = try temporaryFile("<html><title>Log in</title></html>")
    defer { for path in [feed, page] { try? FileManager.default.removeItem(atPath: path) } }
    let outcome = try await Feedfall.run("probe", "--json", feed, page, "/nowhere/feed.xml")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(outcome.status == 0)
    #expect(lines.count == 3)
    #expect(
      lines.first?.contains(#""link":"http://example.org/base/a/1","media":["http://example.org/base/1.mp4"]"#) == true)
    #expect(lines.dropFirst().first?.contains("Log in") == true)
    #expect(lines.last?.contains(#""error""#) == true)
  }

  @Test func `probe takes paths from standard input`() async throws {
    let feed = try temporaryFile("<rss><channel><item><title>One</title></item></channel></rss>")
    defer { try? FileManager.default.removeItem(atPath: feed) }
    let outcome = try await run(
      "/bin/sh", ["-c", "printf '%s\\n%s\\n' \(feed) \(feed) | \(Feedfall.path) probe --json"])
    #expect(outcome.output.split(separator: "\n").filter { $0.contains("One") }.count == 2)
  }

  @Test(arguments: [
    ("<rss><channel><item><title>One</title></item></channel></rss>", "syndication"),
    (
      #"{"version":"https://jsonfeed.org/version/1.1","items":[{"title":"One","url":"https://a.example/1"}]}"#,
      "jsonFeed"
    ),
  ])
  func `probe names the kind of a document`(text: String, kind: String) async throws {
    let path = try temporaryFile(text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await Feedfall.run("probe", path)
    let object = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(object["kind"] as? String == kind)
  }

  private func temporaryFile(_ text: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("probe-\(UUID().uuidString)").path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }
}
