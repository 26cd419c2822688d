import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFilters

@Suite(.hangLimit) struct FilterQueryTests {
  static let now = UnixTime(seconds: 1_720_000_000)  // 2024-07-03

  /// The titles of the sample videos that a filter includes.
  private func titles(_ text: String) throws -> [String] {
    let filter = try FilterQuery(text).filter
    var budget = Filter.Budget()
    return Self.samples.filter { filter.includes(VideoFacts($0.video), $0.context, &budget) }.map(\.video.title)
  }

  private struct Sample {
    var video: Video
    var context: Filter.Context

    init(
      _ title: String, channel: String? = nil, summary: String? = nil, minutes: Int? = nil, day: String? = nil,
      language: String? = nil, source: String = "Films", states: VideoStates = []
    ) {
      let address = WebAddress("https://films.example/\(title.utf8.count)")
      video = Video(
        id: title, title: title,
        playback: address.map { .direct([MediaFile(url: $0, language: language)]) } ?? .unknown)
      (video.channel, video.summary) = (channel, summary)
      video.duration = minutes.map { .seconds($0 * 60) }
      video.published = day.flatMap { UnixTime(rfc3339: $0) }
      context = Filter.Context(now: FilterQueryTests.now, zone: .utc, sourceName: folded(source), states: states)
    }
  }

  private static let samples = [
    Sample("Blender Trailer", channel: "Blender", minutes: 1, day: "2024-07-01", states: [.watched, .new]),
    Sample("Open Movie", channel: "Blender", summary: "A film in\nfour seasons", minutes: 12, day: "2024-06-25"),
    Sample(
      "Café crème", channel: "Küche", minutes: 45, day: "2024-05-20", language: "deu-eng", states: VideoStates(.starred)
    ),
    Sample("Talk about open data", channel: "ccc", minutes: 60, day: "2024-04-30", source: "Talks", states: .queued),
    Sample("Movie night, open end", minutes: 100, states: .begun),
    Sample("Spoiler", channel: "Blender", minutes: 20, day: "2023-01-01", states: .hidden),
  ]

  @Test(arguments: [("de", nil, true), ("en", "de", true), ("en", nil, false), (nil, "deu", true), (nil, nil, false)])
  func `a video is found by its language and by that of its files`(own: String?, file: String?, isFound: Bool) throws {
    var sample = Sample("Talk", language: file)
    sample.video.language = own
    var budget = Filter.Budget()
    let filter = try FilterQuery("lang:de").filter
    #expect(filter.includes(VideoFacts(sample.video), sample.context, &budget) == isFound)
  }

