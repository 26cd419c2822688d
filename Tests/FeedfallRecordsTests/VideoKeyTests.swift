import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallRecords

@Suite(.hangLimit) struct VideoKeyTests {
  private func key(_ id: String, _ playback: Playback = .unknown) -> String {
    VideoKey(Video(id: id, title: "", playback: playback)).text
  }

  @Test func `an ID that is an address has no user name and no password`() throws {
    #expect(key("https://me:secret@films.example/1") == "https://films.example/1")
    #expect(VideoKey(text: "https://me:secret@films.example/1").text == "https://films.example/1")
    let file = MediaFile(url: .file(try #require(FileAddress(path: "/films/1.mp4".utf8))))
    #expect(key("/films/1.mp4", .direct([file])) == "/films/1.mp4")
  }

  @Test func `another ID is prefixed with the host that plays the video`() throws {
    let page = try #require(WebAddress("https://a.example/1"))
    let file = MediaFile(url: .web(try #require(WebAddress("https://b.example/1.mp4"))))
    #expect(key("1", .page(page)) == "a.example 1")
    #expect(key("1", .direct([file])) == "b.example 1")
    #expect(key("1") == "1")
  }

  private func video(_ id: String, of feed: String) throws -> Video {
    var video = Video(id: id, title: "", playback: .page(try #require(WebAddress("https://v.example/\(id)"))))
    video.scope = FeedScope(try #require(WebAddress(feed)))
    return video
  }

  @Test func `the same ID in two feeds of a host is two keys`() throws {
    let keys = try ["http://a.example/x.xml", "http://a.example/y.xml", "http://a.example:81/x.xml"]
      .map { VideoKey(try video("v0", of: $0)).text }
    #expect(Set(keys).count == 3 && keys.allSatisfy { $0.hasPrefix("a.example") && $0.hasSuffix(" v0") })
  }

  @Test func `the scheme and the user of a feed do not change the key`() throws {
    let keys = try ["http://a.example/x?q=1", "https://me:secret@a.example/x?q=1"]
      .map { VideoKey(try video("v0", of: $0)) }
    #expect(Set(keys).count == 1 && !keys[0].text.contains("q=1"))
  }

  @Test func `feeds that differ in any part of their query have keys of their own`() throws {
    let keys = try ["", "?page=news", "?page=sport", "?p=1", "?size=hd", "?start=a"]
      .map { VideoKey(try video("v0", of: "https://a.example/x" + $0)) }
    #expect(Set(keys).count == keys.count)
  }

  @Test func `an ID that is a path on a server is unique only within its feed`() throws {
    let keys = try ["https://a.example/x", "https://b.example/y"].map { VideoKey(try video("/watch/1", of: $0)) }
    #expect(keys[0] != keys[1])
    #expect(key("/watch/1", .page(try #require(WebAddress("https://a.example/1")))) == "a.example /watch/1")
  }

  @Test(arguments: [
    "https://v.example/1", "tag:vimeo,2024:clip1", "urn:uuid:1", "yt:video:abc", "0B3A5C7E-1234-4abc-8def-0123456789ab",
  ])
  func `an ID that is unique everywhere does not depend on the feed`(id: String) throws {
    let keys = try ["https://a.example/x", "https://b.example/y"].map { VideoKey(try video(id, of: $0)) }
    #expect(keys[0] == keys[1])
  }

  @Test func `keys that differ in Unicode normalization only are two`() {
    let keys = ["\u{E9}", "e\u{301}"].map { VideoKey(text: $0) }
    #expect(keys[0] != keys[1])
    #expect(Set(keys + keys).count == 2)
  }

  @Test func `the record of an item belongs to the film that the item has played`() throws {
    func film(_ id: String, _ title: String, _ file: String) throws -> Video {
      var film = try video(id, of: "https://a.example/x")
      let address = try #require(WebAddress("https://m.example/\(file)"))
      (film.title, film.playback) = (title, .direct([MediaFile(url: address)]))
      return film
    }
    let item = try film("v0", "Two films", "1.mp4")
    let data = starred(item)
    for (title, isSame) in [("Part 1", true), ("Part 2", false)] {
      var part = try film("v0/\(title)", title, title.suffix(1) + ".mp4")
      part.group = "Two films"
      #expect((data.key(of: part) == VideoKey(item)) == isSame)
      part.group = nil
      #expect(data.key(of: part) == VideoKey(part))
    }
  }

  private func starred(_ video: Video) -> UserData {
    var data = UserData()
    data.apply(UserEvent(time: 1, device: "a", key: VideoKey(video), value: .flag(.starred, true)))
    data.apply(UserEvent(time: 1, device: "a", key: VideoKey(video), value: .video(StoredVideo(video))))
    return data
  }

  @Test func `the record of a shared ID is that of the video whose facts it has`() throws {
    var (first, second) = (try video("v0", of: "https://a.example/x"), try video("v0", of: "https://a.example/x"))
    (first.title, second.title) = ("A", "B")
    let data = starred(first)
    #expect(data.key(of: first) == VideoKey(first))
    let alone = VideoKey(first)
    (first.id, second.id) = (first.distinctID, second.distinctID)
    #expect(data.key(of: first) == alone)
    #expect(data.key(of: second) == VideoKey(second))
  }

  @Test(arguments: [("A", 2, true), ("B", 1, true), ("B", 2, false)])
  func `the record of an ID stays that of its video unless all facts contradict`(
    title: String, number: Int, isSame: Bool
  ) throws {
    func video(_ title: String, _ number: Int, _ id: String = "latest") throws -> Video {
      var video = try self.video(id, of: "https://a.example/x")
      video.title = title
      video.pageURL = WebAddress("https://p.example/\(number)")
      video.playback = video.pageURL.map(Playback.page) ?? .unknown
      return video
    }
    let (old, new) = (try video("A", 1), try video(title, number))
    let data = starred(old)
    #expect(data.key(of: old) == VideoKey(old))
    #expect((data.key(of: new) == VideoKey(old)) == isSame)
    #expect(data[data.key(of: new)].has(.starred) == isSame)
    // An ID that is unique everywhere is that of one video.
    let unique = starred(try video("A", 1, "tag:a.example,2024:1"))
    #expect(unique[unique.key(of: try video(title, number, "tag:a.example,2024:1"))].has(.starred))
  }

  @Test func `a video keeps its record once its feed has no other one with its ID`() throws {
    var video = try video("v0", of: "https://a.example/x")
    video.title = "A"
    let id = video.id
    video.id = video.distinctID
    let data = starred(video)
    let shared = VideoKey(video)
    video.id = id
    #expect(data.key(of: video) == shared)
  }

  @Test func `a key has no secret, and distinguishes videos by it`() throws {
    let keys = ["1", "2"].map { key("https://films.example/play?key=s3-\($0)") }
    #expect(keys[0] != keys[1] && !keys.contains { $0.contains("s3") })
    #expect(VideoKey(text: keys[0]).text == keys[0])
    #expect(VideoKey(text: "https://films.example/play?key=s3-1").text == keys[0])
    #expect(!VideoKey(try video("x?token=s3", of: "https://a.example/feed")).text.contains("s3"))
  }

  @Test(arguments: [
    "films.example 1", "films.example#6f0aa42a763eec4a ep 1", "127.0.0.1:8971#6f0aa42a763eec4a 1",
    "nas#6f0aa42a763eec4 1", "[::1]:8971#6f0aa42a763eec4a 1",
    "#6f0aa42a763eec4a 1", "https://films.example/1", "tag:films.example,2024:1",
  ])
  func `an ID that the program prints is one`(text: String) { #expect(VideoKey(text: text).isUnique) }

  @Test(arguments: [
    "foo", "http://", "https://", "HTTPS://", "http:///1", "Mr. Smith goes", "No. 5", "#3 the film", "12:30 news",
    "Film: the end",
    "films.example ", "films.example# 1", "films.example#end 1", "http://films.example 1", " 1", "a/b.c 1",
  ])
  func `a title or an address without a host is no ID`(text: String) { #expect(!VideoKey(text: text).isUnique) }
}
