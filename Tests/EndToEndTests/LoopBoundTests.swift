import CFeedfallPty
import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallApp
@testable import FeedfallMedia
@testable import FeedfallPlayer
@testable import FeedfallProgram
@testable import FeedfallSources
@testable import FeedfallTerminal
@testable import FeedfallWeb

/// A loop of the program that talks to a server, a child process or the terminal, and the peer that would keep it
/// going.
struct LoopBound: Sendable, CustomTestStringConvertible {
  let name: String
  /// The most steps that the peer may see.
  let bound: Int
  /// Drives the loop to its end, and returns the number of steps.
  let drive: @Sendable () async throws -> Int

  var testDescription: String { name }

  init(_ name: String, atMost bound: Int, _ drive: @escaping @Sendable () async throws -> Int) {
    (self.name, self.bound, self.drive) = (name, bound, drive)
  }
}

/// The loops that depend on a peer. A new one gets its row here.
///
/// Others have their limits in tests of their own, because their peers are whole programs: `FloodTests` (messages of
/// mpv) and `MarkExchangesTests` (marks that a server does not accept).
@Suite(.hangLimit) struct LoopBoundTests {
  @Test(arguments: servers + loads + programs + devices + terminals + files)
  func `a hostile peer cannot keep a loop going`(
    _ row: LoopBound
  )
    async throws
  {
    let count = try await row.drive()
    #expect((1...row.bound).contains(count), "\(count) steps")
  }

  // MARK: - Servers

