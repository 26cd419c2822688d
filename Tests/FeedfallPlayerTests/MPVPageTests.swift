import FeedfallFeeds
import FeedfallPlaying
import Glibc
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// Films in pages, which yt-dlp finds; a script stands for it.
@Suite(.hangLimit, .withMPV, .serialized) struct MPVPageTests {
  /// A server with a film, and a yt-dlp that answers with this and writes down its arguments.
  private func withPage(
    _ answer: (_ film: String, _ folder: String) -> String,
    _ body: (Watched, _ page: String, _ folder: String) async throws -> Void
  ) async throws {
    let clip = try #require(bytes(ofFile: Clips.long))
    let server = try TestServer { request in
      request.path == "/film.mp4"
        ? .answer(.media(clip, type: "video/mp4", for: request)) : .answer(.html("<title>A page</title>"))
    }
    defer { server.stop() }
    try await withFolder { folder in
      let json = answer("\(server.origin)/film.mp4", folder)
      let path = try writeScript(
        "printf '%s\\n' \"$@\" >> \(folder)/arguments\ncat <<'END'\n\(json)\nEND", to: "\(folder)/yt-dlp")
      let watched = Watched { $0.ytDlpPath = path }
      watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 20, height: 6), .whole))))
      try await body(watched, "\(server.origin)/watch?v=1", folder)
    }
  }

  private static func found(_ film: String, _ folder: String) -> String {
    #"{"extractor": "any", "title": "A film", "webpage_url": "http://a.example", "url": "\#(film)", "ext": "mp4"}"#
  }

  @Test func `the film of a page plays, no higher than is wanted`() async throws {
    try await withPage(Self.found) { watched, page, folder in
      try watched.load(1, page) {
        $0.isPage = true
        $0.maximumHeight = 480
      }
      try await watched.ready(1)
      _ = try await watched.picture(Size(width: 20, height: 6))
      let arguments = String(decoding: try #require(bytes(ofFile: "\(folder)/arguments")), as: UTF8.self).split(
        separator: "\n")
      #expect(arguments.suffix(2) == ["--", Substring(page)])
      #expect(arguments.contains("--ignore-config"))
      #expect(arguments.contains { $0.contains("height<=?480") })
    }
  }

  @Test func `picture and sound from two addresses play together`() async throws {
    let answer = { (film: String, _: String) in
      #"""
      {"extractor": "any", "title": "A film", "webpage_url": "http://a.example", "duration": 300, "requested_formats": [
        {"url": "\#(film)", "vcodec": "h264", "acodec": "none", "ext": "mp4", "format_id": "1", "protocol": "http"},
        {"url": "\#(film)", "vcodec": "none", "acodec": "aac", "ext": "m4a", "format_id": "2", "protocol": "http"}]}
      """#
    }
    try await withPage(answer) { watched, page, _ in
      try watched.load(1, page) { $0.isPage = true }
      try await watched.ready(1)
      _ = try await watched.picture(Size(width: 20, height: 6))
    }
  }

  @Test func `a file of this machine that a page names is not opened`() async throws {
    let answer = { (_: String, _: String) in Self.found("file://\(Clips.wide)", "") }
    try await withPage(answer) { watched, page, _ in
      try watched.load(1, page) { $0.isPage = true }
      try await watched.until { $0.end(1) != nil || $0.news(1).contains(.ready) }
      #expect(!watched.news(1).contains(.ready))
    }
  }

  @Test func `a page without a film has none`() async throws {
    let nothing = { (_: String, _: String) in "" }
    try await withPage(nothing) { watched, page, _ in
      try watched.load(1, page) { $0.isPage = true }
      try await watched.expectEnd(1, .failed(.noMedia))
    }
  }

  @Test func `what is no page never comes to yt-dlp`() async throws {
    try await withPage(Self.found) { watched, page, folder in
      try watched.load(1, page)
      try await watched.expectEnd(1, .failed(.unrecognizedFormat))
      try watched.load(2, page) { $0.isPage = true }
      try await watched.ready(2)
      try watched.load(3, page)
      try await watched.expectEnd(3, .failed(.unrecognizedFormat))
      let arguments = String(decoding: try #require(bytes(ofFile: "\(folder)/arguments")), as: UTF8.self)
      #expect(arguments.split(separator: "\n").filter { $0 == "--" }.count == 1)
    }
  }

  @Test func `without yt-dlp that is told, and what played ends`() async throws {
    let watched = Watched { $0.ytDlpPath = nil }
    try watched.load(1, Clips.long)
    try await watched.ready(1)
    try watched.load(2, "http://a.example/watch") { $0.isPage = true }
    try await watched.expectEnd(2, .failed(.helperNotInstalled))
    try await watched.expectEnd(1, .stopped)
  }
}
