import Foundation
import TestServer
import TestSupport
import Testing

/// The program with a PeerTube server, from the address of a web page to the details pane.
@Suite(.hangLimit, .serialized) struct PeerTubeTests {
  @Test(.enabled(if: Tmux.path != nil, "tmux is not installed"))
  func `the details pane shows the fields of the list and adds those of the details`() async throws {
    try await onThread {
      let server = try TestServer(SmallPeerTube.answer)
      defer { server.stop() }
      let tmux = try Tmux(width: 140, height: 40)
      defer { tmux.close() }
      try tmux.start("--page-size 2 \(server.origin)/c/films")
      #expect(try tmux.waitUntilIdle().contains("Film 1"))
      try tmux.press("Enter")
      let pane = try tmux.waitUntilIdle()
      for words in ["m.example/0.m3u8", "Film 0", "1:40", "Free films", "Attribution", "The whole description"] {
        #expect(pane.contains(words), "\(words)")
      }
      let targets = server.requests.map(\.target)
      #expect(targets.contains("/api/v1/video-channels/films/videos?start=0&count=2"))
      #expect(targets.filter { $0 == "/api/v1/videos/\(SmallPeerTube.uuid(0))" }.count == 1)
    }
  }
}

/// A PeerTube instance with a channel of three videos, written by hand.
private enum SmallPeerTube {
  static func uuid(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

  @Sendable static func answer(_ request: TestRequest) -> TestBehaviour {
    switch request.path {
    case "/api/v1/config": .answer(TestAnswer(#"{"instance": {"name": "Films"}, "serverVersion": "8.2.0"}"#))
    case "/api/v1/video-channels/films/videos": .answer(list(request))
    case "/api/v1/videos/\(uuid(0))": .answer(TestAnswer(details))
    case "/c/films": .answer(.html("<!doctype html><title>Films - PeerTube</title>"))
    default: .answer(TestAnswer(#"{"detail": "Not found"}"#, status: 404))
    }
  }

  private static func list(_ request: TestRequest) -> TestAnswer {
    let start = Int(request.query["start"] ?? "") ?? 0
    let count = Int(request.query["count"] ?? "") ?? 15
    let items = (0..<3).dropFirst(start).prefix(count).map { "{\(facts($0)), \"truncatedDescription\": \"Some of\"}" }
    return TestAnswer(#"{"total": 3, "data": [\#(items.joined(separator: ", "))]}"#)
  }

  private static func facts(_ number: Int) -> String {
    """
    "id": \(number), "uuid": "\(uuid(number))", "shortUUID": "s\(number)", "url": "https://p.example/w/\(number)",
    "name": "Film \(number)", "duration": \(100 + number), "isLive": false, "aspectRatio": null, "views": 7,
    "thumbnailPath": "/lazy-static/\(number).jpg", "publishedAt": "2026-09-15T10:43:46.032Z",
    "licence": {"id": 1, "label": "Attribution"}, "channel": {"name": "films", "displayName": "Free films"}
    """
  }

  private static let details = """
    {\(facts(0)), "description": "The whole description", "files": [],
     "streamingPlaylists": [{"id": 1, "playlistUrl": "https://m.example/0.m3u8", "files": []}]}
    """
}
