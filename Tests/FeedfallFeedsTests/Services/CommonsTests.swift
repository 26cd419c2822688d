import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct CommonsTests {
  private static let query = "https://wiki.example/w/api.php?action=query&generator=search&gsrsearch=x"

  private func page(_ id: Int, index: Int = 0, duration: String = "634.553", _ more: String = "") -> String {
    """
    {"pageid":\(id),"ns":6,"title":"File:Film \(id).v2.webm","index":\(index),"videoinfo":[{"timestamp":"2015-05-10T18:23:36Z",
     "user":"Someone","size":2964839055,"width":4000,"height":2250,"duration":\(duration),"mime":"video/webm",
     "thumburl":"https://up.example/thumb/c/F.webm/500px--F.webm.jpg","url":"https://up.example/c/F.webm",
     "descriptionurl":"https://wiki.example/wiki/File:F.webm"\(more)}]}
    """
  }

  private func answer(_ pages: String..., more: String = "") throws -> DecodedDocument {
    try decode(#"{"query":{"pages":[\#(pages.joined(separator: ","))]}\#(more)}"#, from: Self.query)
  }

  @Test func `a file becomes a video`() throws {
    let metadata = #"""
      ,"extmetadata":{"ObjectName":{"value":"F"},"ImageDescription":{"value":"<i><a href=\"//x\">A</a></i> film"},
      "Artist":{"value":"<b>Foundation</b>"},"LicenseShortName":{"value":"CC BY 3.0"},
      "LicenseUrl":{"value":"https://l.example/by"}}
      """#
    let document = try answer(page(7, metadata))
    #expect(document.kind == .commons && document.nextAddress == nil)
    let video = try #require(document.videos.first)
    #expect(video.id == "7" && video.title == "Film 7.v2" && video.duration == .seconds(635))
    #expect(video.author == "Foundation" && video.summary == "A film")
    #expect(video.licence == "CC BY 3.0" && video.licenceURL?.text == "https://l.example/by")
    #expect(video.published?.civilDate.description == "2015-05-10")
    #expect(video.pictureSize == PixelSize(width: 4_000, height: 2_250))
    #expect(video.pageURL?.text == "https://wiki.example/wiki/File:F.webm")
    #expect(video.playbackURL?.text == "https://up.example/c/F.webm" && video.byteCount == 2_964_839_055)
  }

  @Test func `a copy in screen size is played before the original`() throws {
    func derivative(_ name: String, _ width: Int, _ height: Int) -> String {
      #"{"src":"https://up.example/\#(name)","type":"video/webm; codecs=\"vp9\"","width":\#(width),"height":\#(height)}"#
    }
    let files = [derivative("c/F.webm", 4_000, 2_250), derivative("240", 426, 240), derivative("1080", 1_920, 1_080)]
    let video = try #require(try answer(page(7, #","derivatives":[\#(files.joined(separator: ","))]"#)).videos.first)
    guard case .direct(let offered) = video.playback else {
      Issue.record("not playable")
      return
    }
    #expect(offered.map(\.url.web?.path) == ["/1080", "/240", "/c/F.webm"])
    #expect(offered.map(\.mimeType) == ["video/webm", "video/webm", "video/webm"])
    #expect(video.pictureSize == PixelSize(width: 4_000, height: 2_250))
  }

  @Test func `covers have the supported widths up to the width of the video`() throws {
    let large = try #require(try answer(page(7)).videos.first)
    #expect(large.covers.map(\.width) == [250, 330, 500, 960, 1_280, 1_920])
    #expect(large.covers.first?.url.text == "https://up.example/thumb/c/F.webm/250px--F.webm.jpg")
    #expect(large.covers.first?.height == 140)
    let small = page(7).replacing(#""width":4000,"height":2250"#, with: #""width":320,"height":240"#)
    #expect(try answer(small).videos.first?.covers.map(\.width) == [250, 500])
  }

  @Test func `files without a duration are ignored without being counted`() throws {
    let picture = #"{"pageid":1,"title":"File:P.jpg","videoinfo":[{"url":"https://up.example/P.jpg"}]}"#
    let document = try answer(picture, page(2, duration: "0"), page(3), #"{"title":"File:X","missing":true}"#)
    #expect(document.videos.map(\.id) == ["3"])
    #expect(document.skippedCount == 0)
  }

  @Test func `search results keep their order`() throws {
    #expect(try answer(page(1, index: 3), page(2, index: 1), page(3, index: 2)).videos.map(\.id) == ["2", "3", "1"])
  }

  @Test func `all continuation tokens are in the next query`() throws {
    let document = try answer(
      page(1), more: #","continue":{"gsroffset":30,"vicontinue":"a|b c","continue":"gsroffset||"}"#)
    let next = try #require(document.nextAddress)
    #expect(next.queryValue("gsroffset") == "30" && next.queryValue("vicontinue") == "a|b c")
    #expect(next.queryValue("continue") == "gsroffset||" && next.queryValue("gsrsearch") == "x")
  }

  @Test func `continuation tokens that are too long for an address end the list`() throws {
    let long = String(repeating: "%", count: 4_000)
    let tokens = (0..<500).map { #""t\#($0)":"\#(long)""# }.joined(separator: ",")
    for tokens in [tokens, #""gsroffset":"\#(long)""#] {
      let document = try answer(page(1), more: #","continue":{\#(tokens)}"#)
      #expect(document.videos.count == 1 && document.nextAddress == nil)
    }
  }

  @Test func `the id of a file without a number or a name is its address`() throws {
    let nameless = page(7).replacing(#""pageid":7"#, with: #""pageid":"""#)
      .replacing(#""title":"File:Film 7.v2.webm""#, with: #""title":"""#)
    #expect(try answer(nameless).videos.map(\.id) == ["https://wiki.example/wiki/File:F.webm"])
  }

  @Test func `an empty list is empty, and an error is a failure`() throws {
    #expect(try decode(#"{"batchcomplete":true}"#, from: Self.query).videos.isEmpty)
    #expect(
      failure(#"{"error":{"code":"maxlag","info":"Waiting for a server"}}"#)?.reason
        == "the answer contains a message instead of videos: Waiting for a server")
    #expect(throws: FeedFailure(.permanent, "the file does not exist or is not a video", advice: "check the address")) {
      try decode(
        #"{"batchcomplete":true,"query":{"pages":[{"title":"File:X","missing":true}]}}"#,
        from: "https://wiki.example/w/api.php?action=query&titles=File:X")
    }
  }
}
