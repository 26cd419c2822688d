import FeedfallApp
import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallPlayer

@Suite(.hangLimit) struct MediaPlayerTests {
  private let start = ContinuousClock.now
  private let path = "/org/mpris/MediaPlayer2"
  private let interface = "org.mpris.MediaPlayer2.Player"

  private func player(_ now: NowPlaying? = nil) throws -> MediaPlayer {
    MediaPlayer(try now ?? .playing("one"), at: start)
  }

  private func call(_ member: String, _ arguments: BusValue..., on interface: String? = nil) -> BusMessage {
    BusMessage(path: path, interface: interface ?? self.interface, member: member, arguments: arguments)
  }

  private func property(_ name: String, of player: MediaPlayer, after seconds: Double = 0) -> BusValue? {
    let get = call("Get", .string(interface), .string(name), on: MediaPlayer.propertiesInterface)
    guard case .values(let values) = player.handle(get, at: start + .seconds(seconds)).reply,
      case .variant(let value)? = values.first
    else { return nil }
    return value
  }

  @Test func `the position advances while the video plays, up to its end`() throws {
    var now = try NowPlaying.playing("one")
    (now.position, now.duration) = (10, 20)
    var player = try player(now)
    #expect(property("Position", of: player) == .int64(10_000_000))
    #expect(property("Position", of: player, after: 4) == .int64(14_000_000))
    #expect(property("Position", of: player, after: 40) == .int64(20_000_000))
    now.rate = 2
    _ = player.update(now, at: start)
    #expect(property("Position", of: player, after: 4) == .int64(18_000_000))
    now.status = .paused
    _ = player.update(now, at: start)
    #expect(property("Position", of: player, after: 4) == .int64(10_000_000))
  }

  @Test func `the position stays while the video waits for data`() throws {
    var now = try NowPlaying.playing("one")
    now.isWaiting = true
    #expect(property("Position", of: try player(now), after: 4) == .int64(0))
  }

  @Test func `a report of the expected position sends no signal, a seek sends one`() throws {
    var now = try NowPlaying.playing("one")
    var player = try player(now)
    now.position = 2
    let isReported = player.update(now, at: start + .seconds(2))
    #expect(!isReported)
    let expected = player.drainSignals(at: start + .seconds(2))
    #expect(expected == [])
    now.position = 60
    let isSeekReported = player.update(now, at: start + .seconds(3))
    #expect(isSeekReported)
    let seeked = BusMessage(path: path, interface: interface, member: "Seeked", arguments: [.int64(60_000_000)])
    let first = player.drainSignals(at: start + .seconds(3))
    #expect(first == [seeked])
    let second = player.drainSignals(at: start + .seconds(3))
    #expect(second == [])
  }

