import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallMedia

/// Downloads whose server, network, disk or login fails for some time.
@Suite(.hangLimit) struct OutageTests {
  private let bytes = film(100_000)

  @Test func `downloads wait while their server is busy, and continue by themselves`() async throws {
    let isDown = Atomic(true)
    try await withServerAndFolder { [bytes] request in
      .answer(isDown.load(ordering: .relaxed) ? TestAnswer("", status: 503) : serve(bytes, to: request))
    } _: { server, folder in
      let list = folder + "/downloads.json"
      let downloads = TestDownloads(in: folder, state: list)
      let requests = try (1...4).map { try DownloadRequest.of(server.origin + "/\($0)", id: "films.example \($0)") }
      for request in requests { downloads.downloader.add(request) }
      for request in requests {
        let reason = try await downloads.end(of: request.key).reason
        #expect(reason == "the server answered 503 Service Unavailable")
      }
      #expect(try DownloadList(path: list).entries().map(\.state) == [.waiting, .waiting, .waiting, .waiting])
      let count = server.requests.count
      // One probe with one request.
      try await eventually("a probe has failed") {
        downloads.clock.advance(1)
        return server.requests.count > count
      }
      isDown.store(false, ordering: .relaxed)
      try await eventually("all are complete") {
        downloads.clock.advance(600)
        return downloads.names.count { $0.hasSuffix(".mp4") } == 4
      }
      for request in requests {
        try await eventually("it is done") { DownloadList(path: list).load().states[request.key]?.file != nil }
      }
    }
  }

  @Test func `a program that starts without a network keeps the downloads for the next one`() async throws {
    try await withFolder { folder in
      let list = folder + "/downloads.json"
      let port = try await withServer({ _ in .silence }, { $0.port })
      let request = try DownloadRequest.of("http://127.0.0.1:\(port)/film.mp4")
      let offline = TestDownloads(in: folder, state: list)
      let state = try await offline.download(request)
      #expect(state.isStalled && state.reason == "127.0.0.1 refused the connection")
      #expect(!offline.downloader.isActive(within: 1) && offline.downloader.isActive(within: 60))
      offline.downloader.close()
      let next = TestDownloads(in: folder, state: list)
      #expect(next.downloader.start().count == 1)
      next.downloader.close()
    }
  }

  @Test func `a full disk lets all downloads wait, and is no reason for a request`() async throws {
    let isFull = Atomic(true)
    try await withServer(of: bytes) { server, folder in
      let downloads = TestDownloads(in: folder) {
        $0.disk = { _ in DownloadFolder.Disk(freeByteCount: isFull.load(ordering: .relaxed) ? 0 : 1 << 40) }
      }
      let requests = try (1...3).map { try DownloadRequest.of(server.origin + "/\($0)", id: "films.example \($0)") }
      for request in requests { downloads.downloader.add(request) }
      for request in requests {
        let state = try await downloads.end(of: request.key)
        #expect(state.isStalled && state.reason?.contains("0 B are free") == true)
      }
      #expect(server.requests.isEmpty)
      isFull.store(false, ordering: .relaxed)
      try await eventually("all are complete") {
        downloads.clock.advance(600)
        return downloads.names.count { $0.hasSuffix(".mp4") } == 3
      }
    }
  }

  /// A server without a validator, so that each attempt begins anew.
  @Test func `a full disk is not filled again with a file of unknown length`() async throws {
    let isFull = Atomic(true)
    let head = Array("HTTP/1.0 200 OK\r\nContent-Type: video/mp2t\r\n\r\n".utf8)
    let count = 20 << 20
    try await withServerAndFolder { _ in
      .raw(head + [UInt8](repeating: 1, count: count))
    } _: { server, folder in
      let downloads = TestDownloads(in: folder) { tools in
        tools.disk = { path in
          var status = stat()
          let size = stat(path + "/Film [film].part", &status) == 0 ? Int(status.st_size) : 0
          let room = isFull.load(ordering: .relaxed) ? 12 << 20 : 1 << 40
          return DownloadFolder.Disk(freeByteCount: DownloadFolder.reservedByteCount + room - size)
        }
      }
      let request = try DownloadRequest.of(server.origin + "/film.ts")
      let state = try await downloads.download(request)
      #expect(state.isStalled && state.reason?.contains("are free") == true)
      for attempt in 2...5 {
        try await eventually("it has been looked at again") {
          downloads.clock.advance(600)
          return downloads.states.count { $0.isStalled } >= attempt
        }
      }
      #expect(server.requests.count == 1)
      isFull.store(false, ordering: .relaxed)
      try await eventually("it is complete") {
        downloads.clock.advance(600)
        return downloads.names == ["Film [film].ts"]
      }
      #expect(server.requests.count == 2)
    }
  }

