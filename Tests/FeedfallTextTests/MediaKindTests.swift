import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct MediaKindTests {
  @Test(
    arguments: [
      ("https://a.example/list.M3U8?x=1", .stream), ("https://a.example/a.mkv", .video),
      ("https://a.example/a.opus", .audio), ("https://a.example/a.avif", .picture),
      ("https://a.example/a.torrent", .unusable), ("https://a.example/a.unknown", nil), ("https://a.example/mp4", nil),
    ] as [(String, MediaKind?)])
  func `the extension of a path determines the kind`(text: String, kind: MediaKind?) throws {
    let address = try #require(WebAddress(text))
    #expect(MediaKind(pathOf: address) == kind)
  }

  @Test(
    arguments: [
      ("application/vnd.apple.mpegurl", .stream), ("video/webm", .video), ("x-audio/mp3", .audio),
      ("image/png", .picture), ("text/html", .player), ("text/vtt", .unusable), ("application/octet-stream", nil),
    ] as [(String, MediaKind?)])
  func `the MIME type determines the kind`(type: String, kind: MediaKind?) throws {
    let address = try #require(WebAddress("https://a.example/a"))
    #expect(MediaKind.of(mimeType: type, at: address) == kind)
  }

  @Test(
    arguments: [
      (nil, .unknown), ("application/octet-stream", .unknown), ("binary/octet-stream", .unknown),
      ("application/x-download", .unknown), ("application/pdf", .unusable),
    ] as [(String?, MediaKind)])
  func `a type of any kind of file says nothing`(type: String?, kind: MediaKind) throws {
    let address = MediaAddress.web(try #require(WebAddress("https://a.example/a?id=1")))
    #expect(MediaKind(type: type, address: address) == kind)
    #expect(MediaKind(type: type, medium: "video", address: address) == .video)
  }

  @Test(arguments: [
    ("videos.m3u", true), ("Feed.JSON", true), ("subscriptions.opml", true), ("list.xspf", true), ("a.b.rss", true),
    ("a.example", false), ("videos", false), ("a.example/feed.json", false), ("a.example:80", false), ("json", false),
    ("", false),
  ])
  func `a word with the extension of a document is a file name`(text: String, isName: Bool) {
    #expect(FileExtension.isDocumentName(text) == isName)
  }

  @Test func `the extensions of TypeScript do not show whether a file in a folder is a video`() {
    #expect(["mxf", "3g2", "qt"].allSatisfy { FileExtension.isVideo(inFolder: $0) == true })
    #expect(FileExtension.isVideo(inFolder: "ts") == nil && FileExtension.isVideo(inFolder: "mts") == nil)
    #expect(["m3u", "opml", "rss"].allSatisfy { FileExtension.isList($0) == true })
    #expect(FileExtension.isList("m3u8") == nil && FileExtension.isList("txt") == false)
    #expect(FileExtension.isVideo(inFolder: "mp3") == false && FileExtension.isVideo(inFolder: "txt") == false)
  }
}
