import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import FeedfallWeb

/// Makes covers of local videos that have no picture beside them, by ffmpeg (ffmpeg.org/ffmpeg.html): the frame at a
/// tenth of the length; of a sound, the cover in the file. Two files are read at a time.
package final class VideoFrames: Sendable {
  private let probe: FileProbe
  private let program: HelperProgram
  private let limit = RequestLimit(count: 2)

  /// Nil if ffmpeg or ffprobe is missing.
  package static let installed: VideoFrames? = InstalledPrograms.path(of: "ffmpeg").flatMap { path in
    FileProbe.installed.map { VideoFrames(path: path, $0) }
  }

  init(path: String, _ probe: FileProbe) {
    self.probe = probe
    program = HelperProgram(path: path, timeLimitSeconds: 20, maximumByteCount: 8 << 20)
  }

  /// As JPEG. The failure of a sound without a cover is `absent`.
  package func picture(of frame: VideoFrame) async throws(FeedFailure) -> [UInt8] {
    let result = await limit.run(for: "") {
      await Result { () async throws(FeedFailure) in try await self.make(frame) }
    }
    guard let result else { throw .cancelled }
    return try result.get()
  }

  /// Nil if the length is unknown.
  package func seconds(of frame: VideoFrame) async -> Double? {
    let video = await limit.run(for: "") { try? await self.probe.complete(Video(single: .file(frame.file))) }
    return video??.duration?.seconds.map(Double.init)
  }

  private func make(_ frame: VideoFrame) async throws(FeedFailure) -> [UInt8] {
    let (picture, seconds) = try await probe.picture(of: frame.file)
    switch picture {
    case .video(let stream, let size):
      let start = (seconds ?? 0) / 10
      let bytes = try await bytes(of: frame.file, stream, at: start, size)
      // An index may promise more than the file has.
      return bytes.isEmpty && start > 0 ? try await self.bytes(of: frame.file, stream, at: 0, size) : bytes
    case .attached(let stream): return try await bytes(of: frame.file, stream, at: nil, nil)
    case nil: throw FeedFailure(.absent, "the file has no picture")
    }
  }

  private func bytes(
    of file: FileAddress, _ stream: Int, at second: Int?, _ size: PixelSize?
  ) async throws(FeedFailure) -> [UInt8] {
    let answer = try await program.answer(to: Self.words(file, stream, second, size), of: .ffmpeg)
    guard answer.status == 0 else {
      throw .failed(.ffmpeg, status: answer.status, words: FileProbe.errorMessage(answer.errorOutput))
    }
    return answer.output
  }

  private static let maximumWidth = 1_280
  private static let maximumHeight = 4_096

  /// Only the file itself is opened, whatever it names. A known size also decides where ffmpeg and ffprobe would
  /// differ.
  ///
  /// - Parameter second: nil for a cover in the file, which a search would skip.
  private static func words(_ file: FileAddress, _ stream: Int, _ second: Int?, _ size: PixelSize?) -> [[UInt8]] {
    let search = second.map { ["-ss", String($0)] } ?? []
    let input = ["-nostdin", "-max_alloc", "268435456", "-threads", "1"] + FileProbe.inputWords
    let output = [
      "-map", "0:\(stream)", "-frames:v", "1", "-vf", "scale=\(scale(size)),setsar=1", "-threads", "1", "-c:v", "mjpeg",
      "-q:v", "4", "-pix_fmt", "yuvj420p", "-f", "image2pipe", "pipe:1",
    ]
    func bytes(_ words: [String]) -> [[UInt8]] { words.map { Array($0.utf8) } }
    return bytes(input + search + ["-i"]) + [Array("file:".utf8) + file.path] + bytes(output)
  }

  /// The size of the frame for ffmpeg: that of the upright picture, or smaller.
  private static func scale(_ size: PixelSize?) -> String {
    guard let size else { return "w='min(iw,\(maximumWidth))':h=-2" }
    let factor = min(
      1, Double(maximumWidth) / Double(size.width), Double(maximumHeight) / Double(size.height))
    func even(_ length: Int) -> Int { max(2, Int((Double(length) * factor / 2).rounded()) * 2) }
    return "w=\(even(size.width)):h=\(even(size.height))"
  }
}
