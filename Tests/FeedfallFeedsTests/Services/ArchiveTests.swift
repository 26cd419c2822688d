import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct ArchiveTests {
  private static let search = "https://files.example/advancedsearch.php?q=x&rows=2&output=json"
  private static let metadata = "https://files.example/metadata/film"

  private func found(_ items: String..., total: Int = 3, start: Int = 0, page: String = "") throws -> DecodedDocument {
    try decode(
      #"{"responseHeader":{"status":0},"response":{"numFound":\#(total),"start":\#(start),"docs":[\#(items.joined(separator: ","))]}}"#,
      from: Self.search + page)
  }

  private func item(_ files: String..., facts: String = "") throws -> Video {
    let body = #"""
      {"created":1,"files":[\#(files.joined(separator: ","))],
       "metadata":{"identifier":"film","title":"A film","mediatype":"movies"\#(facts)}}
      """#
    return try #require(try decode(body, from: Self.metadata).videos.first)
  }

  @Test func `search results become videos regardless of the types of their members`() throws {
    let document = try found(
      #"{"identifier":"a","title":["A"],"creator":["X","Y"],"description":["One","<b>Two</b>"],"year":"1955","downloads":"12","mediatype":"movies"}"#,
      #"{"identifier":"b","title":"B","creator":"X","description":"One","year":1936,"date":"1936-05-02T00:00:00Z","downloads":7}"#
    )
    #expect(document.kind == .archive && document.total == 3)
    #expect(document.videos.map(\.title) == ["A", "B"])
    #expect(document.videos.map(\.author) == ["X, Y", "X"])
    #expect(document.videos.map(\.summary) == ["One\n\nTwo", "One"])
    #expect(document.videos.map(\.views) == [12, 7])
    #expect(document.videos.map(\.year) == [1_955, 1_936])
    #expect(document.videos[1].published?.civilDate.description == "1936-05-02")
    #expect(document.videos[0].covers.map(\.url.text) == ["https://files.example/services/img/a"])
    #expect(document.videos[0].detailsURL?.text == "https://files.example/metadata/a")
    #expect(document.videos[0].pageURL?.text == "https://files.example/details/a")
  }

  @Test func `other media are ignored, and invalid identifiers are counted as skipped`() throws {
    let document = try found(
      #"{"identifier":"a","mediatype":"image"}"#, #"{"identifier":"../b"}"#, #"{"identifier":".."}"#,
      #"{"title":"none"}"#,
      #"{"identifier":"c","mediatype":"movies"}"#)
    #expect(document.videos.map(\.id) == ["c"])
    #expect(document.skippedCount == 3 && document.total == nil)
  }

  @Test func `pages follow up to the total and the limit of the Archive`() throws {
    let picture = #"{"identifier":"a","mediatype":"image"}"#
    #expect(try found(picture, picture).nextAddress?.queryValue("page") == "2")
    #expect(try found(picture, total: 3, start: 2, page: "&page=2").nextAddress == nil)
    #expect(try found(picture, total: 9, start: 2, page: "&page=2").nextAddress?.queryValue("page") == "3")
    #expect(try found(total: 9).nextAddress == nil)
    #expect(try found(picture, total: .max, start: .max).nextAddress == nil)
    #expect(try found(picture, total: 90_000, start: 9_999, page: "&page=5000").nextAddress == nil)
  }

  @Test func `the Archive's copy in a widely supported format is played`() throws {
    let video = try item(
      #"{"name":"film.mpeg","source":"original","format":"MPEG2","height":"480","width":"640","size":"900","length":"596.46"}"#,
      #"{"name":"dir/a film #1?.mp4","source":"derivative","format":"h.264","height":"480","width":"640","size":"70","length":"9:56"}"#,
      #"{"name":"film.ogv","source":"derivative","format":"Ogg Video","height":"480","width":"640"}"#,
      #"{"name":"secret.mp4","private":"true","format":"h.264","height":"480"}"#,
      #"{"name":"film.jpg","format":"Thumbnail"}"#, #"{"name":"film_meta.xml","format":"Metadata"}"#)
    guard case .direct(let files) = video.playback else {
      Issue.record("not playable")
      return
    }
    #expect(
      files.map(\.url.text) == [
        "https://files.example/download/film/dir/a%20film%20%231%3F.mp4",
        "https://files.example/download/film/film.ogv",
        "https://files.example/download/film/film.mpeg",
      ])
    #expect(video.duration == .seconds(596) && video.byteCount == 70)
    #expect(video.pictureSize == PixelSize(width: 640, height: 480))
  }

  @Test func `each original of an item is a card, with its own copies and picture`() throws {
    let files = [
      #"{"name":"one.avi","source":"original","format":"Cinepack","height":"576","width":"720","title":"Part one"}"#,
      #"{"name":"two.mpeg","source":"original","format":"MPEG2"}"#,
      #"{"name":"two.mp4","source":"derivative","original":"two.mpeg","format":"h.264"}"#,
      #"{"name":"film.thumbs/one_000001.jpg","source":"derivative","original":"one.avi","format":"Thumbnail"}"#,
      #"{"name":"one.mp4","source":"derivative","original":"one.avi","format":"h.264","height":"480","width":"640","length":"61"}"#,
      #"{"name":"song.mp3","source":"original","format":"VBR MP3"}"#,
    ]
    let body =
      #"{"files":[\#(files.joined(separator: ","))],"metadata":{"identifier":"film","title":"A film","mediatype":"movies"}}"#
    let document = try decode(body, from: Self.metadata)
    #expect(document.videos.map(\.id) == ["film/one.avi", "film/two.mpeg"])
    #expect(document.videos.map(\.title) == ["Part one", "two"])
    #expect(document.videos.map(\.group) == ["A film", "A film"])
    let place = "https://files.example/download/film/"
    #expect(
      document.videos.map { addresses($0) } == [
        [place + "one.mp4", place + "one.avi"], [place + "two.mp4", place + "two.mpeg"],
      ])
    #expect(document.videos[0].duration == .seconds(61))
    #expect(document.videos[0].covers.map(\.url.text) == [place + "film.thumbs/one_000001.jpg"])

    let one = try decode(body, from: Self.metadata + "#file=two.mp4")
    #expect(one.videos.map(\.id) == ["film/two.mpeg"])
    #expect { try decode(body, from: Self.metadata + "#file=three.mp4") } throws: {
      ($0 as? FeedFailure)?.reason == "the item has no video three.mp4"
    }
    let listed = Video(id: "film", title: "Listed", playback: .unknown)
    let completed = try FeedDecoder.decodeDetails(
      Array(body.utf8), completing: listed, from: try #require(WebAddress(Self.metadata)))
    #expect(completed.title == "Listed" && completed.id == "film" && addresses(completed).count == 2)
  }

  @Test func `an answer of the scrape API lists videos and leads to the next`() throws {
    let document = try decode(
      #"{"items":[{"identifier":"a","title":"A","mediatype":"movies"},{"identifier":"b","mediatype":"audio"}],"count":2,"cursor":"x y","total":9}"#,
      from: "https://files.example/services/search/v1/scrape?q=x&cursor=w")
    #expect(document.kind == .archive && document.videos.map(\.title) == ["A"] && document.total == 9)
    #expect(document.videos[0].detailsURL?.text == "https://files.example/metadata/a")
    #expect(document.nextAddress?.text == "https://files.example/services/search/v1/scrape?q=x&cursor=x%20y")
  }

  @Test func `a file name cannot leave the folder of its item`() throws {
    let video = try item(#"{"name":"../../other/film.mp4","format":"h.264"}"#)
    #expect(video.playbackURL?.text == "https://files.example/download/film/%2E%2E/%2E%2E/other/film.mp4")
  }

  @Test func `details complete a video of a list`() throws {
    let listed = try #require(try found(#"{"identifier":"film","title":"A film","downloads":5}"#).videos.first)
    let body =
      #"{"files":[{"name":"f.mp4","format":"h.264","length":"61"}],"metadata":{"identifier":"film","mediatype":"movies","licenseurl":"https://l.example/"}}"#
    let address = try #require(listed.detailsURL)
    let video = try FeedDecoder.decodeDetails(Array(body.utf8), completing: listed, from: address)
    #expect(video.playbackURL?.text == "https://files.example/download/film/f.mp4")
    #expect(video.duration == .seconds(61) && video.views == 5 && video.licenceURL?.text == "https://l.example/")
  }

  @Test func `an item without a playable file is opened by its page`() throws {
    #expect(
      try item(#"{"name":"x.pdf"}"#).playback == .page(try #require(WebAddress("https://files.example/details/film"))))
  }

  @Test func `a removed item is a failure, in a list and in details`() throws {
    let gone = "the Internet Archive has no such item"
    #expect { try decode("{}", from: Self.metadata) } throws: { ($0 as? FeedFailure)?.reason == gone }
    let video = Video(id: "film", title: "A film", playback: .unknown)
    let address = try #require(WebAddress(Self.metadata))
    #expect { try FeedDecoder.decodeDetails(Array("{}".utf8), completing: video, from: address) } throws: {
      ($0 as? FeedFailure)?.reason == gone
    }
    #expect(failure("{}")?.reason == "the answer is JSON without a list of videos")
    #expect(
      failure(#"{"error":"Invalid query"}"#)?.reason == "the answer contains a message instead of videos: Invalid query"
    )
  }

  @Test func `a collection continues with the search for its videos`() throws {
    let body = #"{"files":[],"metadata":{"identifier":"films","title":"Films","mediatype":"collection"}}"#
    let document = try decode(body, from: "https://files.example/metadata/films#rows=7")
    #expect(document.videos.isEmpty && document.title == "Films")
    let next = try #require(document.nextAddress)
    #expect(next.origin == "https://files.example" && next.path == "/advancedsearch.php" && next.fragment == nil)
    #expect(next.queryValue("q") == "collection:films AND mediatype:(movies)")
    #expect(next.queryValue("sort[]") == "downloads desc")
    #expect(next.queryValue("rows") == "7" && next.queryValue("page") == "1")
  }

  private func thumbnails(_ count: Int) -> [String] {
    (0..<count).map {
      #"{"name":"film.thumbs/\#($0).jpg","source":"derivative","format":"Thumbnail","original":"film \#($0 % 26).mp4"}"#
    }
  }

  private func document(_ files: [String]) throws -> DecodedDocument {
    try decode(
      #"{"files":[\#(files.joined(separator: ","))],"metadata":{"identifier":"film","title":"A film"}}"#,
      from: Self.metadata)
  }

  @Test func `all films of an item are found behind twenty thousand pictures`() throws {
    let films = (0..<26).map { #"{"name":"film \#($0).mp4","format":"MPEG4"}"# }
    let document = try document(thumbnails(20_000) + films)
    #expect(document.videos.count == 26 && document.notice == nil)
    #expect(document.videos.allSatisfy { $0.covers.count == 1 })
  }

  @Test func `a notice says that an item has too many films`() throws {
    let films = (0..<10_001).map { #"{"name":"\#($0).mp4"}"# }
    #expect(try document(films.dropLast()).notice == nil)
    let cut = try document(films + [#"{"name":"0.ogv","source":"derivative","original":"0.mp4"}"#])
    #expect(cut.videos.count == 10_000 && addresses(cut.videos[0]).count == 2)
    #expect(cut.notice == "The item has more than 10000 videos. The others are left out.")
  }

  @Test(arguments: [
    ("2024-03-17T13:25:00Z", "2024-03-01", "2024-03-01"), ("2024-08-02T13:25:00Z", "2024-01-01", "2024-01-01"),
    ("2024-03-01T13:25:00Z", "2024-03-01", "2024-03-01T13:25:00Z"), ("2024-03-17", "2024-03-01", "2024-03-17"),
  ])
  func `details replace a time that a list has computed from words`(list: String, details: String, right: String) throws
  {
    var listed = Video(id: "a", title: "A", playback: .unknown)
    var completing = listed
    (listed.published, completing.published) = (UnixTime(feedDate: list), UnixTime(feedDate: details))
    #expect(listed.completed(by: completing).published == UnixTime(feedDate: right))
  }

  @Test func `details never replace a date by a form of it with less precision`() throws {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<500 {
      let exact = UnixTime(seconds: Int.random(in: -4_000_000_000...4_000_000_000, using: &random))
      let date = exact.civilDate
      let start = try #require(UnixTime(feedDate: "\(date)"))
      for (exact, text) in [(start, "\(date.year)"), (start, String("\(date)".prefix(7))), (exact, "\(date)")] {
        var (listed, details) = (
          Video(id: "a", title: "A", playback: .unknown), Video(id: "a", title: "A", playback: .unknown)
        )
        listed.published = exact
        details.published = UnixTime(feedDate: text)
        #expect(details.published != nil && listed.completed(by: details).published == exact, "\(exact) \(text)")
        details.published = UnixTime(feedDate: "\(date.year + 1)-07-07")
        #expect(listed.completed(by: details).published == details.published)
        listed.published = nil
        #expect(listed.completed(by: details).published == details.published)
      }
    }
  }

  private func searched(_ page: String, count: Int? = nil) throws -> WebAddress {
    let address = try #require(WebAddress("https://archive.org/" + page))
    let request = try #require(KnownSite.request(for: address, count: count))
    guard request.path.hasPrefix("/metadata/") else { return request }
    let body = #"{"files":[],"metadata":{"identifier":"films","mediatype":"collection"}}"#
    return try #require(try decode(body, from: request.text).nextAddress)
  }

  @Test(
    arguments: [
      ("search?query=x&sort=-date", "(x) AND mediatype:(movies)", "date desc"),
      ("search?query=x&sort=title", "(x) AND mediatype:(movies)", "titleSorter asc"),
      ("search?query=x&sort=_score", "(x) AND mediatype:(movies)", nil),
      ("search?query=x&sort=date%5D%3D", "(x) AND mediatype:(movies)", nil),
      (
        "search?query=x&and%5B%5D=year%3A%221936%22&and[]=subject:%22a+b%22&and[]=year:%221937%22&not[]=language:%22German%22",
        #"(x) AND mediatype:(movies) AND (year:"1936" OR year:"1937") AND (subject:"a b") AND NOT (language:"German")"#,
        nil
      ),
      ("details/films", "collection:films AND mediatype:(movies)", "downloads desc"),
      ("details/films?sort=-publicdate", "collection:films AND mediatype:(movies)", "publicdate desc"),
      (
        "details/films?sort=creator&query=a+b", "collection:films AND mediatype:(movies) AND (a b)", "creatorSorter asc"
      ),
      (
        "details/films?and[]=year%3A%5B1930+TO+1940%5D",
        "collection:films AND mediatype:(movies) AND (year:[1930 TO 1940])", nil
      ),
    ] as [(String, String, String?)])
  func `a list of the Archive has the order and the filters of its page`(
    page: String, query: String, order: String?
  ) throws {
    for count in [nil, 7] {
      let request = try searched(page, count: count)
      #expect(request.queryValue("q") == query)
      #expect(request.queryValue("sort[]") == order)
      #expect(request.queryValue("rows") == String(count ?? 30) && request.queryValue("page") == "1")
    }
  }

  @Test func `a search in full texts has no list of videos`() throws {
    let page = try #require(WebAddress("https://archive.org/search?query=x&sin=TXT"))
    #expect(KnownSite.request(for: page) == nil)
  }
}
