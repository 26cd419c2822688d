import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct CommonsTests {
  private static let query = "https://wiki.example/w/api.php?action=query&generator=search&gsrsearch=x"

  private func page(_ more: String = "") -> String {
    """
    {"pageid":7,"ns":6,"title":"File:F.webm","videoinfo":[{"width":4000,"height":2250,"duration":634.553,"mime":"video/webm",
     "thumburl":"https://up.example/thumb/c/F.webm/500px--F.webm.jpg","url":"https://up.example/c/F.webm",
     "descriptionurl":"https://wiki.example/wiki/File:F.webm"\(more)}]}
    """
  }

  private func answer(_ page: String, more: String = "") throws -> DecodedDocument {
    try decode(#"{"query":{"pages":[\#(page)]}\#(more)}"#, from: Self.query)
  }

  @Test func `a copy in screen size is played before the original`() throws {
    func derivative(_ name: String, _ width: Int, _ height: Int) -> String {
      #"{"src":"https://up.example/\#(name)","type":"video/webm; codecs=\"vp9\"","width":\#(width),"height":\#(height)}"#
    }
    let files = [derivative("c/F.webm", 4_000, 2_250), derivative("240", 426, 240), derivative("1080", 1_920, 1_080)]
    let video = try #require(try answer(page(#","derivatives":[\#(files.joined(separator: ","))]"#)).videos.first)
    guard case .direct(let offered) = video.playback else {
      Issue.record("not playable")
      return
    }
    #expect(offered.map(\.url.web?.path) == ["/1080", "/240", "/c/F.webm"])
    #expect(offered.map(\.mimeType) == ["video/webm", "video/webm", "video/webm"])
    #expect(video.pictureSize == PixelSize(width: 4_000, height: 2_250))
  }

  @Test func `covers have the supported widths up to the width of the video`() throws {
    let document = try answer(page())
    let large = try #require(document.videos.first)
    #expect(document.kind == .commons)
    #expect(large.covers.map(\.width) == [250, 330, 500, 960, 1_280, 1_920])
    #expect(large.covers.first?.url.text == "https://up.example/thumb/c/F.webm/250px--F.webm.jpg")
    #expect(large.covers.first?.height == 140)
    let small = page().replacing(#""width":4000,"height":2250"#, with: #""width":320,"height":240"#)
    #expect(try answer(small).videos.first?.covers.map(\.width) == [250, 500])
  }

  @Test func `continuation tokens that are too long for an address end the list`() throws {
    let long = String(repeating: "%", count: 4_000)
    let tokens = (0..<500).map { #""t\#($0)":"\#(long)""# }.joined(separator: ",")
    for tokens in [tokens, #""gsroffset":"\#(long)""#] {
      let document = try answer(page(), more: #","continue":{\#(tokens)}"#)
      #expect(document.videos.count == 1 && document.nextAddress == nil)
    }
  }

  @Test func `a missing file is a failure with advice`() throws {
    #expect(throws: FeedFailure(.permanent, "the file does not exist or is not a video", advice: "check the address")) {
      try decode(
        #"{"batchcomplete":true,"query":{"pages":[{"title":"File:X","missing":true}]}}"#,
        from: "https://wiki.example/w/api.php?action=query&titles=File:X")
    }
  }
}
