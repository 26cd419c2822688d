import FeedfallFeeds
import FeedfallText
import FeedfallUserData
import Foundation
import TestServer
import TestSupport
import Testing

@testable import FeedfallDownloads

@Suite(.hangLimit) struct DownloaderTests {
  private let bytes = film(100_000)
  private let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

  @Test func `two downloads run at a time, in the order of their requests`() async throws {
    try await withFolder { folder in
      let gate = Gate()
      try await withServer { [bytes] request in
        gate.pass()
        return .answer(serve(bytes, to: request))
      } _: { server in
        let downloads = TestDownloads(in: folder)
        let requests = try (1...4).map {
          try DownloadRequest.of(server.origin + "/\($0)", id: "films.example \($0)", title: "Film \($0)")
        }
        for (index, request) in requests.enumerated() {
          downloads.downloader.add(request)
          try await eventually("\(index) waits") { downloads.states.count { $0 == .waiting } == index + 1 }
        }
        try await eventually("two run") { server.requests.count == 2 }
        #expect(Set(server.requests.map(\.path)) == ["/1", "/2"])
        gate.open()
        for request in requests {
          let end = try await downloads.end(of: request.key)
          #expect(end?.file != nil)
        }
        #expect(server.requests.count == 4 && downloads.names.count == 4)
      }
    }
  }

  @Test func `a new program continues the downloads of an earlier one`() async throws {
    try await withFolder { folder in
      try await withServer { [bytes] request in
        let answer = serve(bytes, to: request)
        return request.headers["range"] == nil ? .stall(answer, after: 50_000) : .answer(answer)
      } _: { server in
        let list = folder + "/state/downloads.json"
        let first = TestDownloads(in: folder, state: list)
        let request = try DownloadRequest.of(server.origin + "/film.mp4")
        first.downloader.add(request)
        try await eventually("a part is stored") { first.bytes(of: "Film [film].part")?.count ?? 0 > 10_000 }
        first.downloader.close()
        try await eventually("the part is free") { (try? LockedFile(first.folder + "/Film [film].part")) != nil }
        let second = TestDownloads(in: folder, state: list)
        #expect(second.downloader.waitingTitles.map(\.title) == ["Film"])
        second.downloader.start()
        let end = try await second.end(of: request.key)
        #expect(end?.file != nil)
        #expect(second.has(bytes, in: "Film [film].mp4"))
        #expect(server.requests.last?.headers["range"] != nil)
        #expect(TestDownloads(in: folder, state: list).downloader.states[request.key]?.file != nil)
      }
    }
  }

  @Test func `a film that was complete when the program was killed is not downloaded again`() async throws {
    try await withFolder { folder in
      let list = DownloadList(path: folder + "/downloads.json")
      let request = try DownloadRequest.of("http://127.0.0.1:1/film.mp4")
      try FileManager.default.createDirectory(atPath: folder + "/videos", withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/videos/Film.mp4"))
      try list.update {
        $0.append(DownloadEntry(request: request, folder: folder + "/videos", stem: "Film", file: "Film.mp4"))
      }
      let downloads = TestDownloads(in: folder, state: folder + "/downloads.json")
      downloads.downloader.start()
      let end = try await downloads.end(of: request.key)
      #expect(end.path == folder + "/videos/Film.mp4")
    }
  }

  @Test func `the cover is stored beside the film, and removed with it`() async throws {
    try await withFolder { folder in
      try await withServer { [bytes, picture] request in
        .answer(request.path == "/cover" ? TestAnswer(picture) : serve(bytes, to: request))
      } _: { server in
        let downloads = TestDownloads(in: folder)
        let request = try DownloadRequest.of(server.origin + "/film.mp4", cover: server.origin + "/cover")
        let end = try await downloads.download(request)
        #expect(end?.file != nil)
        #expect(downloads.names == ["Film [film].jpg", "Film [film].mp4"])
        downloads.downloader.remove(request.key)
        try await downloads.removal(of: request.key)
        #expect(downloads.names == [] && downloads.downloader.states.isEmpty)
      }
    }
  }

  @Test func `removing a running download deletes its part`() async throws {
    try await withFolder { folder in
      try await withServer { [bytes] request in
        .stall(serve(bytes, to: request), after: 10_000)
      } _: { server in
        let downloads = TestDownloads(in: folder)
        let request = try DownloadRequest.of(server.origin + "/film.mp4")
        downloads.downloader.add(request)
        try await eventually("a part is stored") { downloads.names.contains("Film [film].part") }
        downloads.downloader.remove(request.key)
        try await downloads.removal(of: request.key)
        #expect(downloads.names == [])
      }
    }
  }

  @Test func `the next address is tried when one fails`() async throws {
    try await withFolder { folder in
      try await withServer { [bytes] request in
        .answer(request.path == "/1" ? TestAnswer("", status: 404) : serve(bytes, to: request))
      } _: { server in
        let downloads = TestDownloads(in: folder)
        var request = try DownloadRequest.of(server.origin + "/1")
        request.addresses += try DownloadRequest.of(server.origin + "/2").addresses
        let end = try await downloads.download(request)
        #expect(end?.file != nil)
        #expect(server.requests.map(\.path) == ["/1", "/2"])
      }
    }
  }

  @Test func `two programs do not download one video at the same time`() async throws {
    try await withFolder { folder in
      try await withServer { [bytes] request in
        .stall(serve(bytes, to: request), after: 50_000)
      } _: { server in
        let request = try DownloadRequest.of(server.origin + "/film.mp4")
        let (first, second) = (TestDownloads(in: folder), TestDownloads(in: folder))
        first.downloader.add(request)
        try await eventually("a part is stored") { first.names.contains("Film [film].part") }
        let refusal = try await second.download(request)
        #expect(refusal.reason == "another program is downloading it")
        #expect(first.names.contains("Film [film].part") && !first.names.contains("Film [film].mp4"))
        first.downloader.close()
      }
    }
  }

  @Test func `an address with a password is not stored`() async throws {
    try await withFolder { folder in
      try await withServer { [bytes] in
        .answer(serve(bytes, to: $0))
      } _: { server in
        let list = folder + "/downloads.json"
        let downloads = TestDownloads(in: folder, state: list)
        let origin = server.origin.replacingOccurrences(of: "//", with: "//anna:secret@")
        let end = try await downloads.download(try .of(origin + "/film.mp4"))
        #expect(end?.file != nil)
        #expect((try? fileBytes(of: list)).map { String(decoding: $0, as: UTF8.self) }?.contains("secret") != true)
      }
    }
  }

  @Test(arguments: ["/proc/nothing", "/dev/null/x"])
  func `a folder that cannot be created is reported`(folder: String) async throws {
    let downloads = TestDownloads(in: folder)
    let reason = try await downloads.download(try .of("http://127.0.0.1:1/x")).reason
    #expect(reason?.hasPrefix(folder + "/videos: ") == true)
  }
}
