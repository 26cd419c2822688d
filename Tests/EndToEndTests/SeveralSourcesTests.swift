import Foundation
import TestServer
import TestSupport
import Testing

/// Several sources, the configuration and OPML files, with the real program.
@Suite(.hangLimit) struct SeveralSourcesTests {
  private static func answer(_ request: TestRequest) -> TestBehaviour {
    if request.path.hasPrefix("/broken") { return .answer(TestAnswer("no", status: 500)) }
    let item = #"{"title":"The good film","flv":"https://films.example/1.mp4"}"#
    return .answer(TestAnswer("{\"data\":{\"info_list\":[\(item)],\"end\":1}}"))
  }

  /// Runs a test with a folder for the configuration, and the environment that names it.
  private func withConfiguration(
    _ toml: String, _ body: (_ environment: [String: String], _ file: String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = folder.appendingPathComponent("feedfall")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let file = place.appendingPathComponent("config.toml")
    if !toml.isEmpty { try Data(toml.utf8).write(to: file) }
    try await body(["XDG_CONFIG_HOME": folder.path], file.path)
  }

  @Test func `the configuration's sources are tabs, and a name selects one of them`() async throws {
    let server = try TestServer(Self.answer)
    defer { server.stop() }
    let toml = """
      layout = "list"
      timeout = 600
      [[source]]
      name = "Good ones"
      address = "\(server.origin)/good.json"
      [[source]]
      name = "Bad ones"
      address = "\(server.origin)/broken.json"
      """
    try await withConfiguration(toml) { environment, _ in
      let all = try await Feedfall.run("render", "--size", "80x12", environment: environment)
      #expect(all.output.contains("1 All  2 Good ones  3 Bad ones !"))
      let one = try await Feedfall.run("render", "--size", "80x12", "Good ones", environment: environment)
      #expect(one.output.contains("1 of 1 · Good ones"))
      #expect(!one.output.contains("Bad ones"))
      let list = try await Feedfall.run("list", "Good ones", environment: environment)
      #expect(list.output.hasPrefix("The good film\t"))
    }
  }

  @Test(arguments: [["render"], ["list"], [], ["--layout", "grid"]])
  func `a fault in the configuration is reported with its place, and the rest is used`(arguments: [String]) async throws
  {
    let server = try TestServer(Self.answer)
    defer { server.stop() }
    let toml =
      "\n\nlayuot = \"grid\"\ntimeout = 600\n[[source]]\nname = \"Good\"\naddress = \"\(server.origin)/good.json\"\n"
    try await withConfiguration(toml) { environment, file in
      let outcome = try await run(Feedfall.path, arguments, environment: environment)
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("The good film"))
      #expect(
        outcome.errors == "feedfall: Could not read \(file):3:1: \"layuot\" is not known. Did you mean \"layout\"?\n")
    }
  }

  @Test func `import adds the feeds of an OPML file, and export prints them`() async throws {
    let opml = """
      <opml version="1.0"><body><outline text="Folder"><outline text="Films" xmlUrl="https://a.example/feed"/></outline>
      <outline text="Films" xmlUrl="https://b.example/feed"/></body></opml>
      """
    try await withConfiguration("# mine\n") { environment, file in
      let added = try await run(
        Feedfall.path, ["import", "-"], environment: environment, input: Array(opml.utf8))
      #expect(added.status == 0)
      #expect(
        added.output == """
          added: Films https://a.example/feed
          added: Films 2 https://b.example/feed
          2 added, 0 already configured, 0 skipped: \(file.replacing("config.toml", with: "own.toml"))

          """)
      let again = try await run(
        Feedfall.path, ["import", "-"], environment: environment, input: Array(opml.utf8))
      #expect(again.output.hasPrefix("already configured: https://a.example/feed\n"))
      let given = try await Feedfall.run("export", environment: environment)
      #expect(
        given.output.contains(#"<outline type="rss" text="Films 2" title="Films 2" xmlUrl="https://b.example/feed"/>"#))
    }
  }

  @Test func `export leaves out secrets without --with-secrets`() async throws {
    let toml = """
      [[source]]
      name = "P"
      address = "http://ann:s3@a.example/feed.xml"
      [[source]]
      name = "Q"
      address = "http://a.example/feed.xml?api_key=s3&x=1"
      """
    try await withConfiguration(toml) { environment, _ in
      let plain = try await Feedfall.run("export", environment: environment)
      #expect(!plain.output.contains("s3") && plain.output.contains("http://a.example/feed.xml?x=1"))
      #expect(plain.errors == "feedfall: Left out the secrets of 2 of 2 addresses. --with-secrets prints them.\n")
      let whole = try await Feedfall.run("export", "--with-secrets", environment: environment)
      #expect(whole.output.contains("ann:s3@") && whole.output.contains("api_key=s3") && whole.errors.isEmpty)
    }
  }

  @Test func `the feeds of an OPML file are tabs`() async throws {
    let server = try TestServer(Self.answer)
    defer { server.stop() }
    let opml = """
      <opml><body><outline text="Good ones" xmlUrl="\(server.origin)/good.json"/>
      <outline text="Bad ones" xmlUrl="\(server.origin)/broken.json"/></body></opml>
      """
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).opml")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(opml.utf8).write(to: file)
    let outcome = try await Feedfall.run("render", "--size", "80x12", file.path)
    #expect(outcome.output.contains("1 All  2 Good ones  3 Bad ones !"))
  }

  @Test func `a file that is not OPML is reported`() async throws {
    try await withConfiguration("") { environment, file in
      let outcome = try await Feedfall.run("import", "/dev/null", environment: environment)
      #expect(outcome.status == 1)
      #expect(
        outcome.errors
          == "feedfall: Could not import /dev/null: it contains no subscriptions. Use OPML, or a file that Takeout, NewPipe, FreeTube, Invidious, Piped or newsboat has exported.\n"
      )
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }
}
