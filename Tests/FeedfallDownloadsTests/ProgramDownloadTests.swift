import FeedfallText
import FeedfallUserData
import Foundation
import TestServer
import TestSupport
import Testing

@testable import FeedfallDownloads

@Suite(.hangLimit) struct ProgramDownloadTests {
  /// Goes to the folder after `--paths` and stores the arguments in `words`.
  private static let start = """
    printf '%s\\n' "$@" > "$(dirname "$0")/words"
    read -r address
    printf '%s' "$address" > "$(dirname "$0")/address"
    while [ "$1" != --paths ]; do shift; done
    cd "$2" || exit 3

    """

  /// Downloads a page by a script in place of yt-dlp.
  private func download(
    _ script: String, _ check: (DownloadState?, TestDownloads, String) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      let program = try writeScript(Self.start + script, to: folder + "/yt-dlp")
      let downloads = TestDownloads(in: folder) { $0.ytDlpPath = program }
      let end = try await downloads.download(try .of("https://films.example/watch?v=1", kind: .page))
      try await check(end, downloads, folder)
    }
  }

  @Test func `a page is downloaded with its subtitles and its cover`() async throws {
    try await download(
      """
      echo '10 100 NA'; echo '50 NA 100'
      echo film > video.mp4; echo text > video.en.vtt; echo picture > video.webp
      """
    ) { end, downloads, folder in
      #expect(end.path == downloads.folder + "/Film [film].mp4")
      #expect(downloads.names == ["Film [film].en.vtt", "Film [film].mp4", "Film [film].webp"])
      let words = String(decoding: try fileBytes(of: folder + "/words"), as: UTF8.self).split(separator: "\n")
      #expect(words.contains("--no-playlist") && words.contains("--ignore-config"))
      #expect(words.contains("video.%(ext)s") && !words.contains { $0.contains("films.example") })
      #expect((try? fileBytes(of: folder + "/address")) == Array("https://films.example/watch?v=1".utf8))
    }
  }

  @Test func `progress is reported`() async throws {
    try await withFolder { folder in
      #expect(mkfifo(folder + "/end", 0o600) == 0)
      let program = try writeScript(
        Self.start + "echo '34 100 NA'; read -r line < ../../end; exit 1", to: folder + "/yt-dlp")
      let downloads = TestDownloads(in: folder) { $0.ytDlpPath = program }
      let request = try DownloadRequest.of("https://films.example/watch?v=1", kind: .page)
      downloads.downloader.add(request)
      try await eventually("34 %") {
        downloads.states.contains { if case .running(let progress)? = $0 { progress.percent == 34 } else { false } }
      }
      try await onThread { try "end\n".write(toFile: folder + "/end", atomically: false, encoding: .utf8) }
      let end = try await downloads.end(of: request.key)
      #expect(end.reason == "yt-dlp ended with status 1")
    }
  }

  @Test func `a failure shows the program's last words, without passwords`() async throws {
    try await download("echo 'ERROR: no video at https://anna:secret@films.example/' >&2; exit 1") {
      end, downloads, _ in
      #expect(end.reason == "yt-dlp failed: no video at https://anna:•••@films.example/")
      // yt-dlp continues the files in the folder.
      #expect(downloads.names == [".Film [film].parts"])
    }
  }

  @Test(arguments: ["", "echo x > video.exe", "ln -s /etc/passwd video.mp4", "mkdir video.mp4", "> video.mp4"])
  func `a program without a film is a failure`(script: String) async throws {
    try await download(script) { end, downloads, _ in
      #expect(end.reason == "yt-dlp found no video" && !downloads.names.contains { $0.hasPrefix("Film") })
    }
  }

  @Test func `unmerged parts are no film`() async throws {
    try await download("echo aaaa > video.f137.mp4; echo b > video.mkv") { end, downloads, _ in
      #expect(downloads.names == ["Film [film].mkv"])
    }
  }

  @Test func `without yt-dlp a page is not downloaded`() async throws {
    try await withFolder { folder in
      let end = try await TestDownloads(in: folder).download(try .of("https://films.example/", kind: .page))
      #expect(end.reason == "yt-dlp is not installed")
    }
  }

  @Test(.enabled(if: Programs.ffmpeg != nil, "ffmpeg is not installed"))
  func `a stream is downloaded by ffmpeg, which opens no local file`() async throws {
    try await withFolder { folder in
      let clip = folder + "/clip.ts"
      let ffmpeg = try #require(Programs.ffmpeg)
      try await onThread {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: ffmpeg)
        process.arguments = [
          "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=10:duration=2", "-c:v", "mpeg2video",
          clip,
        ]
        try process.run()
        process.waitUntilExit()
      }
      let bytes = try fileBytes(of: clip)
      try await withServer { request in
        let segment = request.path == "/evil.m3u8" ? "file://\(clip)" : "clip.ts"
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n\(segment)\n#EXT-X-ENDLIST\n"
        return request.path == "/clip.ts"
          ? .answer(TestAnswer(bytes, headers: ["Content-Type": "video/mp2t"]))
          : .answer(TestAnswer(list, headers: ["Content-Type": "application/vnd.apple.mpegurl"]))
      } _: { server in
        let downloads = TestDownloads(in: folder) { $0.ffmpegPath = ffmpeg }
        // Also if only the type of the answer shows that it is a stream.
        let end = try await downloads.download(try .of(server.origin + "/film", id: "a abcd"))
        #expect(end.path == downloads.folder + "/Film [abcd].mkv")
        let evil = try await downloads.download(try .of(server.origin + "/evil.m3u8", kind: .stream, id: "a evil"))
        #expect(evil.reason?.hasPrefix("ffmpeg ") == true)
        #expect(!downloads.names.contains { $0.hasPrefix("Film [evil]") })
      }
    }
  }
}

private enum Programs {
  static let ffmpeg = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
}
