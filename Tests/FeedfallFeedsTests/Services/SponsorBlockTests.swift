import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct SponsorBlockTests {
  /// Its hash starts with `5f6b`.
  private let id = "dQw4w9WgXcQ"

  private func service(_ categories: VideoSegment.Category...) -> SponsorBlock {
    var service = SponsorBlock()
    service.categories = categories
    return service
  }

  private func segments(_ json: String, _ categories: VideoSegment.Category...) -> [VideoSegment]? {
    var service = SponsorBlock()
    service.categories = categories.isEmpty ? [.sponsor] : categories
    return service.decode(Array(json.utf8), for: id)
  }

  private func answer(_ segments: String) -> String {
    #"[{"videoID":"otherVideo1","segments":[{"segment":[1,2],"category":"sponsor","actionType":"skip"}]},"#
      + #"{"videoID":"dQw4w9WgXcQ","hash":"x","segments":[\#(segments)]}]"#
  }

  @Test func `a request contains only four digits of the hash`() throws {
    let request = try #require(service(.sponsor, .withoutMusic).request(for: id))
    #expect(
      request.text == "https://sponsor.ajay.app/api/skipSegments/5f6b"
        + "?categories=%5B%22sponsor%22%2C%22music_offtopic%22%5D")
    #expect(service().request(for: id) == nil)
  }

  @Test func `the server's path is part of the request`() throws {
    var service = SponsorBlock()
    service.server = try #require(WebAddress("http://127.0.0.1:8080/mirror"))
    #expect(service.request(for: id)?.text.hasPrefix("http://127.0.0.1:8080/mirror/api/skipSegments/5f6b?") == true)
  }

  @Test func `only the segments of the video are decoded, in ascending order`() throws {
    let json = answer(
      #"{"segment":[70.5,90],"category":"sponsor","actionType":"skip","votes":3},"#
        + #"{"segment":[0,12.25],"category":"intro","actionType":"skip","UUID":"x"}"#)
    let expected = [VideoSegment(.intro, from: 0, to: 12.25), VideoSegment(.sponsor, from: 70.5, to: 90)]
    #expect(try #require(segments(json, .sponsor, .intro)) == expected.compactMap(\.self))
    #expect(segments(json)?.map(\.category) == [.sponsor])
    #expect(segments("[]") == [])
  }

  @Test(arguments: [
    #"{"segment":[5,5],"category":"sponsor"}"#, #"{"segment":[9,5],"category":"sponsor"}"#,
    #"{"segment":[-1,5],"category":"sponsor"}"#, #"{"segment":[1,1e300],"category":"sponsor"}"#,
    #"{"segment":[1],"category":"sponsor"}"#, #"{"segment":["a","b"],"category":"sponsor"}"#,
    #"{"segment":[1,1e999],"category":"sponsor"}"#, #"{"segment":{},"category":"sponsor"}"#,
    #"{"segment":[1,5],"category":"unknown"}"#, #"{"segment":[1,5]}"#, #"[1,5]"#, "null",
    #"{"segment":[1,5],"category":"sponsor","actionType":"mute"}"#,
    #"{"segment":[0,0],"category":"sponsor","actionType":"full"}"#,
  ])
  func `an implausible segment is dropped`(segment: String) {
    #expect(segments(answer(segment)) == [])
  }

  @Test func `the number of segments is bounded`() throws {
    let many = (0..<10_000).map { #"{"segment":[\#($0),\#($0).5],"category":"sponsor"}"# }.joined(separator: ",")
    #expect(try #require(segments(answer(many))).count == 200)
  }

  @Test(arguments: ["", "{}", "Not Found", "<html></html>", #"{"segments":[]}"#, "[", "\u{0}"])
  func `other documents are no answers`(text: String) {
    #expect(segments(text) == nil)
  }

  @Test(arguments: [
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ", "https://m.youtube.com/watch?list=PL1&v=dQw4w9WgXcQ&t=3",
    "https://youtu.be/dQw4w9WgXcQ?t=3", "https://www.youtube.com/shorts/dQw4w9WgXcQ",
    "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ", "https://www.youtube.com/live/dQw4w9WgXcQ",
  ])
  func `a video on YouTube has an ID`(page: String) throws {
    let page = try #require(WebAddress(page))
    #expect(Video(id: "a", title: "a", playback: .page(page)).youTubeID == id)
    var video = Video(id: "a", title: "a", playback: .unknown)
    video.pageURL = page
    #expect(video.youTubeID == id)
  }

  @Test(arguments: [
    "https://example.org/watch?v=dQw4w9WgXcQ", "https://www.youtube.com/watch?v=short",
    "https://www.youtube.com/channel/dQw4w9WgXcQ", "https://www.youtube.com/", "https://youtu.be/",
  ])
  func `other pages have none`(page: String) throws {
    #expect(Video(id: "a", title: "a", playback: .page(try #require(WebAddress(page)))).youTubeID == nil)
  }
}
