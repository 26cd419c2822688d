import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct MediaAddressTests {
  @Test func `no document can name a frame of a video`() throws {
    let file = try #require(FileAddress(path: Array("/films/a.mp4".utf8)))
    let frame = MediaAddress.frame(VideoFrame(of: file, byteCount: 7, modified: UnixTime(seconds: 9)))
    #expect(frame.text == "frame:7:9:file:///films/a.mp4" && frame.web == nil && frame.file == nil)
    let documents = [nil, frame, .file(file), WebAddress("https://a.example/feed").map(MediaAddress.web)]
    for document in documents {
      #expect(MediaAddress(reference: frame.text, in: document)?.frame == nil)
      #expect(MediaAddress(reference: frame.text, in: document, .path)?.frame == nil)
    }
  }

  @Test(arguments: [
    ("?a=1&amp;b=2", "?a=1&b=2"), ("?a=1&amp;amp;b=2", "?a=1&b=2"), ("?a&#038;b&#38;c&#x26;d", "?a&b&c&d"),
    ("/AT&amp;T.jpg", "/AT&T.jpg"), ("?a&lt;b;c", "?a&lt;b;c"), ("?a;b&amp", "?a;b&amp"), ("?&amp;", "?&"),
    ("?amp;b", "?amp;b"),
  ])
  func `ampersands that were escaped twice are read once more`(text: String, result: String) throws {
    let address = try #require(WebAddress("https://a.example/x" + text))
    #expect(MediaAddress.web(address).unescapingAmpersands.text == "https://a.example/x" + result)
    let local = try #require(FileAddress(path: "/a&amp;b.jpg".utf8))
    #expect(MediaAddress.file(local).unescapingAmpersands == .file(local))
  }

  @Test(arguments: [
    ("/my%2520film.jpg", "/my%20film.jpg"), ("/a?b=%252F%253d", "/a?b=%2F%3d"), ("/a%2525", "/a%25"), ("/a%25", nil),
    ("/a%25zz%2", nil), ("/a%20b", nil), ("/%25252525", "/%252525"), ("", nil),
  ])
  func `escapes that were escaped again are decoded once`(text: String, result: String?) throws {
    let address = try #require(WebAddress("https://u%2541:p@a.example" + text))
    #expect(address.decodingEscapesOnce?.text == result.map { "https://u%2541:p@a.example" + $0 })
  }

  @Test(arguments: 1...200)
  func `reading any address once more gives a valid address`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = ["&", "amp;", "#38;", "#038;", "#x26;", "%25", "41", "%", "/", "?", "a", "é", ";"]
    let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
    let address = try #require(WebAddress("https://a.example/" + text.joined()))
    let once = MediaAddress.web(address).unescapingAmpersands
    #expect(once.unescapingAmpersands == once && WebAddress(once.text)?.text == once.text)
    if let decoded = address.decodingEscapesOnce {
      #expect(WebAddress(decoded.text) == decoded && decoded.text.utf8.count < address.text.utf8.count)
    }
  }

  private let file = FileAddress(path: "/films/list.m3u".utf8).map(MediaAddress.file)
  private let web = WebAddress("https://a.example/list.m3u").map(MediaAddress.web)

  @Test func `the address of a path preserves all bytes`() throws {
    let path: [UInt8] = Array("/a b/%20?#é-\u{1B}".utf8) + [0xFF, 0x0A]
    let address = try #require(FileAddress(path: path))
    #expect(address.text == "file:///a%20b/%2520%3F%23%C3%A9-%1B%FF%0A")
    #expect(address.path == path)
  }

  @Test func `only absolute paths have a file address`() {
    #expect(FileAddress(path: "a".utf8) == nil)
    #expect(FileAddress(path: [] as [UInt8]) == nil)
    #expect(FileAddress(path: [0x2F, 0]) == nil)
    #expect(FileAddress(path: [UInt8](repeating: 0x2F, count: 4_096)) == nil)
  }

  @Test(arguments: [
    ("x.mp4", "file:///films/x.mp4"), ("../x.mp4", "file:///films/../x.mp4"), ("/x.mp4", "file:///x.mp4"),
    ("a%20b.mp4?x#y", "file:///films/a%20b.mp4"), ("FILE:///x%20y.mp4", "file:///x%20y.mp4"),
    ("file://localhost/x.mp4", "file:///x.mp4"), ("https://b.example/x.mp4", "https://b.example/x.mp4"),
  ])
  func `a local document may refer to files`(reference: String, address: String) {
    #expect(MediaAddress(reference: reference, in: file)?.text == address)
  }

  /// The readings of a reference in `/films/list.m3u`, as paths.
  private func readings(_ reference: String, _ spelling: MediaAddress.Spelling) -> [String] {
    guard let file = MediaAddress(reference: reference, in: file, spelling)?.file else { return [] }
    return ([file] + file.otherReadings).map { String(decoding: $0.path, as: UTF8.self) }
  }

  @Test(arguments: [
    ("a%20b.mp4", ["/films/a%20b.mp4", "/films/a b.mp4"]), ("a b.mp4", ["/films/a b.mp4"]),
    ("100%.mp4", ["/films/100%.mp4"]), ("50% & 25%25.mp4", ["/films/50% & 25%25.mp4", "/films/50% & 25%.mp4"]),
    ("sub\\a.mp4", ["/films/sub/a.mp4", "/films/sub\\a.mp4"]),
    ("..\\sub/a.mp4", ["/films/..\\sub/a.mp4", "/films/../sub/a.mp4"]),
    ("sub\\a%20b.mp4", ["/films/sub/a%20b.mp4", "/films/sub/a b.mp4", "/films/sub\\a%20b.mp4", "/films/sub\\a b.mp4"]),
    ("file:/x%20y.mp4", ["/x y.mp4", "/x%20y.mp4"]), ("file://LOCALHOST/x.mp4", ["/x.mp4"]),
    ("FILE:///x#1.mp4", ["/x#1.mp4", "/x"]), ("file://host/x.mp4", []), ("file:///C:/x.mp4", []), ("C:/x.mp4", []),
    ("C:\\x.mp4", []), ("\\\\nas\\x.mp4", []), ("a%00b.mp4", ["/films/a%00b.mp4"]), ("file:///%00", ["/%00"]),
    ("100% a?.mp4", ["/films/100% a?.mp4"]), ("rtsp://a.example/x", []),
    ("a%0Ab.mp4", ["/films/a%0Ab.mp4", "/films/a\nb.mp4"]), ("file:x.mp4", ["/films/file:x.mp4"]),
  ])
  func `a path in a playlist may be encoded, or written on Windows`(reference: String, paths: [String]) {
    #expect(readings(reference, .path) == paths)
  }

  @Test(arguments: [
    ("a%20b.mp4", ["/films/a b.mp4", "/films/a%20b.mp4"]),
    ("a#1.mp4?x", ["/films/a", "/films/a#1.mp4?x"]), ("a b%20c.mp4", ["/films/a b%20c.mp4", "/films/a b c.mp4"]),
    ("sub\\a.mp4", ["/films/sub/a.mp4", "/films/sub\\a.mp4"]), ("file:/x%20y.mp4", ["/x y.mp4", "/x%20y.mp4"]),
    ("smb://host/x", []), ("//host/x", []), ("#top", []), ("?page=2", []), ("", []), ("javascript:x", []),
    ("C:\\x.mp4", []),
  ])
  func `an address in a document may be an unencoded path`(reference: String, paths: [String]) {
    #expect(readings(reference, .address) == paths)
  }

  @Test func `a path that any program has written is found, whatever it encodes`() throws {
    var random = SeededGenerator(seed: 7)
    let alphabet = Array("ab%20/\\#? .+é~".utf8) + [0xC3, 0xFF, 0x0A]
    for _ in 0..<2_000 {
      let name = (0..<Int.random(in: 1...12, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0x61
      }
      let target = try #require(FileAddress(path: "/films/x".utf8 + name + "z.mp4".utf8))
      let path = target.text.dropFirst("file://".utf8.count)
      var spellings = [target.text, "file:" + path, "file://localhost" + path, String(path), String(path.dropFirst(7))]
      // No line of a list has a break or an invalid character.
      if !name.contains(0x0A), let plain = String(validating: name, as: UTF8.self) {
        spellings.append("x\(plain)z.mp4")
      }
      for text in spellings {
        for spelling in [MediaAddress.Spelling.address, .path] {
          let found = try #require(MediaAddress(reference: text, in: file, spelling)?.file)
          #expect(found.resolved { $0 == target } == target, "\(text)")
          #expect(found.otherReadings.count < 6 && found.resolved { _ in false } == found)
          #expect(found.resolved { _ in true } == found && found.resolved { _ in true }.otherReadings.isEmpty)
        }
      }
    }
  }

  @Test func `other readings do not change an address`() throws {
    let (read, plain) = (
      MediaAddress(reference: "a%20b", in: file, .path)?.file, FileAddress(path: "/films/a%20b".utf8)
    )
    #expect(read == plain && Set([read, plain]).count == 1 && read?.otherReadings.count == 1)
  }

  @Test(arguments: [
    "file:///etc/passwd", "FILE:///etc/passwd", "file:/etc/passwd%20", "file://localhost/etc/passwd",
    "file:/etc/passwd",
  ])
  func `a document from the web or of unknown origin cannot refer to files`(reference: String) {
    for document in [web, nil] {
      #expect(MediaAddress(reference: reference, in: document) == nil)
      #expect(MediaAddress(reference: reference, in: document, .path) == nil)
    }
    #expect(MediaAddress(reference: "/etc/passwd", in: nil, .path) == nil)
    #expect(MediaAddress(reference: "/etc/passwd", in: web, .path)?.text == "https://a.example/etc/passwd")
  }
}
