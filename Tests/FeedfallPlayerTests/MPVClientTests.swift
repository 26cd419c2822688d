import FeedfallApp
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

@Suite(.hangLimit) struct MPVClientTests {
  private var client = MPVClient(hasDisplay: true, networkTimeout: .seconds(10))
  private let start = SuspendingClock.now
  private static let cells = Presentation.cells(Size(width: 20, height: 10), .whole)

  private func request(_ id: Int) throws -> PlayRequest {
    PlayRequest(
      id: PlayID(id), address: .web(try #require(WebAddress("https://a.example/b.mp4"))), title: "\"A\" video\n")
  }

  /// Loads a video as playlist entry 1 and makes it ready.
  private mutating func begin(_ form: MPVConfiguration.Form = .library) throws {
    client.handle(.configure(PlayerConfiguration(presentation: Self.cells)), at: start)
    client.processStarted(form)
    client.handle(.load(try request(7)), at: start)
    let load = try #require(client.drainCommands().last)
    client.handle(.reply(number: load.number, entry: 1), at: start)
    client.handle(.fileStarted(entry: 1), at: start)
    client.handle(.playbackRestarted, at: start)
    #expect(client.drainReports().first == .event(PlayID(7), .ready))
  }

  @Test(arguments: [
    (nil, PlayEvent.EndReason.failed(.outputFailed)), (true, .failed(.outputFailed)), (false, .reachedEnd),
  ])
  mutating func `without a sound device a film plays to its end, and sound alone fails`(
    isStill: Bool?, reason: PlayEvent.EndReason
  ) throws {
    try begin()
    var tracks = [MediaTrack(kind: .sound, number: 1)]
    if let isStill {
      tracks.append(MediaTrack(kind: .picture, number: 1))
      tracks[1].isStill = isStill
    }
    client.handle(.propertyChanged(.tracks(tracks)), at: start)
    client.handle(.fileEnded(entry: 1, .error("audio output initialization failed")), at: start + .seconds(1))
    #expect(client.drainReports().last == .event(PlayID(7), .ended(reason)))
  }

  @Test mutating func `a load is sent as escaped JSON`() throws {
    client.processStarted()
    _ = client.drainCommands()
    var request = try request(1)
    request.startSeconds = 61.5
    client.handle(.load(request), at: start)
    let lines = client.drainCommands().map { String(decoding: $0.line, as: UTF8.self) }
    #expect(
      lines == [
        #"{"command":["set_property","pause",false],"request_id":0}"# + "\n",
        #"{"command":{"flags":"replace","name":"loadfile","options":{"force-media-title":"\"A\" video\u000a","start":"61.500"},"#
          + #""url":"https://a.example/b.mp4"},"request_id":1}"# + "\n",
      ])
  }

  /// Fails the file that was loaded last as one whose index is at its end. Returns whether it is loaded again.
  private mutating func failIndex(byteCount: Int?, entry: Int) throws -> Bool {
    let load = try #require(client.drainCommands().last { "\($0.value)".contains("loadfile") })
    client.handle(.reply(number: load.number, entry: entry), at: start)
    client.handle(.fileStarted(entry: entry), at: start)
    client.handle(.propertyChanged(.length(.byteCount(byteCount))), at: start)
    client.handle(.logged(.notSeekable), at: start)
    client.handle(.fileEnded(entry: entry, .error("no audio or video data played")), at: start)
    client.handle(.propertyChanged(.length(.byteCount(nil))), at: start)
    let asked = try #require(client.drainCommands().last)
    client.handle(.reply(number: asked.number, entry: nil), at: start)
    return client.hasFile
  }

  @Test(arguments: [(Int?.some(0), true), (8 << 20, true), (8 << 20 + 1, false), (.max, false), (nil, false)])
  mutating func `only a small file of known size is buffered completely, and only once`(byteCount: Int?, isWhole: Bool)
    throws
  {
    client.processStarted()
    client.handle(.load(try request(7)), at: start)
    #expect(try failIndex(byteCount: byteCount, entry: 1) == isWhole)
    let failures = client.drainReports().filter { $0 == .event(PlayID(7), .ended(.failed(.notSeekable))) }
    #expect(failures.isEmpty == isWhole)
    guard isWhole else { return }
    #expect(try !failIndex(byteCount: byteCount, entry: 2))
    #expect(client.drainReports().contains(.event(PlayID(7), .ended(.failed(.notSeekable)))))
  }

  @Test mutating func `a completely buffered file has room to seek back, and keeps the user's settings`() throws {
    client.processStarted()
    client.handle(.load(try request(7)), at: start)
    client.handle(.propertyChanged(.isPaused(true)), at: start)
    client.handle(.seek(to: 30), at: start)
    #expect(try failIndex(byteCount: 600_000, entry: 1))
    let commands = client.drainCommands()
    let lines = commands.map { String(decoding: $0.line, as: UTF8.self) }
    #expect(lines.contains { $0.contains(#""stream-buffer-size":"16777216""#) })
    #expect(lines.contains { $0.contains(#""set_property","pause",true"#) })
    client.handle(.reply(number: commands.last?.number ?? 0, entry: 2), at: start)
    client.handle(.fileStarted(entry: 2), at: start)
    client.handle(.playbackRestarted, at: start)
    #expect(client.drainCommands().contains { String(decoding: $0.line, as: UTF8.self).contains(#""seek",30"#) })
  }

  @Test mutating func `a password is a part of the address, a token a header`() throws {
    client.processStarted()
    _ = client.drainCommands()
    var request = try request(1)
    request.headers = RequestHeaders(nil, authorization: .basic(user: "an na", password: "p@ss"))
    client.handle(.load(request), at: start)
    request.headers = RequestHeaders(nil, authorization: .other(HeaderValue(#"MediaBrowser Token="k""#)!))
    client.handle(.load(request), at: start)
    let lines = client.drainCommands().map { String(decoding: $0.line, as: UTF8.self) }.filter {
      $0.contains("loadfile")
    }
    #expect(lines.first?.contains(#""url":"https://an%20na:p%40ss@a.example/b.mp4""#) == true)
    #expect(lines.last?.contains(#""http-header-fields":"Authorization: MediaBrowser Token=\"k\"""#) == true)
    #expect(lines.last?.contains(#""url":"https://a.example/b.mp4""#) == true)
  }

  @Test(arguments: [false, true])
  mutating func `a loading mpv that is silent is asked after 5 s and given up after 10 s`(hasReplied: Bool) throws {
    client.processStarted()
    client.handle(.load(try request(7)), at: start)
    let load = try #require(client.drainCommands().last)
    if hasReplied { client.handle(.reply(number: load.number, entry: 1), at: start) }
    #expect(client.due == start + .seconds(5))
    client.tick(at: start + .seconds(5))
    #expect(client.drainCommands().count == 1)
    client.tick(at: start + .seconds(10) - .milliseconds(1))
    #expect(!client.isUnresponsive)
    client.tick(at: start + .seconds(10))
    #expect(client.isUnresponsive)
  }

  @Test mutating func `an mpv that hangs gets no more time with further loads`() throws {
    client.processStarted()
    for second in 0...3 {
      client.handle(.load(try request(second)), at: start + .seconds(3 * second))
      client.handle(.stop, at: start + .seconds(3 * second + 2))
      client.tick(at: start + .seconds(3 * second + 2))
    }
    client.tick(at: start + .seconds(16))
    #expect(client.isUnresponsive)
  }

  @Test mutating func `a load while another video plays has the time of a load`() throws {
    try begin()
    client.handle(.load(try request(8)), at: start + .seconds(1))
    client.tick(at: start + .seconds(5) - .milliseconds(1))
    #expect(client.due == start + .seconds(5))
  }

  @Test mutating func `a loading mpv that answers waits for a slow server`() throws {
    client.processStarted()
    client.handle(.load(try request(7)), at: start)
    _ = client.drainCommands()
    for round in 1...20 {
      client.tick(at: start + .seconds(5) * round)
      let question = try #require(client.drainCommands().first)
      client.handle(.reply(number: question.number, entry: nil), at: start + .seconds(5) * round)
    }
    #expect(!client.isUnresponsive)
  }

  @Test mutating func `a playing mpv that is silent is asked after 2.5 s and given up after 5 s`() throws {
    try begin()
    _ = client.drainCommands()
    let limit = MPVClient.SilenceWatch.limit(isLoading: false)
    client.tick(at: start + limit - .milliseconds(1))
    #expect(client.drainCommands().isEmpty)
    #expect(client.due == start + limit)
    client.tick(at: start + limit)
    let question = try #require(client.drainCommands().first)
    client.handle(.reply(number: question.number, entry: nil), at: start + limit * 1.5)
    client.tick(at: start + limit * 2)
    #expect(!client.isUnresponsive && client.drainCommands().isEmpty)
    client.tick(at: start + limit * 3)
    client.tick(at: start + limit * 4)
    #expect(client.isUnresponsive)
  }

  @Test(arguments: [MPVMessage.Property.isPaused(true), .isStalled(true)])
  mutating func `an mpv that does not play may be silent`(property: MPVMessage.Property) throws {
    try begin()
    client.handle(.propertyChanged(property), at: start)
    for _ in 1...2 { client.tick(at: start + .seconds(3600)) }
    #expect(!client.isUnresponsive && client.due == nil)
  }

  @Test mutating func `an mpv that is silent after a pause is noticed`() throws {
    try begin()
    client.handle(.propertyChanged(.isPaused(true)), at: start)
    client.handle(.resume, at: start + .seconds(60))
    client.tick(at: start + .seconds(60))
    #expect(!client.isUnresponsive)
    client.tick(at: start + .seconds(63))
    client.tick(at: start + .seconds(66))
    #expect(client.isUnresponsive)
  }

  @Test mutating func `the headers of a request are options of its file alone`() throws {
    client.processStarted()
    _ = client.drainCommands()
    var request = try request(1)
    request.headers = RequestHeaders(userAgent: "Box \"1\", --x", referrer: "https://p.example/")
    client.handle(.load(request), at: start)
    let load = client.drainCommands().map { String(decoding: $0.line, as: UTF8.self) }.last
    #expect(load?.contains(#""referrer":"https://p.example/","user-agent":"Box \"1\", --x"}"#) == true)
  }

  @Test mutating func `a loop is set and cleared, also in a new mpv`() {
    var configuration = PlayerConfiguration(presentation: Self.cells)
    (configuration.loopsFile, configuration.loopPart) = (true, LoopMarks.Part(3, 9.5))
    let set: [MPVCommand] = [.set("loop-file", "inf"), .set("ab-loop-a", 3), .set("ab-loop-b", .number(9.5))]
    client.handle(.configure(configuration), at: start)
    for _ in 1...2 {
      client.processStarted()
      let commands = client.drainCommands()
      #expect(set.allSatisfy(commands.contains))
      client.processEnded(nil)
    }
    client.processStarted()
    _ = client.drainCommands()
    client.handle(.configure(PlayerConfiguration(presentation: Self.cells)), at: start)
    #expect(
      client.drainCommands() == [.set("loop-file", "no"), .set("ab-loop-a", "no"), .set("ab-loop-b", "no")])
  }

  @Test mutating func `each new mpv receives the configuration`() {
    client.handle(.configure(PlayerConfiguration(volume: 70, rate: 2)), at: start)
    #expect(client.drainCommands().isEmpty)
    for _ in 1...2 {
      client.processStarted()
      let commands = client.drainCommands()
      #expect(commands.contains(.set("volume", 70)))
      #expect(commands.contains(.set("speed", 2)))
      #expect(commands.contains(.set("vo", "libmpv")))
      client.processEnded(nil)
    }
    #expect(client.drainReports().isEmpty)
  }

  @Test mutating func `the user's configuration applies to windows without the protected options`() throws {
    client = MPVClient(hasDisplay: true, networkTimeout: .seconds(10), userConfiguration: "/own.conf")
    try begin()
    client.handle(.configure(PlayerConfiguration(volume: 40, presentation: Self.cells)), at: start)
    _ = client.drainCommands()
    client.handle(.configure(PlayerConfiguration(volume: 40, presentation: .window)), at: start)
    let commands = client.drainCommands()
    #expect(commands.contains(.set("include", "/own.conf")))
    for command: MPVCommand in [.set("keep-open", "no"), .set("load-unsafe-playlists", "no"), .set("volume", 40)] {
      #expect(commands.contains(command))
    }
    client.handle(.configure(PlayerConfiguration(presentation: Self.cells)), at: start)
    #expect(!client.drainCommands().contains(.set("include", "/own.conf")))
  }

  @Test mutating func `sound only disables the picture once there is a sound device`() throws {
    try begin()
    let hiding: [MPVCommand] = [.setFrameSize(.zero), .set("vo", "libmpv"), .set("vid", "auto")]
    client.handle(.configure(PlayerConfiguration(presentation: .soundOnly)), at: start)
    #expect(client.drainCommands() == hiding)
    client.handle(.propertyChanged(.soundOutput("pulse")), at: start)
    #expect(client.drainCommands() == [.set("vid", "no")])
    client.handle(.propertyChanged(.soundOutput(nil)), at: start)
    #expect(client.drainCommands() == hiding)
  }

  @Test mutating func `libmpv shows the ordered cells again after the program has played`() throws {
    try begin(.program)
    client.processEnded(nil)
    client.processStarted(.library)
    #expect(client.drainCommands().contains(.setFrameSize(Size(width: 40, height: 20))))
    #expect(client.configuration.presentation == Self.cells)
  }

  @Test mutating func `the program shows a picture in a window, and in the terminal plays the sound`() throws {
    try begin(.program)
    client.handle(.propertyChanged(.soundOutput("pulse")), at: start)
    #expect(client.drainCommands() == [.set("vid", "no")])
    client.handle(.configure(PlayerConfiguration(presentation: .window)), at: start)
    let commands = client.drainCommands()
    #expect(commands.suffix(2) == [.set("vo", .text(MPVConfiguration.windowOutputs)), .set("vid", "auto")])
    for presentation in [Self.cells, .pixels(Size(width: 320, height: 180), .whole)] {
      client.handle(.configure(PlayerConfiguration(presentation: presentation)), at: start)
    }
    #expect(client.drainCommands() == [.set("vid", "no")])
  }

  @Test mutating func `the library hides a picture that it cannot seek back to`() throws {
    try begin()
    client.handle(.propertyChanged(.soundOutput("pulse")), at: start)
    client.handle(.propertyChanged(.isSeekable(false)), at: start)
    _ = client.drainCommands()
    client.handle(.configure(PlayerConfiguration(presentation: .soundOnly)), at: start)
    #expect(client.drainCommands() == [.setFrameSize(.zero), .set("vo", "libmpv"), .set("vid", "auto")])
  }

  @Test mutating func `another size is sent, and the same size sends nothing`() throws {
    try begin()
    client.handle(.configure(PlayerConfiguration(presentation: Self.cells)), at: start)
    #expect(client.drainCommands().isEmpty)
    client.handle(.configure(PlayerConfiguration(presentation: .cells(Size(width: 30, height: 10), .whole))), at: start)
    #expect(client.drainCommands().contains(.setFrameSize(Size(width: 60, height: 20))))
  }

  @Test mutating func `the position is reported ten times a second and before the end`() throws {
    try begin()
    for frame in 0..<30 {
      let time = Double(frame) / 30
      client.handle(.propertyChanged(.time(time)), at: start + .seconds(time))
    }
    let times = client.drainReports()
    #expect((8...11).contains(times.count))
    client.handle(.fileEnded(entry: 1, .eof), at: start + .seconds(1))
    #expect(
      client.drainReports() == [
        .event(PlayID(7), .time(seconds: 29.0 / 30)), .event(PlayID(7), .ended(.reachedEnd)),
      ])
  }

  @Test mutating func `a seek without an order is reported after the position before it`() throws {
    try begin()
    client.handle(.propertyChanged(.time(50)), at: start)
    client.handle(.propertyChanged(.time(50.05)), at: start + .milliseconds(50))
    _ = client.drainReports().first
    client.handle(.seekStarted, at: start + .milliseconds(60))
    #expect(client.drainReports() == [.event(PlayID(7), .time(seconds: 50.05)), .event(PlayID(7), .jumped)])
    client.handle(.seek(to: 10), at: start + .milliseconds(200))
    client.handle(.seekStarted, at: start + .milliseconds(210))
    #expect(client.drainReports() == [])
  }

  @Test mutating func `an end after the connection broke before the announced end is no end of the video`() throws {
    try begin()
    client.handle(.propertyChanged(.isSeekable(false)), at: start)
    client.handle(.logged(.length(.connectionEnded(isAnnounced: true))), at: start)
    client.handle(.fileEnded(entry: 1, .eof), at: start)
    #expect(client.drainReports() == [.event(PlayID(7), .ended(.cutOff))])
  }

  @Test mutating func `mpv is stopped after the end of a file`() throws {
    try begin()
    client.handle(.fileEnded(entry: 1, .eof), at: start)
    #expect(client.drainCommands() == [MPVCommand("stop")])
    #expect(client.drainReports() == [.event(PlayID(7), .ended(.reachedEnd))])
  }

  @Test mutating func `a playlist is replaced by its first entry`() throws {
    try begin()
    client.handle(.fileEnded(entry: 1, .redirect(toEntry: 2)), at: start)
    client.handle(.fileStarted(entry: 2), at: start)
    client.handle(.propertyChanged(.length(.duration(5))), at: start)
    client.handle(.propertyChanged(.cache(LengthWatch.Cache(end: 1))), at: start)
    #expect(client.drainReports().first == .event(PlayID(7), .length(.stated(5))))
  }

  @Test mutating func `a delayed position is reported when it is due`() throws {
    try begin()
    client.handle(.propertyChanged(.time(1)), at: start)
    client.handle(.propertyChanged(.time(1.03)), at: start + .milliseconds(30))
    #expect(client.drainReports() == [.event(PlayID(7), .time(seconds: 1))])
    #expect(client.due == start + .milliseconds(100))
    client.tick(at: start + .milliseconds(100))
    #expect(client.drainReports() == [.event(PlayID(7), .time(seconds: 1.03))])
    #expect(client.due == start + .milliseconds(30) + MPVClient.SilenceWatch.limit(isLoading: false))
  }

  @Test mutating func `messages about an earlier file are ignored`() throws {
    try begin()
    client.handle(.load(try request(8)), at: start)
    let load = try #require(client.drainCommands().last)
    client.handle(.propertyChanged(.length(.duration(9))), at: start)
    client.handle(.reply(number: load.number, entry: 2), at: start)
    client.handle(.propertyChanged(.time(3)), at: start)
    client.handle(.fileEnded(entry: 1, .stop), at: start)
    client.handle(.playbackRestarted, at: start)
    #expect(client.drainReports().isEmpty)
    client.handle(.fileStarted(entry: 2), at: start)
    client.handle(.propertyChanged(.length(.duration(9))), at: start)
    client.handle(.propertyChanged(.cache(LengthWatch.Cache(end: 1))), at: start)
    #expect(client.drainReports().first == .event(PlayID(8), .length(.stated(9))))
  }

  @Test mutating func `a log message after the end still determines the failure`() throws {
    client.processStarted()
    client.handle(.load(try request(7)), at: start)
    let load = try #require(client.drainCommands().last)
    client.handle(.reply(number: load.number, entry: 1), at: start)
    client.handle(.fileStarted(entry: 1), at: start)
    client.handle(.fileEnded(entry: 1, .error("loading failed")), at: start)
    let question = try #require(client.drainCommands().last)
    client.handle(.logged(.source(.http(status: 404))), at: start)
    #expect(client.drainReports().isEmpty)
    client.handle(.reply(number: question.number, entry: nil), at: start)
    #expect(client.drainReports() == [.event(PlayID(7), .ended(.failed(.http(status: 404))))])
  }

  @Test mutating func `a paused mpv must respond to a seek`() throws {
    try begin()
    client.handle(.propertyChanged(.isPaused(true)), at: start)
    client.tick(at: start + .seconds(60))
    _ = client.drainCommands()
    #expect(client.due == nil)
    let time = start + .seconds(100)
    client.handle(.seek(to: 5), at: time)
    _ = client.drainCommands()
    let question = try #require(client.due)
    client.tick(at: question)
    #expect(client.drainCommands().count == 1)
    #expect(!client.isUnresponsive)
    let end = try #require(client.due)
    client.tick(at: end)
    #expect(client.isUnresponsive)
    #expect(end <= time + .seconds(10))
  }

  @Test mutating func `a failed seek completes`() throws {
    try begin()
    client.handle(.seek(to: 5), at: start)
    let seek = try #require(client.drainCommands().last)
    client.handle(.errorReply(number: seek.number, error: "error running command"), at: start)
    #expect(client.drainReports() == [.event(PlayID(7), .seekCompleted)])
  }

  @Test mutating func `the end of mpv fails a screenshot in progress`() throws {
    try begin()
    client.handle(.propertyChanged(.pictureOutput("libmpv")), at: start)
    _ = client.drainReports()
    client.takeScreenshot(to: "/a.png", at: start)
    client.processEnded(.crashed)
    #expect(client.drainReports() == [.screenshotFailed(reason: "the player has ended"), .unavailable(.crashed)])
  }

  @Test mutating func `a screenshot is saved after its deadline at any size`() throws {
    try begin()
    client.handle(.propertyChanged(.pictureOutput("libmpv")), at: start)
    client.handle(.propertyChanged(.fileSize(Size(width: 640, height: 360))), at: start)
    _ = (client.drainReports(), client.drainCommands())
    client.takeScreenshot(to: "/a.png", at: start)
    #expect(client.drainCommands().isEmpty)
    client.handle(.propertyChanged(.outputSize(Size(width: 40, height: 22))), at: start)
    #expect(client.drainCommands() == [.set("vf", "")])
    let due = try #require(client.due)
    client.tick(at: due)
    let shot = try #require(client.drainCommands().last)
    client.handle(.reply(number: shot.number, entry: nil), at: due)
    #expect(client.drainReports() == [.screenshotSaved(path: "/a.png")])
    var configuration = MPVConfiguration(userConfiguration: nil)
    _ = configuration.adopt(PlayerConfiguration(presentation: Self.cells))
    #expect(client.drainCommands() == configuration.filterCommands)
  }

  @Test mutating func `a screenshot of a picture that is not scaled leaves the next one as it is`() throws {
    try begin()
    let size = Size(width: 40, height: 22)
    for property in [MPVMessage.Property.pictureOutput("libmpv"), .fileSize(size), .outputSize(size)] {
      client.handle(.propertyChanged(property), at: start)
    }
    _ = (client.drainReports(), client.drainCommands())
    for _ in 0..<2 {
      client.takeScreenshot(to: "/a.png", at: start)
      let commands = client.drainCommands()
      let shot = try #require(commands.last)
      #expect(commands == [MPVCommand("screenshot-to-file", "/a.png", "video", number: shot.number)])
      client.handle(.reply(number: shot.number, entry: nil), at: start)
      #expect(client.drainReports() == [.screenshotSaved(path: "/a.png")])
      #expect(client.drainCommands().isEmpty)
    }
  }
}
