import TestServer
import TestSupport
import Testing

@testable import FeedfallText
@testable import FeedfallWeb

@Suite(.hangLimit) struct ContentCodingTests {
  private static let text = Array(#"<?xml version="1.0"?><rss><channel><title>T</title></channel></rss>"#.utf8)

  private func content(
    _ body: [UInt8], _ header: String?, type: String = "application/rss+xml", limit: Int = 1 << 20
  ) throws(Gzip.Fault) -> [UInt8] {
    try ContentCoding.content(of: body, header: header, contentType: type, limit: limit).bytes
  }

  /// Requests a body with libcurl, which loads the libraries of Brotli and Zstandard.
  private func fetched(_ body: [UInt8], _ coding: String, limit: Int = 1 << 20) async throws -> HTTPAnswer {
    try await withServer { _ in
      .answer(TestAnswer(body, headers: ["Content-Encoding": coding]))
    } _: { server in
      let client = HTTPClient(timeoutSeconds: 5, userAgent: "test/1", maximumByteCount: limit)
      var load = client.load(nil)
      return try await load.get(try #require(WebAddress(server.origin + "/feed")), accept: "*/*")
    }
  }

  @Test func `each coding has the decoder of its name`() throws {
    let rows: [(String, [UInt8])] = [
      ("gzip", PackedBytes.gzip(Self.text)), ("X-GZIP", PackedBytes.gzip(Self.text)),
      ("deflate", PackedBytes.zlib(Self.text)), ("Deflate", PackedBytes.deflate(Self.text)),
      // Named for each other, as some servers do.
      ("deflate", PackedBytes.gzip(Self.text)), ("gzip", PackedBytes.zlib(Self.text)),
      ("identity, gzip", PackedBytes.gzip(Self.text)), ("gzip,utf-8", PackedBytes.gzip(Self.text)),
      ("deflate, gzip", PackedBytes.gzip(PackedBytes.zlib(Self.text))),
      ("gzip, gzip", PackedBytes.gzip(PackedBytes.gzip(Self.text))),
    ]
    for (header, body) in rows { #expect(try content(body, header) == Self.text, "\(header)") }
  }

  @Test(arguments: [
    "gzip", "x-gzip", "deflate", "gzip, gzip", "br", "zstd", "none", "utf-8", "UTF8", "aws-chunked", "", ",", "binary",
    "text/xml", "compress", "gzip;q=1.0", "\u{1F600}",
  ])
  func `a body that is not coded is left as it is, whatever its header says`(header: String) throws {
    let bodies = [
      Self.text, [], [0x1F], [0x1F, 0x8B], Array("{\"a\": 1}".utf8), Array("{\n  \"a\": 1\n}\n".utf8),
      Array("x^y".utf8), Array("#EXTM3U\n".utf8),
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46], [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13],
    ]
    for body in bodies { #expect(try content(body, header) == body) }
  }

  @Test func `a gzip file without a coding is unpacked unless its type says gzip`() throws {
    let packed = PackedBytes.gzip(Self.text)
    for header in [nil, "none", "br"] { #expect(try content(packed, header) == Self.text) }
    for type in ["application/gzip", "application/x-gzip; x=y"] {
      #expect(try content(packed, nil, type: type) == packed)
      #expect(try content(PackedBytes.gzip(packed), "gzip", type: type) == packed)
    }
  }

  @Test func `at most five codings are decoded`() throws {
    let header = [String](repeating: "gzip", count: 1_000).joined(separator: ",")
    #expect(ContentCoding.list(in: header) == .init(repeating: .gzip, count: 5))
    var body = Self.text
    for _ in 0..<12 { body = PackedBytes.gzip(body) }
    let content = try content(body, header)
    #expect(Gzip.isStarted(by: content) && content.count < body.count)
  }

  @Test func `the limit applies to the content of each coding`() throws {
    let bomb = GzipBomb.bytes(unpackingTo: 4 << 20)
    for (body, header) in [(bomb, "gzip"), (bomb, nil), (PackedBytes.gzip(bomb), "gzip, gzip")] {
      #expect(throws: Gzip.Fault.tooLarge) { try content(body, header) }
    }
    let member = GzipBomb.bytes(unpackingTo: 300_000)
    #expect(try content(member, "gzip", limit: 400_000).count > 300_000)
    #expect(throws: Gzip.Fault.tooLarge) { try content(member + member, "gzip", limit: 400_000) }
  }

  @Test func `bytes after the end of a compressed body are ignored`() async throws {
    let sevens = [UInt8](repeating: 7, count: 1_000)
    let deflated: [UInt8] = [99, 103, 31, 5, 163, 96, 20, 12, 119, 0, 0]
    let brotli: [UInt8] = [19, 231, 3, 248, 37, 14, 162, 177, 64, 32, 52]
    for rest in [[0], [10], Array("<!-- cached -->".utf8)] {
      #expect(try content(deflated + rest, "deflate") == sevens)
      #expect(try content([0x78, 0x01] + deflated + [0, 0, 0, 0] + rest, "deflate") == sevens)
      #expect(try content(PackedBytes.gzip(sevens) + rest, "gzip") == sevens)
      #expect(try await fetched(brotli + rest, "br").body == sevens)
      #expect(try await fetched(PackedBytes.zstandard(sevens) + rest, "zstd").body == sevens)
    }
    // An empty stream of Brotli, and a text after it.
    let text = [0x06] + Self.text
    #expect(try await fetched(text, "br").body == text)
  }

  @Test func `a cut body has its beginning`() throws {
    let cut = Array(PackedBytes.gzip(Self.text).dropLast(20))
    #expect(try content(cut, "gzip") == Self.text.dropLast(12))
  }

  @Test(arguments: ["br", "zstd"]) func `Brotli and Zstandard are decoded by the libraries of libcurl`(
    coding: String
  ) async throws {
    let pack = coding == "br" ? PackedBytes.brotli : PackedBytes.zstandard
    let large = [UInt8](repeating: 7, count: 60_000)
    #expect(try await fetched(pack(Self.text), coding).body == Self.text)
    #expect(try await fetched(pack(large), coding).body == large)
    #expect(try await fetched(PackedBytes.gzip(pack(Self.text)), coding + ", gzip").body == Self.text)
    for plain in [
      Self.text, Array("{\"a\": [1, 2, 3]}".utf8), Array("[{\"a\": 1}]".utf8), [0xFF, 0xD8, 0xFF, 0xE0, 0],
    ] {
      #expect(try await fetched(plain, coding).body == plain)
    }
    await #expect(throws: WebFailure.tooLarge(limit: 30_000)) {
      try await fetched(PackedBytes.gzip(pack(large)), coding + ", gzip", limit: 30_000)
    }
  }

  /// Answers of 400 kB to a client that needs 8 kB of a medium, and refuses more than 300 kB.
  @Test(arguments: ["gzip", "deflate", "zstd", "br", "none"])
  func `a compressed playlist is read to its end, and a compressed film to its beginning`(coding: String) async throws {
    let packers = ["gzip": PackedBytes.gzip, "deflate": PackedBytes.zlib, "zstd": PackedBytes.zstandard]
    let pack = packers[coding] ?? { $0 }
    let playlist = Array(("#EXTM3U\n" + String(repeating: "https://a.example/1.mp3\n", count: 2_000)).utf8)
    let film = [0, 0, 0, 24] + Array("ftypisom".utf8) + [UInt8](repeating: 5, count: 400_000)
    func body(_ body: [UInt8], _ type: String) async throws -> [UInt8] {
      let headers = ["Content-Encoding": coding, "Content-Type": type]
      return try await withServer { _ in
        .answer(TestAnswer(body, headers: headers))
      } _: { server in
        let client = HTTPClient(
          timeoutSeconds: 5, userAgent: "test/1", maximumByteCount: 300_000, mediaByteCount: 8 << 10)
        var load = client.load(nil)
        return try await load.get(try #require(WebAddress(server.origin + "/a")), accept: "*/*").body
      }
    }
    #expect(try await body(pack(playlist), "audio/x-mpegurl") == playlist)
    #expect(try await body(coding == "zstd" ? film : pack(film), "video/mp4").starts(with: film.prefix(5_000)))
    if coding == "deflate" { #expect(try await body(PackedBytes.deflate(playlist), "audio/mpegurl") == playlist) }
  }

  @Test func `frames of Zstandard may follow each other, and other bytes after them`() async throws {
    let frames = PackedBytes.zstandard(Self.text) + PackedBytes.zstandard(Self.text)
    #expect(try await fetched(frames, "zstd").body == Self.text + Self.text)
    #expect(try await fetched(frames + [1, 2, 3, 4, 5], "zstd").body == Self.text + Self.text)
  }

  @Test(arguments: 0..<40) func `no header and no damage make more of a body than its limit`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let packers = [PackedBytes.gzip, PackedBytes.zlib, PackedBytes.deflate, { $0 }]
    let names = ["gzip", "deflate", "x-gzip", "none", "br", "zstd", ""]
    for _ in 0..<20 {
      let content = (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      var body = content
      var header: [String] = []
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        body = packers[Int.random(in: 0..<packers.count, using: &random)](body)
        header.append(names[Int.random(in: 0..<names.count, using: &random)])
      }
      for _ in 0..<Int.random(in: 0...2, using: &random) where !body.isEmpty {
        body[Int.random(in: 0..<body.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      let decoded = try? self.content(body, header.joined(separator: ","), limit: 400)
      if let decoded { #expect(decoded.count <= max(400, body.count)) }
    }
  }
}
