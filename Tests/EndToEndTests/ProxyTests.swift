import Foundation
import TestServer
import TestSupport
import Testing

/// The program with a proxy named by the environment.
@Suite(.hangLimit) struct ProxyTests {
  private let feed = #"{"data": {"info_list": [{"title": "Film", "flv": "https://v.example/1.mp4"}], "end": 1}}"#

  private func list(_ address: String, _ environment: [String: String]) async throws -> Outcome {
    let none = ["http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"]
    let clean = Dictionary(uniqueKeysWithValues: none.map { ($0, "") })
    return try await Feedfall.run("list", address, environment: clean.merging(environment) { $1 })
  }

  @Test(arguments: [
    ("https://media.ccc.de/c/37c3", "api.media.ccc.de:443"), ("media.ccc.de", "api.media.ccc.de:443"),
    ("https://streaming.media.ccc.de/", "streaming.media.ccc.de:443"),
    ("http://www.archive.org/details/films", "archive.org:443"),
    ("https://commons.m.wikimedia.org/wiki/Category:Films", "commons.wikimedia.org:443"),
    ("http://m.youtube.com/playlist?list=PL1", "www.youtube.com:443"),
  ])
  func `the web page of a known site is requested from its API at once`(page: String, host: String) async throws {
    let proxy = try TestServer { _ in .answer(TestAnswer("no", status: 403)) }
    defer { proxy.stop() }
    _ = try await list(page, ["https_proxy": proxy.origin, "http_proxy": proxy.origin])
    #expect(proxy.requests.map(\.target) == [host])
  }

  @Test func `this machine is requested without a proxy`() async throws {
    let server = try TestServer { [feed] _ in .answer(TestAnswer(feed)) }
    defer { server.stop() }
    let outcome = try await list(server.origin + "/feed", ["http_proxy": "http://127.0.0.1:1"])
    #expect(outcome.output.hasPrefix("Film\t"))
  }

  @Test func `an unreachable proxy is reported as such, not as an unreachable host`() async throws {
    let outcome = try await list("http://films.example/feed.json", ["http_proxy": "http://127.0.0.1:1"])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == """
        feedfall: Could not load the videos: the proxy 127.0.0.1:1 refused the connection. Check http_proxy and whether \
        the proxy runs.

        """)
  }

  @Test(arguments: [
    (407, "requires a password (407)"),
    (403, "refused to connect to films.example (403 Forbidden). Check https_proxy."),
  ])
  func `a proxy that refuses requests is reported as such`(status: Int, words: String) async throws {
    let proxy = try TestServer { _ in .answer(TestAnswer("no", status: status)) }
    defer { proxy.stop() }
    let outcome = try await list("https://films.example/feed.json", ["https_proxy": proxy.origin])
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("feedfall: Could not load the videos: the proxy 127.0.0.1:\(proxy.port) \(words)"))
    #expect(proxy.requests.map(\.method) == ["CONNECT"])
  }

  @Test func `the configuration names the proxy of all sources, or of one`() async throws {
    let proxy = try TestServer { [feed] _ in .answer(TestAnswer(feed)) }
    defer { proxy.stop() }
    let other = try TestServer { [feed] _ in .answer(TestAnswer(feed)) }
    defer { other.stop() }
    let toml = """
      proxy = "\(proxy.origin)"
      [[source]]
      name = "One"
      address = "http://one.example/feed.json"
      [[source]]
      name = "Other"
      address = "http://other.example/feed.json"
      proxy = "\(other.origin)"
      """
    try await withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/feedfall", withIntermediateDirectories: true)
      try Data(toml.utf8).write(to: URL(fileURLWithPath: folder + "/feedfall/config.toml"))
      for name in ["One", "Other"] {
        let outcome = try await Feedfall.run("list", name, environment: ["XDG_CONFIG_HOME": folder])
        #expect(outcome.output.hasPrefix("Film\t"), "\(outcome.errors)")
      }
    }
    #expect(
      proxy.requests.map { $0.headers["host"] } == ["one.example"]
        && other.requests.map { $0.headers["host"] } == ["other.example"])
  }
}
