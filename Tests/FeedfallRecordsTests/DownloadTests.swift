import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallRecords

@Suite(.hangLimit) struct DownloadTests {
  private func video(_ files: [(String, height: Int?)]) throws -> Video {
    let files = try files.map { address, height in
      MediaFile(url: try #require(WebAddress("https://films.example/" + address)), height: height)
    }
    return Video(id: "1", title: "Film", playback: .direct(files))
  }

  private func names(_ video: Video, maximumHeight: Int? = nil) throws -> [String] {
    try DownloadRequest(video, key: VideoKey(video), maximumHeight: maximumHeight).addresses.map {
      "\($0.kind.rawValue) \($0.address.pathSegments.last ?? "")"
    }
  }

  @Test func `files come before streams, in the order of the feed`() throws {
    let video = try video([("a.m3u8", 720), ("b.mp4", 480), ("c.mp4", 1080)])
    #expect(try names(video) == ["file b.mp4", "file c.mp4", "stream a.m3u8"])
  }

  @Test func `the nearest height that is not too high is the first`() throws {
    let video = try video([("a.mp4", 1080), ("b.mp4", 480), ("c.mp4", nil), ("d.mp4", 720), ("e.mp4", 0)])
    #expect(
      try names(video, maximumHeight: 720) == ["file d.mp4", "file b.mp4", "file c.mp4", "file a.mp4", "file e.mp4"])
  }

