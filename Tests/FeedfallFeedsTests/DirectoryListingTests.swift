import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct DirectoryListingTests {
  @Test(arguments: [(10_000, false), (10_001, true)])
  func `a folder with more entries than are listed has a notice`(count: Int, isCut: Bool) throws {
    let links = (0..<count).map { "<a href='\($0).mp4'>\($0)</a>" }.joined()
    let page = "<html><head><title>Index of /films</title></head><body>\(links)<a href='0.mp4'>0</a></body></html>"
    let document = try FeedDecoder.decode(Array(page.utf8), from: WebAddress(Self.folder))
    #expect(document.videos.count == 10_000 && (document.notice != nil) == isCut)
  }

  @Test(arguments: [3, 4])
  func `a feed with more videos than are decoded has a notice`(limit: Int) throws {
    let items = (1...4).map { "<item><guid>\($0)</guid><title>\($0)</title></item>" }.joined()
    let objects = (1...4).map { #"{"title": "\#($0)", "url": "https://a.example/\#($0).mp4"}"# }
    for text in ["<rss><channel>\(items)</channel></rss>", "[\(objects.joined(separator: ","))]"] {
      let document = try FeedDecoder.decode(Array(text.utf8), from: WebAddress(Self.folder), atMost: limit)
      #expect(document.videos.count == limit)
      #expect(document.notice == (limit < 4 ? "The feed has more than 3 videos. The others are left out." : nil))
    }
  }

  private static let folder = "https://files.example/films/"

  @Test(arguments: ["Index of films", "Films", "Directory listing"])
  func `another web page is no listing`(title: String) {
    #expect(!DirectoryListing.isStarted(by: Array("<html><title>\(title)</title><a href='a.mp4'>a</a>".utf8)))
  }
}
