import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct FileChoiceTests {
  private static let kinds: [MediaKind] = [.stream, .video, .audio, .unknown, .picture, .player, .unusable]

  private func file(_ number: Int, _ random: inout SeededGenerator) throws -> OfferedFile {
    var file = OfferedFile(try #require(WebAddress("https://films.example/\(number)")), type: nil)
    file.kind = Self.kinds[Int.random(in: 0..<Self.kinds.count, using: &random)]
    file.height = [nil, 0, 240, 720, 1_080, 2_160][Int.random(in: 0..<6, using: &random)]
    file.language = [nil, "de", "en-GB", "deu-eng"][Int.random(in: 0..<4, using: &random)]
    file.title = random.chance(3, in: 4) ? nil : ["Part 1", "Part 2"][Int.random(in: 0..<2, using: &random)]
    file.duration = .seconds(number + 1)
    (file.isSample, file.isDefault) = (random.chance(1, in: 3), random.chance(1, in: 5))
    (file.isWidelySupported, file.rank) = (random.chance(3, in: 4), Int.random(in: 0...2, using: &random))
    return file
  }

  private func files(_ video: Video) -> [MediaFile] {
    if case .direct(let files) = video.playback { files } else { [] }
  }

  private static func list(_ count: Int, _ one: (Int) -> String) -> String {
    (0..<count).map(one).joined(separator: ",")
  }

  private static let lists: [@Sendable (Int) -> String] = [
    { count in
      let files = (0..<count).map { "<media:content url='https://films.example/\($0).mp4'/>" }.joined()
      return "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel><item>\(files)</item></channel></rss>"
    },
    { count in
      let files = list(count) { #"{"url":"https://films.example/\#($0).mp4","mime_type":"video/mp4"}"# }
      return #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","attachments":[\#(files)]}]}"#
    },
    { count in
      let others = list(count - 1) { #""https://films.example/\#($0).mp4""# }
      return #"{"videos":[{"url":"https://films.example/film.mp4","alternates":[\#(others)]}]}"#
    },
    { count in
      let files = list(count) { #"{"fileUrl":"https://films.example/\#($0).mp4","resolution":{"id":\#($0 + 1)}}"# }
      return #"{"id":1,"uuid":"9c9de5e8-0a1e-484a-b099-e80766180a6d","name":"Film","files":[\#(files)]}"#
    },
  ]

  @Test(arguments: lists.indices, [256, 257, 3_000])
  func `more files of a video than are read are reported`(list: Int, count: Int) throws {
    let document = try decode(Self.lists[list](count))
    let video = try #require(document.videos.first)
    #expect(document.videos.count == 1 && files(video).count == 256)
    #expect(video.flags.contains(.filesLeftOut) == (count > 256))
    #expect(document.notice == (count > 256 ? "A video has more than 256 files. The others are left out." : nil))
  }

  @Test func `a missing end is reported rather than files that are left out`() throws {
    let enclosures = (0..<257).map { #"<enclosure url="https://films.example/\#($0).mp4" type="video/mp4"/>"# }
    let cut = "<rss><channel><item><title>A</title>\(enclosures.joined())</item><item><title>B</title>"
    #expect(try decode(cut).notice == "The feed is incomplete: its end is missing after 2 videos.")
  }

  @Test(arguments: [256, 257])
  func `more films of an item than are read are reported`(count: Int) throws {
    let films = Self.list(count) { #"{"url":"https://films.example/\#($0).mp4","title":"Part \#($0)"}"# }
    let document = try decode(
      #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","attachments":[\#(films)]}]}"#)
    #expect(document.videos.count == 256 && (document.notice != nil) == (count > 256))
  }

  @Test func `among random files, films precede extracts, and pictures precede sound`() throws {
    var random = SeededGenerator(seed: 11)
    for round in 0..<2_000 {
      let offers = try (0..<Int.random(in: 0...6, using: &random)).map { try file($0, &random) }
      var video = Video(id: "1", title: "Film", playback: .unknown)
      video.language = [nil, "de", "fr"][round % 3]
      video.adopt(offers)
      let adopted = files(video)
      #expect(Set(adopted.map(\.url)) == Set(offers.filter(\.isPlayable).map(\.url)))
      let groups = adopted.map { file in (file.isSample ? 2 : 0) + (file.traits(in: nil).isSound ? 1 : 0) }
      #expect(groups == groups.sorted(), "\(offers)")
      if adopted.first?.isSample == true { #expect(video.duration == nil) }
    }
  }

  @Test func `the order in the feed decides only between equal files`() throws {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<2_000 {
      // The first language depends on the order.
      let offers = try (0..<Int.random(in: 2...6, using: &random)).map { number in
        var file = try file(number, &random)
        (file.language, file.rank) = (nil, number)
        return file
      }
      var one = Video(id: "1", title: "Film", playback: .unknown)
      var other = one
      one.adopt(offers)
      other.adopt(offers.shuffled(using: &random))
      #expect(one == other)
    }
  }

  @Test func `each playable film of random files is in one video, whose ID does not depend on their order`() throws {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<2_000 {
      let offers = try (0..<Int.random(in: 1...6, using: &random)).map { try file($0, &random) }
      let item = Video(id: "1", title: "Film", playback: .unknown)
      let videos = item.films(offers)
      let addresses = videos.flatMap { files($0).map(\.url) }
      #expect(Set(addresses).count == addresses.count)
      #expect(Set(addresses).isSuperset(of: offers.filter { $0.isPlayable && !$0.isSample }.map(\.url)))
      #expect(Set(videos.map(\.id)).count == videos.count)
      #expect(Set(item.films(offers.reversed()).map(\.id)) == Set(videos.map(\.id)))
      #expect(videos.count == 1 || videos.allSatisfy { $0.group == "Film" })
    }
  }

  @Test(
    arguments: [
      (nil, ["en", "de"], "en"), ("de", ["en", "de"], "de"), ("de-AT", ["en", "de"], "de-AT"),
      ("fr", ["en", "de"], "en"),
      ("eng", ["deu", "deu-eng"], "eng"), (nil, [nil, "de"], nil), ("de", [nil, "en"], nil),
    ] as [(String?, [String?], String?)])
  func `the language of the video is preferred if a file has it, or else the first one`(
    own: String?, files: [String?], preferred: String?
  ) {
    let traits = files.map { FileTraits(kind: .video, language: $0) }
    #expect(FileTraits.language(of: traits, preferring: own) == preferred)
  }

  @Test func `of a hundred thousand media of an item, only the first ones are read`() throws {
    let contents = (0..<100_000).map {
      "<media:content url='https://a.example/\($0).mp4'><media:title>\($0)</media:title></media:content>"
    }
    let videos = try rss("<item><guid>1</guid><title>T</title>\(contents.joined())</item><item><guid>2</guid></item>")
    #expect(videos.count == 257 && videos.last?.id == "2")
  }

  @Test(arguments: [
    "<video", "<video src='a.mp4' ", "<video src=\"", "<source src=a><video>", "<!--", "<audio><script>",
  ])
  func `only the first media in a text are read`(part: String) {
    let text = String(repeating: part, count: 200_000)
    for onlyFirst in [false, true] {
      let media = EmbeddedMedia(Array(text.utf8), base: WebAddress("https://a.example/"), onlyFirst: onlyFirst)
      #expect(media.files.count <= 16)
    }
  }
}
