import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct VideoExtrasTests {
  /// Facts that are present at random.
  private static func extras(_ random: inout SeededGenerator) -> VideoExtras {
    func maybe<Value>(_ value: Value) -> Value? { random.chance(1, in: 2) ? value : nil }
    var extras = VideoExtras()
    let number = Int.random(in: 0..<100, using: &random)
    extras.season = maybe(number)
    extras.seasonName = maybe("S\(number)")
    extras.episode = maybe(Double(number) / 2)
    extras.episodeName = maybe("E\(number)")
    extras.episodeType = maybe(.bonus)
    extras.categories = maybe(["C\(number)"]) ?? []
    extras.people = maybe([VideoExtras.Person(name: "P\(number)", role: "host", group: "cast")]) ?? []
    extras.soundbites = maybe([VideoExtras.Soundbite(start: Double(number), duration: 1)]) ?? []
    extras.countries = maybe(VideoExtras.CountryLimit(isAvailable: number % 2 == 0, codes: ["C\(number)"]))
    return extras
  }

  private static func video(_ extras: VideoExtras) -> Video {
    var video = Video(id: "1", title: "A", playback: .unknown)
    video.extras = extras
    return video
  }

  @Test func `details replace the facts that they state and keep the others`() {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<500 {
      let (listed, details) = (Self.extras(&random), Self.extras(&random))
      let completed = Self.video(listed).completed(by: Self.video(details))
      #expect(completed.extras.season == details.season ?? listed.season)
      #expect(completed.extras.people == (details.people.isEmpty ? listed.people : details.people))
      #expect(completed.extras.countries == details.countries ?? listed.countries)
      #expect(completed.completed(by: Self.video(details)) == completed)
      #expect(Self.video(listed).completed(by: Self.video(VideoExtras())) == Self.video(listed))
      #expect(Self.video(VideoExtras()).completed(by: Self.video(details)).extras == details)
    }
  }

  @Test func `a video without rare facts needs no memory for them`() {
    var video = Self.video(VideoExtras())
    #expect(video == Video(id: "1", title: "A", playback: .unknown))
    video.extras.season = 1
    #expect(video != Self.video(VideoExtras()))
    video.extras.season = nil
    #expect(video == Self.video(VideoExtras()))
    #expect(MemoryLayout<Video>.stride <= 408)
  }

  @Test func `the facts of an item are bounded in count and length`() throws {
    let name = String(repeating: "n", count: 5_000)
    let tags = [
      "<podcast:person>\(name)</podcast:person>", "<podcast:transcript url='https://a.example/t'/>",
      "<podcast:funding url='https://a.example/f'>\(name)</podcast:funding>",
      "<podcast:soundbite startTime='1' duration='1'>\(name)</podcast:soundbite>",
      "<podcast:season name='\(name)'>1</podcast:season>",
    ]
    let categories = (0..<100).map { "<category>c\($0)</category>" }.joined()
    let item = "<item><title>A</title>\(tags.map { String(repeating: $0, count: 100) }.joined())\(categories)</item>"
    let extras = try #require(try rss(item, attributes: "xmlns:podcast='https://podcastindex.org/namespace/1.0'").first)
      .extras
    for count in [
      extras.people.count, extras.transcripts.count, extras.funding.count, extras.soundbites.count,
      extras.categories.count,
    ] { #expect(count == VideoExtras.maximumCount) }
    for text in [extras.people[0].name, extras.funding[0].title, extras.soundbites[0].title, extras.seasonName] {
      #expect((1...129).contains(text?.count ?? 0))
    }
  }

  @Test func `nested categories and media are read to a bounded depth`() throws {
    let names = "xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' xmlns:media='http://search.yahoo.com/mrss/'"
    func nested(_ name: String) -> String {
      String(repeating: "<\(name) text='a'>", count: 20_000) + String(repeating: "</\(name)>", count: 20_000)
    }
    let items = ["itunes:category", "media:group", "media:content"].map { "<item><title>A</title>\(nested($0))</item>" }
    let document = "<rss version='2.0' \(names)><channel>\(items.joined())<item><title>B</title></item></channel></rss>"
    #expect(try decode(document).videos.map(\.title) == ["A", "A", "A", "B"])
  }
}
