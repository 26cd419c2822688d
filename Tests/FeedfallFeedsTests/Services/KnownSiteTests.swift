import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct KnownSiteTests {
  private func request(_ page: String, count: Int? = nil) throws -> String? {
    KnownSite.request(for: try #require(WebAddress(page)), count: count)?.text
  }

  @Test(arguments: [
    ("www.youtube.com/channel/UCabc_-1/videos", "channel_id=UCabc_-1"),
    ("youtube.com/playlist?list=PL12", "playlist_id=PL12"),
    ("m.youtube.com/watch?v=x&list=UU9", "playlist_id=UU9"),
    ("www.youtube.com/user/name", "user=name"), ("youtu.be/x?list=PL1&t=3", "playlist_id=PL1"),
    ("music.youtube.com/playlist?list=PL1", "playlist_id=PL1"),
    ("www.youtube.com/feeds/videos.xml?user=name", "user=name"),
    ("music.youtube.com/channel/UCabc", "channel_id=UCabc"), ("music.youtube.com/browse/UCabc", "channel_id=UCabc"),
    ("music.youtube.com/browse/VLPL1", "playlist_id=PL1"),
    ("www.youtube.com/embed/videoseries?list=PL1", "playlist_id=PL1"),
    ("www.youtube-nocookie.com/embed/x?list=PL1", "playlist_id=PL1"),
  ])
  func `a page of YouTube maps to its feed`(page: String, query: String) throws {
    #expect(try request("https://" + page) == "https://www.youtube.com/feeds/videos.xml?" + query)
  }

  @Test(arguments: [
    ("channel_id=UCabc_-1", "playlist_id=UULFabc_-1"), ("user=name", "user=name"),
    ("playlist_id=PL1", "playlist_id=PL1"),
    ("channel_id=x", "channel_id=x"),
  ])
  func `a channel of YouTube has a feed without Shorts`(query: String, expected: String) throws {
    let start = "https://www.youtube.com/feeds/videos.xml?"
    let feed = try #require(WebAddress(start + query))
    #expect(KnownSite.withoutShorts(feed).text == start + expected)
    let other = try #require(WebAddress("https://films.example/feeds/videos.xml?channel_id=UCabc"))
    #expect(KnownSite.withoutShorts(other) == other)
  }

  @Test(arguments: [
    "youtu.be/abc", "youtu.be/abc?list=RD1", "www.youtube.com/watch?v=abc", "m.youtube.com/shorts/abc",
    "www.youtube.com/results?search_query=a+b", "www.youtube.com/@x/search?query=y", "www.youtube.com/@x/streams",
    "www.youtube.com/@x/shorts", "www.youtube.com/channel/UC1/playlists", "youtube.com/c/name/live",
    "www.youtube.com/playlist?list=WL", "youtube.com/clip/UgkxAbc", "www.youtube.com/live/abc?si=x",
    "www.youtube.com/embed/abc", "www.youtube-nocookie.com/embed/abc", "youtube.com/v/abc",
    "music.youtube.com/browse/MPREb_abc", "music.youtube.com/browse/VLRDabc", "music.youtube.com/watch?v=abc",
  ])
  func `a list of YouTube without a feed is one for yt-dlp`(page: String) throws {
    #expect(KnownSite.needsYtDlp(try #require(WebAddress("https://" + page))))
    #expect(try request("https://" + page) == nil)
  }

  @Test(arguments: [
    "www.youtube.com/", "www.youtube.com/@x", "www.youtube.com/@x/videos", "www.youtube.com/c/name",
    "www.youtube.com/channel/UC1", "www.youtube.com/feeds/videos.xml?user=x", "youtu.be/", "youtu.be/x?list=PL1",
    "films.example/watch?v=abc", "notyoutu.be/x",
  ])
  func `a page that names a feed is not read by yt-dlp`(page: String) throws {
    #expect(!KnownSite.needsYtDlp(try #require(WebAddress("https://" + page))))
  }

  @Test(arguments: [
    ("www.dropbox.com/s/abc/A%20film.mp4?dl=0", "https://www.dropbox.com/s/abc/A%20film.mp4?dl=1"),
    ("www.dropbox.com/s/abc/film.mp4", "https://www.dropbox.com/s/abc/film.mp4?dl=1"),
    (
      "www.dropbox.com/scl/fi/abc/film.mp4?rlkey=x&st=y&dl=0",
      "https://www.dropbox.com/scl/fi/abc/film.mp4?rlkey=x&st=y&dl=1"
    ),
    (
      "drive.google.com/file/d/1ENcQ_jeCuj7y19s66_Ou9dRP4GKGsod/view?usp=sharing",
      "https://drive.usercontent.google.com/download?id=1ENcQ_jeCuj7y19s66_Ou9dRP4GKGsod&export=download&confirm=t"
    ),
    (
      "drive.google.com/open?id=1ENcQ_jeCuj7y19s66_Ou9dRP4GKGsod&resourcekey=0-k",
      "https://drive.usercontent.google.com/download?id=1ENcQ_jeCuj7y19s66_Ou9dRP4GKGsod&export=download&confirm=t"
        + "&resourcekey=0-k"
    ),
    (
      "drive.google.com/file/u/1/d/1ENcQ_jeCuj7y19s66_Ou9dRP4GKGsod/view",
      "https://drive.usercontent.google.com/download?id=1ENcQ_jeCuj7y19s66_Ou9dRP4GKGsod&export=download&confirm=t"
    ),
    (
      "drive.google.com/u/0/uc?id=1ENcQ_jeCuj7y19s66_Ou9dRP4GKGsod&export=download",
      "https://drive.usercontent.google.com/download?id=1ENcQ_jeCuj7y19s66_Ou9dRP4GKGsod&export=download&confirm=t"
    ),
    (
      "films.sharepoint.com/:v:/g/personal/ann/Eabc?e=x",
      "https://films.sharepoint.com/:v:/g/personal/ann/Eabc?e=x&download=1"
    ),
  ])
  func `a share link becomes the address of its file`(page: String, file: String) throws {
    let page = try #require(WebAddress("https://" + page))
    #expect(KnownSite.file(ofPage: page)?.text == file && KnownSite.request(for: page)?.text == file)
  }

  @Test(arguments: [
    "www.dropbox.com/sh/abc/def?dl=0", "www.dropbox.com/home", "drive.google.com/drive/folders/1ENcQ_jeCuj7y19s66_Ou9",
    "drive.google.com/file/d/short/view", "drive.google.com/file/u/0", "drive.google.com/u",
    "films.sharepoint.com/sites/x", "dropbox.com.example/s/abc/film.mp4",
  ])
  func `other pages of these sites are not share links`(page: String) throws {
    #expect(KnownSite.file(ofPage: try #require(WebAddress("https://" + page))) == nil)
  }

  @Test(arguments: ["RDabc", "RDCLAK5uy_x", "ULabc", "WL", "LL", "LM", ""])
  func `personal lists of YouTube have no feed`(list: String) throws {
    #expect(try request("https://www.youtube.com/watch?v=x&list=" + list) == nil)
    #expect(try request("https://www.youtube.com/playlist?list=" + list) == nil)
  }

  @Test(arguments: [
    ("https://vimeo.com/ann", "https://vimeo.com/ann/videos/rss"),
    ("https://vimeo.com/user123/videos", "https://vimeo.com/user123/videos/rss"),
    ("http://www.vimeo.com/channels/staffpicks", "https://vimeo.com/channels/staffpicks/videos/rss"),
    ("https://vimeo.com/groups/a%2Fb/videos", "https://vimeo.com/groups/a%2Fb/videos/rss"),
    ("https://odysee.com/@ann:1", "https://odysee.com/$/rss/@ann:1"),
    ("https://www.bitchute.com/channel/ann/", "https://www.bitchute.com/feeds/rss/channel/ann/"),
    (
      "https://mediathekviewweb.de/#query=!ard%20film&future=true", "https://mediathekviewweb.de/feed?query=!ard%20film"
    ),
    ("https://mediathekviewweb.de/", "https://mediathekviewweb.de/feed"),
  ])
  func `a page of a site with feeds maps to its feed`(page: String, feed: String) throws {
    #expect(try request(page) == feed)
  }

  @Test(arguments: [
    ("", "events/recent"), ("/", "events/recent"), ("/recent", "events/recent"), ("/popular", "events/popular"),
    ("/popular/2019", "events/popular?year=2019"), ("/promoted", "events/promoted"),
    ("/search?q=free+films", "events/search?q=free%20films"), ("/search/?q=x", "events/search?q=x"),
    ("/search?q=x&page=3&sort=relevance", "events/search?q=x&page=3"),
    ("/unpopular/2019", "events/unpopular?year=2019"),
    ("/recent?page=2", "events/recent?page=2"), ("/popular/2019?page=2", "events/popular?year=2019&page=2"),
    ("/c/37c3", "conferences/37c3"), ("/c/a%2Fb", "conferences/a%2Fb"), ("/a", "conferences"),
    ("/v/37c3-1-a_talk", "events/37c3-1-a_talk"), ("/v/37c3-1-a_talk#t=60", "events/37c3-1-a_talk"),
    ("/b", "conferences"), ("/b/congress/2023", "conferences#congress/2023"),
  ])
  func `a page of media.ccc.de maps to its list`(page: String, place: String) throws {
    #expect(try request("https://media.ccc.de" + page) == "https://api.media.ccc.de/public/" + place)
  }

  @Test(arguments: [
    ("/c/37c3/Security", "list talks by tag", "search for the tag: https://media.ccc.de/search?q=Security"),
    ("/tags/a%20b", "list talks by tag", "search for the tag: https://media.ccc.de/search?q=a%20b"),
    ("/search?p=Ada+L", "list talks by person", "search for the name: https://media.ccc.de/search?q=Ada%20L"),
    ("/search?q=x&sort=date", "sort a search", "search without sort="),
  ])
  func `a page of media.ccc.de without a list in the API is refused`(page: String, task: String, advice: String)
    throws
  {
    let address = try #require(WebAddress("https://media.ccc.de" + page))
    #expect(KnownSite.request(for: address) == nil)
    #expect(KnownSite.refusal(of: address)?.reason == "the API of media.ccc.de cannot " + task)
    #expect(KnownSite.refusal(of: address)?.advice == advice)
  }

  @Test(arguments: [
    "/c/37c3/podcast/mp4-hq.xml", "/v/x/related", "/podcast-hq.xml", "/public/events/recent", "/news.atom",
  ])
  func `feeds and other pages of media.ccc.de are not refused`(page: String) throws {
    let address = try #require(WebAddress("https://media.ccc.de" + page))
    #expect(KnownSite.refusal(of: address) == nil)
    #expect([nil, address].contains(KnownSite.request(for: address)))
  }

  @Test func `API addresses of media.ccc.de stay unchanged, and lists get the wanted page size`() throws {
    let api = "https://api.media.ccc.de/public/events/search?q=linux&page=2"
    #expect(try request(api, count: 5) == api)
    #expect(
      try request("https://media.ccc.de/search?q=x", count: 500)
        == "https://api.media.ccc.de/public/events/search?q=x&per_page=256")
    #expect(try request("https://media.ccc.de/v/x", count: 5) == "https://api.media.ccc.de/public/events/x")
    #expect(
      try request("https://streaming.media.ccc.de/37c3/hall1") == "https://streaming.media.ccc.de/streams/v2.json")
  }

  @Test(arguments: [
    (
      "wiki/Category:Films_of_cats",
      ["generator=categorymembers", "gcmtitle=Category:Films%20of%20cats", "gcmlimit=30"]
    ),
    ("wiki/Category:A/B", ["gcmtitle=Category:A/B", "gcmtype=file"]),
    ("w/index.php?title=Category:Cats", ["gcmtitle=Category:Cats"]),
    (
      "w/index.php?search=free+films",
      ["generator=search", "gsrsearch=filetype:video%20free%20films", "gsrnamespace=6"]
    ),
    ("wiki/Special:MediaSearch?search=x&type=video", ["gsrsearch=filetype:video%20x"]),
    ("wiki/File:A_%26_B.webm", ["titles=File:A%20%26%20B.webm"]),
  ])
  func `a page of Commons maps to a query for its videos`(page: String, parts: [String]) throws {
    let request = try #require(try request("https://commons.wikimedia.org/" + page))
    let always = ["action=query", "formatversion=2", "prop=videoinfo", "viurlwidth=500"]
    for part in always + parts { #expect(request.split { "?&".contains($0) }.contains(Substring(part)), "\(request)") }
  }

  @Test func `queries to Commons are for at most fifty files, in the supported format version`() throws {
    #expect(try request("https://commons.m.wikimedia.org/wiki/Category:X", count: 400)?.contains("gcmlimit=50") == true)
    #expect(
      try request("https://commons.wikimedia.org/w/api.php?action=query&format=xml&titles=File:X.webm")
        == "https://commons.wikimedia.org/w/api.php?action=query&format=json&titles=File:X.webm&formatversion=2")
  }

  @Test(
    arguments: [
      ("details/prelinger", nil, "metadata/prelinger"), ("details/prelinger?tab=about", nil, "metadata/prelinger"),
      ("details/prelinger", 50, "metadata/prelinger#rows=50"), ("download/x/y.mp4", nil, "metadata/x#file=y.mp4"),
      ("details/x/a/b%20c%3F.mp4", 7, "metadata/x#file=a/b%20c%3F.mp4"), ("embed/x/y.mp4", nil, "metadata/x"),
      ("metadata/x", nil, "metadata/x"),
    ] as [(String, Int?, String)])
  func `a page of the Archive maps to its metadata`(page: String, count: Int?, place: String) throws {
    #expect(try request("https://archive.org/" + page, count: count) == "https://archive.org/" + place)
  }

  @Test func `a search of the Archive requests videos with the required fields`() throws {
    let found = try #require(try request("https://www.archive.org/search?query=free+films&sort=-date"))
    let query = try #require(WebAddress(found))
    #expect(query.path == "/advancedsearch.php")
    #expect(query.queryValue("q") == "(free films) AND mediatype:(movies)")
    #expect(query.queryValue("rows") == "30" && query.queryValue("page") == "1" && query.queryValue("output") == "json")
    let fields = query.queryItems.filter { $0.name == "fl[]" }.map(\.value)
    #expect(fields.contains("identifier") && fields.contains("mediatype"))
    let own = "https://archive.org/advancedsearch.php?q=x&fl[]=identifier&rows=5&page=3&output=json"
    #expect(try request(own) == own.replacing("fl[]", with: "fl[]"))
  }

  @Test(arguments: [
    "https://www.youtube.com/watch?v=abc", "https://www.youtube.com/@handle", "https://www.youtube.com/channel",
    "https://www.youtube.com/playlist?list=", "https://films.example/channel/UC1", "https://notyoutube.com/channel/UC1",
    "https://media.ccc.de/about.html", "https://media.ccc.de/search", "https://media.ccc.de/c",
    "https://notmedia.ccc.de/",
    "https://commons.wikimedia.org/wiki/Main_Page", "https://commons.wikimedia.org/",
    "https://en.wikipedia.org/wiki/File:X",
    "https://commons.wikimedia.org/w/api.php?action=parse",
    "https://archive.org/", "https://archive.org/details/@someone", "https://archive.org/details/a%2F..",
    "https://web.archive.org/web/x",
    "https://archive.org/search", "https://archive.org/advancedsearch.php",
    "https://vimeo.com/", "https://vimeo.com/76979871", "https://vimeo.com/ann/videos/rss",
    "https://vimeo.com/search?q=x",
    "https://vimeo.com/channels/a/123", "https://odysee.com/@ann:1/film:2", "https://odysee.com/$/rss/@ann",
    "https://odysee.com/", "https://www.bitchute.com/video/x/", "https://mediathekviewweb.de/feed?query=x",
  ])
  func `other pages have no request`(page: String) throws {
    #expect(try request(page) == nil)
  }
}
