import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct WebDAVTests {
  private static let folder = "https://cloud.example/remote.php/dav/files/anna/My%20films/"

  private func response(_ href: String, _ properties: String = "") -> String {
    "<d:response><d:href>\(href)</d:href><d:propstat><d:prop>\(properties)</d:prop></d:propstat></d:response>"
  }

  private func decode(_ responses: String..., from address: String = folder) throws -> DecodedDocument {
    let text = "<?xml version=\"1.0\"?><d:multistatus xmlns:d=\"DAV:\">\(responses.joined())</d:multistatus>"
    return try FeedDecoder.decode(Array(text.utf8), from: WebAddress(address))
  }

  @Test func `the folders in a folder are its parts`() throws {
    let collection = "<d:resourcetype><d:collection/></d:resourcetype>"
    let document = try decode(
      response(Self.folder, collection), response(Self.folder + "a.mp4"), response(Self.folder + "old/"),
      response(Self.folder + "older", collection))
    #expect(document.kind == .directory && document.videos.map(\.title) == ["a"])
    #expect(document.parts.map(\.text) == [Self.folder + "old/", Self.folder + "older/"])
  }

  @Test(arguments: [
    "/remote.php/dav/files/eve/a.mp4",
    "/remote.php/dav/files/eve/My%20films/a.mp4",
    "/remote.php/dav/files/anna/My%20films/../a.mp4", "/remote.php/dav/files/anna/My%20films/%2e%2e/a.mp4",
    "https://cloud.example/remote.php/dav/files/anna/My%20films/..", "file:///etc/a.mp4",
    "/remote.php/dav/files/anna/My%20films/in/a.mp4", "/remote.php/dav/files/anna/My%20films/a.mp4?x", "//a.mp4", "",
  ])
  func `an entry outside of the folder is ignored`(href: String) throws {
    let document = try decode(response(href), response(Self.folder + "b.mp4"))
    #expect(document.videos.map(\.title) == ["b"] && document.parts.isEmpty)
  }

  @Test func `an endless answer has the videos in its limits`() throws {
    let many = (0..<12_000).map { response("\(Self.folder)\($0).mp4") }.joined()
    #expect(try decode(many).videos.count == 10_000)
  }

  @Test(arguments: [
    ("https://a.example/s/AbCdEfGhIjKlMn0", ""), ("https://a.example/index.php/s/AbCdEfGhIjKlMn0/", ""),
    ("https://a.example/cloud/s/AbCdEfGhIjKlMn0", "/cloud"),
  ])
  func `a share has two addresses`(text: String, base: String) throws {
    let found = WebAddress(text).flatMap { CloudShare($0) }
    let share = try #require(found)
    #expect(share.token == "AbCdEfGhIjKlMn0")
    let folders = ["/public.php/dav/files/AbCdEfGhIjKlMn0/", "/public.php/webdav/"]
    #expect(share.folders.map(\.text) == folders.map { "https://a.example\(base)\($0)" })
  }

  @Test func `a folder in a share is a part of its address`() throws {
    let share = WebAddress("https://a.example/s/AbCdEfGhIjKlMn0?path=%2Fb%20c%2F..%2Fd").flatMap { CloudShare($0) }
    #expect(share?.folders.last?.text == "https://a.example/public.php/webdav/b%20c/%2E%2E/d/")
  }

  @Test(arguments: [
    "https://a.example/s/short", "https://a.example/s/AbCdEfGhIjKl-n0", "https://a.example/x/AbCdEfGhIjKlMn0",
  ])
  func `other addresses are no shares`(text: String) throws {
    let share = WebAddress(text).flatMap { CloudShare($0) }
    #expect(share == nil)
  }

  @Test(arguments: 1...40)
  func `each name is decoded, however its server encodes it`(seed: Int) throws {
    var chances = SeededGenerator(seed: UInt64(seed))
    let marks = Array("ab #?%&=+é;()é日@:'!,~")
    for _ in 0..<20 {
      let name = String(
        (0..<Int.random(in: 1...12, using: &chances)).map { _ in marks.randomElement(using: &chances)! })
      let path = "/remote.php/dav/files/anna/My%20films/" + PercentCoding.encodeSegment(name + ".mp4")
      let origins = ["", "http://10.0.0.1:8080", "https://other.example", "HTTPS://Cloud.Example:443"]
      let origin = try #require(origins.randomElement(using: &chances))
      let video = try #require(try decode(response(origin + path)).videos.first)
      let address = try #require(video.playbackURL?.web)
      #expect(address.pathSegments.last == name + ".mp4" && address.text.hasPrefix(Self.folder))
    }
  }

  @Test func `the login of the request stays in the addresses of the members`() throws {
    let document = try decode(
      response("http://backend:81/films/a.mp4"), from: "https://anna:word@cloud.example:8443/films/")
    #expect(document.videos.map(\.playbackURL?.text) == ["https://anna:word@cloud.example:8443/films/a.mp4"])
  }
}
