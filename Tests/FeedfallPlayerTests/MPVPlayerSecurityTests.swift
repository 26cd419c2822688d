import FeedfallApp
import Glibc
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// No answer of a server makes mpv open a local file or use a protocol other than HTTP.
@Suite(.hangLimit, .withMPV, .withLibrary, .serialized) struct MPVPlayerSecurityTests {
  private static func stream(_ segment: String) -> String {
    "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:60\n#EXTINF:60.0,\n\(segment)\n#EXT-X-ENDLIST\n"
  }

  private static func list(_ entry: String) -> String { "#EXTM3U\n\(entry)\n" }

  private func withServer(_ texts: [String: String], _ body: (TestPlayer, TestServer) async throws -> Void) async throws
  {
    let segment = try #require(bytes(ofFile: Clips.segment))
    let server = try TestServer { request in
      if request.path == "/part.ts" { return .answer(.media(segment, type: "video/mp2t", for: request)) }
      guard let text = texts[request.path] else { return .answer(TestAnswer("no", status: 404)) }
      return .answer(TestAnswer(text, headers: ["Content-Type": "application/octet-stream"]))
    }
    defer { server.stop() }
    let player = TestPlayer()
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 20, height: 6), .whole))))
    try await body(player, server)
  }

  @Test func `an HLS stream and a playlist on a server play`() async throws {
    let texts = [
      "/a.m3u8": Self.stream("part.ts"), "/list.m3u": Self.list("part.ts"),
    ]
    try await withServer(texts) { player, server in
      for (id, path) in texts.keys.sorted().enumerated() {
        try player.load(id, server.origin + path)
        try await player.waitUntilReady(id)
        _ = try await player.frame(Size(width: 20, height: 6))
      }
    }
  }

  @Test func `a local file named by a server is not opened`() async throws {
    let file = Clips.segment
    try #require(bytes(ofFile: file) != nil)
    let texts = [
      "/a.m3u8": Self.stream("file://\(file)"), "/b.m3u8": Self.stream(file),
      "/c.m3u8": Self.stream("concat:file://\(file)"),
      "/d.m3u8": Self.stream("crypto+file://\(file)"), "/a.m3u": Self.list("file://\(file)"), "/b.m3u": Self.list(file),
      "/c.m3u": Self.list("edl://\(file)"), "/d.m3u": Self.list("lavf://file:\(file)"),
      "/e.m3u": Self.list("av://lavfi:testsrc2"), "/f.m3u": Self.list("memory://#EXTM3U"),
      "/a.edl": "# mpv EDL v0\n\(file)\n", "/a.mp4": "# mpv EDL v0\n\(file)\n",
      "/a.pls": "[playlist]\nFile1=\(file)\nNumberOfEntries=1\n",
      "/a.cue": "FILE \"\(file)\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n",
      "/a.ffconcat": "ffconcat version 1.0\nfile '\(file)'\n",
      "/a.sdp": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n",
    ]
    try await withServer(texts) { player, server in
      for (id, path) in texts.keys.sorted().enumerated() {
        try player.load(id, server.origin + path)
        try await player.waitUntil { $0.end(id) != nil || $0.events(id).contains(.ready) }
        guard case .failed = player.end(id) else {
          Issue.record("\(path): \(player.events(id))")
          continue
        }
      }
    }
  }

  @Test func `a redirect to a file is not followed`() async throws {
    let file = Clips.segment
    let server = try TestServer { _ in .answer(.redirect(to: "file://\(file)")) }
    defer { server.stop() }
    let player = TestPlayer()
    try player.load(1, "\(server.origin)/a.mp4")
    try await player.waitUntil { $0.end(1) != nil || $0.events(1).contains(.ready) }
    guard case .failed = player.end(1) else {
      Issue.record("\(player.events(1))")
      return
    }
  }

  @Test func `a local playlist can name files`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/list.m3u8"
      try write(Self.stream(Clips.segment), to: path)
      let player = TestPlayer()
      try player.load(1, path)
      try await player.waitUntilReady(1)
    }
  }

  @Test func `the arguments of mpv contain no address and no title`() async throws {
    let player = TestPlayer()
    try player.load(1, Clips.wide) { $0.title = "A secret title" }
    try await player.waitUntilReady(1)
    let program = try #require(player.processID)
    let line = String(decoding: try #require(bytes(ofFile: "/proc/\(program)/cmdline")), as: UTF8.self)
    let arguments = line.split(separator: "\0")
    #expect(arguments.contains("config=no"))
    #expect(!arguments.contains { $0.hasSuffix(".mp4") || $0.hasSuffix("title") })
  }
}