  static let servers: [LoopBound] = [
    LoopBound("the walk to a first page", atMost: 2 * Walk.maximumCount) {
      let link = "<link rel=alternate type=application/rss+xml href=/feed/2>"
      return try await requests { _ in
        .answer(.html("<!doctype html><title>Loop</title>" + link, status: 500))
      } _: { origin in
        _ = await page(of: origin + "/api/v1/channels/UCabc/videos")
      }
    },
    LoopBound("redirects", atMost: 11) {
      try await requests {
        .answer(.redirect(to: $0.path + "a"))
      } _: {
        _ = await page(of: $0)
      }
    },
    LoopBound("conditional requests", atMost: 2) {
      try await requests { _ in
        .answer(TestAnswer("", status: 304))
      } _: {
        _ = await page(of: $0)
      }
    },
    LoopBound("second requests after a failure", atMost: 2) {
      try await requests { _ in
        .cut(TestAnswer("12345"), after: 2)
      } _: {
        _ = await page(of: $0)
      }
    },
    LoopBound("the answers of one page", atMost: WebPageRequest.maximumStepCount) {
      try await requests { request in
        .answer(WalkCases.feed(0..<0, next: "/\((Int(request.path.dropFirst()) ?? 0) + 1)"))
      } _: {
        _ = await page(of: $0 + "/0")
      }
    },
    LoopBound("pages of a command without a video", atMost: 60) {
      try await requests { request in
        .answer(WalkCases.feed(0..<0, next: "/\((Int(request.path.dropFirst()) ?? 0) + 1)"))
      } _: { origin in
        var load = Listing.PageLoad(RetryingSource(try source(origin + "/0"), timeoutSeconds: 600), pageCount: .max)
        while await load.next() != nil {}
      }
    },
    LoopBound("waits that a server asks for", atMost: 3) {
      try await requests { _ in
        .answer(WalkCases.refusal(429, retryAfter: 1))
      } _: { origin in
        _ = await RetryingSource(try source(origin), timeoutSeconds: 1.5).page(.start, .revalidated)
      }
    },
    LoopBound("an answer that arrives without an end", atMost: 1) {
      let answer = TestAnswer(String(repeating: "a", count: 1 << 20))
      return try await requests { _ in
        .drip(answer, everyMilliseconds: 5)
      } _: {
        _ = await page(of: $0, timeout: 0.1)
      }
    },
    LoopBound("a server that never answers", atMost: 1) {
      try await requests { _ in
        .silence
      } _: {
        _ = await page(of: $0, timeout: 0.1)
      }
    },
    LoopBound("the lists of an account of the Google Reader API", atMost: 30) {
      try await requests { request in
        switch request.path.split(separator: "/").last {
        case "ClientLogin": .answer(TestAnswer("Auth=x\n"))
        case "list": .answer(TestAnswer(#"{"subscriptions":[]}"#))
        case "ids": .answer(TestAnswer(#"{"itemRefs":[{"id":"7"}],"continuation":"\#(UUID())"}"#))
        default: .answer(TestAnswer(#"{"items":[]}"#))
        }
      } _: { origin in
        _ = await page(of: "greader+\(origin)", login: SourceLogin(user: "anna", passwordCommand: "echo x"))
      }
    },
    LoopBound("the libraries of a Jellyfin server without a video", atMost: 40) {
      try await requests { request in
        switch request.path {
        case "/Users/Me": .answer(TestAnswer(#"{"Id":"u1","Name":"anna"}"#))
        case "/UserViews": .answer(TestAnswer(#"{"Items":[{"Id":"films","Name":"Films"}]}"#))
        default: .answer(TestAnswer(#"{"Items":[{"Id":"x"}],"TotalRecordCount":1000000}"#))
        }
      } _: { origin in
        _ = await page(of: "jellyfin+\(origin)", login: SourceLogin(passwordCommand: "echo key"))
      }
    },
    LoopBound("folders in folders on a WebDAV server", atMost: 20) {
      try await requests { request in
        let start = "<?xml version='1.0'?><d:multistatus xmlns:d='DAV:'>"
        let names = [request.path, request.path + "x/"].map { name in
          "<d:response><d:href>\(name)</d:href><d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype>"
            + "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
        }
        return .answer(TestAnswer(start + names.joined() + "</d:multistatus>", status: 207))
      } _: { origin in
        let folder = try source("dav" + origin.dropFirst(4) + "/")
        var cursor: FeedCursor? = .start
        while let place = cursor { cursor = try? await folder.page(place, .revalidated).get().next }
      }
    },
    LoopBound("a cover behind a circle of redirects", atMost: 11) {
      try await requests {
        .answer(.redirect(to: $0.path == "/a" ? "/b" : "/a"))
      } _: {
        await loadCover($0 + "/a")
      }
    },
    LoopBound("a cover that arrives without an end", atMost: 1) {
      let answer = TestAnswer(String(repeating: "a", count: 1 << 20))
      return try await requests { _ in
        .drip(answer, everyMilliseconds: 5)
      } _: {
        await loadCover($0, timeout: 0.5)
      }
    },
    LoopBound("a cover whose server asks to wait", atMost: 1) {
      try await requests { _ in
        .answer(WalkCases.refusal(429, retryAfter: 0))
      } _: {
        await loadCover($0, count: 10)
      }
    },
  ]

  // MARK: - The loader and downloads

  static let loads: [LoopBound] = [
    LoopBound("pages without a new video on the screen", atMost: 4) {
      var loader = Loader<Int, String>(firstCursor: 0)
      var (effects, count) = (loader.handle(.refreshRequested), 0)
      while case .request(let cursor, let ticket)? = effects.first, count < 1_000 {
        count += 1
        effects = loader.handle(.pageArrived(ticket, next: cursor + 1, newItemCount: 0))
      }
      return count
    },
    LoopBound("waits that a server asks the screen for", atMost: 2) {
      var loader = Loader<Int, String>(firstCursor: 0)
      var (effects, count) = (loader.handle(.refreshRequested), 0)
      while let effect = effects.first, count < 1_000 {
        switch effect {
        case .request(_, let ticket):
          count += 1
          effects = loader.handle(.pageFailed(ticket, "busy", hold: .seconds(1)))
        case .wait(_, let ticket): effects = loader.handle(.waitElapsed(ticket))
        case .cancel: effects = []
        }
      }
      return count
    },
    LoopBound("a download of a file that keeps changing", atMost: 12) {
      try await withFolder { folder in
        try await requests { _ in
          let body = [UInt8](repeating: UInt8.random(in: 0...255), count: 300_000)
          return .cut(
            TestAnswer(body, headers: ["ETag": "\"\(UUID())\"", "Content-Type": "video/mp4"]), after: 100_000)
        } _: { origin in
          try await download(origin + "/film.mp4", to: folder)
        }
      }
    },
    LoopBound("redirects of a download", atMost: 12) {
      try await withFolder { folder in
        try await requests {
          .answer(.redirect(to: $0.path + "a"))
        } _: { origin in
          try await download(origin + "/film.mp4", to: folder)
        }
      }
    },
  ]

  // MARK: - Programs

  static let programs: [LoopBound] = [
    LoopBound("yt-dlp that prints without an end", atMost: 1) {
      try await calls("yes") { _ = await page(of: "yt-dlp:https://v.example/", ytDlp: $0) }
    },
    LoopBound("yt-dlp for a page that is no feed", atMost: 1) {
      try await calls("echo 'ERROR: x' >&2; exit 1") { program in
        try await withServer { _ in
          .answer(WalkCases.wait)
        } _: {
          _ = await page(of: $0.origin, ytDlp: program)
        }
      }
    },
    LoopBound("a password command that prints without an end", atMost: 1) {
      try await calls("yes") { program in
        _ = await page(of: "http://127.0.0.1:1/", login: SourceLogin(user: "a", passwordCommand: program))
      }
    },
    LoopBound("a program that never ends", atMost: 1) {
      try await calls("while :; do :; done") { program in
        _ = await HelperProgram(path: program, timeLimitSeconds: 1, maximumByteCount: 10).run([])
      }
    },
    LoopBound("ffprobe that prints without an end", atMost: 1) {
      try await calls("yes") { try await makeFrame(ffprobe: $0, ffmpeg: "/bin/false") }
    },
    LoopBound("ffmpeg that prints without an end", atMost: 2) {
      try await calls("yes") { program in
        try await withFolder { folder in
          let facts = #"{"format":{"format_name":"mp4","duration":"100"},"streams":[{"codec_type":"video"}]}"#
          try await makeFrame(ffprobe: try writeScript("echo '\(facts)'", to: folder + "/ffprobe"), ffmpeg: program)
        }
      }
    },
    LoopBound("messages of mpv without an end", atMost: 1_000_000) {
      var (gauge, count) = (FloodGauge(), 0)
      while gauge.accepts(1_000, rate: 1_000_000, burst: 8_000_000, at: .now), count < 1_000_000 { count += 1 }
      return count + 1
    },
  ]

  // MARK: - The terminal and the disk

  static let devices: [LoopBound] = [
    LoopBound("writes to a terminal that does not read", atMost: 1) {
      try await onThread {
        var inner: Int32 = -1
        let outer = pty_open(24, 80, &inner)
        defer { close(outer) }
        let device = try TerminalDevice(input: inner, output: inner)
        device.send([UInt8](repeating: 0x61, count: 4 << 20))
        return device.isHoldingBytes ? 1 : 0
      }
    },
    LoopBound("folders that link to themselves", atMost: 1) {
      try await withFolder { folder in
        try FileManager.default.createDirectory(atPath: folder + "/a", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder + "/a/loop", withDestinationPath: folder)
        let listing = try FolderWalk.list(Array(folder.utf8), name: "a") { false }
        return listing.files.isEmpty ? 1 : 0
      }
    },
  ]

  // MARK: - Helpers

  static func source(
    _ address: String, timeout: Double = 600, ytDlp: String? = nil, login: SourceLogin? = nil
  ) throws -> PageSource {
    var options = SourceOptions()
    (options.timeoutSeconds, options.login) = (timeout, login)
    options.ytDlp = YtDlpDirectory(YtDlp(program: ytDlp ?? ""))
    return try FeedSources.open(address, options: options)
  }

  static func page(
    of address: String, timeout: Double = 600, ytDlp: String? = nil, login: SourceLogin? = nil
  ) async -> Result<FeedPage, FeedFailure>? {
    await (try? source(address, timeout: timeout, ytDlp: ytDlp, login: login))?.page(.start, .revalidated)
  }

  private static func makeFrame(ffprobe: String, ffmpeg: String) async throws {
    let file = try #require(FileAddress(path: Array("/films/a.mp4".utf8)))
    let frame = VideoFrame(of: file, byteCount: 1, modified: UnixTime(seconds: 1))
    _ = try? await VideoFrames(path: ffmpeg, FileProbe(path: ffprobe)).picture(of: frame)
  }

  private static func loadCover(_ address: String, timeout: Double = 600, count: Int = 1) async {
    guard let address = WebAddress(address) else { return }
    let pictures = PictureRequests(cache: AnswerCache(), userAgent: "test/1", timeoutSeconds: timeout)
    for _ in 0..<count { _ = try? await pictures.bytes(of: .web(address)) }
  }

  /// Downloads a file until that succeeds or fails.
  private static func download(_ address: String, to folder: String) async throws {
    var tools = DownloadTools(userAgent: "test/1")
    (tools.ffmpegPath, tools.ffprobePath) = (nil, nil)
    tools.ytDlp = YtDlpDirectory(YtDlp(program: ""))
    tools.pause = { _ in }
    tools.outage = { _ in nil }
    final class End: Sendable { let hasCome = Atomic(false) }
    let end = End()
    let report: @Sendable (VideoKey, DownloadState?) -> Void = { _, state in
      switch state {
      case .waiting, .running, nil: break
      case .done, .stalled, .failed: end.hasCome.store(true, ordering: .relaxed)
      }
    }
    let downloader = Downloader(
      folder: { folder }, list: DownloadList(path: nil), tools: tools, executor: globalConcurrentExecutor,
      report: report)
    let video = Video(single: .web(try #require(WebAddress(address))))
    downloader.add(try Downloading.request(for: video, UserData(), maximumHeight: nil))
    try await eventually("\(address) has ended") { end.hasCome.load(ordering: .relaxed) }
    downloader.close()
  }

  static func requests(
    _ answering: @escaping TestServer.Answering, _ body: (String) async throws -> Void
  ) async throws -> Int {
    try await withServer(answering) { server in
      try await body(server.origin)
      return server.requests.count
    }
  }

  /// Returns how often a script with these lines was started.
  static func calls(_ lines: String, _ body: (String) async throws -> Void) async throws -> Int {
    try await withFolder { folder in
      try await body(try writeScript("echo called >> '\(folder)/calls'\n\(lines)", to: folder + "/program"))
      return try fileBytes(of: folder + "/calls").count { $0 == 0x0A }
    }
  }
}
