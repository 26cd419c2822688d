import FeedfallApp
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import struct FeedfallApp.AppState
@testable import FeedfallFeeds

@Suite(.hangLimit) struct DetailsTextTests {
  /// A video with a long description and addresses of 150 bytes.
  private static func longVideo() throws -> Video {
    var video = sampleVideo(1)
    let path = String(repeating: "a-long-path/", count: 10)
    video.covers = [Cover(url: try #require(WebAddress("https://films.example/\(path)cover.jpg")))]
    let file = MediaFile(url: try #require(WebAddress("https://films.example/\(path)film.mp4")), language: "eng")
    video.playback = .direct([file])
    video.pageURL = WebAddress("https://films.example/\(path)page")
    video.published = UnixTime(rfc3339: "2025-03-09T07:30:00Z")
    video.views = 1_234_567
    video.byteCount = 734_003_200
    video.summary = (1...30).map { "Paragraph \($0) of a description that goes on for longer than any window is wide." }
      .joined(separator: "\n")
    return video
  }

  private func details(of video: Video, width: Int = 120, height: Int = 40) -> Scenario {
    Scenario.showing([video], width: width, height: height).typing("<Enter>")
  }

  /// The rows of the screen that contain each text, in this order.
  private func rows(of texts: String..., in scenario: Scenario) throws -> [Int] {
    let lines = scenario.screen.split(separator: "\n", omittingEmptySubsequences: false)
    return try texts.map { text in try #require(lines.firstIndex { $0.contains(text) }, "\(text)") }
  }

  @Test func `a short description precedes the addresses, and other facts follow them`() throws {
    var video = sampleVideo(0)
    video.resumeSeconds = 20
    video.flags = .sensitive
    let rows = try rows(
      of: "0 Elephants Dream", "Channel 0 · 1:01", "Stopped at 0:20 of 1:01", "Marked as sensitive", "What happens",
      "Cover  ", "Playback  ", "Page  ", "License  ", "Size  ", in: details(of: video, width: 90))
    #expect(rows == rows.sorted())
  }

  @Test(arguments: [1, 30])
  func `chapters are between the description and the addresses`(summaryLines: Int) throws {
    var video = sampleVideo(0)
    video.summary = (1...summaryLines).map { "Paragraph \($0)." }.joined(separator: "\n")
    video.chapters = chapters((0, "Opening"), (3_725.9, "The cave"))
    let rows = try rows(
      of: "Paragraph 1.", "0:00     Opening", "1:02:05  The cave", "Cover  ",
      in: details(of: video))
    let (summary, chapters, cover) = (rows[0], rows[1], rows[3])
    #expect(rows[2] == chapters + 1)
    #expect(summaryLines == 1 ? summary < chapters && chapters < cover : cover < chapters && chapters < summary)
  }

  @Test(arguments: [(80, 24), (60, 20)], [false, true])
  func `title, length and addresses are visible above a long description`(
    size: (width: Int, height: Int), isPlaying: Bool
  ) throws {
    var scenario = details(of: try Self.longVideo(), width: size.width, height: size.height)
    if isPlaying {
      scenario.type(" ")
      scenario.report(.ready, .pictureSize(Size(width: 640, height: 360)), .duration(seconds: 158), .time(seconds: 60))
      #expect(scenario.state.draw().video != nil)
    }
    let rows = try rows(
      of: "1 A walk", "· 2:38 · 1,234,567 views", "Cover     https://films.", "cover.jpg  Y copy",
      "Playback  https://films.", "film.mp4  y copy", in: scenario)
    #expect(rows == rows.sorted())
    #expect(rows[2] == rows[3] && rows[4] == rows[5])
    #expect(scenario.typing("q<Enter>G").screen.contains("Paragraph 30"))
  }

  @Test func `a narrow pane shows labels and addresses in turn`() throws {
    let scenario = details(of: try Self.longVideo(), width: 30, height: 30)
    let rows = try rows(of: "Cover  Y copy", "https://films.…", "Playback  y copy", "Page  o open", in: scenario)
    #expect(rows == rows.sorted())
    let links = scenario.state.draw().visibleLinks
    #expect(links.map(\.frame.minY) == [rows[0] + 1, rows[2] + 1, rows[3] + 1])
    #expect(links.first?.address == (try Self.longVideo()).largeCover?.url.description)
  }

  @Test func `a missing address is no link and has no key`() throws {
    let scenario = details(of: Video(id: "nowhere", title: "Nowhere", playback: .unknown))
    for label in ["Cover", "Playback"] {
      let row = try rows(of: "\(label) ", in: scenario)[0]
      let line = scenario.screen.split(separator: "\n", omittingEmptySubsequences: false)[row]
      #expect(line.hasSuffix(" none"))
    }
    #expect(!scenario.state.draw().roles.contains("l"))
    #expect(scenario.state.draw().visibleLinks.isEmpty)
    #expect(!scenario.screen.contains("Page"))
  }

  @Test func `an address to look up has a key, and is no link`() {
    var video = sampleVideoWithoutDetails(1)
    video.pageURL = nil
    video.playback = video.detailsURL.map { .details($0, page: nil) } ?? .unknown
    #expect(details(of: video).screen.contains("looked up on demand  y copy"))
  }

  @Test func `a frame of the video as its cover has no address`() throws {
    var video = sampleVideo(0)
    let file = try #require(FileAddress(path: Array("/films/0.mp4".utf8)))
    video.covers = [Cover(url: .frame(VideoFrame(of: file, byteCount: 1, modified: UnixTime(seconds: 1))))]
    let scenario = details(of: video)
    #expect(scenario.screen.contains("a frame of the video\n") || scenario.screen.contains("a frame of the video "))
    #expect(!scenario.screen.contains("Y copy"))
  }

  @Test func `a position is shown until the video plays`() {
    var scenario = Scenario.playing().typing("q<Enter>")
    #expect(scenario.screen.contains("Stopped at 1:00 of 1:01"))
    scenario.type(" ")
    #expect(!scenario.screen.contains("topped at"))
  }

  @Test func `a broadcast has no length before its end`() {
    var video = sampleVideo(0)
    video.duration = nil
    #expect(details(of: video).screen.contains("length unknown"))
    video.live = .live
    let screen = details(of: video).screen
    #expect(screen.contains("Live now") && !screen.contains("length"))
  }

  /// A podcast's episode with all of its facts.
  private static func episode() throws -> Video {
    let page = try #require(WebAddress("https://boats.example/a"))
    var video = sampleVideo(0)
    var extras = VideoExtras()
    (extras.season, extras.seasonName, extras.episode, extras.episodeType) = (2, "Canals", 7.5, .bonus)
    extras.categories = ["Boats", "Night"]
    extras.people = [
      VideoExtras.Person(name: "Ida", role: "host", group: "cast"),
      VideoExtras.Person(name: "Ole", role: "guest", group: "cast"),
    ]
    extras.transcripts = [
      VideoExtras.Transcript(url: page, type: "text/vtt", language: "da", isCaptions: false),
      VideoExtras.Transcript(url: page, type: "text/html", isCaptions: false),
    ]
    extras.soundbites = [VideoExtras.Soundbite(start: 73, duration: 60, title: "The storm")]
    extras.funding = [VideoExtras.Funding(url: page, title: "Join the crew")]
    video.extras = extras
    return video
  }

  @Test(arguments: [(80, 24), (80, 60)])
  func `the facts of an episode follow its addresses, and its links come last`(width: Int, height: Int) throws {
    let scenario = details(of: try Self.episode(), width: width, height: height)
    let text = try #require(scenario.state.detailsView).lines
    let shown = text.map { ($0.label + " " + $0.text).split(separator: " ").joined(separator: " ") }
    let expected = [
      "Playback", "Page", "Episode Season 2 (Canals), episode 7.5, bonus", "People Ida (host), Ole (guest)",
      "Topics Boats, Night", "Highlight 1:13 – 2:13 The storm", "Text https://boats.example/a",
      "Captions da · https://boats.example/a", "Support Join the crew · boats.example",
    ]
    let rows = try expected.map { text in try #require(shown.firstIndex { $0.hasPrefix(text) }, "\(text)") }
    #expect(rows == rows.sorted())
    #expect(text.suffix(4).map(\.link) == [nil] + Array(repeating: "https://boats.example/a", count: 3))
  }

  @Test func `the links of an episode show no password`() throws {
    var video = try Self.episode()
    let address = try #require(WebAddress("https://ann:s3cret@boats.example/a"))
    video.extras.transcripts = [false, true].map { VideoExtras.Transcript(url: address, isCaptions: $0) }
    video.extras.funding = [nil, "Join"].map { VideoExtras.Funding(url: address, title: $0) }
    let lines = try #require(details(of: video, width: 160).state.detailsView).lines
    let links = lines.filter { ["Text", "Captions", "Support"].contains($0.label) }
    #expect(links.count == 4 && links.allSatisfy { !($0.text + ($0.link ?? "")).contains("s3cret") })
  }

  @Test func `many people, topics and links are counted`() throws {
    var video = try Self.episode()
    video.extras.people = (1...9).map { VideoExtras.Person(name: "P\($0)", role: "host", group: "cast") }
    video.extras.funding = Array(repeating: video.extras.funding[0], count: 8)
    let lines = try #require(details(of: video, width: 160).state.detailsView).lines
    #expect(lines.contains { $0.text.hasSuffix("P6 (host) and 3 more") })
    #expect(lines.filter { $0.label == "Support" }.count == 7 && lines.last?.text == "and 2 more")
  }

  @Test(
    arguments: [
      (nil, nil, 5.0, nil, "Episode 5"), (nil, nil, 2.5, nil, "Episode 2.5"),
      (nil, nil, Double(Int.max), nil, "Episode 9.223372036854776e+18"), (3, nil, nil, nil, "Season 3"),
      (3, "Egypt", nil, "Day 5", "Season 3 (Egypt), Day 5"),
      (nil, "Egypt", nil, nil, "Egypt"), (nil, nil, nil, nil, nil),
    ] as [(Int?, String?, Double?, String?, String?)])
  func `the words for an episode`(season: Int?, name: String?, episode: Double?, display: String?, words: String?)
    throws
  {
    var video = sampleVideo(0)
    var extras = VideoExtras()
    (extras.season, extras.seasonName, extras.episode, extras.episodeName) = (season, name, episode, display)
    extras.episodeType = .full
    video.extras = extras
    let lines = try #require(details(of: video).state.detailsView).lines
    #expect(lines.first { $0.label == "Episode" }?.text == words)
  }

  @Test func `the notices of a publisher are warnings`() throws {
    func words(_ video: Video) throws -> String {
      try #require(details(of: video).state.detailsView).lines.map(\.text).joined(separator: " ")
    }
    var video = sampleVideo(0)
    video.flags = [.protected, .paid, .restricted, .deleted, .blocked]
    #expect(
      try words(video).contains(
        "Protected (DRM); not free; not available in all countries; deleted by its publisher; blocked by its publisher")
    )
    video.flags = .restricted
    video.extras.countries = VideoExtras.CountryLimit(isAvailable: true, codes: ["AU", "US"])
    #expect(try words(video).contains("Available only in AU, US"))
    video.extras.countries = VideoExtras.CountryLimit(isAvailable: false, codes: Array(repeating: "DE", count: 10))
    #expect(try words(video).contains("Not available in DE, DE, DE, DE, DE, DE, DE, DE and 2 more"))
  }

  @Test(arguments: [(40, 15), (120, 36)])
  func `the details in a small and a large window match their golden files`(size: (Int, Int)) throws {
    var video = try Self.longVideo()
    video.resumeSeconds = 75
    Golden.expect("details-\(size.0)x\(size.1)", details(of: video, width: size.0, height: size.1).state.draw())
  }

  @Test func `the lines are wrapped once for each text`() {
    let text = DetailsText(
      video: sampleVideo(0), chapters: [], notes: [], stopSeconds: 0, words: Words(keys: .standard), zone: .utc,
      size: Size(width: 40, height: 20), widths: TextWidths())
    var other = text
    other.notes = ["A note"]
    var lines = DetailsText.LineCache()
    #expect(lines.lines(of: text) == text.lines && !lines.isPrepared(for: text))
    lines.prepare(text)
    #expect(lines.isPrepared(for: text) && lines.lines(of: text) == text.lines)
    #expect(!lines.isPrepared(for: other) && lines.lines(of: other) == other.lines)
  }

  @Test func `the preview of a list draws lines that are already wrapped`() throws {
    var scenario = Scenario.showing(width: 120, height: 40, layout: .list)
    for keys in ["", "j", "G", "<Enter>", "q"] {
      scenario.type(keys)
      let text = try #require(scenario.state.detailsView?.text)
      #expect(scenario.state.detailsLines.isPrepared(for: text))
    }
  }

  @Test func `a broken file has one message`() {
    var video = sampleVideoWithoutDetails(0)
    video.isPartial = true
    var scenario = Scenario.showing([video], width: 120, height: 40)
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    scenario.type("<Enter>")
    let failure = FeedFailure(.permanent, "ffprobe failed: moov atom not found")
    scenario.answerDetails(.failure(failure))
    while let cover = scenario.awaitedCovers.first {
      scenario.forgetCover(cover.ticket)
      scenario.handle(.coverFailed(cover.ticket, failure))
    }
    #expect(scenario.screen.contains("Could not load the details"))
    #expect(!scenario.screen.contains("Could not load the cover"))
  }

  @Test func `while the player shows its failure, the details repeat none`() {
    var scenario = Scenario.playing()
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    while !scenario.awaitedCovers.isEmpty { scenario.answerCover(gray: nil) }
    #expect(scenario.screen.contains("Could not load the cover"))
    scenario.report(.ended(.failed(.unrecognizedFormat)))
    #expect(scenario.screen.contains("Could not play this video"))
    #expect(!scenario.screen.contains("Could not load the cover"))
  }
}
