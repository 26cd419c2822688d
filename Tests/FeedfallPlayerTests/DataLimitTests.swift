import FeedfallApp
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallPlayer

@Suite(.hangLimit, .withMPV, .serialized) struct DataLimitTests {
  private let now = SuspendingClock.now

  private func request(_ limit: Int?) throws -> PlayRequest {
    var request = PlayRequest(
      id: PlayID(1), address: .web(try #require(WebAddress("https://a.example/b.mp4"))), title: "A video")
    request.byteLimit = limit
    return request
  }

  private func loaded(_ count: Int) throws -> MPVMessage {
    let line = #"{"event":"property-change","id":7,"name":"demuxer-cache-state","data":{"total-bytes":\#(count)}}"#
    return try #require(MPVMessage(line: Array(line.utf8)))
  }

  /// A client whose file is ready.
  private func client(limit: Int?) throws -> MPVClient {
    var client = MPVClient(hasDisplay: false, networkTimeout: .seconds(10))
    client.processStarted()
    _ = client.drainCommands()
    client.handle(.load(try request(limit)), at: now)
    client.handle(.reply(number: 1, entry: 1), at: now)
    client.handle(.fileStarted(entry: 1), at: now)
    client.handle(.playbackRestarted, at: now)
    _ = client.drainReports()
    return client
  }

  @Test func `mpv gets the limit of a file, and no limit for the next one`() throws {
    var limited = try client(limit: 5_000)
    let line = String(decoding: try #require(limited.drainCommands().last).line, as: UTF8.self)
    #expect(line.contains(#""demuxer-max-back-bytes":"5000","demuxer-max-bytes":"5000""#))
    limited.handle(.load(try request(nil)), at: now)
    let next = limited.drainCommands().map { String(decoding: $0.line, as: UTF8.self) }
    #expect(!next.contains { $0.contains("demuxer-max-bytes") })
  }

  @Test func `a file that has reached its limit is stopped`() throws {
    var client = try client(limit: 5_000)
    client.handle(try loaded(4_999), at: now)
    #expect(client.drainReports() == [])
    client.handle(try loaded(5_000), at: now)
    #expect(client.drainReports() == [.event(PlayID(1), .ended(.reachedLimit))])
    #expect(client.drainCommands().last == MPVCommand("stop"))
  }

  @Test func `a lifted limit no longer stops the file`() throws {
    var client = try client(limit: 5_000)
    _ = client.drainCommands()
    client.handle(.liftLimit, at: now)
    let commands = client.drainCommands()
    #expect(commands.count == 4 && commands.last == .set("aid", "auto"))
    client.handle(try loaded(5_000), at: now)
    client.handle(.liftLimit, at: now)
    #expect(client.drainReports() == [] && client.drainCommands() == [])
  }

  @Test func `the sound device of a preview is missed only after the preview has become a video`() throws {
    var client = try client(limit: 5_000)
    let sound = MPVMessage.propertyChanged(.tracks([MediaTrack(kind: .sound, number: 1)]))
    client.handle(sound, at: now)
    client.handle(.propertyChanged(.time(1)), at: now + .seconds(1))
    #expect(!client.drainReports().contains(.event(PlayID(1), .sound(hasDevice: false))))
    client.handle(.liftLimit, at: now + .seconds(1))
    client.handle(.propertyChanged(.time(2)), at: now + .seconds(2))
    #expect(!client.drainReports().contains(.event(PlayID(1), .sound(hasDevice: false))))
    client.handle(.propertyChanged(.time(4)), at: now + .seconds(4))
    #expect(client.drainReports().contains(.event(PlayID(1), .sound(hasDevice: false))))
  }

  @Test(.withLibrary) func `mpv counts the data of a file and stops at the limit`() async throws {
    let player = TestPlayer()
    try player.load(1, Clips.long) { $0.byteLimit = 1 }
    try await player.expectEnd(1, .reachedLimit)
    try player.load(2, Clips.wide) { ($0.byteLimit, $0.startSeconds) = (100_000_000, 3) }
    try await player.waitUntilReady(2)
    player.perform(.liftLimit)
    try await player.expectEnd(2, .reachedEnd)
  }

  @Test(.withLibrary) func `a preview has no sound track until the limit is lifted`() async throws {
    let player = TestPlayer()
    try player.load(1, Clips.rich) { $0.byteLimit = 100_000_000 }
    try await player.waitUntilReady(1)
    func isSoundSelected(_ player: TestPlayer) -> Bool? {
      let tracks = player.events(1).compactMap { if case .tracks(let tracks) = $0 { tracks } else { nil } }.last
      return tracks.map { $0.contains { $0.kind == .sound && $0.isSelected } }
    }
    try await player.waitUntil { isSoundSelected($0) == false }
    player.perform(.liftLimit)
    try await player.waitUntil { isSoundSelected($0) == true }
    #expect(!player.events(1).contains(.sound(hasDevice: false)))
  }
}