  @Test func `sound is downloaded last, also after a list of streams`() throws {
    let talk = try video([("talk.mp3", nil), ("a.m3u8", nil), ("hd.mp4", 1080), ("sd.mp4", 576), ("talk.opus", 0)])
    #expect(
      try names(talk, maximumHeight: 480) == [
        "file sd.mp4", "file hd.mp4", "stream a.m3u8", "file talk.mp3", "file talk.opus",
      ])
  }

  @Test func `an address of unknown kind has the kind of its path`() throws {
    let url = try #require(WebAddress("https://films.example/talk.MP3?x=1"))
    let (file, page) = (DownloadAddress(.file, url), DownloadAddress(.page, url))
    #expect(file.traits.isSound && !page.traits.isSound && DownloadAddress(.stream, url).traits.kind == .stream)
    let request = DownloadRequest(key: VideoKey(text: "a"), title: "Talk", addresses: [file], cover: nil)
    #expect(try request.inQuality(.audio, of: request.video).addresses == [file])
  }

  @Test func `a video without a file is downloaded from its page`() throws {
    let page = try #require(WebAddress("https://films.example/watch"))
    #expect(try names(Video(id: "1", title: "", playback: .page(page))) == ["page watch"])
  }

  @Test func `live broadcasts, local files and videos without an address are refused`() throws {
    var live = try video([("a.mp4", nil)])
    live.live = .live
    let file = try #require(FileAddress(path: "/a.mp4".utf8))
    let local = Video(id: "1", title: "", playback: .direct([MediaFile(url: .file(file))]))
    let nothing = Video(id: "1", title: "", playback: .unknown)
    for (video, obstacle) in [(live, DownloadRequest.Obstacle.isLive), (local, .isLocal), (nothing, .noAddress)] {
      #expect(throws: obstacle) { try DownloadRequest(video, key: VideoKey(video)) }
    }
  }

  @Test func `a share is never complete, and stays in its range`() {
    func percent(_ count: Int, _ total: Int?) -> Int? {
      DownloadProgress(byteCount: count, totalByteCount: total).percent
    }
    #expect(percent(0, 100) == 0 && percent(100, 100) == 99 && percent(500, 100) == 99)
    #expect(percent(5, nil) == nil && percent(5, 0) == nil && percent(-5, 100) == 0)
    #expect(percent(.max, .max) == 99)
  }

  private func copy(_ path: String, of count: Int = 7) throws -> Video {
    let address = try #require(FileAddress(path: path.utf8))
    var video = Video(id: address.text, title: "copy", playback: .direct([MediaFile(url: .file(address))]))
    video.byteCount = count
    return video
  }

  private func done(_ path: String) throws -> DownloadState {
    .done(
      DownloadedFile(
        address: try #require(FileAddress(path: path.utf8)), byteCount: 7, time: UnixTime(seconds: 5)))
  }

  @Test func `a downloaded file has the record of its video, also by another path`() throws {
    var data = UserData()
    let key = VideoKey(text: "films.example 1")
    data.setDownload(try done("/videos/Film [1].mp4"), of: key, place: 3)
    #expect(data[key].downloaded == UnixTime(seconds: 5) && data[key].download == 3)
    for path in ["/videos/Film [1].mp4", "/mnt/disk/videos/Film [1].mp4"] {
      #expect(try data.key(of: copy(path)) == key)
    }
    let others = [try copy("/videos/Film [2].mp4"), try copy("/other/Film [1].mp4", of: 8)]
    for other in others { #expect(data.key(of: other) == VideoKey(other)) }
    data.setDownload(nil, of: key, place: nil)
    #expect(try data.key(of: copy("/videos/Film [1].mp4")) == VideoKey(copy("/videos/Film [1].mp4")))
    #expect(data[key] == UserRecord())
  }

  @Test func `after random downloads and removals each file has the record of the video that was stored there last`()
    throws
  {
    var (random, data) = (SeededGenerator(seed: 5), UserData())
    var files: [VideoKey: Int] = [:]
    for _ in 0..<1_000 {
      let (key, file) = (VideoKey(text: "v.example \(random.next() % 6)"), Int(random.next() % 6))
      let isUsed = files.contains { $0.key != key && $0.value == file }
      files[key] = random.chance(1, in: 3) || isUsed ? nil : file
      data.setDownload(try files[key].map { try done("/videos/\($0).mp4") }, of: key, place: 1)
      for number in 0..<6 {
        let video = try copy("/videos/\(number).mp4")
        #expect(data.key(of: video) == files.first { $0.value == number }?.key ?? VideoKey(video))
      }
    }
  }

  @Test func `downloads are not written to the log`() throws {
    var data = UserData(device: "a")
    let line = #"{"time":5,"id":"films.example 1","download":3}"# + "\n"
    let count = Array(line.utf8).withUnsafeBufferPointer { data.read($0, of: "b", now: 10) }
    #expect(count == line.utf8.count && data.count == 0)
  }

  @Test func `an address names the only video with this file, or else with this page`() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<300 {
      let videos = (0..<Int.random(in: 0...6, using: &random)).map { number in
        (number, file: ["a", "b", nil][Int(random.next() % 3)], page: ["a", "c", "d", nil][Int(random.next() % 4)])
      }
      var owners = AddressOwners<Int>(["a", "b", "c"])
      for (number, file, page) in videos { owners.add(number, file: file, page: page) }
      for address in ["a", "b", "c", "d"] {
        let files = videos.filter { $0.file == address }.map(\.0)
        let pages = videos.filter { $0.page == address && $0.file != address }.map(\.0)
        let all = files.isEmpty ? pages : files
        #expect(owners.unique[address] == (all.count == 1 && address != "d" ? all[0] : nil), "\(address) \(videos)")
      }
    }
  }

  @Test func `the facts of a downloaded file are not stored as those of its video`() throws {
    var data = UserData()
    let (key, file) = (VideoKey(text: "films.example 1"), try copy("/videos/Film [1].mp4"))
    data.setDownload(try done("/videos/Film [1].mp4"), of: key, place: 1)
    _ = data.change(key, [.watched(UnixTime(seconds: 5))], at: 5_000)
    #expect(data.describe(key, file, of: "#1", at: 6_000).isEmpty)
    #expect(data.updateDescription(key, file, from: .list(of: "#1"), at: 7_000).isEmpty)
    let film = Video(
      id: "1", title: "Film", playback: .direct([MediaFile(url: try #require(WebAddress("https://f.example/1.mp4")))]))
    #expect(!data.describe(key, film, at: 8_000).isEmpty)
    let year = 365 * 86_400_000
    #expect(data.updateDescription(key, file, from: .list(of: "#1"), at: year).isEmpty)
    #expect(data.storedVideo(key)?.video(key)?.title == "Film")
  }
}
