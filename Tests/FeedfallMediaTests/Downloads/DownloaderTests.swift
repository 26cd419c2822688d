import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Foundation
import TestServer
import TestSupport
import Testing

@testable import FeedfallMedia

@Suite(.hangLimit) struct DownloaderTests {
  private let bytes = film(100_000)
  private let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

  /// Adds downloads one after the other, and waits until two of them have sent their requests.
  private static func add(
    _ count: Int, to downloads: TestDownloads, _ server: TestServer
  ) async throws -> [DownloadRequest] {
    let requests = try (1...count).map {
      try DownloadRequest.of(server.origin + "/\($0)", id: "films.example \($0)", title: "Film \($0)")
    }
    for (index, request) in requests.enumerated() {
      downloads.downloader.add(request)
      try await eventually("\(index) waits") { downloads.states.count { $0 == .waiting } == index + 1 }
    }
    try await eventually("two run") { server.requests.count == 2 }
    return requests
  }

  @Test func `two downloads run at a time, in the order of their requests`() async throws {
    let gate = Gate()
    try await withServerAndFolder { [bytes] request in
      gate.pass()
      return .answer(serve(bytes, to: request))
    } _: { server, folder in
      let downloads = TestDownloads(in: folder)
      let requests = try await Self.add(4, to: downloads, server)
      #expect(Set(server.requests.map(\.path)) == ["/1", "/2"])
      gate.open()
      for request in requests {
        let end = try await downloads.end(of: request.key)
        #expect(end?.file != nil)
      }
      #expect(server.requests.count == 4 && downloads.names.count == 4)
    }
  }

  @Test func `a new program continues the downloads of an earlier one`() async throws {
    try await withServerAndFolder { [bytes] request in
      let answer = serve(bytes, to: request)
      return request.headers["range"] == nil ? .stall(answer, after: 80_000) : .answer(answer)
    } _: { server, folder in
      let list = folder + "/state/downloads.json"
      let first = TestDownloads(in: folder, state: list)
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      first.downloader.add(request)
      try await eventually("a part is stored") { first.bytes(of: "Film [film].part")?.count ?? 0 > 70_000 }
      first.downloader.close()
      try await eventually("the part is free") { (try? LockedFile(first.folder + "/Film [film].part")) != nil }
      let second = TestDownloads(in: folder, state: list)
      #expect(second.downloader.start().map(\.title) == ["Film"])
      let end = try await second.end(of: request.key)
      #expect(end?.file != nil)
      #expect(second.has(bytes, in: "Film [film].mp4"))
      #expect(server.requests.last?.headers["range"] != nil)
      #expect(DownloadList(path: list).load().states[request.key]?.file != nil)
    }
  }

