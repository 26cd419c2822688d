import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallRecords

@Suite(.hangLimit) struct StoredVideoTests {
  private func sample(_ playback: Playback = .unknown) -> Video {
    var video = Video(id: "1", title: "A “film” & \"more\" \\ é", playback: playback)
    video.channel = "Films"
    video.channelURL = WebAddress("https://films.example/channel/1")
    video.duration = .seconds(90)
    video.published = UnixTime(seconds: 1_700_000_000)
    video.pictureSize = PixelSize(width: 640, height: 360)
    video.pageURL = WebAddress("https://films.example/1")
    video.covers = WebAddress("https://films.example/1.jpg").map { [Cover(url: $0)] } ?? []
    return video
  }

  private func file(_ address: String) throws -> MediaFile { MediaFile(url: try #require(WebAddress(address))) }

  @Test(arguments: [("", true), (#","kind":"channel","listURL":"https://films.example/c""#, false)])
  func `only the listed rows of videos are videos`(members: String, isVideo: Bool) {
    let line = #"{"id":"https://films.example/1","title":"Film","pageURL":"https://films.example/1"\#(members)}"#
    #expect((StoredVideo.listed(Array(line.utf8)) != nil) == isVideo)
  }

  private func parsed(_ text: String, key: String = "k") -> Video? {
    StoredVideo(unchecked: text).video(VideoKey(text: key))
  }

  @Test func `the facts of a video are read back, without user and password`() throws {
    let stored = StoredVideo(sample(.direct([try file("https://anna:secret@films.example/1.mp4")])))
    #expect(!stored.text.contains("secret"))
    let read = try #require(stored.video(VideoKey(text: "films.example 1")))
    var expected = sample(.direct([try file("https://films.example/1.mp4")]))
    expected.id = "films.example 1"
    #expect(read == expected)
  }

  @Test func `a page is stored for a video without a file that needs no headers`() throws {
    let page = try #require(WebAddress("https://films.example/1"))
    var protected = try file("https://films.example/1.mp4")
    protected.headers = RequestHeaders(userAgent: "a", referrer: nil)
    let details = try #require(WebAddress("https://films.example/api/1"))
    for playback in [Playback.page(page), .details(details, page: page), .direct([protected]), .unknown] {
      #expect(StoredVideo(sample(playback)).video(VideoKey(text: "k"))?.playback == .page(page))
    }
  }

  @Test func `the longest values fit, and longer addresses are left out`() throws {
    var video = sample(.page(try #require(WebAddress("https://a.example/" + String(repeating: "p", count: 1_000)))))
    video.title = String(repeating: "\"中", count: 1_000)
    video.channel = video.title
    video.covers = [Cover(url: try #require(WebAddress("https://a.example/" + String(repeating: "c", count: 800))))]
    let stored = StoredVideo(video)
    #expect(stored.text.utf8.count <= StoredVideo.maximumLength)
    let read = try #require(stored.video(VideoKey(text: "k")))
    #expect(read.playback == .unknown && read.covers.count == 1 && read.title.hasPrefix("\"中\"中"))
  }

  /// A video with four addresses of nearly the maximum length.
  private func sampleWithLongAddresses() throws -> Video {
    func address(_ letter: String) throws -> WebAddress {
      try #require(WebAddress("https://a.example/" + String(repeating: letter, count: 880)))
    }
    var video = sample(.direct([MediaFile(url: .web(try address("f")))]))
    (video.pageURL, video.channelURL) = (try address("p"), try address("n"))
    video.covers = [Cover(url: .web(try address("c")))]
    return video
  }

  @Test func `the address of a cover is left out if the facts would not fit`() throws {
    var video = try sampleWithLongAddresses()
    video.title = String(repeating: "🎬", count: 300)
    video.channel = video.title
    let key = VideoKey(text: "k")
    var data = UserData(device: "a")
    #expect(data.describe(key, video, at: 1).count == 1)
    let read = try #require(data.storedVideo(key)?.video(key))
    #expect(read.title.utf8.count >= 796 && read.channel == read.title)
    #expect(read.playbackURL == video.playbackURL && read.pageURL == video.pageURL && read.covers.isEmpty)
  }

  @Test func `an address that was left out is not stored again and again`() throws {
    var old = try sampleWithLongAddresses()
    old.channel = String(repeating: "\"", count: 200)
    var newer = old
    newer.covers = []
    #expect(StoredVideo(newer).video(VideoKey(text: "k"))?.channelURL != nil)
    #expect(try updated(old, by: newer) == nil)
    newer.covers = [
      Cover(url: .web(try #require(WebAddress("https://a.example/" + String(repeating: "d", count: 880)))))
    ]
    #expect(try updated(old, by: newer) == nil)
  }

  @Test func `the address of a channel is left out if the facts would not fit`() throws {
    var video = try sampleWithLongAddresses()
    func read() -> Video? { StoredVideo(video).video(VideoKey(text: "k")) }
    #expect(read()?.channelURL == video.channelURL)
    video.channel = String(repeating: "\"", count: 200)
    #expect(read()?.channelURL == nil && read()?.covers.count == 1 && read()?.playbackURL == video.playbackURL)
  }

  @Test func `facts have no address of the channel until a list states it`() throws {
    let key = VideoKey(text: "films.example 1")
    var old = sample()
    old.channelURL = nil
    #expect(!StoredVideo(old).text.contains("channelURL"))
    #expect(try updated(old, by: sample())?.channelURL == sample().channelURL)
    #expect(try updated(sample(), by: old) == nil)
    let login = try #require(WebAddress("https://anna:secret@films.example/channel/1"))
    old.channelURL = login
    #expect(StoredVideo(old).video(key)?.channelURL == sample().channelURL)
    old.channelURL = WebAddress("https://films.example/channel/another")
    #expect(try updated(sample(), by: old) == nil)
  }

  @Test(arguments: ["", "{}", "{\"title\":\"\"}", "{\"title\":7", "[]", "{\"title\":{}}"])
  func `a text without a title is no video`(text: String) { #expect(parsed(text) == nil) }

  @Test func `values from a log are cleaned and checked`() throws {
    let read = try #require(
      parsed(
        #"{"title":"A\n\u001b[31mfilm","pageURL":"javascript:alert(1)","playbackURL":"ftp://a.example/1","#
          + #""coverURL":"file:///etc/passwd","channelURL":"file:///etc","durationSeconds":-1,"width":0,"height":9}"#))
    #expect(!read.title.unicodeScalars.contains { $0.value < 0x20 })
    #expect(read.playback == .unknown && read.covers.isEmpty && read.duration == nil && read.pictureSize == nil)
    #expect(read.channelURL == nil)
  }

  @Test func `a log cannot name a file other than the key`() {
    let text = #"{"title":"A","playbackURL":"file:///etc/passwd"}"#
    #expect(parsed(text, key: "films.example 1")?.playback == .unknown)
    #expect(parsed(text, key: "file:///etc/passwd")?.playbackURL?.text == "file:///etc/passwd")
  }

  @Test func `a record stores the first description and the log reads it back`() throws {
    let key = VideoKey(text: "films.example 1")
    var data = UserData(device: "a")
    let events =
      data.describe(key, sample(), at: 1) + data.describe(key, Video(id: "", title: "B", playback: .unknown), at: 2)
    #expect(events.count == 1 && data.storedVideo(key) == StoredVideo(sample()))
    var lines = events.map(\.line).joined() + #"{"time":1,"id":"b","video":{"title":"B"}"# + "\n"
    var other = UserData(device: "b")
    _ = lines.withUTF8 { other.read($0, of: "a", now: 10) }
    #expect(other.storedVideo(key) == StoredVideo(sample()) && other.count == 1)
    var merged = UserData(device: "c")
    merged.merge(other)
    #expect(merged.storedVideo(key) == StoredVideo(sample()))
  }

  /// The facts of a record after a newer description.
  private func updated(
    _ old: Video, by newer: Video, from origin: StoredVideo.Origin = .list(), at now: Int = 2
  ) throws -> Video? {
    let key = VideoKey(text: "films.example 1")
    var data = UserData(device: "a")
    _ = data.describe(key, old, at: 1)
    let events = data.updateDescription(key, newer, from: origin, at: now)
    #expect(events.isEmpty == (data.storedVideo(key) == StoredVideo(old)))
    return events.isEmpty ? nil : try #require(data.storedVideo(key)).video(key)
  }

  @Test func `facts that change are stored, and those that a newer description lacks stay`() throws {
    let old = sample(.direct([try file("https://films.example/1.mp4")]))
    let newer = Video(id: "1", title: "Another title", playback: .unknown)
    let merged = try #require(try updated(old, by: newer))
    #expect(merged.title == "Another title" && merged.duration == .seconds(90) && merged.covers.count == 1)
    #expect(merged.playbackURL?.text == "https://films.example/1.mp4" && merged.pageURL == old.pageURL)
    var later = old
    later.duration = .seconds(95)
    #expect(try updated(old, by: later)?.duration == .seconds(95))
    later = old
    later.published = UnixTime(seconds: 1_702_000_000)
    #expect(try updated(old, by: later)?.published == later.published)
    let moved = sample(.direct([try file("https://films.example/moved.mp4")]))
    #expect(try updated(old, by: moved)?.playbackURL == moved.playbackURL)
    #expect(try updated(newer, by: old) != nil)
  }

  @Test func `a rounded date or length is no change`() throws {
    let old = sample()
    var rounded = old
    rounded.published = UnixTime(seconds: 1_700_000_000 + 9 * 86_400)
    rounded.duration = .seconds(89)
    #expect(try updated(old, by: rounded) == nil)
    rounded.duration = .text("1:29")
    #expect(try updated(old, by: rounded) == nil)
    rounded.published = UnixTime(seconds: -30_000_000_000)
    #expect(try updated(old, by: rounded) != nil)
    // A year that is no date.
    rounded.published = UnixTime(seconds: .min)
    #expect(try updated(old, by: rounded) == nil)
  }

  @Test func `an exact date and an exact length replace rounded ones`() throws {
    let rounded = sample()
    var exact = rounded
    exact.published = UnixTime(seconds: 1_700_000_000 - 9 * 86_400)
    #expect(try updated(rounded, by: exact, from: .details())?.published == exact.published)
    exact = rounded
    exact.duration = .seconds(89)
    #expect(try updated(rounded, by: exact, from: .details())?.duration == .seconds(89))
    #expect(try updated(rounded, by: rounded, from: .details()) == nil)
    (exact.duration, exact.published) = (nil, nil)
    #expect(try updated(rounded, by: exact, from: .details()) == nil)
  }

  @Test(arguments: [
    // "6 years ago" for 2020-07-01 on 2026-11-23, and "1 year ago" on the day before the second anniversary.
    (published: 1_593_561_600, listed: 1_606_089_600, now: 1_795_392_000),
    (published: 1_700_000_000, listed: 1_731_449_600, now: 1_762_985_600),
    (published: 1_700_000_000, listed: 1_702_592_000, now: 1_723_000_000),
  ])
  func `the date of an old video may be rounded to years`(published: Int, listed: Int, now: Int) throws {
    var (old, newer) = (sample(), sample())
    old.published = UnixTime(seconds: published)
    newer.published = UnixTime(seconds: listed)
    #expect(try updated(old, by: newer, at: now * 1_000) == nil)
    newer.published = UnixTime(seconds: now)
    #expect(try updated(old, by: newer, at: now * 1_000)?.published == newer.published)
    #expect(try updated(newer, by: old, from: .details(), at: now * 1_000)?.published == old.published)
  }

  private static let week = 7 * 86_400_000

  /// The title of a record of source `a` after a page of another source, which adds a channel.
  private func title(
    afterPageOf source: String?, open: Set<String>, storedAt: Int = 1, at now: Int
  ) throws -> String? {
    let key = VideoKey(text: "films.example 1")
    var (old, newer) = (sample(), sample())
    old.channel = nil
    newer.title = "Another title"
    var data = UserData(device: "a")
    _ = data.describe(key, old, of: "a", at: storedAt)
    #expect(data.updateDescription(key, newer, from: .list(of: source, among: open), at: now).count == 1)
    #expect(data.updateDescription(key, newer, from: .list(of: source, among: open), at: now).isEmpty)
    #expect(data.updateDescription(key, old, from: .list(of: "a", among: open), at: now).isEmpty)
    let stored = data.storedVideo(key)?.video(key)
    #expect(stored?.channel == newer.channel && newer.channel != nil)
    return stored?.title
  }

  @Test func `facts change only through their source while it is open, and others add missing ones`() throws {
    let title = sample().title
    #expect(try self.title(afterPageOf: "b", open: ["a", "b"], at: 2) == title)
    #expect(try self.title(afterPageOf: nil, open: ["a", "b"], at: 2) == title)
    #expect(try self.title(afterPageOf: "b", open: ["a", "b"], at: 1 + Self.week) == title)
    #expect(try self.title(afterPageOf: "b", open: ["b"], at: Self.week) == title)
    #expect(try self.title(afterPageOf: "b", open: ["b"], at: 1 + Self.week) == "Another title")
  }

  @Test func `facts from a session with a clock that was ahead may be replaced`() throws {
    let future = 10 * 365 * 86_400_000
    #expect(try self.title(afterPageOf: "b", open: ["b"], storedAt: future, at: 5) == "Another title")
    #expect(try self.title(afterPageOf: "b", open: ["a", "b"], storedAt: future, at: 5) == sample().title)
    #expect(try self.title(afterPageOf: "b", open: ["b"], storedAt: 6, at: 5) == sample().title)
  }

  @Test func `facts without a source get that of the first change`() throws {
    let key = VideoKey(text: "films.example 1")
    var data = UserData(device: "a")
    _ = data.describe(key, sample(), at: 1)
    #expect(data.updateDescription(key, sample(), from: .list(of: "a"), at: 2).isEmpty)
    var newer = sample()
    newer.title = "Another title"
    #expect(data.updateDescription(key, newer, from: .list(of: "b"), at: 3).count == 1)
    #expect(data.updateDescription(key, sample(), from: .list(of: "a", among: ["a", "b"]), at: 4).isEmpty)
    #expect(data.storedVideo(key) == StoredVideo(newer, of: "b"))
  }

  @Test func `another signature or another cover is no change`() throws {
    let old = sample(.direct([try file("https://films.example/1.mp4?token=1")]))
    var newer = sample(.direct([try file("https://films.example/1.mp4?token=2")]))
    newer.covers = [Cover(url: .web(try #require(WebAddress("https://films.example/2.jpg"))))]
    #expect(try updated(old, by: newer) == nil)
    #expect(try updated(old, by: old) == nil)
  }

  @Test func `facts are stored only for videos with records, and not again once they were dropped`() {
    var data = UserData(device: "a")
    #expect(data.updateDescription(VideoKey(text: "a"), sample(), from: .list(), at: 1).isEmpty && data.count == 0)
    _ = data.change(VideoKey(text: "a"), [.flag(.starred, true)], at: 1)
    #expect(data.updateDescription(VideoKey(text: "a"), sample(), from: .list(), at: 1).count == 1)
    for number in 0..<50_000 { _ = data.describe(VideoKey(text: "films.example \(number)"), sample(), at: number) }
    let dropped = VideoKey(text: "films.example 0")
    #expect(data.storedVideo(dropped) == nil)
    #expect(data.updateDescription(dropped, sample(), from: .details(), at: 60_000).isEmpty)
  }

  @Test func `many stored videos are dropped, except the newest, queued and starred ones`() {
    var data = UserData(device: "a")
    let count = 50_000
    for number in 0..<count {
      let key = VideoKey(text: "films.example \(number)")
      if number == 0 { _ = data.change(key, [.queued(1)], at: number) }
      if number == 1 { _ = data.change(key, [.flag(.starred, true)], at: number) }
      _ = data.describe(key, sample(), at: number)
    }
    let known = (0..<count).filter { data.storedVideo(VideoKey(text: "films.example \($0)")) != nil }
    #expect(known.starts(with: [0, 1]) && known.last == count - 1)
    #expect(known.count < count && known.count > count / 4)
    #expect(Array(known.dropFirst(2)) == Array(count - known.count + 2..<count))
    #expect(data.events.allSatisfy { $0.value != .video(nil) } && data.hasValues(of: .video))
  }

  @Test func `the keys with a field are counted`() {
    var data = UserData(device: "a")
    #expect(!data.hasValues(of: .queued))
    let key = VideoKey(text: "a")
    _ = data.change(key, [.queued(2)], at: 1, name: "queued")
    _ = data.change(VideoKey(text: "b"), [.flag(.starred, true)], at: 1)
    #expect(data.hasValues(of: .queued) && data.keys(with: .queued) == [key])
    _ = data.undo(at: 2)
    #expect(!data.hasValues(of: .queued) && data.keys(with: .queued).isEmpty)
  }

  @Test func `several records are changed and undone together`() {
    var data = UserData(device: "a")
    let keys = ["a", "b"].map { VideoKey(text: $0) }
    let events = data.change(keys.map { UserData.Change(key: $0, values: [.queued(1)]) }, at: 1, name: "both")
    #expect(events.count == 2)
    _ = data.change(keys[0], [.flag(.starred, true)], at: 2)
    let undone = data.undo(at: 3)
    #expect(undone?.events.map(\.value) == [.queued(nil), .queued(nil)] && data[keys[0]].has(.starred))
  }

  @Test func `stored facts have no secrets, and no file that needs one`() throws {
    func address(_ text: String) throws -> WebAddress { try #require(WebAddress(text)) }
    let files = try ["https://a.example/1.mp4?token=s3", "https://a.example/1.mp4?q=2"].map {
      MediaFile(url: .web(try address($0)))
    }
    var video = Video(id: "1", title: "Film", playback: .direct([files[0]]))
    video.pageURL = try address("https://a.example/watch?v=1&api_key=s3")
    video.channelURL = try address("https://a.example/c?sig=s3")
    video.covers = [Cover(url: try address("https://a.example/1.jpg?session=s3"))]
    let stored = StoredVideo(video)
    #expect(!stored.text.contains("s3") && stored.text.contains("https://a.example/watch?v=1"))
    #expect(stored.video(VideoKey(text: "1"))?.playback == .page(try address("https://a.example/watch?v=1")))
    video.playback = .direct(files)
    #expect(StoredVideo(video).video(VideoKey(text: "1"))?.playbackURL == files[1].url)
  }
}
