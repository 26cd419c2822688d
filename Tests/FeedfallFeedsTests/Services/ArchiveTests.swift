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

  @Test func `pages follow up to the total and the limit of the Archive`() throws {
    let picture = #"{"identifier":"a","mediatype":"image"}"#
    #expect(try found(picture, picture).nextAddress?.queryValue("page") == "2")
    #expect(try found(picture, total: 3, start: 2, page: "&page=2").nextAddress == nil)
    #expect(try found(picture, total: 9, start: 2, page: "&page=2").nextAddress?.queryValue("page") == "3")
    #expect(try found(total: 9).nextAddress == nil)
    #expect(try found(picture, total: .max, start: .max).nextAddress == nil)
    #expect(try found(picture, total: 90_000, start: 9_999, page: "&page=5000").nextAddress == nil)
  }

  @Test func `an item without a playable file is opened by its page`() throws {
    let page = try #require(WebAddress("https://files.example/details/film"))
    #expect(try document([#"{"name":"x.pdf"}"#]).videos.map(\.playback) == [.page(page)])
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