  @Test func `a download without an address is listed, kept for the next program and continued with one`() async throws
  {
    try await withServerAndFolder { [bytes] request in
      .answer(serve(bytes, to: request))
    } _: { server, folder in
      let list = folder + "/state/downloads.json"
      let first = TestDownloads(in: folder, state: list)
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      var video = Video(id: "film", title: request.title, playback: .unknown)
      video.playback = .details(try #require(WebAddress(server.origin + "/details")), page: nil)
      let awaiting = try #require(DownloadRequest(awaiting: video, key: request.key))
      first.downloader.add(awaiting)
      try await eventually("it waits") { first.states == [.waiting] }
      first.downloader.close()
      let second = TestDownloads(in: folder, state: list)
      #expect(second.downloader.start().isEmpty && DownloadList(path: list).load().states == [request.key: .waiting])
      #expect(second.downloader.awaited.map(\.awaitedVideo?.detailsURL) == [video.detailsURL])
      second.downloader.add(request)
      let end = try await second.end(of: request.key)
      #expect(end?.file != nil && second.downloader.awaited.isEmpty)
      #expect(server.requests.map(\.path) == ["/film.mp4"])
    }
  }

  @Test(arguments: [nil, DownloadQuality.audio])
  func `another quality that waits for its address is listed, and replaces the known addresses`(
    quality: DownloadQuality?
  ) async throws {
    try await withServerAndFolder { [bytes] request in
      .answer(request.path == "/film.mp4" ? TestAnswer("", status: 404) : serve(bytes, to: request))
    } _: { server, folder in
      let list = folder + "/state/downloads.json"
      let downloads = TestDownloads(in: folder, state: list)
      let failed = try DownloadRequest.of(server.origin + "/film.mp4")
      downloads.downloader.add(failed)
      #expect(try await downloads.end(of: failed.key).reason != nil)
      var video = Video(id: "film", title: failed.title, playback: .unknown)
      video.playback = .details(try #require(WebAddress(server.origin + "/details")), page: nil)
      downloads.downloader.add(
        try #require(DownloadRequest(awaiting: video, key: failed.key, quality: quality)))
      try await eventually("it waits") { downloads.states.last == .waiting }
      let stored = try DownloadList(path: list).entries().map(\.request)
      #expect(stored.map(\.quality) == [quality] && stored.map(\.awaitsAddress) == [quality != nil])
      // The known address is not tried again.
      var request = try DownloadRequest.of(server.origin + "/new.mp4")
      request.quality = quality
      downloads.downloader.add(request)
      #expect(try await downloads.end(of: request.key)?.file != nil)
      #expect(server.requests.map(\.path) == ["/film.mp4", "/new.mp4"])
    }
  }

  /// Leaves the parts that a program may leave when it is killed.
  private static func leaveParts(of stem: String, in folder: String, hasPart: Bool) throws {
    try DownloadPart.Facts("films.example film", 0, #require(WebAddress("http://127.0.0.1:1/film.mp4"))).write(
      to: "\(folder)/\(stem).part.json")
    try Data("{\"addr".utf8).write(to: URL(fileURLWithPath: "\(folder)/.\(stem).part.json.new"))
    guard hasPart else { return }
    try Data("part".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(stem).part"))
    try FileManager.default.createDirectory(
      atPath: "\(folder)/.\(stem).parts", withIntermediateDirectories: false)
  }

  @Test(arguments: [false, true])
  func `a film that was complete when the program was killed is not downloaded again`(hasPart: Bool) async throws {
    try await withFolder { folder in
      let list = DownloadList(path: folder + "/downloads.json")
      let request = try DownloadRequest.of("http://127.0.0.1:1/film.mp4")
      try FileManager.default.createDirectory(atPath: folder + "/videos", withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/videos/Film.mp4"))
      let mark = try #require(DownloadFolder(path: folder + "/videos").mark(of: "Film.mp4"))
      try list.update {
        let film = StoredFile(name: "Film.mp4", mark: mark)
        $0.append(DownloadEntry(request: request, folder: folder + "/videos", stem: "Film", videoFile: film))
      }
      try Self.leaveParts(of: "Film", in: folder + "/videos", hasPart: hasPart)
      let downloads = TestDownloads(in: folder, state: folder + "/downloads.json")
      downloads.downloader.start()
      let end = try await downloads.end(of: request.key)
      #expect(end.path == folder + "/videos/Film.mp4" && downloads.names == ["Film.mp4"])
    }
  }

  /// Two addresses, a file and a page, of which the first one leaves a part.
  @Test(arguments: [false, true]) func `a success removes the parts of another address`(
    isPageFirst: Bool
  ) async throws {
    try await withServerAndFolder { [bytes] request in
      let answer = serve(bytes, to: request)
      return isPageFirst ? .answer(answer) : .cut(answer, after: 10_000)
    } _: { server, folder in
      let script = """
        read -r address
        while [ "$3" != --output ]; do shift; done
        cd "$2" || exit 3
        \(isPageFirst ? "echo part > video.mp4.part; exit 1" : "echo film > video.mp4")
        """
      let program = try writeScript(script, to: folder + "/yt-dlp")
      let downloads = TestDownloads(in: folder) { $0.ytDlp = YtDlpDirectory(YtDlp(program: program)) }
      var request = try DownloadRequest.of(server.origin + "/film.mp4")
      request.addresses += try DownloadRequest.of(server.origin + "/page", kind: .page).addresses
      if isPageFirst { request.addresses.reverse() }
      let end = try await downloads.download(request)
      #expect(end?.file != nil && downloads.names == ["Film [film].mp4"], "\(downloads.names)")
    }
  }

  @Test func `the cover is stored beside the film, and removed with it`() async throws {
    try await withServerAndFolder { [bytes, picture] request in
      .answer(request.path == "/cover" ? TestAnswer(picture) : serve(bytes, to: request))
    } _: { server, folder in
      let downloads = TestDownloads(in: folder)
      let request = try DownloadRequest.of(server.origin + "/film.mp4", cover: server.origin + "/cover")
      let end = try await downloads.download(request)
      #expect(end?.file != nil)
      #expect(downloads.names == ["Film [film].jpg", "Film [film].mp4"])
      downloads.downloader.remove(request.key)
      try await downloads.removal(of: request.key)
      #expect(downloads.names == [] && downloads.isListEmpty)
    }
  }

  @Test func `removing a running download deletes its part`() async throws {
    try await withServerAndFolder { [bytes] request in
      .stall(serve(bytes, to: request), after: 10_000)
    } _: { server, folder in
      let downloads = TestDownloads(in: folder)
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      downloads.downloader.add(request)
      try await eventually("a part is stored") { downloads.names.contains("Film [film].part") }
      downloads.downloader.remove(request.key)
      try await downloads.removal(of: request.key)
      #expect(downloads.names == [])
    }
  }

  @Test func `two programs do not download one video at the same time`() async throws {
    try await withServerAndFolder { [bytes] request in
      .stall(serve(bytes, to: request), after: 50_000)
    } _: { server, folder in
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      let list = folder + "/downloads.json"
      let (first, second) = (TestDownloads(in: folder, state: list), TestDownloads(in: folder, state: list))
      first.downloader.add(request)
      try await eventually("a part is stored") { first.names.contains("Film [film].part") }
      let refusal = try await second.download(request)
      #expect(refusal.reason == "another program is downloading it")
      #expect(first.names.contains("Film [film].part") && !first.names.contains("Film [film].mp4"))
      // The next program continues it.
      #expect(try DownloadList(path: list).entries().map(\.state) == [.waiting])
      first.downloader.close()
    }
  }

  @Test func `an address with a password is not stored`() async throws {
    try await withServer(of: bytes) { server, folder in
      let list = folder + "/downloads.json"
      let downloads = TestDownloads(in: folder, state: list)
      let origin = server.origin.replacingOccurrences(of: "//", with: "//anna:secret@")
      let end = try await downloads.download(try .of(origin + "/film.mp4"))
      #expect(end?.file != nil)
      #expect((try? fileBytes(of: list)).map { String(decoding: $0, as: UTF8.self) }?.contains("secret") != true)
    }
  }

  @Test func `a cover and a referrer with secrets are not stored`() async throws {
    try await withFolder { folder in
      let list = folder + "/downloads.json"
      var request = try DownloadRequest.of(
        "http://127.0.0.1:1/film.mp4", cover: "http://anna:secret1@127.0.0.1:1/a.jpg?token=secret2#secret3")
      request.addresses[0].headers = RequestHeaders(
        userAgent: nil, referrer: "http://anna:secret4@127.0.0.1:1/page?key=secret5")
      let downloads = TestDownloads(in: folder, state: list)
      _ = try await downloads.download(request)
      let text = String(decoding: try fileBytes(of: list), as: UTF8.self)
      #expect(text.contains("127.0.0.1") && !text.contains("secret"), "\(text)")
    }
  }

  @Test func `a referrer with a secret is sent to the server`() async throws {
    try await withServer(of: bytes) { server, folder in
      let referrer = "https://films.example/page?key=secret"
      var request = try DownloadRequest.of(server.origin + "/film.mp4")
      request.addresses[0].headers = RequestHeaders(userAgent: nil, referrer: referrer)
      let downloads = TestDownloads(in: folder, state: folder + "/downloads.json")
      let end = try await downloads.download(request)
      #expect(end?.file != nil && server.requests.map { $0.headers["referer"] } == [referrer])
    }
  }

  @Test func `a retry uses the folder that the user has chosen since`() async throws {
    try await withServer(of: bytes) { server, folder in
      let list = folder + "/downloads.json"
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      let full = TestDownloads(in: folder + "/full", state: list) {
        $0.disk = { _ in DownloadFolder.Disk(freeByteCount: 0) }
      }
      let failure = try await full.download(request)
      #expect(failure.reason?.contains("0 B are free") == true)
      let other = TestDownloads(in: folder + "/other", state: list) {
        $0.disk = { DownloadFolder.Disk(freeByteCount: $0.contains("/full") ? 0 : 1 << 40) }
      }
      let end = try await other.download(request)
      #expect(end.path == other.folder + "/Film [film].mp4")
      #expect(full.names == [])
    }
  }

  @Test func `a file of the user with the name of a download is not deleted`() async throws {
    try await withServer(of: bytes) { server, folder in
      let downloads = TestDownloads(in: folder)
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      let path = try #require(try await downloads.download(request).path)
      try FileManager.default.removeItem(atPath: path)
      try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
      downloads.downloader.remove(request.key)
      try await downloads.removal(of: request.key)
      #expect(downloads.bytes(of: "Film [film].mp4") == Array("mine".utf8))
    }
  }

  @Test func `removing a download does not delete the part of another program`() async throws {
    try await withServerAndFolder { [bytes] in
      .stall(serve(bytes, to: $0), after: 10_000)
    } _: { server, folder in
      let list = folder + "/downloads.json"
      let (first, second) = (TestDownloads(in: folder, state: list), TestDownloads(in: folder, state: list))
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      first.downloader.add(request)
      try await eventually("a part is stored") { first.names.contains("Film [film].part") }
      second.downloader.remove(request.key)
      try await eventually("the removal has failed") { second.removalFailures.count == 1 }
      #expect(second.removalFailures.first?.reason == "another program is downloading it")
      #expect(
        first.names.contains("Film [film].part") && DownloadList(path: list).load().states[request.key] == .waiting)
      first.downloader.close()
    }
  }

  @Test func `a removal that cannot be saved deletes nothing and is reported`() async throws {
    try await withServer(of: bytes) { server, folder in
      let list = folder + "/downloads.json"
      let downloads = TestDownloads(in: folder, state: list)
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      _ = try await downloads.download(request)
      try FileManager.default.removeItem(atPath: list)
      try FileManager.default.createDirectory(atPath: list, withIntermediateDirectories: true)
      downloads.downloader.remove(request.key)
      try await eventually("the removal has failed") { downloads.removalFailures.count == 1 }
      #expect(downloads.names == ["Film [film].mp4"] && downloads.states.last != .some(nil))
    }
  }

  /// Two downloads run and a third waits, while another program ends the third.
  private func endThird(
    _ end: @escaping @Sendable (inout [DownloadEntry], Int) -> Void,
    _ check: (DownloadState?, TestServer) -> Void
  ) async throws {
    let gate = Gate()
    try await withServerAndFolder { [bytes] request in
      gate.pass()
      return .answer(serve(bytes, to: request))
    } _: { server, folder in
      let path = folder + "/downloads.json"
      let downloads = TestDownloads(in: folder, state: path)
      let requests = try await Self.add(3, to: downloads, server)
      try DownloadList(path: path).update { entries in
        if let index = entries.firstIndex(where: { $0.key == requests[2].key }) { end(&entries, index) }
      }
      gate.open()
      check(try await downloads.end(of: requests[2].key), server)
    }
  }

  @Test func `a waiting download that another program has removed ends`() async throws {
    let remove: @Sendable (inout [DownloadEntry], Int) -> Void = { $0.remove(at: $1) }
    try await endThird(remove) { end, server in
      #expect(end == nil && server.requests.count == 2)
    }
  }

  @Test func `a waiting download that another program has completed ends`() async throws {
    try await withFolder { folder in
      try Data("film".utf8).write(to: URL(fileURLWithPath: folder + "/theirs.mp4"))
      let mark = try #require(DownloadFolder(path: folder).mark(of: "theirs.mp4"))
      let complete: @Sendable (inout [DownloadEntry], Int) -> Void = {
        ($0[$1].folder, $0[$1].videoFile) = (folder, StoredFile(name: "theirs.mp4", mark: mark))
        $0[$1].state = .done(UnixTime(seconds: 5))
      }
      try await endThird(complete) { end, server in
        #expect(end.path == folder + "/theirs.mp4" && server.requests.count == 2)
      }
    }
  }

  @Test func `missing films are reported together, after the start`() async throws {
    try await withServer(of: bytes) { server, folder in
      let list = folder + "/downloads.json"
      let first = TestDownloads(in: folder, state: list)
      let requests = try (1...3).map {
        try DownloadRequest.of(server.origin + "/\($0)", id: "films.example abc\($0)", title: "Film \($0)")
      }
      for request in requests { _ = try await first.download(request) }
      for name in ["Film 1 [abc1].mp4", "Film 3 [abc3].mp4"] {
        try FileManager.default.removeItem(atPath: first.folder + "/" + name)
      }
      let second = TestDownloads(in: folder, state: list)
      #expect(DownloadList(path: list).load().states.count == 3)
      let missing = await withCheckedContinuation { continuation in
        second.downloader.resume { continuation.resume(returning: $0) }
      }
      #expect(Set(missing) == [requests[0].key, requests[2].key])
    }
  }

  @Test(arguments: ["/proc/nothing", "/dev/null/x"])
  func `a folder that cannot be created is reported`(folder: String) async throws {
    let downloads = TestDownloads(in: folder)
    let reason = try await downloads.download(try .of("http://127.0.0.1:1/x")).reason
    #expect(reason?.hasPrefix(folder + "/videos: ") == true)
  }
}
