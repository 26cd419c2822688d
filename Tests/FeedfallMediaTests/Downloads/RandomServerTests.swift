import FeedfallRecords
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallMedia

@Suite(.hangLimit) struct RandomServerTests {
  private static func misbehave(
    _ request: TestRequest, _ versions: [[UInt8]], _ random: inout SeededGenerator
  ) -> TestBehaviour {
    let version = versions[random.chance(1, in: 4) ? 1 : 0]
    var request = request
    if random.chance(1, in: 6) { request.headers["range"] = nil }
    if random.chance(1, in: 6) { request.headers["range"] = "bytes=0-" }
    if random.chance(1, in: 12) { return .answer(TestAnswer("", status: 503)) }
    if random.chance(1, in: 30) { return .answer(TestAnswer("", status: 404)) }
    var answer = TestAnswer.media(version, type: "video/mp4", for: request)
    if random.chance(3, in: 4) { answer.headers["ETag"] = "\"1\"" }
    if random.chance(1, in: 10) { answer.headers["ETag"] = "\"2\"" }
    return random.chance(2, in: 3) ? .cut(answer, after: .random(in: 0...250_000, using: &random)) : .answer(answer)
  }

  @Test(arguments: 0..<25) func `a download has the bytes of one version, or waits, or fails with a reason`(
    seed: UInt64
  ) async throws {
    let versions = [film(300_000, seed: seed + 10), film(300_000, seed: seed + 20)]
    let random = Mutex(SeededGenerator(seed: seed))
    try await withServerAndFolder { request in
      random.withLock { Self.misbehave(request, versions, &$0) }
    } _: { server, folder in
      let list = folder + "/downloads.json"
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      var (downloads, end) = (TestDownloads(in: folder, state: list), DownloadState?.none)
      for _ in 0..<6 {
        if downloads.downloader.start().isEmpty { downloads.downloader.add(request) }
        end = try await downloads.end(of: request.key)
        guard end.isStalled else { break }
        downloads.downloader.close()
        downloads = TestDownloads(in: folder, state: list)
      }
      if end?.file == nil {
        #expect(end.reason?.isEmpty == false)
      } else {
        #expect(versions.contains { downloads.has($0, in: "Film [film].mp4") })
        #expect(downloads.names == ["Film [film].mp4"])
      }
      #expect(server.requests.count <= 60)
      downloads.downloader.close()
    }
  }
}