  @Test func `at most one thread waits for the end of another program`() async throws {
    try await withServer(of: bytes) { server, folder in
      let downloads = TestDownloads(in: folder)
      try FileManager.default.createDirectory(atPath: downloads.folder, withIntermediateDirectories: true)
      let path = downloads.folder + "/Film [film].part"
      var other: LockedFile? = try LockedFile(path)
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      downloads.downloader.add(request)
      for attempt in 1...6 {
        try await eventually("it waits for the lock") {
          downloads.clock.advance(60)
          return downloads.states.count { $0.isStalled } >= attempt
        }
      }
      let ending = path.split(separator: "/").dropFirst().joined(separator: "/")
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      let opened = descriptors.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
      }
      // That of this test, of the thread, and of an attempt.
      #expect(opened.count { $0.hasSuffix(ending) } <= 3)
      #expect(other?.isAt(path) == true)
      other = nil
      // After several attempts, the release of the lock only shortens the pause.
      try await eventually("it is complete") {
        downloads.clock.advance(600)
        return downloads.names == ["Film [film].mp4"]
      }
    }
  }

  @Test func `a download that continues follows the rules of its source for proxies`() async throws {
    try await withServer(of: bytes) { server, folder in
      let rules = Proxies().replacing(ProxyAddress(server.origin, setting: "proxy"))
      let list = folder + "/downloads.json"
      var request = try DownloadRequest.of("http://films.example/film.mp4")
      request.source = "Cloud"
      try DownloadList(path: list).update { [request] in
        $0.append(DownloadEntry(request: request, folder: folder + "/videos", stem: "Film"))
      }
      let downloads = TestDownloads(in: folder, state: list) {
        $0.client.proxies = ProxyDirectory(Proxies())
        $0.proxies = { $0 == "Cloud" ? rules : nil }
      }
      downloads.downloader.start()
      let end = try await downloads.end(of: request.key)
      #expect(end?.file != nil)
      #expect(server.requests.map(\.target) == ["http://films.example/film.mp4"])
    }
  }

  @Test func `a download waits for the end of another program that has begun it`() async throws {
    let gate = Gate()
    try await withServerAndFolder { [bytes] request in
      let answer = serve(bytes, to: request)
      return request.headers["range"] == nil ? .stall(answer, after: 80_000) : .answer(answer)
    } _: { server, folder in
      let list = folder + "/downloads.json"
      let (first, second) = (TestDownloads(in: folder, state: list), TestDownloads(in: folder, state: list))
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      first.downloader.add(request)
      try await eventually("a part is stored") { first.bytes(of: "Film [film].part")?.count ?? 0 > 70_000 }
      let state = try await second.download(request)
      #expect(state.isStalled && state.reason == "another program is downloading it")
      #expect(second.downloader.isActive(within: 60))
      first.downloader.close()
      // The lock is released without any change of the clock.
      try await eventually("the second one has completed it") { second.names == ["Film [film].mp4"] }
      #expect(second.has(bytes, in: "Film [film].mp4"))
      gate.open()
    }
  }

  @Test func `a download that is removed and requested again at once starts again`() async throws {
    let isSlow = Atomic(true)
    try await withServerAndFolder { [bytes] request in
      let answer = serve(bytes, to: request)
      return isSlow.load(ordering: .relaxed) ? .stall(answer, after: 80_000) : .answer(answer)
    } _: { server, folder in
      let downloads = TestDownloads(in: folder)
      let request = try DownloadRequest.of(server.origin + "/film.mp4")
      downloads.downloader.add(request)
      try await eventually("a part is stored") { downloads.names.contains("Film [film].part") }
      isSlow.store(false, ordering: .relaxed)
      downloads.downloader.remove(request.key)
      // A busy machine may see only its end.
      try await eventually("its end is requested") {
        downloads.downloader.isBeingRemoved(request.key) || !downloads.names.contains("Film [film].part")
      }
      downloads.downloader.add(request)
      try await eventually("it is complete") { downloads.names == ["Film [film].mp4"] }
      #expect(downloads.has(bytes, in: "Film [film].mp4"))
    }
  }

  // MARK: - Logins

  @Test func `after a restart the authorization is that of the open source, and is not stored`() async throws {
    try await withServerAndFolder { [bytes] request in
      guard request.headers["authorization"] != nil else { return .answer(TestAnswer("", status: 401)) }
      return .answer(serve(bytes, to: request))
    } _: { server, folder in
      let list = folder + "/downloads.json"
      var request = try DownloadRequest.of(server.origin + "/film.mp4")
      request.source = "Cloud"
      request.addresses[0].headers = RequestHeaders(nil, authorization: .basic(user: "ann", password: "secret"))
      let full = TestDownloads(in: folder, state: list) { $0.disk = { _ in DownloadFolder.Disk(freeByteCount: 0) } }
      let waiting = try await full.download(request)
      #expect(waiting.isStalled)
      full.downloader.close()
      #expect(!String(decoding: try fileBytes(of: list), as: UTF8.self).contains("secret"))
      let closed = TestDownloads(in: folder, state: list)
      #expect(closed.downloader.start().count == 1)
      let reason = try await closed.end(of: request.key).reason
      #expect("\(reason ?? "")" == "the server requires the login of Cloud", "\(reason ?? "")")
      #expect(server.requests.isEmpty)
      closed.downloader.close()
      let open = TestDownloads(in: folder, state: list) {
        $0.authorization = { name, _ in name == "Cloud" ? .basic(user: "ann", password: "secret") : nil }
      }
      open.downloader.start()
      let end = try await open.end(of: request.key)
      #expect(end?.file != nil)
    }
  }

  @Test func `a refused login lets the download wait`() async throws {
    try await withServerAndFolder { _ in
      .answer(TestAnswer("", status: 401))
    } _: { server, folder in
      let downloads = TestDownloads(in: folder)
      var request = try DownloadRequest.of(server.origin + "/film.mp4")
      request.addresses[0].headers = RequestHeaders(nil, authorization: .basic(user: "ann", password: "x"))
      let state = try await downloads.download(request)
      #expect(state.isStalled && state.reason == "the server refused the login (401 Unauthorized)")
      #expect(!downloads.downloader.isActive(within: 500) && server.requests.count == 1)
    }
  }

  // MARK: - Programs and disks

  @Test func `a program that fails while its server is down ends no download`() async throws {
    try await withFolder { folder in
      let program = try writeScript("exit 1", to: folder + "/yt-dlp")
      let downloads = TestDownloads(in: folder) {
        $0.ytDlp = YtDlpDirectory(YtDlp(program: program))
        $0.outage = { _ in .nameNotFound(host: "films.example") }
      }
      let state = try await downloads.download(try .of("https://films.example/1", kind: .page))
      #expect(state.isStalled && state.reason == "the name films.example was not found")
    }
  }

  @Test(arguments: [404, 200, 503, nil]) func `a server is asked whether it answers after a program has failed`(
    status: Int?
  ) async throws {
    try await withServer { _ in
      .answer(TestAnswer("x", status: status ?? 200))
    } _: { server in
      let origin = status == nil ? "http://127.0.0.1:1" : server.origin
      let request = try DownloadRequest.of(origin + "/1", kind: .page)
      let outage = await DownloadTools(userAgent: "test/1").outage(request.addresses[0])
      #expect((outage == nil) == (status == 404 || status == 200))
    }
  }

  /// A disk that is removed while its download waits, where its folder would be created on another disk.
  @Test(arguments: [true, false]) func `a download waits for the disk on which it was begun`(
    isEmpty: Bool
  ) async throws {
    let disk = Mutex("usb")
    try await withServerAndFolder { [bytes] request in
      let answer = serve(bytes, to: request)
      return request.headers["range"] == nil ? .cut(answer, after: 80_000) : .answer(TestAnswer("", status: 503))
    } _: { server, folder in
      let list = folder + "/downloads.json"
      func downloads() -> TestDownloads {
        TestDownloads(in: folder, state: list) {
          $0.disk = { _ in DownloadFolder.Disk(identity: disk.withLock { $0 }) }
        }
      }
      let first = downloads()
      let state = try await first.download(try .of(server.origin + "/film.mp4"))
      #expect(state.isStalled)
      first.downloader.close()
      try FileManager.default.moveItem(atPath: first.folder, toPath: folder + "/removed")
      if isEmpty { try FileManager.default.createDirectory(atPath: first.folder, withIntermediateDirectories: false) }
      disk.withLock { $0 = "system" }
      let second = downloads()
      second.downloader.start()
      let waiting = try await second.end(of: VideoKey(text: "films.example film"))
      #expect(waiting.reason == "the disk of \(second.folder) is missing" && second.names == [])
      #expect(FileManager.default.fileExists(atPath: second.folder) == isEmpty)
    }
  }

  @Test func `a long title fits into the names of the disk`() async throws {
    try await withServer(of: bytes) { server, folder in
      let downloads = TestDownloads(in: folder) { $0.disk = { _ in DownloadFolder.Disk(nameByteCount: 143) } }
      let title = String(repeating: "long ", count: 60)
      let end = try await downloads.download(try .of(server.origin + "/film.mp4", title: title))
      let name = try #require(end?.file).address.name
      // With the ending of a temporary file, the longest name of a download.
      #expect(name.utf8.count <= 143 - 30 && name.hasSuffix("[film].mp4"))
    }
  }
}
