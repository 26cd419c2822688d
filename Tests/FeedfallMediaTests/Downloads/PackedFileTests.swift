import FeedfallRecords
import FeedfallText
import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallMedia

/// Films that their servers compress.
@Suite(.hangLimit) struct PackedFileTests {
  private static let bytes = [0, 0, 0, 24] + Array("ftypisom".utf8) + film(400_000)
  private static let packed = PackedBytes.gzip(bytes)
  private static let name = "Film [film].mp4"

  private func download(
    _ answering: @escaping TestServer.Answering,
    _ check: (DownloadState?, TestDownloads, TestServer) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      try await withServer(answering) { server in
        let downloads = TestDownloads(in: folder)
        try await check(try await downloads.download(try .of(server.origin + "/film.mp4")), downloads, server)
      }
    }
  }

  private static func answer(_ bytes: [UInt8], _ coding: String?, to request: TestRequest) -> TestAnswer {
    var answer = serve(bytes, to: request)
    answer.headers["Content-Encoding"] = coding
    return answer
  }

  @Test(arguments: ["gzip", "x-gzip", nil, "none"]) func `a film in gzip is unpacked`(coding: String?) async throws {
    try await download {
      .answer(Self.answer(Self.packed, coding, to: $0))
    } _: { end, downloads, server in
      #expect(end?.file?.mayBeIncomplete == false && downloads.has(Self.bytes, in: Self.name))
      #expect(downloads.names == [Self.name])
      #expect(server.requests.map { $0.headers["accept-encoding"] } == ["identity"])
    }
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd", "none", "utf-8", "aws-chunked", "", "gzip, gzip"])
  func `a film that its header calls compressed is stored as it is`(coding: String) async throws {
    try await download {
      .answer(Self.answer(Self.bytes, coding, to: $0))
    } _: { end, downloads, _ in
      #expect(end?.file?.mayBeIncomplete == false && downloads.has(Self.bytes, in: Self.name))
    }
  }

  @Test(arguments: ["deflate", "br", "zstd", "compress"])
  func `a film in another coding is refused`(coding: String) async throws {
    try await download {
      .answer(Self.answer(film(5_000), coding, to: $0))
    } _: { end, downloads, _ in
      #expect(end.reason == "the server sent \(coding) data in place of a video" && downloads.names.isEmpty)
    }
  }

  @Test func `an interrupted film in gzip continues in its compressed bytes`() async throws {
    try await download { request in
      let answer = Self.answer(Self.packed, "gzip", to: request)
      return request.headers["range"] == nil ? .cut(answer, after: 200_000) : .answer(answer)
    } _: { end, downloads, server in
      #expect(end?.file != nil && downloads.has(Self.bytes, in: Self.name) && downloads.names == [Self.name])
      #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=\(200_000 - DownloadPart.overlap)-"])
    }
  }

  /// A server that compresses whole files only, as nginx does.
  @Test func `a rest in another coding than the part is not appended`() async throws {
    let count = Atomic(0)
    try await download { request in
      if request.headers["range"] != nil { return .answer(serve(Self.bytes, to: request)) }
      let answer = Self.answer(Self.packed, "gzip", to: request)
      return count.add(1, ordering: .relaxed).oldValue == 0 ? .cut(answer, after: 200_000) : .answer(answer)
    } _: { end, downloads, server in
      #expect(end?.file != nil && downloads.has(Self.bytes, in: Self.name))
      #expect(server.requests.count == 3)
    }
  }

  @Test func `a later program continues a film in gzip`() async throws {
    let isDown = Atomic(1)
    try await withServerAndFolder { request in
      let answer = Self.answer(Self.packed, "gzip", to: request)
      let count = request.headers["range"] == nil ? 150_000 : DownloadPart.overlap + 100
      return isDown.load(ordering: .relaxed) == 1 ? .cut(answer, after: count) : .answer(answer)
    } _: { server, folder in
      let list = folder + "/downloads.json"
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      let first = TestDownloads(in: folder, state: list)
      #expect(try await first.download(request).isStalled)
      first.downloader.close()
      isDown.store(0, ordering: .relaxed)
      let second = TestDownloads(in: folder, state: list)
      second.downloader.start()
      #expect(try await second.end(of: request.key)?.file != nil)
      #expect(second.has(Self.bytes, in: Self.name) && second.names == [Self.name])
    }
  }

  @Test func `a film whose gzip data end too early may be incomplete`() async throws {
    let cut = Array(Self.packed.dropLast(5_000))
    try await download {
      .answer(Self.answer(cut, "gzip", to: $0))
    } _: { end, downloads, _ in
      #expect(end?.file?.mayBeIncomplete == true)
      #expect(downloads.has(Array(Self.bytes.dropLast(4_992)), in: Self.name) && downloads.names == [Self.name])
    }
  }

  @Test(arguments: [
    (Array([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 7]), "damaged gzip data"), ([0x1F, 0x8B, 8], "damaged gzip data"),
    (GzipBomb.bytes(unpackingTo: 20 << 20), "gzip data that unpack to more than 16 MB"),
  ])
  func `gzip data that cannot be unpacked are refused, and nothing remains`(
    body: [UInt8], reason: String
  ) async throws {
    try await download {
      .answer(Self.answer(body, "gzip", to: $0))
    } _: { end, downloads, _ in
      #expect(end.reason == "the server sent \(reason) in place of a video" && downloads.names.isEmpty)
    }
  }

  @Test func `a film that needs more space than there is fails before the disk is full`() async throws {
    try await withServerAndFolder {
      .answer(Self.answer(PackedBytes.gzip([UInt8](repeating: 1, count: 3_000_000)), "gzip", to: $0))
    } _: { server, folder in
      let downloads = TestDownloads(in: folder) { tools in
        tools.disk = { folder in
          let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
          let isFull = names.contains { $0.hasSuffix(".unpacked") }
          return DownloadFolder.Disk(freeByteCount: isFull ? DownloadFolder.reservedByteCount : .max)
        }
      }
      let end = try await downloads.download(try .of(server.origin + "/film.mp4"))
      #expect(end.reason?.contains("are free in") == true && end.isStalled)
      #expect(downloads.names == ["Film [film].part", "Film [film].part.json"])
    }
  }

  // MARK: - Ranges

  /// The changes of a server to the headers of the rest.
  private static let wrongRanges: [(name: String, change: @Sendable (inout TestAnswer) -> Void)] = [
    ("a later start", { $0.headers["Content-Range"] = "bytes 250000-400011/400012" }),
    ("an earlier start", { $0.headers["Content-Range"] = "bytes 1000-400011/400012" }),
    ("an end before the last byte", { $0.headers["Content-Range"] = "bytes 134464-300000/400012" }),
    ("an end behind the total", { $0.headers["Content-Range"] = "bytes 134464-400012/400012" }),
    ("another total", { $0.headers["Content-Range"] = "bytes 134464-400011/500000" }),
    ("no range", { $0.headers["Content-Range"] = nil }),
    ("an unsatisfied range", { $0.headers["Content-Range"] = "bytes */400012" }),
    ("another unit", { $0.headers["Content-Range"] = "items 134464-400011/400012" }),
    ("a number too many", { $0.headers["Content-Range"] = "bytes 134464-400011/400012, bytes 1-2/3" }),
    (
      "several parts",
      {
        $0.headers["Content-Range"] = nil
        $0.headers["Content-Type"] = "multipart/byteranges; boundary=x"
        $0.body = Array("--x\r\nContent-Range: bytes 134464-400011/400012\r\n\r\n".utf8) + $0.body
      }
    ),
    (
      "other bytes",
      {
        for index in $0.body.indices { $0.body[index] ^= 1 }
      }
    ),
    (
      "the status of the whole file at another place",
      {
        $0.status = 200
        $0.headers["Content-Range"] = "bytes 200000-400011/400012"
      }
    ),
  ]

  @Test(arguments: wrongRanges.indices) func `a rest with a wrong range is never appended`(index: Int) async throws {
    let wrong = Self.wrongRanges[index]
    let count = Atomic(0)
    try await download { request in
      var answer = serve(Self.bytes, to: request)
      if request.headers["range"] != nil {
        wrong.change(&answer)
        return .answer(answer)
      }
      return count.add(1, ordering: .relaxed).oldValue == 0 ? .cut(answer, after: 200_000) : .answer(answer)
    } _: { end, downloads, server in
      #expect(end?.file != nil && downloads.has(Self.bytes, in: Self.name), "\(wrong.name)")
      #expect(server.requests.count == 3, "\(wrong.name)")
    }
  }

  /// The first answer states no length.
  @Test func `a rest of a file that is shorter than the part is not appended`() async throws {
    let count = Atomic(0)
    let shorter = Array(Self.bytes.prefix(150_000))
    try await download { request in
      if count.add(1, ordering: .relaxed).oldValue > 0 { return .answer(serve(shorter, to: request)) }
      let head = [
        "HTTP/1.1 200 OK", "Content-Type: video/mp4", "ETag: \"1\"", "Transfer-Encoding: chunked", "", "40000", "",
      ]
      return .raw(Array(head.joined(separator: "\r\n").utf8) + Self.bytes.prefix(200_000))
    } _: { end, downloads, server in
      #expect(end?.file != nil && downloads.has(shorter, in: Self.name))
      #expect(
        server.requests.map { $0.headers["range"] } == [nil, "bytes=\(200_000 - DownloadPart.overlap)-", nil])
    }
  }

  /// Unusual but valid rests.
  private static let goodRests: [(name: String, change: @Sendable (inout TestAnswer) -> Void)] = [
    ("an unknown total", { $0.headers["Content-Range"] = "bytes 134464-400011/*" }),
    ("the status of the whole file", { $0.status = 200 }),
    ("capital letters", { $0.headers["Content-Range"] = "Bytes 134464-400011/400012" }),
  ]

  @Test(arguments: goodRests.indices) func `an unusual rest is appended`(index: Int) async throws {
    let good = Self.goodRests[index]
    try await download { request in
      var answer = serve(Self.bytes, to: request)
      guard request.headers["range"] != nil else { return .cut(answer, after: 200_000) }
      good.change(&answer)
      return .answer(answer)
    } _: { end, downloads, server in
      #expect(end?.file != nil && downloads.has(Self.bytes, in: Self.name), "\(good.name)")
      #expect(server.requests.count == 2, "\(good.name)")
    }
  }
}
