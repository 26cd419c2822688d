import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct MediaAddressTests {
  private let file = FileAddress(path: "/films/list.m3u".utf8).map(MediaAddress.file)
  private let web = WebAddress("https://a.example/list.m3u").map(MediaAddress.web)

  @Test func `a path comes back from its address byte by byte`() throws {
    let path: [UInt8] = Array("/a b/%20?#é-\u{1B}".utf8) + [0xFF, 0x0A]
    let address = try #require(FileAddress(path: path))
    #expect(address.text == "file:///a%20b/%2520%3F%23%C3%A9-%1B%FF%0A")
    #expect(address.path == path)
  }

  @Test func `what is no absolute path is no file address`() {
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
  func `a document that is a file may name others`(reference: String, address: String) {
    #expect(MediaAddress(reference: reference, in: file)?.text == address)
  }

  @Test(arguments: ["", "//host/x", "smb://host/x", "file://host/x", "javascript:x", "C:\\x.mp4"])
  func `but nothing else`(reference: String) {
    #expect(MediaAddress(reference: reference, in: file) == nil)
  }

  @Test func `a path in a playlist stands as it is`() {
    #expect(MediaAddress(reference: "100% a?.mp4", in: file, .path)?.text == "file:///films/100%25%20a%3F.mp4")
    #expect(MediaAddress(reference: "Film: 2.mp4", in: file, .path)?.file?.name == "Film: 2.mp4")
    #expect(MediaAddress(reference: "rtsp://a.example/x", in: file, .path) == nil)
  }

  @Test(arguments: ["file:///etc/passwd", "FILE:///etc/passwd", "file://localhost/etc/passwd", "file:/etc/passwd"])
  func `a document from the web or from nowhere can name no file`(reference: String) {
    for document in [web, nil] {
      #expect(MediaAddress(reference: reference, in: document) == nil)
      #expect(MediaAddress(reference: reference, in: document, .path) == nil)
    }
    #expect(MediaAddress(reference: "/etc/passwd", in: nil, .path) == nil)
    #expect(MediaAddress(reference: "/etc/passwd", in: web, .path)?.text == "https://a.example/etc/passwd")
  }
}
