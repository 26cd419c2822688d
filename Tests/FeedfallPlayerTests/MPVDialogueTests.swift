import FeedfallFeeds
import FeedfallPlaying
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// What is said to mpv and what is made of its words, without one.
@Suite(.hangLimit) struct MPVDialogueTests {
  private var dialogue = MPVDialogue(hasDisplay: true, networkTimeout: .seconds(10))
  private let start = ContinuousClock.now
  private static let cells = Presentation.cells(Size(width: 20, height: 10), .whole)

  private func request(_ id: Int) throws -> PlayRequest {
    PlayRequest(
      id: PlayID(id), address: .web(try #require(WebAddress("https://a.example/b.mp4"))), title: "\"A\" film\n")
  }

  /// A film that has been loaded as mpv's entry 1, and begun.
  private mutating func begin() throws {
    dialogue.obey(.setPresentation(Self.cells), at: start)
    dialogue.programStarted()
    dialogue.obey(.load(try request(7)), at: start)
    let load = try #require(dialogue.takeCommands().last)
    dialogue.hear(.answered(number: load.number, entry: 1), at: start)
    dialogue.hear(.started(entry: 1), at: start)
    dialogue.hear(.restarted, at: start)
    #expect(dialogue.takeReports() == [.playing(PlayID(7), .ready)])
  }

  @Test mutating func `an address, a title and options go as JSON, whatever is in them`() throws {
    dialogue.programStarted()
    _ = dialogue.takeCommands()
    var request = try request(1)
    request.startSeconds = 61.5
    dialogue.obey(.load(request), at: start)
    let lines = dialogue.takeCommands().map { String(decoding: $0.line, as: UTF8.self) }
    #expect(
      lines == [
        #"{"command":["set_property","pause",false],"request_id":0}"# + "\n",
        #"{"command":{"flags":"replace","name":"loadfile","options":{"force-media-title":"\"A\" film\u000a","start":"61.500"},"#
          + #""url":"https://a.example/b.mp4"},"request_id":1}"# + "\n",
      ])
  }

  @Test mutating func `what is wanted beforehand is told as soon as an mpv runs, and again to the next one`() {
    dialogue.obey(.setVolume(140), at: start)
    dialogue.obey(.setRate(.nan), at: start)
    #expect(dialogue.takeCommands().isEmpty)
    for _ in 1...2 {
      dialogue.programStarted()
      let commands = dialogue.takeCommands()
      #expect(commands.contains(.set("volume", 100)))
      #expect(commands.contains(.set("speed", 1)))
      #expect(commands.contains(.set("vo", "null")))
      dialogue.programEnded(nil)
    }
    #expect(dialogue.takeReports().isEmpty)
  }

  @Test mutating func `the person's own configuration holds for the window, and for nothing that all stands on`() throws
  {
    dialogue = MPVDialogue(hasDisplay: true, networkTimeout: .seconds(10), ownConfiguration: "/own.conf")
    try begin()
    dialogue.obey(.setVolume(40), at: start)
    _ = dialogue.takeCommands()
    dialogue.obey(.setPresentation(.window), at: start)
    let commands = dialogue.takeCommands()
    #expect(commands.first == .set("include", "/own.conf"))
    for kept: MPVCommand in [.set("keep-open", "no"), .set("load-unsafe-playlists", "no"), .set("volume", 40)] {
      #expect(commands.contains(kept))
    }
    dialogue.obey(.setPresentation(Self.cells), at: start)
    #expect(!dialogue.takeCommands().contains(.set("include", "/own.conf")))
  }

  @Test mutating func `a picture that is not wanted is left out as soon as there is sound`() throws {
    try begin()
    dialogue.obey(.setPresentation(.soundOnly), at: start)
    #expect(dialogue.takeCommands() == [.set("vo", "null"), .set("vid", "auto")])
    dialogue.hear(.property(.soundOutput("pulse")), at: start)
    #expect(dialogue.takeCommands() == [.set("vid", "no")])
    dialogue.hear(.property(.soundOutput(nil)), at: start)
    #expect(dialogue.takeCommands() == [.set("vo", "null"), .set("vid", "auto")])
  }

  @Test mutating func `another size begins the picture anew, the same size changes nothing`() throws {
    try begin()
    dialogue.obey(.setPresentation(Self.cells), at: start)
    #expect(dialogue.takeCommands().isEmpty)
    dialogue.obey(.setPresentation(.cells(Size(width: 30, height: 10), .whole)), at: start)
    let commands = dialogue.takeCommands()
    #expect(commands.contains(.set("vo", "null")))
    #expect(commands.last == .set("vo", "tct"))
  }

  @Test mutating func `the time is told ten times a second, and its last before an end`() throws {
    try begin()
    for frame in 0..<30 {
      let time = Double(frame) / 30
      dialogue.hear(.property(.time(time)), at: start + .seconds(time))
    }
    let times = dialogue.takeReports()
    #expect((8...11).contains(times.count))
    dialogue.hear(.ended(entry: 1, .atEnd), at: start + .seconds(1))
    #expect(
      dialogue.takeReports() == [
        .playing(PlayID(7), .time(seconds: 29.0 / 30)), .playing(PlayID(7), .ended(.reachedEnd)),
      ])
  }

