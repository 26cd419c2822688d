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
  private static let listings = [
    "Apache": """
    <!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><html><head><title>Index of /films</title></head><body>
    <h1>Index of /films</h1><pre><a href="?C=N;O=D">Name</a> <a href="?C=M;O=A">Last modified</a><hr>
    <img src="/icons/back.gif" alt="[PARENTDIR]"> <a href="/">Parent Directory</a>
    <img src="/icons/folder.gif" alt="[DIR]"> <a href="old/">old/</a>   2026-01-31 10:20    -
    <img src="/icons/movie.gif" alt="[VID]"> <a href="a%20film.mp4">a film.mp4</a>   2026-01-31 10:20  1.2G
    <img src="/icons/image2.gif" alt="[IMG]"> <a href="a%20film.jpg">a film.jpg</a>   2026-01-31 10:20   12K
    <hr></pre></body></html>
    """,
    "nginx": """
    <html><head><title>Index of /films/</title></head><body><h1>Index of /films/</h1><hr><pre><a href="../">../</a>
    <a href="old/">old/</a>                     31-Jan-2026 10:20       -
    <a href="a%20film.jpg">a film.jpg</a>       31-Jan-2026 10:20       12
    <a href="a%20film.mp4">a film.mp4</a>       31-Jan-2026 10:20    123456
    </pre><hr></body></html>
    """,
    "lighttpd": """
    <!DOCTYPE html><html><head><title>Index of /films/</title></head><body><table><tbody>
    <tr class="d"><td class="n"><a href="../">..</a>/</td><td class="m">&nbsp;</td></tr>
    <tr class="d"><td class="n"><a href="old/">old</a>/</td><td class="m">2026-Jan-31 10:20:00</td><td>- &nbsp;</td></tr>
    <tr><td class="n"><a href="a%20film.jpg">a film.jpg</a></td><td class="m">2026-Jan-31 10:20:00</td></tr>
    <tr><td class="n"><a href="a%20film.mp4">a film.mp4</a></td><td class="m">2026-Jan-31 10:20:00</td>
    <td class="s">100.0M</td><td class="t">video/mp4</td></tr>
    </tbody></table></body></html>
    """,
    "Python": """
    <!DOCTYPE HTML><html lang="en"><head><title>Directory listing for /films/</title></head><body><ul>
    <li><a href="a%20film.jpg">a film.jpg</a></li><li><a href="a%20film.mp4">a film.mp4</a></li>
    <li><a href="old/">old/</a></li></ul></body></html>
    """,
    "Caddy": """
    <!DOCTYPE html><html><head><title>films/</title></head><body><div class="listing"><table>
    <tr class="file"><td><a href="./old/"><span class="name">old</span></a></td></tr>
    <tr class="file"><td><a href="./a%20film.jpg"><span class="name">a film.jpg</span></a></td></tr>
    <tr class="file"><td><a href="./a%20film.mp4"><span class="name">a film.mp4</span></a></td><td class="size" data-size="1073741824"><div>1.0 GiB</div></td>
    <td><time datetime="2026-01-31T10:20:00Z">01/31/2026</time></td></tr></table></div>
    <footer>Served with <a href="https://caddyserver.com">Caddy</a></footer></body></html>
    """,
  ]

  @Test(arguments: listings.keys.sorted())
  func `a listing has videos with covers, and folders as parts`(server: String) throws {
    let document = try decode(try #require(Self.listings[server]), from: Self.folder)
    #expect(document.kind == .directory && document.title == "films")
    #expect(document.videos.map(\.title) == ["a film"])
    #expect(document.videos.map(\.playbackURL?.text) == [Self.folder + "a%20film.mp4"])
    #expect(document.videos.map { $0.covers.map(\.url.text) } == [[Self.folder + "a%20film.jpg"]])
    #expect(document.parts.map(\.text) == [Self.folder + "old/"])
  }

  @Test(arguments: [
    ("Apache", 1_288_490_188), ("nginx", 123_456), ("lighttpd", 104_857_600), ("Caddy", 1_073_741_824),
  ])
  func `a listing gives the dates and sizes of its files`(server: String, size: Int) throws {
    let document = try decode(try #require(Self.listings[server]), from: Self.folder)
    #expect(document.videos.map(\.published?.description) == ["2026-01-31T10:20:00Z"])
    #expect(document.videos.map(\.byteCount) == [size])
  }

  @Test func `a listing may lack dates and sizes`() throws {
    let document = try decode(try #require(Self.listings["Python"]), from: Self.folder)
    #expect(document.videos.map(\.published) == [nil] && document.videos.map(\.byteCount) == [nil])
  }

  @Test(arguments: [
    ("-", nil), ("0", nil), ("7", 7), ("1.5K", 1_536), ("2M", 2_097_152), ("3GiB", 3_221_225_472), ("x", nil),
    ("99999999999999999999", nil), ("1e9", nil),
  ])
  func `a size may have a unit`(text: String, size: Int?) throws {
    let page = "<html><title>Index of /</title><a href='a.mp4'>2020-01-01 10:00 9</a> 2026-01-31 10:20 \(text)</html>"
    let video = try decode(page, from: Self.folder).videos.first
    #expect(video?.byteCount == size && video?.published?.description == "2026-01-31T10:20:00Z")
  }

  @Test func `the facts of a file end at the next link`() throws {
    let page = "<html><title>Index of /</title><a href='a.mp4'>a</a> <a href='b.txt'>b</a> 2026-01-31 10:20 5</html>"
    let video = try decode(page, from: Self.folder).videos.first
    #expect(video != nil && video?.published == nil && video?.byteCount == nil)
  }

  @Test(arguments: ["https://files.example", "https://files.example?x", "https://files.example/x"])
  func `a listing of the root may have an address without a path`(address: String) throws {
    let document = try decode(
      "<html><title>Index of /</title><a href='/a.mp4'>a</a><a href='b/'>b</a></html>", from: address)
    #expect(document.videos.map(\.playbackURL?.text) == ["https://files.example/a.mp4"])
    #expect(document.parts.map(\.text) == ["https://files.example/b/"])
  }

  @Test(arguments: ["Index of films", "Films", "Directory listing"])
  func `another web page is no listing`(title: String) {
    #expect(!DirectoryListing.isStarted(by: Array("<html><title>\(title)</title><a href='a.mp4'>a</a>".utf8)))
  }

  @Test func `links to other places are ignored`() throws {
    let links = [
      "https://other.example/films/a.mp4", "/a.mp4", "../a.mp4", "//other.example/films/a.mp4", "javascript:a.mp4",
      "file:///etc/a.mp4", "old/a.mp4", "a.mp4?x=1", "/films/", ".", "a.txt",
    ].map { "<a href='\($0)'>x</a>" }
    let document = try decode("<html><title>Index of /films</title>\(links.joined())</html>", from: Self.folder)
    #expect(document.videos.isEmpty && document.parts.isEmpty)
  }
}
