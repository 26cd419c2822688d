import FeedfallFeeds
import FeedfallPlaying
import Glibc
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// Nothing that a server says makes mpv open a file of this machine, or anything but http.
@Suite(.hangLimit, .withMPV, .serialized) struct MPVSafetyTests {
  private static func stream(_ segment: String) -> String {
    "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:60\n#EXTINF:60.0,\n\(segment)\n#EXT-X-ENDLIST\n"
  }

  private static func list(_ entry: String) -> String { "#EXTM3U\n\(entry)\n" }

  private func withServer(_ texts: [String: String], _ body: (Watched, TestServer) async throws -> Void) async throws {
    let segment = try #require(bytes(ofFile: Clips.segment))
    let server = try TestServer { request in
      if request.path == "/part.ts" { return .answer(.media(segment, type: "video/mp2t", for: request)) }
      guard let text = texts[request.path] else { return .answer(TestAnswer("no", status: 404)) }
      return .answer(TestAnswer(text, headers: ["Content-Type": "application/octet-stream"]))
    }
    defer { server.stop() }
    let watched = Watched()
    watched.player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 20, height: 6), .whole))))
    try await body(watched, server)
  }

  @Test func `a stream and a list of addresses on a server play`() async throws {
    let texts = [
      "/a.m3u8": Self.stream("part.ts"), "/list.m3u": Self.list("part.ts"),
    ]
    try await withServer(texts) { watched, server in
      for (id, path) in texts.keys.sorted().enumerated() {
        try watched.load(id, server.origin + path)
        try await watched.ready(id)
        _ = try await watched.picture(Size(width: 20, height: 6))
      }
    }
  }

  @Test func `a film on this machine that a server names is not opened`() async throws {
    let film = Clips.segment
    try #require(bytes(ofFile: film) != nil)
    let texts = [
      "/a.m3u8": Self.stream("file://\(film)"), "/b.m3u8": Self.stream(film),
      "/c.m3u8": Self.stream("concat:file://\(film)"),
      "/d.m3u8": Self.stream("crypto+file://\(film)"), "/a.m3u": Self.list("file://\(film)"), "/b.m3u": Self.list(film),
      "/c.m3u": Self.list("edl://\(film)"), "/d.m3u": Self.list("lavf://file:\(film)"),
      "/e.m3u": Self.list("av://lavfi:testsrc2"), "/f.m3u": Self.list("memory://#EXTM3U"),
      "/a.edl": "# mpv EDL v0\n\(film)\n", "/a.mp4": "# mpv EDL v0\n\(film)\n",
      "/a.pls": "[playlist]\nFile1=\(film)\nNumberOfEntries=1\n",
      "/a.cue": "FILE \"\(film)\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n",
      "/a.ffconcat": "ffconcat version 1.0\nfile '\(film)'\n",
      "/a.sdp": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n",
    ]
    try await withServer(texts) { watched, server in
      for (id, path) in texts.keys.sorted().enumerated() {
        try watched.load(id, server.origin + path)
        try await watched.until { $0.end(id) != nil || $0.news(id).contains(.ready) }
        guard case .failed = watched.end(id) else {
          Issue.record("\(path): \(watched.news(id))")
          continue
        }
      }
    }
  }

  @Test func `a server that points to a file is not followed`() async throws {
    let film = Clips.segment
    let server = try TestServer { _ in .answer(.redirect(to: "file://\(film)")) }
    defer { server.stop() }
    let watched = Watched()
    try watched.load(1, "\(server.origin)/a.mp4")
    try await watched.until { $0.end(1) != nil || $0.news(1).contains(.ready) }
    guard case .failed = watched.end(1) else {
      Issue.record("\(watched.news(1))")
      return
    }
  }

  @Test func `a list that a person has as a file may name files`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/list.m3u8"
      try write(Self.stream(Clips.segment), to: path)
      let watched = Watched()
      try watched.load(1, path)
      try await watched.ready(1)
    }
  }

  @Test func `no address and no title is among the arguments`() async throws {
    let watched = Watched()
    try watched.load(1, Clips.wide) { $0.title = "A secret title" }
    try await watched.ready(1)
    let program = try #require(watched.program)
    let line = String(decoding: try #require(bytes(ofFile: "/proc/\(program)/cmdline")), as: UTF8.self)
    let arguments = line.split(separator: "\0")
    #expect(arguments.contains("--no-config"))
    #expect(!arguments.contains { $0.hasSuffix(".mp4") || $0.hasSuffix("title") })
  }
}