  @Test mutating func `after its end mpv goes on with nothing else`() throws {
    try begin()
    dialogue.hear(.ended(entry: 1, .atEnd), at: start)
    #expect(dialogue.takeCommands() == [MPVCommand("stop")])
    #expect(dialogue.takeReports() == [.playing(PlayID(7), .ended(.reachedEnd))])
  }

  @Test mutating func `a list's first film takes its place`() throws {
    try begin()
    dialogue.hear(.ended(entry: 1, .replaced(byEntry: 2)), at: start)
    dialogue.hear(.started(entry: 2), at: start)
    dialogue.hear(.property(.duration(5)), at: start)
    #expect(dialogue.takeReports() == [.playing(PlayID(7), .duration(seconds: 5))])
  }

  @Test mutating func `what is held back is due, and told then`() throws {
    try begin()
    dialogue.hear(.property(.time(1)), at: start)
    dialogue.hear(.property(.time(1.03)), at: start + .milliseconds(30))
    #expect(dialogue.takeReports() == [.playing(PlayID(7), .time(seconds: 1))])
    #expect(dialogue.due == start + .milliseconds(100))
    dialogue.tick(at: start + .milliseconds(100))
    #expect(dialogue.takeReports() == [.playing(PlayID(7), .time(seconds: 1.03))])
    #expect(dialogue.due == nil)
  }

  @Test mutating func `what is told of an older film counts no more`() throws {
    try begin()
    dialogue.obey(.load(try request(8)), at: start)
    let load = try #require(dialogue.takeCommands().last)
    dialogue.hear(.property(.duration(9)), at: start)
    dialogue.hear(.answered(number: load.number, entry: 2), at: start)
    dialogue.hear(.property(.time(3)), at: start)
    dialogue.hear(.ended(entry: 1, .stopped), at: start)
    dialogue.hear(.restarted, at: start)
    #expect(dialogue.takeReports().isEmpty)
    dialogue.hear(.started(entry: 2), at: start)
    dialogue.hear(.property(.duration(9)), at: start)
    #expect(dialogue.takeReports() == [.playing(PlayID(8), .duration(seconds: 9))])
  }

  @Test mutating func `a complaint that comes after the end still says why`() throws {
    dialogue.programStarted()
    dialogue.obey(.load(try request(7)), at: start)
    let load = try #require(dialogue.takeCommands().last)
    dialogue.hear(.answered(number: load.number, entry: 1), at: start)
    dialogue.hear(.started(entry: 1), at: start)
    dialogue.hear(.ended(entry: 1, .failed("loading failed")), at: start)
    let question = try #require(dialogue.takeCommands().last)
    dialogue.hear(.complained(.source(.http(status: 404))), at: start)
    #expect(dialogue.takeReports().isEmpty)
    dialogue.hear(.answered(number: question.number, entry: nil), at: start)
    #expect(dialogue.takeReports() == [.playing(PlayID(7), .ended(.failed(.http(status: 404))))])
  }

  @Test mutating func `a place that cannot be sought is over too`() throws {
    try begin()
    dialogue.obey(.seek(to: 5), at: start)
    let seek = try #require(dialogue.takeCommands().last)
    dialogue.hear(.refused(number: seek.number, reason: "error running command"), at: start)
    #expect(dialogue.takeReports() == [.playing(PlayID(7), .sought)])
  }

