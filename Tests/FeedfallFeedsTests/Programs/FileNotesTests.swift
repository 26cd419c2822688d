import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct FileNotesTests {
  private let file = FileAddress(path: "/films/film.mp4".utf8)

  private func video() throws -> Video {
    var video = Video(single: .file(try #require(file)))
    video.published = UnixTime(seconds: 1)
    return video
  }

  private func completed(_ kind: FileNotes, _ text: String) throws -> Video {
    kind.completing(try video(), by: Array(text.utf8))
  }

  @Test(arguments: ["movie", "episodedetails", "musicvideo"])
  func `the facts of Kodi complete a video`(root: String) throws {
    let video = try completed(
      .nfo,
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <\(root)><title>A &amp; B</title><showtitle>Films</showtitle><plot>About\u{1B}[31m a film.</plot>
      <premiered>2026-01-31</premiered><runtime>95</runtime><thumb>https://a.example/1.jpg</thumb></\(root)>
      https://www.imdb.com/title/tt1
      """)
    #expect(video.title == "A & B" && video.channel == "Films" && video.duration?.seconds == 95 * 60)
    #expect(video.published?.seconds == 1_769_817_600)
    #expect(video.summary.map { $0.hasPrefix("About") && $0.hasSuffix("a film.") && !$0.contains("\u{1B}") } == true)
    #expect(try video.covers.isEmpty && video.id == self.video().id)
  }

  @Test func `the date of an episode and an outline stand in for missing facts`() throws {
    let video = try completed(
      .nfo,
      "<episodedetails><aired>2026-01-31</aired><outline>Short</outline><runtime>50 min</runtime></episodedetails>")
    #expect(video.published?.seconds == 1_769_817_600 && video.summary == "Short" && video.title == "film")
    #expect(video.duration?.seconds == 3_000)
  }

  @Test(arguments: [
    "", "https://www.themoviedb.org/movie/1", "<html><title>x</title></html>", "<tvshow><title>x</title></tvshow>",
    "<movie></movie>", "<movie><title></title><runtime>-5</runtime><runtime>999999</runtime></movie>", "\0\u{1}<<<",
    "<movie><actor><title>x</title></actor></movie>", "<movie><premiered>soon</premiered></movie>",
  ])
  func `a file without facts changes nothing`(text: String) throws {
    #expect(try completed(.nfo, text) == video())
    #expect(try completed(.info, text) == video())
  }

  @Test func `entities do not multiply the text`() throws {
    let entities = (1...9).map { "<!ENTITY e\($0) \"" + String(repeating: "&e\($0 - 1);", count: 10) + "\">" }
    let bomb = "<!DOCTYPE x [<!ENTITY e0 \"boom\">\(entities.joined())]><movie><plot>&e9;</plot></movie>"
    #expect(try completed(.nfo, bomb).summary?.utf8.count ?? 0 <= 20_000)
  }

  @Test func `the JSON of yt-dlp completes a video, but its pictures and its address stay`() throws {
    let video = try completed(
      .info,
      #"""
      {"id":"abc","title":"A film","upload_date":"20260131","description":"About\u001b[31m it","duration":61.5,
      "uploader":"Ann","channel":"Films","channel_url":"https://a.example/c","webpage_url":"https://a.example/w/abc",
      "extractor":"x","extractor_key":"X","thumbnail":"https://a.example/1.jpg","is_live":true,
      "chapters":[{"start_time":0,"title":"Start"},{"start_time":30,"title":"End"}]}
      """#)
    #expect(video.title == "A film" && video.published?.seconds == 1_769_817_600 && video.duration?.seconds == 61)
    #expect(video.author == "Ann" && video.channel == "Films" && video.chapters.count == 2)
    #expect(video.pageURL?.text == "https://a.example/w/abc" && video.channelURL?.text == "https://a.example/c")
    #expect(video.summary?.contains("\u{1B}") == false && video.covers.isEmpty && video.live == nil)
    #expect(try video.id == self.video().id && video.playback == self.video().playback)
  }

  @Test(arguments: [
    "{}", "[]", #"{"title":"x"}"#, #"{"_type":"playlist","title":"x","entries":[]}"#,
    #"{"title":"x","webpage_url":"file:///etc/passwd"}"#,
  ])
  func `other JSON changes nothing`(text: String) throws {
    #expect(try completed(.info, text) == video())
  }

  @Test func `a file of more than 1 MB changes nothing`() throws {
    let text = "<movie><title>x</title></movie>" + String(repeating: " ", count: 1 << 20)
    #expect(try completed(.nfo, text) == video())
  }

  // MARK: - Stream files

  private func target(_ text: String) throws -> String? {
    StreamFile.target(Array(text.utf8), of: try #require(FileAddress(path: "/films/a/film.strm".utf8)))?.text
  }

  @Test(arguments: [
    ("https://a.example/film.mp4", "https://a.example/film.mp4"),
    ("\u{FEFF} http://a.example/1 \r\n", "http://a.example/1"),
    ("#KODIPROP:x=y\n\nhttps://a.example/1\nhttps://a.example/2", "https://a.example/1"),
    ("part.mp4", "file:///films/a/part.mp4"), ("b/a film.mkv\n", "file:///films/a/b/a%20film.mkv"),
  ])
  func `a stream file names a web address or a file beside it`(text: String, target: String) throws {
    #expect(try self.target(text) == target)
  }

  @Test(arguments: [
    "", "#", "/dev/sda", "/films/a/part.mp4", "../part.mp4", "b/../../part.mp4", "b//part.mp4", "file:///etc/passwd",
    "file:part.mp4", "part.txt", "part.strm", "film", "plugin://plugin.video.x/", "v4l2:///dev/video0", "pvr://x.mp4",
    "dvd:.mp4", "\u{0}.mp4", "javascript:x.mp4", "~", String(repeating: "\n#", count: 200) + "\nhttps://a.example/1",
  ])
  func `a stream file names nothing else`(text: String) throws {
    #expect(try target(text) == nil)
  }

  @Test func `a stream file may name a page or a share`() throws {
    func playback(_ text: String) throws -> Playback {
      StreamFile.video(.web(try #require(WebAddress(text))), named: "A film").playback
    }
    let page = "https://www.youtube.com/watch?v=aqz-KE-bpKQ"
    #expect(try playback(page) == .page(try #require(WebAddress(page))))
    let share = "https://www.dropbox.com/s/abc/film.mp4?dl=0"
    guard case .direct(let files) = try playback(share) else { throw TestFailure("not direct") }
    #expect(files.map(\.url.text) == ["https://www.dropbox.com/s/abc/film.mp4?dl=1"])
    guard case .direct = try playback("http://a.example:8080/live/1") else { throw TestFailure("not direct") }
  }
}
