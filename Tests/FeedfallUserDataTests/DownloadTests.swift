import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallUserData

@Suite(.hangLimit) struct DownloadTests {
  private func video(_ files: [(String, height: Int?)]) throws -> Video {
    let files = try files.map { address, height in
      MediaFile(url: try #require(WebAddress("https://films.example/" + address)), height: height)
    }
    return Video(id: "1", title: "Film", playback: .direct(files))
  }

  private func names(_ video: Video, maximumHeight: Int? = nil) throws -> [String] {
    try DownloadRequest(video, key: VideoKey(video), maximumHeight: maximumHeight).addresses.map {
      "\($0.kind.rawValue) \($0.address.pathSegments.last ?? "")"
    }
  }

  @Test func `files come before streams, in the order of the feed`() throws {
    let video = try video([("a.m3u8", 720), ("b.mp4", 480), ("c.mp4", 1080)])
    #expect(try names(video) == ["file b.mp4", "file c.mp4", "stream a.m3u8"])
  }

  @Test func `the nearest height that is not too high is the first`() throws {
    let video = try video([("a.mp4", 1080), ("b.mp4", 480), ("c.mp4", nil), ("d.mp4", 720), ("e.mp4", 0)])
    #expect(
      try names(video, maximumHeight: 720) == ["file d.mp4", "file b.mp4", "file c.mp4", "file a.mp4", "file e.mp4"])
  }

  @Test func `a video without a file is downloaded from its page`() throws {
    let page = try #require(WebAddress("https://films.example/watch"))
    #expect(try names(Video(id: "1", title: "", playback: .page(page))) == ["page watch"])
  }

  @Test func `live broadcasts, local files and videos without an address are refused`() throws {
    var live = try video([("a.mp4", nil)])
    live.live = .live
    let file = try #require(FileAddress(path: "/a.mp4".utf8))
    let local = Video(id: "1", title: "", playback: .direct([MediaFile(url: .file(file))]))
    let nothing = Video(id: "1", title: "", playback: .unknown)
    for (video, obstacle) in [(live, DownloadRequest.Obstacle.isLive), (local, .isLocal), (nothing, .noAddress)] {
      #expect(throws: obstacle) { try DownloadRequest(video, key: VideoKey(video)) }
    }
  }

  @Test func `a share is never complete, and stays in its range`() {
    func percent(_ count: Int, _ total: Int?) -> Int? {
      DownloadProgress(byteCount: count, totalByteCount: total).percent
    }
    #expect(percent(0, 100) == 0 && percent(100, 100) == 99 && percent(500, 100) == 99)
    #expect(percent(5, nil) == nil && percent(5, 0) == nil && percent(-5, 100) == 0)
    #expect(percent(.max, .max) == 99)
  }
}