  @Test func `signals contain only the properties that changed`() throws {
    var now = try NowPlaying.playing("one")
    var player = try player(now)
    (now.status, now.volume) = (.paused, 40)
    let isReported = player.update(now, at: start)
    #expect(isReported)
    let signals = player.drainSignals(at: start)
    let signal = try #require(signals.first)
    #expect(signal.member == "PropertiesChanged" && signal.interface == MediaPlayer.propertiesInterface)
    #expect(
      signal.arguments == [
        .string(interface),
        .properties([
          BusValue.Property(name: "PlaybackStatus", value: .string("Paused")),
          BusValue.Property(name: "Volume", value: .double(0.4)),
        ]), .strings([]),
      ])
  }

  @Test func `the metadata names the video, without the password of an address`() throws {
    var video = Video(id: "one", title: "A title", playback: .unknown)
    video.channel = "A channel"
    video.pageURL = WebAddress("https://me:secret@example.org/watch")
    let cover = try #require(WebAddress("https://me:secret@example.org/cover.jpg"))
    video.covers = [Cover(url: .web(cover))]
    var now = try NowPlaying.playing(video)
    now.duration = 90
    let properties: [(String, BusValue)] = [
      ("mpris:trackid", .path("/org/feedfall/track/1")), ("mpris:length", .int64(90_000_000)),
      ("mpris:artUrl", .string("https://example.org/cover.jpg")), ("xesam:title", .string("A title")),
      ("xesam:artist", .strings(["A channel"])), ("xesam:url", .string("https://example.org/watch")),
    ]
    #expect(property("Metadata", of: try player(now)) == .properties(properties.map(BusValue.Property.init)))
  }

  @Test(arguments: [
    ("Play", RemoteCommand.play), ("Pause", .pause), ("PlayPause", .togglePause), ("Stop", .stop), ("Next", .next),
    ("Previous", .previous),
  ])
  func `a method is a command`(name: String, command: RemoteCommand) throws {
    let (reply, received) = try player().handle(call(name), at: start)
    #expect(reply == .values([]))
    #expect(received == command)
  }

  @Test func `videos of two feeds with the same ID are two tracks`() throws {
    var videos = [Video(id: "1", title: "A", playback: .unknown), Video(id: "1", title: "B", playback: .unknown)]
    videos[0].scope = FeedScope(source: "https://a.example/feed")
    videos[1].scope = FeedScope(source: "https://b.example/feed")
    var player = try player(.playing(videos[0]))
    _ = player.update(try .playing(videos[1]), at: start)
    #expect(player.track == 2)
  }

  @Test func `positions are in microseconds, and those of another video are ignored`() throws {
    var player = try player()
    #expect(player.handle(call("Seek", .int64(-5_000_000)), at: start).command == .seek(by: -5))
    let track = BusValue.path("/org/feedfall/track/1")
    #expect(
      player.handle(call("SetPosition", track, .int64(7_500_000)), at: start).command
        == .setPosition(7.5, id: try NowPlaying.playing("one").item.key.text))
    _ = player.update(try .playing("two"), at: start)
    #expect(player.handle(call("SetPosition", track, .int64(7_500_000)), at: start) == (.values([]), nil))
  }

  @Test(
    arguments: [(String, BusValue, RemoteCommand?)]([
      ("Volume", BusValue.double(0.25), RemoteCommand.setVolume(25)), ("Volume", .double(-3), .setVolume(0)),
      ("Volume", .double(1e300), .setVolume(100)), ("Rate", .double(1.5), .setRate(1.5)), ("Rate", .double(0), .pause),
      ("Rate", .double(-1), nil), ("Rate", .double(1000), nil),
      ("LoopStatus", .string("None"), .setLoop(.off)), ("LoopStatus", .string("Track"), .setLoop(.video)),
      ("LoopStatus", .string("Playlist"), .setLoop(.list)), ("Shuffle", .bool(true), .setShuffle(true)),
    ]))
  func `setting a property is a command within its range`(
    name: String, value: BusValue, command: RemoteCommand?
  ) throws {
    let set = call("Set", .string(interface), .string(name), .variant(value), on: MediaPlayer.propertiesInterface)
    let (reply, received) = try player().handle(set, at: start)
    #expect(reply == .values([]))
    #expect(received == command)
  }

  @Test func `calls that make no sense fail and command nothing`() throws {
    let properties = MediaPlayer.propertiesInterface
    let calls: [(BusMessage, BusReply.Failure)] = [
      (call("Seek"), .unknownMethod), (call("Seek", .string("far")), .unknownMethod),
      (call("Next", .int64(1)), .unknownMethod), (call("SetPosition", .string("/x"), .int64(0)), .unknownMethod),
      (call("OpenUri", .string("file:///etc/passwd")), .notSupported), (call("Explode"), .unknownMethod),
      (call("Raise", on: "org.mpris.MediaPlayer2"), .notSupported), (call("Next", on: ""), .unknownMethod),
      (BusMessage(path: "/", interface: interface, member: "Next"), .unknownObject),
      (call("Get", .string("no.such"), .string("Volume"), on: properties), .invalidArguments),
      (call("Get", .string(interface), .string("Nothing"), on: properties), .unknownProperty),
      (call("Get", on: properties), .invalidArguments),
      (call("Set", .string(interface), .string("Metadata"), .variant(.double(1)), on: properties), .readOnly),
      (call("Set", .string(interface), .string("Nothing"), .variant(.double(1)), on: properties), .unknownProperty),
      (
        call("Set", .string(interface), .string("Volume"), .variant(.double(.nan)), on: properties), .invalidArguments
      ),
      (
        call("Set", .string(interface), .string("Volume"), .variant(.string("loud")), on: properties),
        .invalidArguments
      ),
      (call("Set", .string(interface), .string("Volume"), .double(1), on: properties), .invalidArguments),
      (
        call("Set", .string(interface), .string("LoopStatus"), .variant(.string("Forever")), on: properties),
        .invalidArguments
      ),
      (
        call("Set", .string(interface), .string("Shuffle"), .variant(.double(1)), on: properties), .invalidArguments
      ),
    ]
    for (call, failure) in calls {
      let (reply, command) = try player().handle(call, at: start)
      guard case .failure(failure, _) = reply else {
        Issue.record("\(call) was answered with \(reply)")
        continue
      }
      #expect(command == nil, "\(call)")
    }
  }

  @Test func `introspection leads to the object and describes it`() throws {
    let introspect = "org.freedesktop.DBus.Introspectable"
    func text(of path: String) throws -> String {
      let call = BusMessage(path: path, interface: introspect, member: "Introspect")
      guard case .values(let values) = try player().handle(call, at: start).reply,
        case .string(let text)? = values.first
      else { return "" }
      return text
    }
    #expect(try text(of: "/").contains("<node name=\"org\"/>"))
    #expect(try text(of: "/org/mpris").contains("<node name=\"MediaPlayer2\"/>"))
    #expect(try !text(of: "/elsewhere").contains("<node name"))
    #expect(try text(of: path).contains("<property name=\"Volume\" type=\"d\" access=\"readwrite\"/>"))
    #expect(try text(of: path).contains("<property name=\"LoopStatus\" type=\"s\" access=\"readwrite\"/>"))
    #expect(try text(of: path).contains("<property name=\"CanPlay\" type=\"b\" access=\"read\"/>"))
  }
}

extension NowPlaying {
  static func playing(_ id: String) throws -> NowPlaying {
    try playing(Video(id: id, title: "Title of \(id)", playback: .unknown))
  }

  /// A session that plays a video from its beginning.
  static func playing(_ video: Video) throws -> NowPlaying {
    var video = video
    let address = try #require(WebAddress("https://example.org/\(video.id).mp4"))
    video.playback = .direct([MediaFile(url: .web(address))])
    var session = PlaySession()
    _ = session.perform(.play(PlayItem(video)))
    _ = session.handle(.event(PlayID(1), .ready))
    return try #require(NowPlaying(session))
  }
}
