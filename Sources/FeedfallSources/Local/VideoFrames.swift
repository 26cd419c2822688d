import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import FeedfallWeb

/// Makes covers of local videos that have no picture: the frame at a tenth of the length, by ffmpeg
/// (ffmpeg.org/ffmpeg.html). Two videos are read at a time.
package final class VideoFrames: Sendable {
  private let probe: FileProbe
  private let program: HelperProgram
  private let gate = ServerGate(limit: 2)

  /// The frames of installed programs; nil if ffmpeg or ffprobe is missing.
  package static let installed: VideoFrames? = InstalledPrograms.path(of: "ffmpeg").flatMap { path in
    FileProbe.installed.map { VideoFrames(path: path, $0) }
  }

  init(path: String, _ probe: FileProbe) {
    self.probe = probe
    program = HelperProgram(path: path, timeLimitSeconds: 20, maximumByteCount: 8 << 20)
  }

  /// Returns the frame as JPEG.
  package func picture(of frame: VideoFrame) async throws(FeedFailure) -> [UInt8] {
    let result = await gate.run(for: "") { () async -> Result<[UInt8], FeedFailure> in
      do throws(FeedFailure) { return .success(try await self.make(frame)) } catch { return .failure(error) }
    }
    guard let result else { throw .cancelled }
    return try result.get()
  }

  /// Returns the length of the video in seconds; nil if it is unknown.
  package func seconds(of frame: VideoFrame) async -> Double? {
    let video = await gate.run(for: "") { try? await self.probe.complete(Video(single: .file(frame.file))) }
    return video??.duration?.seconds.map(Double.init)
  }

  private func make(_ frame: VideoFrame) async throws(FeedFailure) -> [UInt8] {
    let video = try await probe.complete(Video(single: .file(frame.file)))
    let start = (video.duration?.seconds ?? 0) / 10
    let bytes = try await bytes(of: frame.file, at: start)
    // An index may promise more than the file has.
    if bytes.isEmpty, start > 0 { return try await self.bytes(of: frame.file, at: 0) }
    return bytes
  }

  private func bytes(of file: FileAddress, at second: Int) async throws(FeedFailure) -> [UInt8] {
    let answer = try await program.answer(to: Self.words(file, second), of: .ffmpeg)
    guard answer.status == 0 else {
      throw FeedFailure(
        .program(
          .ffmpeg, .failed(status: answer.status, words: FileProbe.errorMessage(answer.errorOutput), isFinal: true)))
    }
    return answer.output
  }

  /// Only the file itself is opened, whatever it names; an attached picture is not the video (`0:V`).
  private static func words(_ file: FileAddress, _ second: Int) -> [[UInt8]] {
    let input = ["-nostdin", "-max_alloc", "268435456", "-threads", "1"] + FileProbe.inputWords
    let output = [
      "-map", "0:V:0", "-frames:v", "1", "-vf", "scale=w=iw*sar:h=ih,scale=w='min(iw,1280)':h=-2,setsar=1",
      "-threads", "1", "-c:v", "mjpeg", "-q:v", "4", "-pix_fmt", "yuvj420p", "-f", "image2pipe", "pipe:1",
    ]
    func bytes(_ words: [String]) -> [[UInt8]] { words.map { Array($0.utf8) } }
    return bytes(input + ["-ss", String(second), "-i"]) + [Array("file:".utf8) + file.path] + bytes(output)
  }
}
