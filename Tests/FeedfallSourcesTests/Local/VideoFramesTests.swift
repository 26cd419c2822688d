import FeedfallFeeds
import FeedfallText
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct VideoFramesTests {
  /// Makes frames with scripts in place of the programs. `$in` is the name of the file that ffmpeg reads.
  private func withFrames<Value>(
    ffmpeg: String, ffprobe: String = #"echo '{"format":{"duration":"100"},"streams":[{"codec_type":"video"}]}'"#,
    _ body: (VideoFrames, _ folder: String) async throws -> Value
  ) async throws -> Value {
    try await withFolder { folder in
      let find = "cd '\(folder)'; for word; do case $word in file:*) in=${word#file:};; esac; done\n"
      let probe = FileProbe(path: try writeScript(find + ffprobe, to: "\(folder)/ffprobe"))
      return try await body(VideoFrames(path: try writeScript(find + ffmpeg, to: "\(folder)/ffmpeg"), probe), folder)
    }
  }

  private func frame(_ path: String) throws -> VideoFrame {
    let file = try #require(FileAddress(path: Array(path.utf8)))
    return VideoFrame(of: file, byteCount: 1, modified: UnixTime(seconds: 1))
  }

  private func picture(_ frames: VideoFrames, _ frame: VideoFrame) async -> Result<[UInt8], FeedFailure> {
    await .of { () async throws(FeedFailure) in try await frames.picture(of: frame) }
  }

  @Test func `the frame is at a tenth of the length, of that file alone`() async throws {
    let name = "-i $(id) 'a\"; b\n%03d.mp4"
    try await withFrames(ffmpeg: #"printf '%s|' "$@""#) { frames, folder in
      let words = try await picture(frames, frame("\(folder)/\(name)")).get()
      let list = String(decoding: words, as: UTF8.self).split(separator: "|").map(String.init)
      let input = try #require(list.firstIndex(of: "file:\(folder)/\(name)"))
      #expect(list[..<input].suffix(3) == ["-ss", "10", "-i"])
      #expect(list[..<input].contains("-protocol_whitelist") && list[..<input].contains("-nostdin"))
      #expect(list.last == "pipe:1")
    }
  }

  @Test func `a length that the file does not have gives its first frame`() async throws {
    try await withFrames(ffmpeg: #"case "$*" in *"-ss 0"*) echo first;; esac"#) { frames, folder in
      let picture = try await picture(frames, frame("\(folder)/a.mp4"))
      #expect(picture == .success(Array("first\n".utf8)))
    }
  }

  @Test func `a failure has the message without the path`() async throws {
    try await withFrames(ffmpeg: "echo \"$in: Invalid data found\" >&2; exit 1") { frames, folder in
      let failure = try await picture(frames, frame("\(folder)/a.mp4")).failure
      #expect(
        failure
          == FeedFailure(.permanent, "ffmpeg failed: Invalid data found", advice: "check whether the file is a video"))
    }
    try await withFrames(ffmpeg: "echo x", ffprobe: "echo 'x: no video' >&2; exit 1") { frames, folder in
      let frame = try frame("\(folder)/a.mp4")
      #expect(await picture(frames, frame).failure?.reason == "ffprobe failed: no video")
      #expect(await frames.seconds(of: frame) == nil)
    }
  }

  @Test func `a sound has no picture, which is no failure of a program`() async throws {
    let sound = #"echo '{"format":{"duration":"100"},"streams":[{"codec_type":"audio"}]}'"#
    try await withFrames(ffmpeg: "touch \"$in.asked\"", ffprobe: sound) { frames, folder in
      let frame = try frame("\(folder)/a.mp3")
      #expect(await picture(frames, frame).failure == FeedFailure(.absent, "the file has no picture"))
      #expect(await frames.seconds(of: frame) == 100)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/a.mp3.asked"))
    }
  }

  @Test(arguments: [
    (#"{"codec_type":"video","width":720,"height":576,"sample_aspect_ratio":"64:45"}"#, "0:0", "scale=w=1024:h=576,"),
    (#"{"codec_type":"audio"},{"codec_type":"video","width":7680,"height":4320}"#, "0:1", "scale=w=1280:h=720,"),
    (#"{"codec_type":"video","width":2,"height":99999}"#, "0:0", "scale=w=2:h=4096,"),
    (#"{"codec_type":"video","width":1,"height":1}"#, "0:0", "scale=w=2:h=2,"),
    (
      #"{"codec_type":"audio"},{"codec_type":"video","disposition":{"attached_pic":1}}"#, "0:1",
      "scale=w='min(iw,1280)'"
    ),
  ])
  func `the frame is of the stream and in the size that ffprobe states`(
    streams: String, stream: String, scale: String
  ) async throws {
    let facts = #"echo '{"format":{"duration":"100"},"streams":[\#(streams)]}'"#
    try await withFrames(ffmpeg: #"printf '%s|' "$@""#, ffprobe: facts) { frames, folder in
      let words = try await picture(frames, frame("\(folder)/a.mp4")).get()
      let list = String(decoding: words, as: UTF8.self).split(separator: "|").map(String.init)
      let (map, filter) = (list.firstIndex(of: "-map"), list.firstIndex(of: "-vf"))
      #expect(map.map { list[$0 + 1] } == stream && filter.map { list[$0 + 1].hasPrefix(scale) } == true, "\(list)")
      // A search would skip the cover.
      #expect(list.firstIndex(of: "-ss").map { list[$0 + 1] } == (scale.contains("iw") ? nil : "10"))
    }
  }

  @Test(.enabled(if: VideoFrames.installed != nil, "ffmpeg or ffprobe is not installed"))
  func `the picture in a real sound is its cover, and a sound without one has none`() async throws {
    try await withFolder { folder in
      let make = try writeScript(
        """
        cd '\(folder)'
        ffmpeg -v error -f lavfi -i sine=d=2 -c:a flac plain.flac
        ffmpeg -v error -f lavfi -i color=red:s=300x200 -frames:v 1 cover.png
        exec ffmpeg -v error -i plain.flac -i cover.png -map 0 -map 1 -c copy -disposition:v attached_pic cover.flac
        """, to: "\(folder)/make")
      try Process.run(URL(fileURLWithPath: make), arguments: []).waitUntilExit()
      let frames = try #require(VideoFrames.installed)
      let cover = try await picture(frames, frame("\(folder)/cover.flac")).get()
      #expect(size(ofJPEG: cover) == [300, 200])
      #expect(await self.picture(frames, try frame("\(folder)/plain.flac")).failure?.kind == .absent)
      #expect(await frames.seconds(of: try frame("\(folder)/plain.flac")) == 2)
    }
  }

  @Test func `too long an output is refused`() async throws {
    try await withFrames(ffmpeg: "yes") { frames, folder in
      let failure = try await picture(frames, frame("\(folder)/a.mp4")).failure
      #expect(failure?.reason == "ffmpeg printed more than 8 MB")
    }
  }

  @Test func `at most two programs run at a time`() async throws {
    // Each run waits until the test has seen it, and counts the runs at the same time.
    let ffmpeg = "mkdir run$$; ls -d run* | wc -l >> counts; until test -e go; do sleep 0.01; done; rmdir run$$; echo x"
    try await withFrames(ffmpeg: ffmpeg) { frames, folder in
      let all = try (0..<6).map { try frame("\(folder)/\($0).mp4") }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for one in all { group.addTask { _ = try await frames.picture(of: one) } }
        try await eventually("two runs") {
          ((try? fileBytes(of: "\(folder)/counts").split(separator: 0x0A).count) ?? 0) >= 2
        }
        try writeFile("", to: "\(folder)/go")
        try await group.waitForAll()
      }
      let counts = String(decoding: try fileBytes(of: "\(folder)/counts"), as: UTF8.self)
      #expect(counts.split(separator: "\n").count == 6)
      #expect(counts.split(separator: "\n").allSatisfy { (Int($0.trimmingCharacters(in: .whitespaces)) ?? 9) <= 2 })
    }
  }

  /// The width and height in the header of a JPEG of ffmpeg.
  private func size(ofJPEG bytes: [UInt8]) -> [Int] {
    guard let start = bytes.indices.dropLast(8).first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 }) else {
      return []
    }
    func number(at place: Int) -> Int { Int(bytes[start + place]) << 8 | Int(bytes[start + place + 1]) }
    return [number(at: 7), number(at: 5)]
  }

  @Test(
    .enabled(if: VideoFrames.installed != nil, "ffmpeg or ffprobe is not installed"),
    arguments: [
      ("-vf setsar=4/3", "", [192, 108]), ("-vf setsar=1/2", "", [72, 108]), ("", "-display_rotation 90", [108, 144]),
      ("-vf setsar=4/3", "-display_rotation 90", [108, 192]), ("", "-display_rotation 180", [144, 108]),
    ])
  func `a frame and the size of a video have square pixels and are upright`(
    filter: String, rotation: String, expected: [Int]
  ) async throws {
    try await withFolder { folder in
      let path = "\(folder)/a.mp4"
      let make = try writeScript(
        """
        ffmpeg -v error -f lavfi -i color=red:s=144x108:d=2:r=5 \(filter) -c:v mpeg4 '\(folder)/b.mp4'
        rotation='\(rotation)'
        exec ffmpeg -v error -i '\(folder)/b.mp4' -c copy ${rotation:+-metadata:s:v:0 rotate=${rotation##* }} "$1"
        """, to: "\(folder)/make")
      let process = try Process.run(URL(fileURLWithPath: make), arguments: [path])
      process.waitUntilExit()
      let frame = try frame(path)
      let frames = try #require(VideoFrames.installed)
      let shown = size(ofJPEG: try await picture(frames, frame).get()).map(Double.init)
      // A frame may be smaller.
      let aspect = shown.count == 2 ? shown[0] / shown[1] : 0
      #expect(abs(aspect * Double(expected[1]) / Double(expected[0]) - 1) < 0.02, "\(shown)")
      let video = try await #require(FileProbe.installed).complete(Video(single: .file(frame.file)))
      #expect(video.pictureSize.map { [$0.width, $0.height] } == expected)
    }
  }

  @Test(.enabled(if: VideoFrames.installed != nil, "ffmpeg or ffprobe is not installed"))
  func `a real video has a frame and a length, a text has neither`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/a film.mkv"
      let make = try writeScript(
        "exec ffmpeg -v error -f lavfi -i color=red:s=64x36:d=20:r=5 -c:v mpeg4 \"$1\"", to: "\(folder)/make")
      let process = try Process.run(URL(fileURLWithPath: make), arguments: [path])
      process.waitUntilExit()
      let frames = try #require(VideoFrames.installed)
      let frame = try frame(path)
      let picture = try await picture(frames, frame).get()
      #expect(picture.starts(with: [0xFF, 0xD8, 0xFF]))
      #expect(await frames.seconds(of: frame) == 20)
      try writeFile("no video", to: "\(folder)/b.mp4")
      let text = try self.frame("\(folder)/b.mp4")
      #expect(await self.picture(frames, text).failure?.kind == .permanent)
      // It would show the other file.
      let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:20\n#EXTINF:20,\nfile:\(path)\n#EXT-X-ENDLIST\n"
      try writeFile(playlist, to: "\(folder)/c.mp4")
      #expect(await self.picture(frames, try self.frame("\(folder)/c.mp4")).failure?.kind == .permanent)
    }
  }
}
