import FeedfallApp
import FeedfallSystem
import Glibc
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// Failures of a real mpv with a scripted server.
@Suite(.hangLimit, .withMPV, .serialized) struct MPVPlayerFailureTests {
  private func withServer(
    _ answer: @escaping TestServer.Answering, _ body: (TestPlayer, TestServer) async throws -> Void
  ) async throws {
    let server = try TestServer(answer)
    defer { server.stop() }
    let player = TestPlayer()
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 40, height: 12), .whole))))
    try await body(player, server)
  }

  /// Answers every request with this file.
  private func file(_ bytes: [UInt8], _ type: String = "video/mp4") -> TestServer.Answering {
    { .answer(.media(bytes, type: type, for: $0)) }
  }

  private func expectEnd(_ end: PlayEvent.EndReason, _ answer: @escaping TestServer.Answering) async throws {
    try await withServer(answer) { player, server in
      try player.load(1, "\(server.origin)/a.mp4")
      try await player.expectEnd(1, end)
    }
  }

  @Test(.withLibrary, arguments: [403, 404, 410, 429, 500])
  func `an HTTP error is reported with its status`(status: Int) async throws {
    try await expectEnd(.failed(.http(status: status))) { _ in .answer(TestAnswer("no", status: status)) }
  }

  @Test(.withLibrary) func `an HTML page has an unrecognized format`() async throws {
    try await expectEnd(.failed(.unrecognizedFormat)) { _ in .answer(.html("<html><title>A page</title></html>")) }
  }

  @Test(.withLibrary) func `a file of subtitles has no streams`() async throws {
    let lines = "1\n00:00:00,000 --> 00:00:01,000\nhello\n"
    try await expectEnd(.failed(.noStreams)) { _ in .answer(TestAnswer(lines, headers: ["Content-Type": "text/plain"]))
    }
  }

  @Test(.withLibrary) func `a large file with its index at its end is not seekable on a server without ranges`()
    async throws
  {
    let clip = try #require(bytes(ofFile: Clips.late)) + [UInt8](repeating: 0, count: MPVCommand.maximumWholeByteCount)
    try await expectEnd(.failed(.notSeekable)) { _ in .answer(TestAnswer(clip, headers: ["Content-Type": "video/mp4"]))
    }
  }

  @Test(.withLibrary) func `a small file with its index at its end is buffered completely and plays`() async throws {
    let clip = try #require(bytes(ofFile: Clips.noise))
    #expect(clip.count > 500_000 && clip.count < MPVCommand.maximumWholeByteCount)
    try await expectEnd(.reachedEnd) { _ in .answer(TestAnswer(clip, headers: ["Content-Type": "video/mp4"])) }
  }

  @Test(.withLibrary) func `a refused connection and an unknown name are reported as such`() async throws {
    let player = TestPlayer()
    try player.load(1, "http://127.0.0.1:1/a.mp4")
    try await player.expectEnd(1, .failed(.refused))
    try player.load(2, "http://no.such.host.invalid/a.mp4")
    try await player.expectEnd(2, .failed(.nameNotFound))
  }

  @Test(.withLibrary) func `a missing file is reported as such`() async throws {
    let player = TestPlayer()
    try player.load(1, "/no/such/video.mp4")
    try await player.expectEnd(1, .failed(.missingFile(name: "video.mp4")))
  }

  @Test(.withLibrary) func `a silent server times out`() async throws {
    let server = try TestServer { _ in .silence }
    defer { server.stop() }
    let player = TestPlayer { $0.networkTimeoutSeconds = 1 }
    try player.load(1, "\(server.origin)/a.mp4")
    try await player.expectEnd(1, .failed(.timedOut))
  }

  @Test(.withLibrary) func `a truncated video ends early`() async throws {
    let clip = try #require(bytes(ofFile: Clips.wide))
    let half = Array(clip.prefix(clip.count / 2))
    try await withServer(file(half)) { player, server in
      try player.load(1, "\(server.origin)/a.mp4")
      try await player.expectEnd(1, .reachedEnd)
      #expect(player.events(1).contains(.length(.stated(4))))
      #expect(try #require(player.time(1)) < 3.5)
    }
  }

  @Test(.withLibrary) func `a broken connection is resumed`() async throws {
    let clip = try #require(bytes(ofFile: Clips.wide))
    let answering: TestServer.Answering = { request in
      let answer = TestAnswer.media(clip, type: "video/mp4", for: request)
      return request.headers["range"] == "bytes=0-" ? .reset(answer, after: clip.count / 2) : .answer(answer)
    }
    try await withServer(answering) { player, server in
      try player.load(1, "\(server.origin)/a.mp4") { $0.startSeconds = 1 }
      try await player.expectEnd(1, .reachedEnd)
      #expect(try #require(player.time(1)) > 3.5)
    }
  }

  @Test(.withLibrary) func `a video is seekable on a server that supports ranges`() async throws {
    let clip = try #require(bytes(ofFile: Clips.late))
    try await withServer(file(clip)) { player, server in
      try player.load(1, "\(server.origin)/a.mp4") { $0.isPaused = true }
      try await player.waitUntilReady(1)
      player.perform(.seek(to: 1.5))
      try await player.waitUntil { $0.events(1).contains(.seekCompleted) }
      #expect(abs(try #require(player.time(1)) - 1.5) < 0.05)
      #expect(server.requests.contains { $0.headers["range"] != nil })
    }
  }

  @Test(.withLibrary) func `an FLV video plays`() async throws {
    let clip = try #require(bytes(ofFile: Clips.flash))
    try await withServer(file(clip, "video/x-flv")) { player, server in
      try player.load(1, "\(server.origin)/a.flv")
      try await player.waitUntilReady(1)
      _ = try await player.frame(Size(width: 40, height: 12))
    }
  }

  @Test(.withLibrary) func `a slow server causes a stall, after which playback continues`() async throws {
    let clip = try #require(bytes(ofFile: Clips.wide))
    let answering: TestServer.Answering = { request in
      .slow(.media(clip, type: "video/mp4", for: request), bytesPerSecond: 60_000)
    }
    try await withServer(answering) { player, server in
      try player.load(1, "\(server.origin)/a.mp4")
      try await player.waitUntil { player in
        let stalls = player.events(1).drop { $0 != .ready }.filter { if case .stalled = $0 { true } else { false } }
        return stalls.contains(.stalled(true)) && stalls.last == .stalled(false)
      }
      #expect(player.events(1).contains { if case .buffered(let until) = $0 { until > 0 } else { false } })
    }
  }

  @Test func `a missing mpv is reported for each load`() async throws {
    let player = TestPlayer(.program) { $0.mpvPath = nil }
    try player.load(1, Clips.wide)
    let reports: [PlayerReport] = [.libraryUnusable(.missing), .unavailable(.notInstalled)]
    try await player.waitUntil { $0.reports == reports }
    try player.load(2, Clips.wide)
    try await player.waitUntil { $0.reports == reports + [.unavailable(.notInstalled)] }
    let gone = TestPlayer(.program) { $0.mpvPath = "/no/such/mpv" }
    try gone.load(1, Clips.wide)
    try await gone.waitUntil { $0.reports == reports }
  }

  @Test func `a program that is not mpv is reported as not started`() async throws {
    let player = TestPlayer(.program) { $0.mpvPath = "/usr/bin/false" }
    try player.load(1, Clips.wide)
    try await player.waitUntil { player in
      player.reports.contains { if case .unavailable(.notStarted) = $0 { true } else { false } }
    }
  }

  @Test(arguments: ["/no/such/host", "/usr/bin/false"]) func `without libmpv, the mpv program plays the sound`(
    host: String
  ) async throws {
    let player = TestPlayer(.program) { $0.hostPath = host }
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 40, height: 12), .whole))))
    let fault: PlayerReport.LibraryFault = host == "/usr/bin/false" ? .failing : .missing
    for id in 1...2 {
      try player.load(id, Clips.wide)
      try await player.waitUntilReady(id)
      #expect(
        player.reports.filter { if case .libraryUnusable = $0 { true } else { false } } == [.libraryUnusable(fault)])
    }
    #expect(!player.reports.contains { if case .unavailable = $0 { true } else { false } })
  }

  @Test func `libmpv that does not start for two previews, which the user has left, is not used for videos`()
    async throws
  {
    try await withFolder { folder in
      let gate = folder + "/gate"
      try #require(mkfifo(gate, 0o600) == 0)
      let path = try writeScript("echo >> '\(folder)/starts'; read line < '\(gate)'; exit 1", to: "\(folder)/host")
      let player = TestPlayer(.program) { $0.hostPath = path }
      for id in 1...2 {
        try player.load(id, Clips.long) { $0.byteLimit = 1_000_000 }
        try await player.waitUntil { _ in bytes(ofFile: "\(folder)/starts")?.count == id }
        player.perform(.stop)
        try await player.waitUntil { $0.end(id) == .stopped }
        // Opening the gate lets the host fail.
        close(open(gate, O_WRONLY))
        try await player.waitUntil { player in
          player.reports.count { if case .unavailable = $0 { true } else { false } } == id
        }
      }
      try await player.waitUntil { $0.reports.contains(.libraryUnusable(.failing)) }
      player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 20, height: 6), .whole))))
      try player.load(3, Clips.long)
      try await player.waitUntilReady(3)
      #expect(bytes(ofFile: "\(folder)/starts")?.count == 2)
    }
  }

  /// A host that crashes at its first start.
  private func hostCrashingOnce(_ folder: String) throws -> String {
    try writeScript(
      "[ -e '\(folder)/once' ] || { touch '\(folder)/once'; kill -ABRT $$; }\nexec '\(builtProgram("player-probe"))' \"$@\"",
      to: "\(folder)/host")
  }

  @Test(.withLibrary) func `libmpv is started again after one failed start, so that the video has its picture`()
    async throws
  {
    try await withFolder { folder in
      let path = try hostCrashingOnce(folder)
      let player = TestPlayer(.program) { $0.hostPath = path }
      player.perform(
        .configure(PlayerConfiguration(presentation: .pixels(Size(width: 160, height: 96), .whole))))
      try player.load(1, Clips.long)
      try await player.waitUntilReady(1)
      #expect(player.processID == nil)
      _ = try await player.frame(pixels: Size(width: 160, height: 96))
      #expect(!player.reports.contains { if case .libraryUnusable = $0 { true } else { false } })
    }
  }

  @Test(.withLibrary) func `a preview for which libmpv does not start ends, and the next video tries libmpv again`()
    async throws
  {
    try await withFolder { folder in
      let path = try hostCrashingOnce(folder)
      let player = TestPlayer(.program) { $0.hostPath = path }
      try player.load(1, Clips.long) { $0.byteLimit = 1_000_000 }
      try await player.waitUntil { $0.reports == [.unavailable(.crashed)] }
      try player.load(2, Clips.long)
      try await player.waitUntilReady(2)
      #expect(player.processID == nil)
      #expect(!player.reports.contains { if case .libraryUnusable = $0 { true } else { false } })
    }
  }
}
