import FeedfallApp
import FeedfallSystem
import Glibc
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// Videos in pages, with a script in place of yt-dlp.
@Suite(.hangLimit, .withMPV, .serialized) struct MPVPlayerPageTests {
  /// Runs a test with a server that has a video, and a yt-dlp that prints this answer and logs its arguments.
  private func withPage(
    _ answer: (_ address: String, _ folder: String) -> String,
    _ body: (TestPlayer, _ page: String, _ folder: String) async throws -> Void
  ) async throws {
    let clip = try #require(bytes(ofFile: Clips.long))
    let server = try TestServer { request in
      request.path == "/video.mp4"
        ? .answer(.media(clip, type: "video/mp4", for: request)) : .answer(.html("<title>A page</title>"))
    }
    defer { server.stop() }
    try await withFolder { folder in
      let json = answer("\(server.origin)/video.mp4", folder)
      let path = try writeScript(
        "printf '%s\\n' \"$@\" >> \(folder)/arguments\ncat <<'END'\n\(json)\nEND", to: "\(folder)/yt-dlp")
      let player = TestPlayer(ytDlp: YtDlp(program: path))
      player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 20, height: 6), .whole))))
      try await body(player, "\(server.origin)/watch?v=1", folder)
    }
  }

  private static func found(_ address: String, _ folder: String) -> String {
    #"{"extractor": "any", "title": "A video", "webpage_url": "http://a.example", "url": "\#(address)", "ext": "mp4"}"#
  }

  @Test(.withLibrary) func `the video of a page plays with the requested maximum height`() async throws {
    try await withPage(Self.found) { player, page, folder in
      try player.load(1, page) {
        $0.isPage = true
        $0.maximumHeight = 480
      }
      try await player.waitUntilReady(1)
      _ = try await player.frame(Size(width: 20, height: 6))
      let arguments = String(decoding: try #require(bytes(ofFile: "\(folder)/arguments")), as: UTF8.self).split(
        separator: "\n")
      #expect(arguments.suffix(2) == ["--batch-file", "-"] && !arguments.contains(Substring(page)))
      #expect(!arguments.contains("--ignore-config"))
      #expect(arguments.contains { $0.contains("height<=?480") })
    }
  }

  @Test(.withLibrary) func `the secrets of a page reach yt-dlp by a pipe and not as arguments`() async throws {
    let clip = try #require(bytes(ofFile: Clips.long))
    let server = try TestServer { .answer(.media(clip, type: "video/mp4", for: $0)) }
    defer { server.stop() }
    try await withFolder { folder in
      let json = Self.found("\(server.origin)/video.mp4", folder)
      let path = try writeScript(
        "{ printf '%s\\n' \"$@\"; env; } > \(folder)/arguments\ncat > \(folder)/input\ncat <<'END'\n\(json)\nEND",
        to: "\(folder)/yt-dlp")
      let player = TestPlayer(ytDlp: YtDlp(program: path))
      player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 20, height: 6), .whole))))
      let page = server.origin.replacing("://", with: "://anna:geheim@") + "/watch?v=1&token=geheim"
      try player.load(1, page) { $0.isPage = true }
      try await player.waitUntilReady(1)
      let arguments = String(decoding: try #require(bytes(ofFile: "\(folder)/arguments")), as: UTF8.self)
      #expect(arguments.contains("\n--batch-file\n-\n") && !arguments.contains("geheim"))
      #expect(bytes(ofFile: "\(folder)/input") == Array("\(page)\n".utf8))
    }
  }

  @Test(.withLibrary) func `yt-dlp inherits no connection of mpv`() async throws {
    let server = try TestServer { _ in .answer(.html("<title>A page</title>")) }
    defer { server.stop() }
    try await withFolder { folder in
      let path = try writeScript("readlink /proc/$$/fd/* > '\(folder)/files'", to: "\(folder)/yt-dlp")
      let player = TestPlayer(ytDlp: YtDlp(program: path))
      try player.load(1, "\(server.origin)/watch") { $0.isPage = true }
      try await player.expectEnd(1, .failed(.page(reason: "yt-dlp found no video on the page", advice: nil)))
      let files = String(decoding: try #require(bytes(ofFile: "\(folder)/files")), as: UTF8.self).split(separator: "\n")
      #expect(!files.isEmpty)
      #expect(files.filter { $0.hasPrefix("socket:") || $0.contains("feedfall-frames") } == [])
    }
  }

  @Test(.withLibrary) func `picture and sound from separate addresses play together`() async throws {
    let answer = { (address: String, _: String) in
      #"""
      {"extractor": "any", "title": "A video", "webpage_url": "http://a.example", "duration": 300, "requested_formats": [
        {"url": "\#(address)", "vcodec": "h264", "acodec": "none", "ext": "mp4", "format_id": "1", "protocol": "http"},
        {"url": "\#(address)", "vcodec": "none", "acodec": "aac", "ext": "m4a", "format_id": "2", "protocol": "http"}]}
      """#
    }
    try await withPage(answer) { player, page, _ in
      try player.load(1, page) { $0.isPage = true }
      try await player.waitUntilReady(1)
      _ = try await player.frame(Size(width: 20, height: 6))
    }
  }

  @Test(.withLibrary) func `a local file named by a page is not opened`() async throws {
    let answer = { (_: String, _: String) in Self.found("file://\(Clips.wide)", "") }
    try await withPage(answer) { player, page, _ in
      try player.load(1, page) { $0.isPage = true }
      try await player.waitUntil { $0.end(1) != nil || $0.events(1).contains(.ready) }
      #expect(!player.events(1).contains(.ready))
    }
  }

  @Test(.withLibrary) func `a page without a video is reported as such`() async throws {
    let nothing = { (_: String, _: String) in "" }
    try await withPage(nothing) { player, page, _ in
      try player.load(1, page) { $0.isPage = true }
      try await player.expectEnd(1, .failed(.page(reason: "yt-dlp found no video on the page", advice: nil)))
    }
  }

  @Test(.withLibrary) func `a failure of yt-dlp is reported with its cure`() async throws {
    try await withFolder { folder in
      let path = try writeScript(
        "echo 'ERROR: [x] 1: Private video. Use --cookies' >&2; exit 1", to: "\(folder)/yt-dlp")
      let player = TestPlayer(ytDlp: YtDlp(program: path))
      try player.load(1, "http://127.0.0.1:9/watch") { $0.isPage = true }
      try await player.waitUntil { $0.end(1) != nil }
      guard case .failed(.page(let reason, let advice))? = player.end(1) else {
        throw TestFailure("\(String(describing: player.end(1)))")
      }
      #expect(reason == "yt-dlp failed: [x] 1: Private video. Use --cookies")
      #expect(advice == YtDlpCure.isPrivate.advice)
    }
  }

  /// It fails at the network, where nothing listens, and not at an argument.
  @Test(.withLibrary, .enabled(if: installedYtDlp != nil, "skipped: .ci/install --tests installs yt-dlp"))
  func `yt-dlp itself understands all arguments of a film`() async throws {
    try await withFolder { folder in
      let text = try allSettingsOfYtDlp(in: folder, readsConfiguration: true)
      let player = TestPlayer(ytDlp: try #require(YtDlp(text: text)))
      try player.load(1, "http://127.0.0.1:9/watch") { $0.isPage = true }
      try await player.waitUntil { $0.end(1) != nil }
      guard case .failed(.page(let reason, _))? = player.end(1) else {
        throw TestFailure("\(String(describing: player.end(1)))")
      }
      #expect(reason.contains("Unable to download"), "\(reason)")
    }
  }

  @Test(.withLibrary) func `a configuration that spoils the output of yt-dlp is ignored`() async throws {
    let answer = { (address: String, folder: String) in
      "END\ncase \"$*\" in *--ignore-config*) cat <<'END'\n\(Self.found(address, folder))\nEND\n;; *) echo title;; esac\ncat <<'END'"
    }
    try await withPage(answer) { player, page, _ in
      try player.load(1, page) { $0.isPage = true }
      try await player.waitUntilReady(1)
    }
  }

  @Test(.withLibrary) func `yt-dlp runs only for pages`() async throws {
    try await withPage(Self.found) { player, page, folder in
      try player.load(1, page)
      try await player.expectEnd(1, .failed(.unrecognizedFormat))
      try player.load(2, page) { $0.isPage = true }
      try await player.waitUntilReady(2)
      try player.load(3, page)
      try await player.expectEnd(3, .failed(.unrecognizedFormat))
      let arguments = String(decoding: try #require(bytes(ofFile: "\(folder)/arguments")), as: UTF8.self)
      #expect(arguments.split(separator: "\n").filter { $0 == "--batch-file" }.count == 1)
    }
  }

  @Test(.withLibrary) func `a missing yt-dlp is reported and ends the current video`() async throws {
    let player = TestPlayer(ytDlp: YtDlp(program: ""))
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    try player.load(2, "http://a.example/watch") { $0.isPage = true }
    try await player.expectEnd(2, .failed(.helperNotInstalled))
    try await player.expectEnd(1, .stopped)
  }
}
