import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallMedia

@Suite(.hangLimit) struct FileDownloadTests {
  private let bytes = film(300_000)

  private struct Space {
    var freeByteCount: @Sendable (String) -> Int?
  }

  /// Downloads a file from a server, and passes the end and the downloads to a test.
  private func download(
    path: String = "/film.mp4", space: Space? = nil,
    _ answering: @escaping TestServer.Answering,
    _ check: (DownloadState?, TestDownloads, TestServer) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      try await withServer(answering) { server in
        let downloads = TestDownloads(in: folder) { tools in
          if let space { tools.disk = { DownloadFolder.Disk(freeByteCount: space.freeByteCount($0)) } }
        }
        let end = try await downloads.download(try .of(server.origin + path))
        try await check(end, downloads, server)
      }
    }
  }

  @Test func `a server that sends a byte a second for ever is left with a sentence`() async throws {
    try await withServerAndFolder { _ in
      let head = "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nTransfer-Encoding: chunked\r\n\r\n"
      return .raw(Array((head + String(repeating: "1\r\nx\r\n", count: 500)).utf8))
    } _: { server, folder in
      let seconds = Atomic(0)
      let downloads = TestDownloads(in: folder) { tools in
        tools.now = { seconds.add(1, ordering: .relaxed).newValue }
      }
      let end = try await downloads.download(try .of(server.origin + "/film.mp4"))
      #expect(end.reason == "127.0.0.1 sends less than 4.0 kB in 60 s")
      // The queue probes the server again when this clock has passed its pause, so that requests are not counted.
      #expect(downloads.pauses.all == [2, 4, 8, 16] && downloads.interruptions.count == 4)
    }
  }

  @Test func `a file is stored under its title and ID, and nothing else remains`() async throws {
    try await download { [bytes] in
      .answer(serve(bytes, to: $0))
    } _: { end, downloads, _ in
      #expect(downloads.names == ["Film [film].mp4"])
      #expect(downloads.has(bytes, in: "Film [film].mp4"))
      #expect(end.path == downloads.folder + "/Film [film].mp4" && end?.file?.byteCount == bytes.count)
      #expect(downloads.states.first == .waiting && !downloads.isListEmpty)
    }
  }

  @Test func `an interrupted download continues where it ended`() async throws {
    try await download { [bytes] request in
      let answer = serve(bytes, to: request)
      return request.headers["range"] == nil ? .cut(answer, after: 100_000) : .answer(answer)
    } _: { _, downloads, server in
      #expect(downloads.has(bytes, in: "Film [film].mp4"))
      #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=\(100_000 - DownloadPart.overlap)-"])
      #expect(server.requests.last?.headers["if-range"] == "\"1\"" && downloads.pauses.all == [2])
    }
  }

  @Test func `a file that has changed meanwhile is requested from its start`() async throws {
    let other = film(250_000, seed: 2)
    try await download { [bytes] request in
      request.headers["range"] == nil
        ? .cut(serve(bytes, to: request), after: 100_000) : .answer(serve(other, tag: "\"2\"", to: request))
    } _: { _, downloads, _ in
      #expect(downloads.has(other, in: "Film [film].mp4"))
    }
  }

  /// A server that sends a range although the file has changed.
  @Test(arguments: ["\"2\"", nil]) func `a range of another file is not appended`(tag: String?) async throws {
    let other = film(tag == nil ? 250_000 : 300_000, seed: 2)
    try await download { [bytes] request in
      guard request.headers["range"] != nil || request.headers["if-range"] != nil else {
        return .cut(serve(bytes, to: request), after: 100_000)
      }
      var answer = TestAnswer.media(other, type: "video/mp4", for: request)
      answer.headers["ETag"] = tag
      return .answer(answer)
    } _: { end, downloads, _ in
      #expect(end.reason == "the file on the server keeps changing")
      #expect(!downloads.names.contains { $0.hasSuffix(".mp4") })
    }
  }

  @Test func `a server that ignores ranges sends the whole file again`() async throws {
    let attempts = Atomic(0)
    try await download { [bytes] _ in
      let answer = TestAnswer(bytes, headers: ["Content-Type": "video/mp4", "ETag": "\"1\""])
      return attempts.add(1, ordering: .relaxed).oldValue == 0 ? .cut(answer, after: 100_000) : .answer(answer)
    } _: { _, downloads, _ in
      #expect(downloads.has(bytes, in: "Film [film].mp4"))
    }
  }

  @Test func `without a validator no part is continued`() async throws {
    let attempts = Atomic(0)
    try await download { [bytes] request in
      let answer = TestAnswer.media(bytes, type: "video/mp4", for: request)
      return attempts.add(1, ordering: .relaxed).oldValue == 0 ? .cut(answer, after: 100_000) : .answer(answer)
    } _: { _, downloads, server in
      #expect(downloads.has(bytes, in: "Film [film].mp4"))
      #expect(server.requests.map { $0.headers["range"] } == [nil, nil])
    }
  }

  @Test func `a length that the server never sends fails after five attempts and keeps the part`() async throws {
    try await download { [bytes] request in
      .cut(serve(bytes, to: request), after: 10)
    } _: { end, downloads, server in
      let reason = "the connection closed before the end of the answer"
      #expect(end.reason == reason && downloads.interruptions.count == 4)
      #expect(
        downloads.interruptions.last
          == DownloadProgress(
            byteCount: 10, totalByteCount: bytes.count, interruption: reason))
      #expect(server.requests.count == 5 && downloads.pauses.all == [2, 4, 8, 16])
      #expect(downloads.names == ["Film [film].part", "Film [film].part.json"])
      #expect(downloads.bytes(of: "Film [film].part")?.count == 10 && end.isStalled)
    }
  }

  /// With `count` bytes of each range, of which the first ones are known.
  @Test(arguments: [1, DownloadPart.overlap + 1])
  func `a server that sends at most a byte for each request is not asked for long`(count: Int) async throws {
    try await download { [bytes] request in
      var answer = serve(bytes, to: request)
      guard let start = request.headers["range"].flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
        return .cut(answer, after: 100_000)
      }
      let end = start + count
      answer = TestAnswer(Array(bytes[start..<end]), status: 206, headers: answer.headers)
      answer.headers["Content-Range"] = "bytes \(start)-\(end - 1)/\(bytes.count)"
      return .answer(answer)
    } _: { end, downloads, server in
      #expect(end.reason == "the server sends the file in tiny pieces")
      #expect(server.requests.count == 5 && downloads.pauses.all == [2, 4, 8, 16])
    }
  }

  @Test func `a part that another program has replaced is not published`() async throws {
    let gate = Gate()
    try await withServerAndFolder { [bytes] request in
      let answer = serve(bytes, to: request)
      guard request.headers["range"] != nil else { return .cut(answer, after: 100_000) }
      gate.pass()
      return .answer(answer)
    } _: { server, folder in
      let downloads = TestDownloads(in: folder)
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      downloads.downloader.add(request)
      try await eventually("the rest is requested") { server.requests.count == 2 }
      let part = downloads.folder + "/Film [film].part"
      #expect(unlink(part) == 0)
      // Otherwise the download would be retried at once.
      let theirs = try LockedFile(part)
      try Data("theirs".utf8).write(to: URL(fileURLWithPath: part))
      gate.open()
      let end = try await downloads.end(of: request.key)
      #expect(end.reason == "another program is downloading it")
      #expect(downloads.bytes(of: "Film [film].part") == Array("theirs".utf8))
      #expect(!downloads.names.contains { $0.hasSuffix(".mp4") })
      downloads.downloader.close()
      theirs.unlock()
    }
  }

  @Test func `redirects are followed, and the rest is requested from the first address`() async throws {
    try await download { [bytes] request in
      guard request.path == "/other" else { return .answer(.redirect(to: "/other")) }
      let answer = serve(bytes, to: request)
      return request.headers["range"] == nil ? .cut(answer, after: 100_000) : .answer(answer)
    } _: { _, downloads, server in
      #expect(downloads.has(bytes, in: "Film [film].mp4"))
      #expect(server.requests.map(\.path) == ["/film.mp4", "/other", "/film.mp4", "/other"])
    }
  }

  @Test func `a page in place of a video is refused`() async throws {
    try await download { _ in
      .answer(.html("<html>Log in</html>"))
    } _: { end, downloads, _ in
      #expect(end.reason == "the server sent text/html in place of a video" && downloads.names == [])
    }
  }

  @Test(arguments: [404, 410, 403]) func `a final status is not retried`(status: Int) async throws {
    try await download { _ in
      .answer(TestAnswer("", status: status))
    } _: { end, downloads, server in
      #expect(end.reason?.hasPrefix("the server answered \(status)") == true)
      #expect(server.requests.count == 1 && downloads.names == [])
    }
  }

  @Test func `a busy server is asked again after the pause that it asks for`() async throws {
    let attempts = Atomic(0)
    try await download { [bytes] request in
      guard attempts.add(1, ordering: .relaxed).oldValue == 0 else { return .answer(serve(bytes, to: request)) }
      return .answer(TestAnswer("", status: 503, headers: ["Retry-After": "70"]))
    } _: { _, downloads, _ in
      #expect(downloads.pauses.all == [70] && downloads.names == ["Film [film].mp4"])
    }
  }

  @Test(arguments: [404, 416, 503]) func `a fallback that fails keeps the part of the first address`(
    status: Int
  ) async throws {
    try await withServerAndFolder { [bytes] request in
      guard request.path == "/1" else { return .answer(TestAnswer("", status: status)) }
      return .cut(serve(bytes, to: request), after: request.headers["range"] == nil ? 100_000 : 0)
    } _: { server, folder in
      let downloads = TestDownloads(in: folder)
      var request = try DownloadRequest.of(server.origin + "/1")
      request.addresses += try DownloadRequest.of(server.origin + "/2").addresses
      let end = try await downloads.download(request)
      #expect(end.reason == "the connection closed before the end of the answer")
      #expect(server.requests.contains { $0.path == "/2" })
      #expect(downloads.names == ["Film [film].part", "Film [film].part.json"])
      #expect(downloads.has(Array(bytes.prefix(100_000)), in: "Film [film].part"))
    }
  }

  @Test func `an empty file is refused`() async throws {
    try await download {
      .answer(serve([], to: $0))
    } _: { end, downloads, _ in
      #expect(end.reason == "the file is empty" && downloads.names == [])
    }
  }

  @Test func `without enough space nothing is downloaded`() async throws {
    try await download(space: Space { _ in (64 << 20) + 200_000 }) { [bytes] in
      .answer(serve(bytes, to: $0))
    } _: { end, downloads, _ in
      #expect(end.reason == "300 kB are needed and 67.3 MB are free in \(downloads.folder)")
      #expect(!downloads.names.contains { $0.hasSuffix(".mp4") })
    }
  }

  /// Downloads a video into a folder with files of the user.
  private func downloadIntoFolder(
    _ prepare: (_ downloads: TestDownloads, _ folder: String) throws -> Void,
    _ check: (DownloadState?, TestDownloads, _ folder: String) throws -> Void
  ) async throws {
    try await withServer(of: bytes) { server, folder in
      let downloads = TestDownloads(in: folder)
      try FileManager.default.createDirectory(atPath: downloads.folder, withIntermediateDirectories: true)
      try prepare(downloads, folder)
      try check(try await downloads.download(try .of(server.origin + "/film.mp4")), downloads, folder)
    }
  }

  @Test func `no file is replaced`() async throws {
    try await downloadIntoFolder { downloads, _ in
      try Data("mine".utf8).write(to: URL(fileURLWithPath: downloads.folder + "/Film [film].mp4"))
    } _: { end, downloads, _ in
      #expect(end.path == downloads.folder + "/Film [film] (2).mp4")
      #expect(downloads.bytes(of: "Film [film].mp4") == Array("mine".utf8))
    }
  }

  @Test func `a file of the user in place of the part is not overwritten`() async throws {
    try await downloadIntoFolder { downloads, _ in
      try Data("mine".utf8).write(to: URL(fileURLWithPath: downloads.folder + "/Film [film].part"))
    } _: { end, downloads, _ in
      #expect(end.reason?.contains("could not be written") == true)
      #expect(downloads.bytes(of: "Film [film].part") == Array("mine".utf8))
    }
  }

  @Test func `a link in place of the part is not followed`() async throws {
    try await downloadIntoFolder { downloads, folder in
      try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/target"))
      try FileManager.default.createSymbolicLink(
        atPath: downloads.folder + "/Film [film].part", withDestinationPath: folder + "/target")
    } _: { end, _, folder in
      #expect(end.reason?.contains("could not be written") == true)
      #expect((try? fileBytes(of: folder + "/target")) == Array("mine".utf8))
    }
  }

  // MARK: - Versions of a file

  /// Two qualities at addresses that differ in their queries only, of which the first one fails in its middle.
  @Test func `another address does not continue the part of the first one`() async throws {
    let (first, second) = (film(400_000, seed: 3), film(900_000, seed: 4))
    try await withServerAndFolder { request in
      let isFirst = request.target.hasSuffix("720")
      if isFirst, request.headers["range"] != nil { return .answer(TestAnswer("", status: 403)) }
      var answer = TestAnswer.media(isFirst ? first : second, type: "video/mp4", for: request)
      answer.headers["Last-Modified"] = "Mon, 01 Jan 2024 00:00:00 GMT"
      return isFirst ? .cut(answer, after: 200_000) : .answer(answer)
    } _: { server, folder in
      let downloads = TestDownloads(in: folder)
      var request = try DownloadRequest.of(server.origin + "/get?q=720")
      request.addresses += try DownloadRequest.of(server.origin + "/get?q=360").addresses
      let end = try await downloads.download(request)
      #expect(end?.file != nil && downloads.has(second, in: "Film [film].mp4"))
      #expect(downloads.names == ["Film [film].mp4"])
    }
  }

  /// A server that ignores validators and sends another file at each position.
  @Test(arguments: ["\"1\"", nil]) func `a rest whose overlap differs is not appended`(tag: String?) async throws {
    let number = Atomic(0)
    try await download { request in
      let seed = UInt64(number.add(1, ordering: .relaxed).newValue)
      var answer = TestAnswer.media(film(300_000, seed: seed), type: "video/mp4", for: request)
      answer.headers["ETag"] = request.headers["range"] == nil ? "\"1\"" : tag
      return .cut(answer, after: 100_000)
    } _: { end, downloads, server in
      #expect(end.reason == "the file on the server keeps changing" && server.requests.count < 12)
      #expect(!downloads.names.contains { $0.hasSuffix(".mp4") })
    }
  }

  @Test func `a rest that begins earlier than requested is accepted`() async throws {
    try await download { [bytes] request in
      guard request.headers["range"] != nil else { return .cut(serve(bytes, to: request), after: 200_000) }
      var earlier = request
      earlier.headers["range"] = "bytes=1000-"
      return .answer(serve(bytes, to: earlier))
    } _: { _, downloads, server in
      #expect(downloads.has(bytes, in: "Film [film].mp4") && server.requests.count == 2)
    }
  }

  @Test func `a range from the first byte is the file, although none was requested`() async throws {
    try await download { [bytes] request in
      var ranged = request
      ranged.headers["range"] = "bytes=0-"
      return .answer(serve(bytes, to: ranged))
    } _: { _, downloads, server in
      #expect(downloads.has(bytes, in: "Film [film].mp4") && server.requests.count == 1)
    }
  }

  /// A server without ranges whose connection breaks at two places in turn.
  @Test func `a download that never reaches its end is received three times at most`() async throws {
    let big = film(2_000_000)
    let number = Atomic(0)
    try await withServerAndFolder { _ in
      let isOdd = number.add(1, ordering: .relaxed).newValue % 2 == 1
      return .cut(TestAnswer(big, headers: ["Content-Type": "video/mp4"]), after: isOdd ? 600_000 : 1_700_000)
    } _: { server, folder in
      let list = folder + "/downloads.json"
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      var end: DownloadState?
      // Later programs continue the count.
      for _ in 0..<5 {
        let downloads = TestDownloads(in: folder, state: list)
        if downloads.downloader.start().isEmpty { downloads.downloader.add(request) }
        end = try await downloads.end(of: request.key)
        if !end.isStalled { break }
        downloads.downloader.close()
      }
      #expect(end.reason?.hasPrefix("each attempt broke off before the end") == true, "\(String(describing: end))")
      #expect(server.requests.count <= 8)
    }
  }

  // MARK: - Lengths

  /// An MP4 file, and what remains of it where its end is missing.
  @Test(arguments: [0, 1, 500]) func `a file without a stated length that is cut may be incomplete`(
    missing: Int
  ) async throws {
    let boxes: [(String, Int)] = [("ftyp", 16), ("moov", 100), ("mdat", 4_000)]
    var whole: [UInt8] = []
    for (name, size) in boxes {
      whole += [0, 0, UInt8(size / 256), UInt8(size % 256)]
      whole += Array(name.utf8)
      whole += [UInt8](repeating: 1, count: size - 8)
    }
    let answer = Array("HTTP/1.0 200 OK\r\nContent-Type: video/mp4\r\n\r\n".utf8) + Array(whole.dropLast(missing))
    try await download { _ in
      .raw(answer)
    } _: { end, downloads, _ in
      #expect(end?.file?.mayBeIncomplete == (missing > 0))
      #expect(downloads.names == ["Film [film].mp4"])
    }
  }

  @Test(arguments: [1, 2]) func `a file that is shorter than its feed states may be incomplete`(
    fileCount: Int
  ) async throws {
    try await withServerAndFolder { [bytes] _ in
      .raw(Array("HTTP/1.0 200 OK\r\nContent-Type: video/mp2t\r\n\r\n".utf8) + bytes)
    } _: { server, folder in
      let files = try (0..<fileCount).map {
        MediaFile(url: .web(try #require(WebAddress(server.origin + "/\($0).ts"))))
      }
      var video = Video(id: "film", title: "Film", playback: .direct(files))
      video.byteCount = 52_428_800
      let request = try DownloadRequest(video, key: VideoKey(text: "films.example film"))
      let list = folder + "/downloads.json"
      let downloads = TestDownloads(in: folder, state: list)
      let end = try await downloads.download(request)
      // It is not known to which of several files the size belongs.
      #expect(end?.file?.mayBeIncomplete == (fileCount == 1))
      #expect(try DownloadList(path: list).entries().first?.request.byteCount == request.byteCount)
    }
  }
}
