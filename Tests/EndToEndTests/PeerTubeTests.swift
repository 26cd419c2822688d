import Foundation
import TestServer
import TestSupport
import Testing

/// The program with a PeerTube server, from the address of a web page to the details pane.
@Suite(.hangLimit, .serialized) struct PeerTubeTests {
  @Test func `list prints all pages of a PeerTube instance`() async throws {
    let rows = try await list(SmallPeerTube.answer, "--pages", "2", "--page-size", "2", at: "/c/films/videos")
    #expect(rows.map { $0["title"] as? String } == ["Film 0", "Film 1", "Film 2"])
    let first = try #require(rows.first)
    #expect(first["id"] as? String == SmallPeerTube.uuid(0))
    #expect(first["durationSeconds"] as? Int == 100)
    #expect(first["channel"] as? String == "Free films")
    #expect(first["published"] as? String == "2026-09-15T10:43:46Z")
    #expect(first["pageURL"] as? String == "https://p.example/w/0")
    #expect((first["coverURL"] as? String)?.hasSuffix("/lazy-static/0.jpg") == true)
  }

  @Test(.enabled(if: Tmux.path != nil, "tmux is not installed"))
  func `the details pane shows the fields of the list and adds those of the details`() async throws {
    try await browse(SmallPeerTube.answer, at: "/c/films", pageSize: 2) { tmux, server in
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

  @Test(.enabled(if: Tmux.path != nil, "tmux is not installed"))
  func `a failed request for details is reported, and the card stays as it is`() async throws {
    let answering: TestServer.Answering = { request in
      request.path.hasPrefix("/api/v1/videos/")
        ? .answer(TestAnswer(#"{"detail":"Video not found"}"#, status: 404)) : SmallPeerTube.answer(request)
    }
    try await browse(answering, at: "/c/films", pageSize: 2) { tmux, _ in
      try tmux.waitUntilIdle()
      try tmux.press("Enter")
      let pane = try tmux.waitUntilIdle()
      #expect(pane.contains("Video not found"))
      #expect(pane.contains("Film 0") && pane.contains("1:40"))
    }
  }

  @Test(.enabled(if: RecordedPeerTube.isThere, "the recordings are not beside the package"))
  func `list prints recorded pages of a PeerTube instance`() async throws {
    let rows = try await list(
      RecordedPeerTube.answer, "--pages", "2", "--page-size", "12", at: "/videos/trending")
    #expect(rows.count == 24)
    #expect(rows.allSatisfy { $0["title"] is String && $0["coverURL"] is String && $0["pageURL"] is String })
    #expect(rows.allSatisfy { $0["durationSeconds"] is Int && $0["channel"] is String })
    #expect(rows.contains { $0["id"] as? String == RecordedPeerTube.detailedVideo })
  }

  @Test(
    .enabled(if: RecordedPeerTube.isThere, "the recordings are not beside the package"),
    .enabled(if: Tmux.path != nil, "tmux is not installed"))
  func `a recorded PeerTube instance is shown, with its details in the pane`() async throws {
    let rows = try await list(
      RecordedPeerTube.answer, "--pages", "2", "--page-size", "12", at: "/videos/trending")
    let place = try #require(rows.firstIndex { $0["id"] as? String == RecordedPeerTube.detailedVideo })
    try await browse(RecordedPeerTube.answer, at: "/videos/trending", pageSize: 12, "--layout list") { tmux, _ in
      #expect(try tmux.waitUntilIdle().contains("LibreOffice 25.2: New features"))
      try tmux.press("m")
      _ = try tmux.waitUntilIdle()
      for _ in 0..<place { try tmux.press("j") }
      _ = try tmux.waitUntilIdle()
      try tmux.press("Enter")
      let pane = try tmux.waitUntilIdle()
      for words in [".m3u8", "What is PeerTube?", "1:53", "Attribution - Share Alike"] {
        #expect(pane.contains(words), "\(words)")
      }
    }
  }

  // MARK: - Running the program

  private func list(
    _ answering: @escaping TestServer.Answering, _ options: String..., at path: String
  ) async throws -> [[String: Any]] {
    let server = try TestServer(answering)
    defer { server.stop() }
    let outcome = try await run(Feedfall.path, ["list", "--json"] + options + [server.origin + path])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return try outcome.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func browse(
    _ answering: @escaping TestServer.Answering, at path: String, pageSize: Int, _ options: String = "",
    _ body: @escaping @Sendable (Tmux, TestServer) throws -> Void
  ) async throws {
    try await onThread {
      let server = try TestServer(answering)
      defer { server.stop() }
      let tmux = try Tmux(width: 140, height: 40)
      defer { tmux.close() }
      try tmux.start("\(options) --page-size \(pageSize) \(server.origin)\(path)")
      try body(tmux, server)
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
    case "/c/films", "/c/films/videos": .answer(.html("<!doctype html><title>Films - PeerTube</title>"))
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

/// Recorded answers of a real PeerTube instance, where they lie beside the package.
private enum RecordedPeerTube {
  /// A video of the second page whose details are recorded too.
  static let detailedVideo = "9c9de5e8-0a1e-484a-b099-e80766180a6d"

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("../shared/feeds/corpus/TeamNewPipe+NewPipeExtractor").standardized

  static let isThere = FileManager.default.fileExists(atPath: folder.path)

  @Sendable static func answer(_ request: TestRequest) -> TestBehaviour {
    let name = request.target.dropFirst().split(separator: "/").joined(separator: "_")
    let file = folder.appendingPathComponent("framatube.org_" + name.replacing("?", with: "_") + ".json")
    guard let body = try? Data(contentsOf: file) else { return .answer(TestAnswer("{}", status: 404)) }
    return .answer(TestAnswer([UInt8](body)))
  }
}
