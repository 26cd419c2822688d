import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct FileReferenceTests {
  private let file = FileAddress(path: "/films/list.m3u".utf8).map(MediaAddress.file)
  private let web = WebAddress("https://a.example/list.m3u").map(MediaAddress.web)

  private func addresses(_ body: String, in document: MediaAddress?) throws -> [String] {
    var reader = FeedDocumentReader(address: document, bytes: Array(body.utf8))
    reader.finish()
    return try reader.nextVideos(100).flatMap { video in
      [video.playbackURL?.text, video.covers.first?.url.text].compactMap { $0 }
    }
  }

  private static let documents = [
    "#EXTM3U\n#EXTINF:1 tvg-logo=\"a.jpg\",One\nsub/a.mp4\n",
    "<playlist><trackList><track><location>sub/a.mp4</location><image>a.jpg</image></track></trackList></playlist>",
    #"{"videos": [{"title": "One", "url": "sub/a.mp4", "cover": "a.jpg"}]}"#,
  ]

  @Test(arguments: documents)
  func `local playlists and lists may refer to files beside them`(body: String) throws {
    #expect(try addresses(body, in: file) == ["file:///films/sub/a.mp4", "file:///films/a.jpg"])
    #expect(try addresses(body, in: web) == ["https://a.example/sub/a.mp4", "https://a.example/a.jpg"])
    #expect((try? addresses(body, in: nil)) ?? [] == [])
  }

  @Test func `a local stream playlist is played by its own address`() throws {
    let body = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\na.ts\n"
    #expect(try addresses(body, in: file) == ["file:///films/list.m3u"])
  }

  @Test func `a local video keeps its extension flv`() throws {
    let body = #"{"videos": [{"title": "One", "url": "a.flv"}]}"#
    #expect(try addresses(body, in: file) == ["file:///films/a.flv"])
  }
}
