import FeedfallText
import Foundation
import TestServer
import TestSupport
import Testing

@testable import FeedfallMedia
@testable import FeedfallPlayer
@testable import FeedfallWeb

/// Redirects with cookies, host names beyond ASCII, and slow lines. A server on this machine is the proxy for all
/// names.
enum ConnectionCases {
  private static func redirect(to target: String, _ cookies: [String]) -> TestBehaviour {
    let lines =
      ["HTTP/1.1 302 Found", "Location: \(target)", "Content-Length: 0"] + cookies.map { "Set-Cookie: \($0)" }
    return .raw(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
  }

  private static func list(_ address: String, _ answering: @escaping TestServer.Answering) async throws -> WalkCases.End
  {
    try await WalkCases.list(address, timeout: "\(hangLimitSeconds)", answering)
  }

  /// Downloads an address into a new folder and returns the end, the requests and the names of the files.
  private static func download(
    _ address: String, _ answering: @escaping TestServer.Answering
  ) async throws -> (end: Outcome, requests: [TestRequest], files: [String]) {
    var names: [String] = []
    var end = Outcome(status: -1, output: "", errors: "")
    var requests: [TestRequest] = []
    try await DownloadHome.use { home in
      let server = try TestServer(answering)
      defer { server.stop() }
      end = try await run(
        Feedfall.path, ["download", "--download-folder", home.folder + "/videos", address],
        environment: home.environment.merging(["http_proxy": server.origin, "LC_ALL": "C", "LANG": "C"]) { $1 })
      requests = server.requests
      names = (try? home.names(in: "videos")) ?? []
    }
    return (end, requests, names)
  }

  private static let film = TestAnswer(
    [0, 0, 0, 24] + Array("ftypisom".utf8) + [UInt8](repeating: 0, count: 3_000), headers: ["Content-Type": "video/mp4"]
  )

  // MARK: - Cookies

  @Sendable static func consentWall() async throws {
    let (end, requests, files) = try await download("http://pod.example/film.mp4") { request in
      request.headers["cookie"] == "consent=1" ? .answer(film) : redirect(to: "/film.mp4", ["consent=1; Path=/"])
    }
    #expect(end.status == 0 && requests.count == 2 && files.count == 1, "\(end)")
  }

  // MARK: - Names

  @Sendable static func redirectBeyondASCII() async throws {
    for target in ["http://bücher.example/f.xml", "//b%C3%BCcher.example/f.xml", "http://BÜCHER。example/f.xml"] {
      let end = try await list("http://a.example/") { request in
        request.target == "http://xn--bcher-kva.example/f.xml" ? .answer(WalkCases.feed()) : redirect(to: target, [])
      }
      #expect(end.outcome.output.hasPrefix("Film 0\t") && end.targets.count == 2, "\(target): \(end)")
    }
  }

  @Sendable static func downloadBeyondASCII() async throws {
    let (end, requests, files) = try await download("http://例え.テスト/film.mp4") { _ in .answer(film) }
    #expect(end.status == 0 && files.count == 1, "\(end)")
    #expect(requests.map(\.target) == ["http://xn--r8jz45g.xn--zckzah/film.mp4"])
  }

  @Sendable static func namesInMessages() async throws {
    for (address, shown) in [
      ("http://xn--bcher-kva.invalid/f.xml", "bücher.invalid"),
      ("http://аррӏе.invalid/f.xml", "xn--80ak6aa92e.invalid"),
    ] {
      let outcome = try await run(
        Feedfall.path, ["list", "--timeout", "2", address], environment: ["PATH": "/nowhere", "LC_ALL": "C"])
      #expect(outcome.status == 1 && outcome.errors.contains(shown), "\(outcome)")
    }
  }

  // MARK: - Slow lines

  @Sendable static func longTimeout() {
    var player = MPVOptions()
    for (given, ofPlayer, ofDownloads) in [(4.0, 10, 30.0), (42.2, 43, 42.2), (.infinity, 3_600, .infinity)] {
      player.setNetworkTimeout(seconds: given)
      #expect(player.networkTimeoutSeconds == ofPlayer)
      #expect(DownloadTools(userAgent: "a", timeoutSeconds: given).client.timeoutSeconds == ofDownloads)
    }
  }

  @Sendable static func slowIsNotSilent() {
    let servers = SilentServers()
    for _ in 0..<5 { servers.recordFailure(of: "a", .tooSlow(seconds: 120)) }
    #expect(servers.failure(of: "a") == nil)
    for _ in 0..<2 { servers.recordFailure(of: "a", .timedOut(seconds: 20)) }
    #expect(servers.failure(of: "a") == .timedOut(seconds: 20))
  }

  // MARK: - From https to http

  private struct Redirected {
    var end: Outcome
    var requests: [TestRequest]
    var files: [String]
    /// The address of the server to which the other one redirects.
    var origin: String
  }

  /// Runs a command while an https server redirects `NAME` to an http server. In the texts, ORIGIN is the https server
  /// and FOLDER a folder with the file `feed.json`, whose only video is the one at `film`.
  private static func redirected(
    _ name: String, film: String, configuration: String = "", _ command: String
  ) async throws -> Redirected {
    let server = try TestServer { _ in .answer(Self.film) }
    defer { server.stop() }
    var result = Redirected(
      end: Outcome(status: -1, output: "", errors: ""), requests: [], files: [], origin: server.origin)
    try await DownloadHome.use { home in
      let answer = HTTPSFolder.redirect(to: "\(server.origin)/\(name)")
      for (file, text) in [("feed.json", HTTPSFolder.feed(of: film)), ("config.toml", configuration), (name, answer)] {
        try text.replacing("FOLDER", with: home.folder).write(
          toFile: "\(home.folder)/\(file)", atomically: true, encoding: .utf8)
      }
      let script = HTTPSFolder.script(
        home.folder, .answers,
        running: """
          sed -i "s|ORIGIN|127.0.0.1:$port|" feed.json config.toml
          mkdir -p config/feedfall && mv config.toml config/feedfall
          export SSL_CERT_FILE="$PWD/own.pem" XDG_CONFIG_HOME="$PWD/config"
          '\(Feedfall.path)' \(command.replacing("ORIGIN", with: "127.0.0.1:$port"))
          """)
      result.end = try await run("/bin/sh", ["-c", script], environment: home.environment)
      result.files = (try? home.names(in: "videos")) ?? []
    }
    result.requests = server.requests
    return result
  }

  private static let download = "download --download-folder $PWD/videos $PWD/feed.json"
  private static let allowing = "[[source]]\nname = \"F\"\naddress = \"FOLDER/feed.json\"\nallow-http = true\n"

  @Sendable static func refusedRedirect() async throws {
    let result = try await redirected("film.mp4", film: "https://ORIGIN/film.mp4", download)
    let message =
      "feedfall: Could not download Film: 127.0.0.1 redirects to \(result.origin), which is not encrypted. "
      + "Write allow-http = true in the source's table of config.toml.\n"
    #expect(result.end.status == 1 && result.end.errors == message, "\(result)")
    #expect(result.requests.isEmpty && result.files.isEmpty, "\(result)")
  }

  @Sendable static func allowedRedirect() async throws {
    let result = try await redirected(
      "film.mp4", film: "https://ORIGIN/film.mp4", configuration: allowing,
      download)
    #expect(result.end.status == 0 && result.files.count == 1, "\(result)")
    #expect(result.requests.map(\.path) == ["/film.mp4"] && result.requests[0].headers["cookie"] == nil, "\(result)")
  }

  @Sendable static func redirectWithPassword() async throws {
    let result = try await redirected(
      "film.mp4", film: "https://ann:secret@ORIGIN/film.mp4", configuration: allowing,
      download)
    #expect(result.end.status == 1 && result.requests.isEmpty && result.files.isEmpty, "\(result)")
    #expect(result.end.errors.contains("redirects to \(result.origin), which is not encrypted"), "\(result)")
    #expect(!result.end.errors.contains("allow-http") && !result.end.errors.contains("secret"), "\(result)")
  }

  @Sendable static func redirectOfStream() async throws {
    let result = try await redirected("film.m3u8", film: "https://ORIGIN/film.m3u8", download)
    #expect(result.end.status == 1 && result.requests.isEmpty && result.files.isEmpty, "\(result)")
    #expect(result.end.errors.contains("Write allow-http = true"), "\(result)")
  }

  @Sendable static func redirectOfFeed() async throws {
    let source = "[[source]]\nname = \"F\"\naddress = \"https://ORIGIN/feed\"\nallow-http = true\n"
    let result = try await redirected("feed", film: "", configuration: source, "list F")
    #expect(result.end.status == 1 && result.requests.isEmpty, "\(result)")
    #expect(result.end.errors.contains("redirects to \(result.origin), which is not encrypted"), "\(result)")
  }
}
