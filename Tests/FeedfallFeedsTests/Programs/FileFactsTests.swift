import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct FileFactsTests {
  private func completed(_ text: String) throws -> Video {
    var video = Video(id: "1", title: "film", playback: .unknown)
    video.isPartial = true
    return try FileFacts(Array(text.utf8)).completing(video)
  }

  @Test func `duration, size and tags come from the file`() throws {
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

  @Test func `width and height of a rotated picture are exchanged`() throws {
    let video = try completed(
      """
      {"format": {}, "streams": [
        {"codec_type": "video", "width": 1920, "height": 1080, "side_data_list": [{}, {"rotation": -90}]}]}
      """)
    #expect(video.pictureSize == PixelSize(width: 1080, height: 1920))
  }

  @Test(arguments: [
    (1440, 1080, "4:3", "", 1920, 1080), (720, 576, "64:45", "", 1024, 576), (720, 480, "8:9", "", 640, 480),
    (1440, 1080, "4:3", #""side_data_list": [{"rotation": 90}]"#, 1080, 1920),
    (1920, 1080, "1:1", #""side_data_list": [{"rotation": -180}]"#, 1920, 1080),
    (1920, 1080, "1:1", #""tags": {"rotate": "270"}"#, 1080, 1920),
    (1920, 1080, "1:1", #""tags": {"rotate": "90"}, "side_data_list": [{"rotation": 0}]"#, 1920, 1080),
    (640, 360, "0:1", "", 640, 360), (640, 360, "N/A", "", 640, 360), (640, 360, "-4:3", "", 640, 360),
    (640, 360, "11:1", "", 640, 360), (640, 360, "1:11", "", 640, 360), (320, 480, "2:1", "", 640, 480),
    (1920, 1080, "9:16", "", 1080, 1080), (640, 360, "1:0", "", 640, 360), (640, 360, "4:3:2", "", 640, 360),
    (640, 360, "1:1", #""side_data_list": [{"rotation": -45}]"#, 640, 360),
    (640, 360, "1:1", #""side_data_list": [{"rotation": 450}]"#, 360, 640),
    (640, 360, "1:1", #""side_data_list": [{"rotation": -9223372036854775808}]"#, 640, 360),
    (640, 360, "1:9223372036854775807", "", 640, 360), (640, 360, "9223372036854775807:1", "", 640, 360),
  ])
  func `the size is that of the picture with square pixels, upright`(
    width: Int, height: Int, pixels: String, rest: String, shownWidth: Int, shownHeight: Int
  ) throws {
    let stream =
      #"{"codec_type": "video", "width": \#(width), "height": \#(height), "sample_aspect_ratio": "\#(pixels)""#
    let video = try completed(#"{"format": {}, "streams": [\#(stream)\#(rest.isEmpty ? "" : ", " + rest)}]}"#)
    #expect(video.pictureSize == PixelSize(width: shownWidth, height: shownHeight))
  }

  @Test(
    arguments: [
      ("", nil), (#"{"codec_type": "audio"}"#, nil), (#"{"codec_type": "data"}, 7, null"#, nil),
      (#"{"codec_type": "audio"}, {"codec_type": "video", "disposition": {"attached_pic": 1}}"#, .attached(stream: 1)),
      (
        #"{"codec_type": "video", "disposition": {"attached_pic": 1}}, {"codec_type": "video", "width": 8, "height": 6}"#,
        .video(stream: 1, PixelSize(width: 8, height: 6))
      ),
      (#"{"codec_type": "video", "width": -1, "height": 1e300}"#, .video(stream: 0, nil)),
    ] as [(String, FileFacts.Picture?)])
  func `the streams decide which picture stands for a file`(streams: String, picture: FileFacts.Picture?) throws {
    let output = #"{"format": {}, "streams": [\#(streams)]}"#
    #expect(try FileFacts(Array(output.utf8)).picture == picture)
    let file = try #require(FileAddress(path: "/a.mp3".utf8))
    var video = Video(single: .file(file))
    video.covers = [Cover(url: .frame(VideoFrame(of: file, byteCount: 1, modified: UnixTime(seconds: 1))))]
    let completed = try FileFacts(Array(output.utf8)).completing(video)
    #expect(completed.covers == (picture == nil ? [] : video.covers))
    #expect(throws: FeedFailure.self) { try FileFacts(Array("{}".utf8)) }
  }

  @Test(arguments: ["-1e300", "1e300", "0", "N/A"])
  func `an invalid duration is ignored`(length: String) throws {
    let stream = #"{"codec_type": "video", "duration": "\#(length)"}"#
    #expect(try completed(#"{"format": {"duration": "\#(length)"}}"#).duration == nil)
    #expect(try completed(#"{"format": {}, "streams": [\#(stream)]}"#).duration == nil)
  }

  @Test(arguments: ["", "{}", "null", "{\"format\": 1}", "no"])
  func `output without a file description is a failure`(text: String) {
    #expect(throws: FeedFailure.self) { try completed(text) }
  }
}
