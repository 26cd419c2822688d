import FoundationEssentials
import TestServer
import Testing
import VideoFeed

@testable import FeedSources

/// Replays answers of real servers where the recordings lie beside the package.
@Suite(.serialized) struct RecordedPeerTubeTests {
  private static let folder = {
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(package)/../shared/feeds/corpus/TeamNewPipe+NewPipeExtractor"
  }()

  private static let isThere = FileManager.default.fileExists(atPath: folder)

  private static func recording(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: "\(folder)/\(name).json").map(Array.init)
  }

  @Test(.enabled(if: isThere, "the recordings are not beside the package"))
  func `a recorded account of two pages is read to its second page`() async throws {
    try await withServer { request in
      let start = request.query["start"] ?? ""
      let name = "framatube.org_api_v1_accounts_framasoft_videos_start=\(start)&count=12"
      return Self.recording(name).map { .answer(TestAnswer($0)) } ?? .answer(TestAnswer("", status: 404))
    } _: { server in
      let source = try open(server.origin + "/accounts/framasoft/videos?", pageSize: 12)
      let listed = try open(server.origin + "/api/v1/accounts/framasoft/videos", pageSize: 12)
      let first = try await listed.page(.start).get()
      #expect(first.videos.count == 12)
      #expect(first.next == .offset(12))
      let second = try await listed.page(.offset(12)).get()
      #expect(Set(first.videos.map(\.id)).isDisjoint(with: second.videos.map(\.id)))
      #expect(source.name.contains("framasoft"))
    }
  }

  @Test(.enabled(if: isThere, "the recordings are not beside the package"))
  func `a recorded search of two pages is read to its end`() async throws {
    let pages = try await withServer { request in
      let start = request.query["start"] ?? ""
      let name = "framatube.org_api_v1_search_videos_search=fsf&start=\(start)&count=12"
      return Self.recording(name).map { .answer(TestAnswer($0)) }
        ?? .answer(TestAnswer(peerTubeList(0..<0, total: 24)))
    } _: { server in
      try await allPages(of: open(server.origin + "/api/v1/search/videos?search=fsf", pageSize: 12), limit: 3)
    }
    #expect(pages.count >= 2)
    #expect(pages[0].videos.count == 12)
    #expect(!pages[1].videos.isEmpty)
  }
}
