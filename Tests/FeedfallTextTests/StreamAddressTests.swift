import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct StreamAddressTests {
  @Test(arguments: [
    ("RTSP://Cam.Example:554/a b", "rtsp://cam.example:554/a%20b"), ("udp://@239.0.0.1:1234", "udp://239.0.0.1:1234"),
    ("rtp://@:5004", "rtp://:5004"), (" srt://s.example:9000?mode=caller ", "srt://s.example:9000?mode=caller"),
    ("rtspt://c.example/1", "rtsp://c.example/1"), ("RTSPU://c.example/1", "rtsp://c.example/1"),
    ("rtmpte://s.example/a", "rtmpte://s.example/a"), ("rist://s.example:1234", "rist://s.example:1234"),
    ("mmsh://s.example/a", "mmsh://s.example/a"), ("mms://[::1]/x", "mms://[::1]/x"),
    ("rtmps://s.example/app/key#x", "rtmps://s.example/app/key#x"),
  ])
  func `an address is normalized like one of the web`(text: String, normal: String) throws {
    let address = try #require(StreamAddress(text))
    #expect(address.text == normal && StreamAddress(normal) == address)
  }

  @Test(arguments: StreamAddress.Scheme.allCases) func `each scheme has an address`(scheme: StreamAddress.Scheme) {
    #expect(StreamAddress(scheme.rawValue.uppercased() + "://a.example/1")?.scheme == scheme)
  }

  @Test func `an address for storage has no password and no key`() throws {
    let camera = MediaAddress.stream(try #require(StreamAddress("rtsp://ann:s3cret@c.example/1?token=abc&x=1")))
    #expect(camera.hasSecret && camera.forStorage.text == "rtsp://c.example/1?x=1" && !camera.forStorage.hasSecret)
    #expect(!camera.description.contains("s3cret") && !camera.description.contains("abc"))
  }

  @Test func `any text is either no stream or one that is parsed again as itself`() {
    var random = SeededGenerator(seed: 9)
    let parts =
      [
        "rtsp", "rtmps", "udp", "mms", "file", "http", "://", ":", "/", "@", "a.example", "[::1]", ":1234", "?", "#",
        "%", " ",
      ]
      + ["\u{202E}", "\n", "\0", "é", "t=90", "start=", "1h", "2m", "3s", ",", "npt:", "&", "playlist-item=", "7"]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...9, using: &random)).compactMap { _ in parts.randomElement(using: &random) }
        .joined()
      if let stream = StreamAddress(text) {
        #expect(StreamAddress(stream.text) == stream && WebAddress(stream.text) == nil, "\(text)")
        #expect(StreamAddress(stream.forStorage.text) == stream.forStorage, "\(text)")
        #expect(stream.text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "\(text)")
      }
      guard let web = WebAddress("https://a.example/" + text) else { continue }
      if let start = web.startSeconds { #expect((1...604_800).contains(start), "\(text)") }
      if let item = web.item { #expect(item.page.naming(pageItem: item.number).item?.page == item.page, "\(text)") }
      #expect(WebAddress(web.withoutStart.text) == web.withoutStart, "\(text)")
    }
  }
}