  @Test mutating func `an mpv that ends while a picture is kept tells that too`() throws {
    try begin()
    dialogue.hear(.property(.pictureOutput("tct")), at: start)
    _ = dialogue.takeReports()
    dialogue.takePicture(at: "/a.png", at: start)
    dialogue.programEnded(.crashed)
    #expect(dialogue.takeReports() == [.pictureNotTaken(reason: "the player has ended"), .gone(.crashed)])
  }

  @Test mutating func `a picture is taken in the end, whatever size mpv comes to`() throws {
    try begin()
    dialogue.hear(.property(.pictureOutput("tct")), at: start)
    dialogue.hear(.property(.pictureSize(PixelSize(width: 640, height: 360))), at: start)
    _ = (dialogue.takeReports(), dialogue.takeCommands())
    dialogue.takePicture(at: "/a.png", at: start)
    #expect(dialogue.takeCommands().isEmpty)
    dialogue.hear(.property(.shownSize(PixelSize(width: 40, height: 22))), at: start)
    #expect(dialogue.takeCommands() == [.set("vf", "")])
    let due = try #require(dialogue.due)
    dialogue.tick(at: due)
    let shot = try #require(dialogue.takeCommands().last)
    dialogue.hear(.answered(number: shot.number, entry: nil), at: due)
    #expect(dialogue.takeReports() == [.pictureTaken(path: "/a.png")])
    #expect(dialogue.takeCommands() == Self.cells.filterCommands)
  }

  // MARK: - Lines

  @Test(arguments: [
    "", "x", "{}", "[]", "{\"event\":1}", "{\"event\":\"start-file\"}", "{\"event\":\"end-file\",\"reason\":\"eof\"}",
    "{\"request_id\":\"x\",\"error\":7}", "{\"event\":\"property-change\",\"name\":\"no-such\",\"data\":1}",
    "{\"event\":\"idle\"",
    "{\"event\":\"log-message\",\"text\":\"all is well\"}",
  ])
  func `a line that says nothing is no message`(line: String) {
    #expect(MPVMessage(line: Array(line.utf8)) == nil)
  }

  @Test func `words of a film are cleaned`() {
    let line =
      #"{"event":"property-change","name":"track-list","data":[{"id":1,"type":"sub","title":"a\u001b[2J\nb","lang":"de"}]}"#
    let track = MediaTrack(kind: .subtitles, number: 1, title: "a[2J b", language: "de")
    #expect(MPVMessage(line: Array(line.utf8)) == .property(.tracks([track])))
  }

  @Test(arguments: [
    ("http: HTTP error 404 Not Found", MPVComplaint.source(.http(status: 404))),
    ("https: HTTP error 503 Service Unavailable", .source(.http(status: 503))),
    ("tcp: Failed to resolve hostname a.invalid: Name or service not known", .source(.unreachable)),
    ("tcp: Connection to tcp://127.0.0.1:1 failed: Connection refused", .source(.unreachable)),
    ("Error opening/initializing the selected video_out (--vo) device.", .noPictureOutput),
  ])
  func `mpv's complaints are understood`(text: String, complaint: MPVComplaint) {
    #expect(MPVComplaint(text) == complaint)
  }

  @Test func `lines are put together from pieces, and too long ones left out`() {
    var splitter = LineSplitter()
    #expect(splitter.take(Array("ab".utf8)).isEmpty)
    #expect(splitter.take(Array("c\n\nd".utf8)) == [Array("abc".utf8), []])
    for _ in 0..<17 { #expect(splitter.take([UInt8](repeating: 65, count: 1 << 16)).isEmpty) }
    #expect(splitter.take(Array("e\nf\n".utf8)) == [Array("f".utf8)])
  }

  @Test func `the folder for pictures is the person's own`() {
    #expect(PictureFile.namedFolder(inLine: "XDG_PICTURES_DIR=\"$HOME/Bilder\"\n", home: "/home/a") == "/home/a/Bilder")
    #expect(PictureFile.namedFolder(inLine: "XDG_PICTURES_DIR=\"/big/p\"\n", home: "/home/a") == "/big/p")
    #expect(PictureFile.namedFolder(inLine: "XDG_MUSIC_DIR=\"$HOME/Musik\"\n", home: "/home/a") == nil)
    #expect(PictureFile.namedFolder(inLine: "XDG_PICTURES_DIR=\"relative\"\n", home: "/home/a") == nil)
  }
}
