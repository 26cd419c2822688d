import Foundation
import TestSupport
import Testing

@Suite(.hangLimit) struct ProbeTests {
  @Test func `probe prints an object for each document, with the reason if it cannot be parsed`() async throws {
    let feed = try temporaryFile(
      "<rss><channel><title>T</title><item><title>One</title><link>a/1</link>"
        + "<enclosure url='1.mp4' type='video/mp4'/></item></channel></rss>")
    let page = try temporaryFile("<html><title>Log in</title></html>")
    defer { for path in [feed, page] { try? FileManager.default.removeItem(atPath: path) } }
    let outcome = try await Feedfall.run("probe", "--json", feed, page, "/nowhere/feed.xml")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(outcome.status == 1)
    #expect(try await Feedfall.run("probe", "--json", feed).status == 0)
    #expect(lines.count == 3)
    #expect(
      lines.first?.contains(#""link":"http://example.org/base/a/1","media":["http://example.org/base/1.mp4"]"#) == true)
    #expect(lines.dropFirst().first?.contains("Log in") == true)
    #expect(lines.last?.contains(#""error""#) == true)
  }

  @Test func `a dash is standard input as an argument, and a file in a list of paths`() async throws {
    try await withFolder { folder in
      for (name, title) in [("-", "In the file"), ("feed", "In the pipe")] {
        let feed = "<rss><channel><item><title>\(title)</title></item></channel></rss>"
        try Data(feed.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
      }
      let shell = { (command: String) in
        try await run("/bin/sh", ["-c", "cd \(folder) && \(command)"]).output
      }
      #expect(try await shell("\(Feedfall.path) probe - <feed").contains("In the pipe"))
      #expect(try await shell("echo - | \(Feedfall.path) probe").contains("In the file"))
    }
  }

  @Test func `a document of more than a gigabyte is reported as too large`() async throws {
    try await withFolder { folder in
      let path = folder + "/feed"
      try Data().write(to: URL(filePath: path))
      try #require(truncate(path, (1 << 30) + 1) == 0)
      let outcome = try await Feedfall.run("probe", path)
      let reason = "it is larger than 256 MB. Check whether it is a feed."
      #expect(outcome.output == "{\"error\":\"Could not read \(path): \(reason)\"}\n")
    }
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

  @Test(arguments: [
    (
      """
      <rss><channel><item><title>One</title><link>https://a.example/1</link><trailer src="https://a.example/t1"/></item>
      <item><title>Two</title><link>https://a.example/2</link><trailer src="https://a.example/t2"/></item></channel></rss>
      """, ["2 of 2 items have trailer/@src, which is not read"]
    ),
    (
      """
      {"version": "https://jsonfeed.org/version/1.1", "items": [{"title": "One", "url": "https://a.example/1",
      "enclosure": [{"url": "https://a.example/1.mp4"}]}]}
      """, ["1 item has enclosure[].url, which is not read"]
    ),
    ("<rss><channel><item><title>One</title><link>https://a.example/1</link></item></channel></rss>", nil),
    (
      #"{"items": [{"enclosures": [{"uri": "https://a.example/1.mp4"}]}]}"#,
      ["1 item has enclosures[].uri, which is not read"]
    ),
  ])
  func `probe names the members with addresses that are not read`(text: String, unread: [String]?) async throws {
    let path = try temporaryFile(text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await Feedfall.run("probe", path)
    let object = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(object["unread"] as? [String] == unread)
  }

  private func temporaryFile(_ text: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("probe-\(UUID().uuidString)").path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }
}
