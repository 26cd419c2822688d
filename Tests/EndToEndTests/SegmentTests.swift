import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

/// The segments of a video that SponsorBlock knows, skipped in a real mpv.
@Suite(
  .hangLimit, .serialized, .enabled(if: Tmux.path != nil, "tmux is not installed"),
  .enabled(if: FilmFolder.obstacle == nil, "\(FilmFolder.obstacle ?? "")"))
struct SegmentTests {
  private static let answer =
    #"[{"videoID":"dQw4w9WgXcQ","segments":[{"segment":[2,300],"category":"sponsor","actionType":"skip"}]}]"#

  @Test func `a sponsor is skipped, and played when the user takes that back`() async throws {
    let targets = Mutex<[String]>([])
    try await withFolder { folder in
      try await withServer { request in
        targets.withLock { $0.append(request.target) }
        return .answer(TestAnswer(Self.answer))
      } _: { server in
        let port = server.port
        try await onThread {
          try FilmFolder.make("film", in: folder)
          let page = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"
          let feed = try FilmFolder.makeFeed(of: "film", page: page, in: folder)
          let tmux = try Tmux(
            width: 120, height: 40,
            environment: ["PULSE_SERVER": "unix:\(folder)/none", "PULSE_COOKIE": "\(folder)/cookie"])
          defer { tmux.close() }
          try tmux.start(
            "--images none --sponsorblock skip --sponsorblock-server http://127.0.0.1:\(port) \(feed)")
          try tmux.waitUntilIdle()
          try tmux.press("Space")
          try tmux.waitFor("Skipped sponsor, 4:58. Press U in the player to play it.")
          try tmux.waitFor(" 5:0")
          #expect(try tmux.screen().contains("═══"))
          try tmux.press("U")
          try tmux.waitFor(" 0:0")
          try tmux.press("q", "C-c")
          try tmux.waitForShell()
        }
      }
    }
    #expect(targets.withLock { $0 } == ["/api/skipSegments/5f6b?categories=%5B%22sponsor%22%5D"])
  }
}