  @Test(arguments: [
    ("tag:news", true), ("tag:NEW", true), ("tag:=news", false), ("tag:\"world news\"", true),
    ("tag:=\"world news\"", true), ("-tag:news", false), ("tag:films", false),
  ])
  func `a video is found by the tags of its source`(text: String, isFound: Bool) throws {
    var sample = Sample("Talk")
    sample.context.tags = [folded("Talks"), folded("World News")]
    var budget = Filter.Budget()
    #expect(try FilterQuery(text).filter.includes(VideoFacts(sample.video), sample.context, &budget) == isFound)
    sample.context.tags = []
    #expect(
      try FilterQuery(text).filter.includes(VideoFacts(sample.video), sample.context, &budget) == (text.first == "-"))
  }

  @Test func `the query for a tag includes only the sources with exactly this tag`() throws {
    let query = try #require(FilterQuery.sources(tagged: "a \"b\" | c"))
    #expect(query.text.hasPrefix("tag:=") && !query.filter.isEmpty)
  }

  @Test(arguments: ["channel:/^$/", "channel:/^$/i"])
  func `a video without a channel has an empty one for regular expressions`(text: String) throws {
    #expect(try titles(text) == ["Movie night, open end"])
  }

  @Test(arguments: [
    ("", ["Blender Trailer", "Open Movie", "Café crème", "Talk about open data", "Movie night, open end"]),
    ("blender", ["Blender Trailer", "Open Movie"]),
    ("blender -trailer", ["Open Movie"]),
    ("FOUR seasons", ["Open Movie"]),
    ("\"film in four\"", ["Open Movie"]),
    ("\"open movie\"", ["Open Movie"]),
    ("open movie", ["Open Movie", "Movie night, open end"]),
    ("cafe creme", ["Café crème"]),
    ("title:blender", ["Blender Trailer"]),
    ("channel:ccc | channel:kuche", ["Café crème", "Talk about open data"]),
    ("title:/^open|open$/i", ["Open Movie"]),
    ("title:/open/", ["Talk about open data", "Movie night, open end"]),
    ("title:/cr.me/i", ["Café crème"]),
    ("description:film", ["Open Movie"]),
    ("source:talks", ["Talk about open data"]),
    ("lang:de", ["Café crème"]), ("lang:eng", ["Café crème"]), ("lang:fr", []),
    (">45m", ["Talk about open data", "Movie night, open end"]),
    (">=45m <1h40m", ["Café crème", "Talk about open data"]),
    ("length:12m..1:00:00", ["Open Movie", "Café crème", "Talk about open data"]),
    ("length:..12m", ["Blender Trailer", "Open Movie"]),
    ("new", ["Blender Trailer"]), ("short", ["Blender Trailer"]),
    ("unwatched blender", ["Open Movie"]), ("watched | starred", ["Blender Trailer", "Café crème"]),
    ("begun", ["Movie night, open end"]), ("queued", ["Talk about open data"]), ("hidden", ["Spoiler"]),
    ("blender (hidden | -hidden)", ["Blender Trailer", "Open Movie", "Spoiler"]),
    ("since:1w", ["Blender Trailer"]),
    ("since:2w", ["Blender Trailer", "Open Movie"]),
    ("since:2024-06", ["Blender Trailer", "Open Movie"]),
    ("before:2024-05", ["Talk about open data"]),
    ("since:2024-04-30 before:2w", ["Café crème", "Talk about open data"]),
    ("(blender | ccc) -(trailer | data)", ["Open Movie"]),
    ("-(movie (open | end))", ["Blender Trailer", "Café crème", "Talk about open data"]),
    ("--open movie", ["Open Movie", "Movie night, open end"]),
    ("“open movie”", ["Open Movie"]), ("„open movie“", ["Open Movie"]), ("«open movie»", ["Open Movie"]),
    ("＂open movie＂", ["Open Movie"]), ("\\\"open movie\\\"", ["Open Movie"]), ("title:“open movie”", ["Open Movie"]),
    ("title：blender", ["Blender Trailer"]), ("blender　－trailer", ["Open Movie"]), ("blender –trailer", ["Open Movie"]),
    ("channel:ccc ｜ channel:kuche", ["Café crème", "Talk about open data"]),
    ("（blender）", ["Blender Trailer", "Open Movie"]),
    ("＞４５ｍ", ["Talk about open data", "Movie night, open end"]),
    (">1h 30m", ["Movie night, open end"]), (">1h 30m open", ["Movie night, open end"]),
    (">=60 min", ["Talk about open data", "Movie night, open end"]),
    ("≥1h", ["Talk about open data", "Movie night, open end"]),
    ("> 1.5h", ["Movie night, open end"]), (">1,5 hours", ["Movie night, open end"]), ("≤1m", ["Blender Trailer"]),
    ("length:10-45m", ["Open Movie", "Café crème"]), ("length:10m-45m", ["Open Movie", "Café crème"]),
    ("length:0.2h..45 min open", ["Open Movie"]), ("length:1h 30m..2h", ["Movie night, open end"]),
    ("length:1h30..", ["Movie night, open end"]), (">45m 60", []), (">10m \"30m\"", []),
    ("since:2024-07-01", ["Blender Trailer"]), ("since:today", []),
    ("before:yesterday since:2024-07", ["Blender Trailer"]),
    ("nothing", []), ("sort:longest | data", ["Talk about open data"]),
  ])
  func `a filter includes the videos that fulfill its conditions`(text: String, expected: [String]) throws {
    #expect(try titles(text) == expected)
  }

  @Test func `an order is separate from the filter`() throws {
    let query = try FilterQuery(" sort:newest  blender ")
    #expect(query.order == .newest)
    #expect(query.filter == (try FilterQuery("blender").filter))
    #expect(query.text == "sort:newest  blender")
    #expect(try FilterQuery("sort:title").filter.isEmpty)
  }

  @Test(arguments: [
    ("\"\"", "column 1: expected text. Write a word, such as “blender”."),
    ("-\"\"", "column 2: expected text. Write a word, such as “blender”."),
    ("a “ ”", "column 3: expected text. Write a word, such as “blender”."),
    ("title:\"\u{AD}\"", "column 7: expected text. Write a word, such as “blender”."),
    ("\u{301}", "column 1: expected text. Write a word, such as “blender”."),
    ("//", "column 1: expected a regular expression. Write “/^part/”."),
    ("title://i", "column 7: expected a regular expression. Write “/^part/”."),
    ("“open", "column 1: the quotation mark is not closed. Write “\"” at the end."),
    ("\"a\\\"", "column 1: the quotation mark is not closed. Write “\"” at the end."),
    (">10-20m", "column 2: expected a duration. Try “>10m”."),
    ("length:..", "column 8: expected a range of durations. Try “length:20m..90m”."),
    ("length:..100:00", "column 10: expected a duration. Try “length:20m..90m”."),
    ("length:10-90", "column 11: expected a duration. Try “length:20m..90m”."),
    ("chanel:ccc", "column 1: “chanel” is not a known field. Did you mean “channel”?"),
    (
      "a re:publica",
      "column 3: “re” is not a known field. Write one of title, channel, author, description, source, tag, lang, "
        + "length, since, before, sort, or the text in quotation marks."
    ),
    ("a sort:newst", "column 8: “newst” is not a known order. Did you mean “newest”?"),
    ("a \"open", "column 3: the quotation mark is not closed. Write “\"” at the end."),
    ("(a | b", "column 1: this “(” is not closed. Write “)” at its end."),
    ("a) b", "column 2: there is no “(” for this “)”. Remove it, or write it in quotation marks."),
    ("a |", "column 4: expected a condition. Write a word, such as “blender”."),
    ("- a", "column 2: expected a condition after “-”. Write “-word”, or “\"-\"” for the sign."),
    ("a >ten", "column 4: expected a duration. Try “>10m”."),
    ("<10", "column 2: expected a duration. Try “<1h”."),
    ("length:20m", "column 8: expected a range of durations. Try “length:20m..90m”."),
    ("length:20m..x", "column 13: expected a duration. Try “length:20m..90m”."),
    ("length:2h..1h", "column 8: the range begins after its end. Write the shorter duration first."),
    ("since:soon", "column 7: expected a date or an age. Try “since:2w”, “2w” or “2024-05-31”."),
    ("before:2024-13", "column 8: expected a date or an age. Try “before:2024-05”, “2w” or “2024-05-31”."),
    ("title:", "column 7: expected a value. Try “title:spring”."),
    ("lang:german", "column 6: “german” is not a language. Write a code such as “lang:de”."),
    ("title:/a(b/", "column 9: a parenthesis is not closed. Correct the regular expression."),
    ("title:/ab", "column 7: the regular expression is not closed. Write “/” at its end."),
    ("title:/a/x", "column 10: “x” is not an option. Write “/i” to ignore case, or nothing."),
    ("(a sort:newest)", "column 4: “sort:” cannot be negated or in parentheses. Write it at the end."),
    ("sort:title sort:newest", "column 12: there are two orders. Remove one."),
  ])
  func `a fault names its column and what to write`(text: String, message: String) {
    #expect { try FilterQuery(text) } throws: { ($0 as? FilterError)?.text == message }
  }

  @Test(
    arguments: [
      ("anna OR bert", "“OR” is a word here. Write “|” for or."),
      ("anna or bert", "“or” is a word here. Write “|” for or."),
      ("anna AND bert", "“AND” is a word here. Leave it out: conditions side by side must all hold."),
      ("a && b", "“&&” is a word here. Leave it out: conditions side by side must all hold."),
      ("NOT anna", "“NOT” is a word here. Write “-” for not."), ("！anna", "“!anna” is a word here. Write “-” for not."),
      ("title=anna", "“title=anna” is a word here. Write “title:text” to search a field."),
      ("length>10m", "“length>10m” is a word here. Write “title:text” to search a field."),
      ("title!=anna", "“title!=anna” is a word here. Write “title:text” to search a field."),
      ("anna", nil), ("\"OR\"", nil), ("title:or", nil), ("e=mc2", nil), ("nord", nil),
    ] as [(String, String?)])
  func `an operator of other query languages is a word, with advice`(text: String, expected: String?) throws {
    #expect(try FilterQuery(text).foreignOperator?.text == expected)
  }

  @Test func `a typographic dash between blanks is not a negation`() throws {
    #expect(try FilterQuery("anna – bert").filter == FilterQuery("anna \"-\" bert").filter)
    #expect(try FilterQuery("a–b").filter == FilterQuery("a-b").filter)
    #expect(try FilterQuery("\"say \\\"hi\\\"\"").filter == FilterQuery("“say \\\"hi\\\"”").filter)
  }

  @Test func `hostile filters are rejected or parsed without deep recursion`() {
    let nested = String(repeating: "(", count: 1_000)
    #expect { try FilterQuery(nested) } throws: { ($0 as? FilterError)?.reason == "more than 50 nested parentheses" }
    let deepest = String(repeating: "(", count: 50) + "a" + String(repeating: ")", count: 50)
    #expect(throws: Never.self) { try FilterQuery(deepest) }
    #expect(throws: FilterError.self) { try FilterQuery("(\(deepest))") }
    #expect { try FilterQuery(String(repeating: "a", count: 10_001)) } throws: { ($0 as? FilterError)?.column == 1 }
    #expect { try FilterQuery(String(repeating: "a ", count: 4_000)) } throws: {
      ($0 as? FilterError)?.reason == "more than 1000 conditions"
    }
    #expect(throws: Never.self) { try FilterQuery(String(repeating: "-", count: 9_000) + "a") }
  }

  @Test(arguments: [
    ("ble", "blend", true), ("blend", "ble", false), ("a", "a b", true), ("a b", "a", false), ("-a", "-ab", false),
    ("-a b", "-a bc", true), ("a | b", "a | bc", false), ("a | b", "(a | b) c", true), (">10m", ">20m", true),
    (">20m", ">10m", false), ("<2h", "<1h", true), ("<1h", "<2h", false), ("<1h", "10m..2h", false),
    ("", "a", true), ("a", "hidden a", false), ("title:a", "title:ab", true), ("a", "title:ab", true),
    ("title:a", "ab", false), ("a sort:newest", "ab", true),
  ])
  func `a filter with further letters or conditions is narrower`(wide: String, narrow: String, isNarrower: Bool) throws
  {
    #expect(try FilterQuery(narrow).filter.isNarrower(than: FilterQuery(wide).filter) == isNarrower)
  }

  @Test func `all of a long description is searched`() throws {
    var video = Video(id: "1", title: "Film", playback: .unknown)
    video.summary = String(repeating: "слово ", count: 3_000) + "needle"
    var budget = Filter.Budget()
    let isIncluded = try ["слово", "needle", "/needle/i", "/needle/"].map {
      try FilterQuery($0).filter.includes(VideoFacts(video), Filter.Context(now: nil, zone: .utc), &budget)
    }
    #expect(isIncluded == [true, true, true, true])
  }

  @Test(arguments: [
    ("ada", [0, 1, 2, 4]), ("author:ada", [0, 1, 2]), ("channel:ada", [0, 1, 4]), ("channel:club", [2, 3]),
    ("author:club", []), ("author:/^Ada/", [0, 1, 2]), ("author:/^$/i", [3, 4]), ("/^ada/i", [0, 1, 2, 4]),
  ])
  func `an author is found beside a channel`(text: String, expected: [Int]) throws {
    let people: [(String?, String?)] = [(nil, "Ada"), ("Ada", "Ada"), ("Club", "Ada"), ("Club", nil), ("Ada", nil)]
    let videos = people.map { channel, author in
      var video = Video(id: "1", title: "Film", playback: .unknown)
      (video.channel, video.author) = (channel, author)
      return video
    }
    var budget = Filter.Budget()
    let filter = try FilterQuery(text).filter
    let included = videos.indices.filter {
      filter.includes(VideoFacts(videos[$0]), Filter.Context(now: nil, zone: .utc), &budget)
    }
    #expect(included == expected)
  }

  @Test func `two filters joined include what both include`() throws {
    let joined = try FilterQuery("blender").filter.and(FilterQuery("-trailer").filter)
    #expect(joined == (try FilterQuery("blender -trailer").filter))
    #expect(Filter.everything.and(joined) == joined)
  }

  @Test func `the facts of many videos are those of each one, also after a replacement`() throws {
    let filters = try ["open", "channel:blender", "description:film", "/Open/", "lang:de", ">15m", "since:2024-05"].map
    {
      try FilterQuery($0).filter
    }
    var videos = Self.samples.map(\.video)
    var facts = VideoFacts()
    for video in videos { facts.append(video) }
    func expectEqual() {
      var budget = Filter.Budget()
      let context = Filter.Context(now: Self.now, zone: .utc)
      for filter in filters {
        for (index, video) in videos.enumerated() {
          let expected = filter.includes(VideoFacts(video), context, &budget)
          #expect(filter.includes(facts, at: index, context, &budget) == expected, "\(filter) \(video.title)")
        }
      }
    }
    expectEqual()
    for index in [2, 0, 2] {
      videos[index].title += " Open"
      videos[index].summary = (videos[index].summary ?? "") + "film"
      videos[index].duration = .seconds(1_000 * index)
      facts.replace(at: index, with: videos[index])
      expectEqual()
    }
    #expect(facts.count == videos.count && !facts.isWasteful)
    for _ in 0..<20 { facts.replace(at: 1, with: videos[1]) }
    expectEqual()
    #expect(facts.isWasteful)
  }

  @Test(arguments: [
    (["", ""], ""), (["a | b sort:longest", "sort:title c"], "(a | b) c sort:age"), (["a | b", " "], "a | b sort:age"),
    (["(a | b) c", "d | sort:title"], "((a | b) c) d sort:age"),
    (["a ｜ b", "c ｜ sort:title", "sort:title｜ d"], "(a ｜ b) c d sort:age"),
  ])
  func `joined queries include what each of them includes, in one order`(texts: [String], joined: String) throws {
    let queries = try texts.map { try FilterQuery($0) }
    let order: VideoOrder? = joined.isEmpty ? nil : .newest
    #expect(FilterQuery.joining(queries, sortedBy: order)?.text == joined.replacing("sort:age", with: "sort:newest"))
    let long = try FilterQuery(String(repeating: "a", count: 9_000))
    #expect(FilterQuery.joining([long, long]) == nil)
  }

  @Test(arguments: [
    "Talks", "a \"b\" | c", "back\\slash", "end\\", "a\\\"", "＂x＂ ＼", "a\\“b", "(x", "“y”", "-", "#", "a/b", "=x",
  ])
  func `the query for a source has its name`(name: String) throws {
    let query = try #require(FilterQuery.source(named: name))
    #expect(FilterQuery.joining([query])?.filter == query.filter)
    #expect(query.filter == Filter([.test(.sourceNamed(folded(name)))]))
  }
}
