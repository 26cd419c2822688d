import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct FileFactsTests {
  private func completed(_ text: String) throws -> Video {
    var video = Video(id: "1", title: "film", playback: .unknown)
    video.isPartial = true
    return try FeedDecoder.decodeFileFacts(Array(text.utf8), completing: video)
  }

  @Test func `length, size and tags come from the file`() throws {
    let video = try completed(
      """
      {"streams": [
         {"codec_type": "audio"},
         {"codec_type": "video", "width": 600, "height": 600, "disposition": {"attached_pic": 1}},
         {"codec_type": "video", "width": 1280, "height": 720, "disposition": {"attached_pic": 0}}],
       "format": {"duration": "61.6", "tags": {"title": "A \\u001b film", "ARTIST": "Me", "COMMENT": "Said"}}}
      """)
    #expect(video.duration == .seconds(62))
    #expect(video.pictureSize == PixelSize(width: 1280, height: 720))
    #expect(video.author == "Me")
    #expect(video.summary == "A film\n\nSaid")
    #expect(video.title == "film")
    #expect(!video.canBeCompleted)
  }

  @Test func `a picture that is turned is as wide as it is high`() throws {
    let video = try completed(
      """
      {"format": {}, "streams": [
        {"codec_type": "video", "width": 1920, "height": 1080, "side_data_list": [{}, {"rotation": -90}]}]}
      """)
    #expect(video.pictureSize == PixelSize(width: 1080, height: 1920))
  }

  @Test(arguments: ["-1e300", "1e300", "0", "N/A"])
  func `a length that is none is left out`(length: String) throws {
    let stream = #"{"codec_type": "video", "duration": "\#(length)"}"#
    #expect(try completed(#"{"format": {"duration": "\#(length)"}}"#).duration == nil)
    #expect(try completed(#"{"format": {}, "streams": [\#(stream)]}"#).duration == nil)
  }

  @Test(arguments: ["", "{}", "null", "{\"format\": 1}", "no"])
  func `what tells nothing of a file is a failure`(text: String) {
    #expect(throws: FeedFailure.self) { try completed(text) }
  }
}
