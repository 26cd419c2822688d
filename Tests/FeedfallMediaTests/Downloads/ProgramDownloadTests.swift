import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallMedia

@Suite(.hangLimit) struct ProgramDownloadTests {
  /// Goes to the folder before `--output` and stores the arguments in `words`.
  private static let start = """
    printf '%s\\n' "$@" > "$(dirname "$0")/words"
    read -r address
    printf '%s' "$address" > "$(dirname "$0")/address"
    while [ "$3" != --output ]; do shift; done
    cd "$2" || exit 3

    """

  /// Downloads a page by a script in place of yt-dlp.
  private func download(
    _ script: String, _ check: (DownloadState?, TestDownloads, String) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      let program = try writeScript(Self.start + script, to: folder + "/yt-dlp")
      let downloads = TestDownloads(in: folder) { $0.ytDlp = YtDlpDirectory(YtDlp(program: program)) }
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
      #expect(words.contains("--no-playlist") && !words.contains("--ignore-config"))
      #expect(words.contains("video.%(ext)s") && !words.contains { $0.contains("films.example") })
      #expect((try? fileBytes(of: folder + "/address")) == Array("https://films.example/watch?v=1".utf8))
    }
  }

  @Test func `one of several videos on a page is downloaded by its number`() async throws {
    try await withFolder { folder in
      let program = try writeScript(Self.start + "echo film > video.mp4", to: folder + "/yt-dlp")
      let downloads = TestDownloads(in: folder) { $0.ytDlp = YtDlpDirectory(YtDlp(program: program)) }
      #expect(
        try await downloads.download(.of("https://films.example/talks#playlist-item=2", kind: .page)).path != nil)
      let words = String(decoding: try fileBytes(of: folder + "/words"), as: UTF8.self).split(separator: "\n")
      let place = try #require(words.firstIndex(of: "--playlist-items"))
      #expect(words[place + 1] == "2")
      #expect((try? fileBytes(of: folder + "/address")) == Array("https://films.example/talks".utf8))
    }
  }

  @Test(arguments: [
    (DownloadQuality.audio, ["--format", "bestaudio/best"]), (.height(720), ["--format-sort", "res:720"]),
  ])
  func `yt-dlp chooses the quality of one download`(quality: DownloadQuality, expected: [String]) async throws {
    try await withFolder { folder in
      let program = try writeScript(Self.start + "echo film > video.mp4", to: folder + "/yt-dlp")
      let downloads = TestDownloads(in: folder) {
        ($0.ytDlp, $0.ffmpegPath) = (YtDlpDirectory(YtDlp(program: program)), "/bin/false")
        $0.maximumHeight = 1_080
      }
      var request = try DownloadRequest.of("https://films.example/watch?v=1", kind: .page)
      request.quality = quality
      #expect(try await downloads.download(request).path != nil)
      let words = String(decoding: try fileBytes(of: folder + "/words"), as: UTF8.self).split(separator: "\n")
      let place = try #require(words.firstIndex { $0 == expected[0] })
      #expect(words[place + 1] == expected[1] && words.contains("--extract-audio") == (quality == .audio))
      #expect(!words.contains("res:1080"))
    }
  }

  @Test func `yt-dlp reads the login of the source from its input`() async throws {
    try await withFolder { folder in
      let program = try writeScript(Self.start + "echo film > video.mp4", to: folder + "/yt-dlp")
      let downloads = TestDownloads(in: folder) { $0.ytDlp = YtDlpDirectory(YtDlp(program: program)) }
      var request = try DownloadRequest.of("https://films.example/a.m3u8", kind: .stream)
      request.addresses[0].headers = RequestHeaders(
        nil, authorization: .basic(user: "ann", password: "pass word"))
      #expect(try await downloads.download(request).path != nil)
      #expect((try? fileBytes(of: folder + "/address")) == Array("https://ann:pass%20word@films.example/a.m3u8".utf8))
      #expect(!String(decoding: try fileBytes(of: folder + "/words"), as: UTF8.self).contains("pass"))
    }
  }

  /// It fails at the network, where nothing listens, and not at an argument.
  @Test(
    .enabled(if: installedYtDlp != nil, "skipped: .ci/install --tests installs yt-dlp"), arguments: [true, false])
  func `yt-dlp itself understands all arguments of a download`(readsConfiguration: Bool) async throws {
    try await withFolder { folder in
      let text = try allSettingsOfYtDlp(in: folder, readsConfiguration: readsConfiguration)
      let ytDlp = try #require(YtDlp(text: text))
      let downloads = TestDownloads(in: folder) { $0.ytDlp = YtDlpDirectory(ytDlp) }
      let end = try await downloads.download(try .of("http://127.0.0.1:9/watch", kind: .page))
      #expect(end.reason?.contains("Unable to download") == true, "\(end.reason ?? "none")")
    }
  }

  @Test func `progress is reported`() async throws {
    try await withFolder { folder in
      #expect(mkfifo(folder + "/end", 0o600) == 0)
      let program = try writeScript(
        Self.start + "echo '34 100 NA'; read -r line < ../../../end; exit 1", to: folder + "/yt-dlp")
      let downloads = TestDownloads(in: folder) { $0.ytDlp = YtDlpDirectory(YtDlp(program: program)) }
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

  /// Leaves a part at the first address, which does not have the video, and completes the second one.
  private static let secondOfTwo = """
    case "$address" in
      */1) echo one > video.mp4.part; exit 1 ;;
      *) [ -e video.mp4.part ] && exit 4; echo two > video.mp4 ;;
    esac
    """

  @Test func `another address does not continue a part`() async throws {
    try await withFolder { folder in
      let program = try writeScript(Self.start + Self.secondOfTwo, to: folder + "/yt-dlp")
      let downloads = TestDownloads(in: folder) { $0.ytDlp = YtDlpDirectory(YtDlp(program: program)) }
      var request = try DownloadRequest.of("https://films.example/1", kind: .page)
      request.addresses += try DownloadRequest.of("https://films.example/2", kind: .page).addresses
      let end = try await downloads.download(request)
      #expect(end.path == downloads.folder + "/Film [film].mp4", "\(end.reason ?? "")")
    }
  }

  @Test func `a fallback that fails deletes no part of the first address`() async throws {
    try await withFolder { folder in
      let script = """
        case "$address" in
          */1) if [ -e video.mp4.part ]; then echo film > video.mp4; else echo one > video.mp4.part; exit 1; fi ;;
          *) echo two > video.mp4.part; mkdir -p inner/folder; exit 1 ;;
        esac
        """
      let program = try writeScript(Self.start + script, to: folder + "/yt-dlp")
      let downloads = TestDownloads(in: folder) { $0.ytDlp = YtDlpDirectory(YtDlp(program: program)) }
      var request = try DownloadRequest.of("https://films.example/1", kind: .page)
      request.addresses += try DownloadRequest.of("https://films.example/2", kind: .page).addresses
      let failure = try await downloads.download(request)
      #expect(failure.reason == "yt-dlp ended with status 1")
      downloads.downloader.add(request)
      try await eventually("the part is continued") { downloads.states.last??.file != nil }
      #expect(downloads.names == ["Film [film].mp4"])
    }
  }

  /// Leaves a part the first time; then it is a film if the part is still there.
  private static let continued =
    "if [ -e video.mp4.part ]; then echo old > video.mp4; else echo new > video.mp4.part; exit 1; fi"

  @Test(arguments: [(1080, 1080, true), (1080, 480, false), (nil, 480, false)])
  func `a part is continued only for the same height`(first: Int?, second: Int, isContinued: Bool) async throws {
    try await withFolder { folder in
      let program = try writeScript(Self.start + Self.continued, to: folder + "/yt-dlp")
      let request = try DownloadRequest.of("https://films.example/1", kind: .page)
      var end: DownloadState?
      for height in [first, second] {
        let downloads = TestDownloads(in: folder, state: folder + "/downloads.json") {
          ($0.ytDlp, $0.maximumHeight) = (YtDlpDirectory(YtDlp(program: program)), height)
        }
        end = try await downloads.download(request)
      }
      #expect((end.path != nil) == isContinued)
    }
  }

  @Test func `yt-dlp does not publish the half video of ffmpeg`() async throws {
    try await withFolder { folder in
      let ffmpeg = try writeScript("for last; do :; done; echo half > \"$last\"; exit 1", to: folder + "/ffmpeg")
      let ytDlp = try writeScript("exit 0", to: folder + "/yt-dlp")
      let list = folder + "/downloads.json"
      let request = try DownloadRequest.of("https://films.example/1", kind: .stream)
      let first = TestDownloads(in: folder, state: list) { $0.ffmpegPath = ffmpeg }
      let failure = try await first.download(request)
      #expect(failure.reason == "ffmpeg ended with status 1")
      let second = TestDownloads(in: folder, state: list) { $0.ytDlp = YtDlpDirectory(YtDlp(program: ytDlp)) }
      let end = try await second.download(request)
      #expect(end.reason == "yt-dlp found no video" && !second.names.contains { $0.hasSuffix(".mkv") })
    }
  }

  @Test func `an address with a secret is not among the arguments of ffmpeg`() async throws {
    try await withFolder { folder in
      let script = "printf '%s ' \"$@\" > '\(folder)/words'; cat > '\(folder)/input'; exit 1"
      let ffmpeg = try writeScript(script, to: folder + "/ffmpeg")
      let downloads = TestDownloads(in: folder) { $0.ffmpegPath = ffmpeg }
      let address = "https://films.example/live.m3u8?token=s3&it's"
      _ = try await downloads.download(try .of(address, kind: .stream))
      let words = String(decoding: try fileBytes(of: folder + "/words"), as: UTF8.self)
      let input = String(decoding: try fileBytes(of: folder + "/input"), as: UTF8.self)
      #expect(!words.contains("s3") && !words.contains("films.example"))
      #expect(input.contains("\nfile 'https://films.example/live.m3u8?token=s3&it'\\''s'\n"))
    }
  }

  @Test func `a program gets the proxy by its environment`() async throws {
    try await withFolder { folder in
      let program = try writeScript("echo $http_proxy $no_proxy > '\(folder)/proxy'; exit 1", to: folder + "/yt-dlp")
      let proxy = ProxyAddress("http://ann:s3@p:1", setting: "proxy")
      let downloads = TestDownloads(in: folder) {
        $0.ytDlp = YtDlpDirectory(YtDlp(program: program))
        $0.client.proxies = ProxyDirectory(Proxies().replacing(proxy))
      }
      _ = try await downloads.download(try .of("https://films.example/1", kind: .page))
      #expect(try fileBytes(of: folder + "/proxy") == Array("http://ann:s3@p:1 localhost,127.0.0.1,::1\n".utf8))
    }
  }

  @Test(arguments: [("http://p:1", true), ("https://p:1", false), ("socks5://p:1", false)])
  func `ffmpeg takes the place of yt-dlp only behind a proxy that it can use`(text: String, isUsed: Bool) async throws {
    try await withFolder { folder in
      let ffmpeg = try writeScript("echo $http_proxy > '\(folder)/proxy'; exit 1", to: folder + "/ffmpeg")
      let downloads = TestDownloads(in: folder) {
        $0.ffmpegPath = ffmpeg
        $0.client.proxies = ProxyDirectory(Proxies().replacing(ProxyAddress(text, setting: "proxy")))
      }
      let end = try await downloads.download(try .of("https://films.example/a.m3u8", kind: .stream))
      #expect((try? fileBytes(of: folder + "/proxy")) == (isUsed ? Array("\(text)\n".utf8) : nil))
      #expect(end.reason == (isUsed ? "ffmpeg ended with status 1" : "yt-dlp is not installed"))
    }
  }

  @Test func `a program that ends for lack of space is reported, even if there is space again`() async throws {
    try await withFolder { folder in
      let program = try writeScript(Self.start + "echo '1 2 NA'; exec sleep 1000", to: folder + "/yt-dlp")
      let checks = Atomic(0)
      let downloads = TestDownloads(in: folder) {
        $0.ytDlp = YtDlpDirectory(YtDlp(program: program))
        $0.disk = { _ in
          guard FileManager.default.fileExists(atPath: folder + "/words") else {
            return DownloadFolder.Disk(freeByteCount: 1 << 40)
          }
          return DownloadFolder.Disk(freeByteCount: checks.add(1, ordering: .relaxed).oldValue == 0 ? 0 : 1 << 40)
        }
      }
      let end = try await downloads.download(try .of("https://films.example/1", kind: .page))
      #expect(end.reason?.contains("0 B are free") == true)
    }
  }

  /// The arguments of ffmpeg for a clip of two seconds that starts at a time.
  private static func clipWords(at seconds: Int, _ path: String) -> [String] {
    [
      "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=10:duration=2", "-f", "lavfi", "-i",
      "sine=duration=2", "-output_ts_offset", "\(seconds)", "-c:v", "mpeg2video", "-c:a", "mp2", path,
    ]
  }

  /// Downloads a stream of three segments by ffmpeg, from a server that changes the answers for segments.
  private func stream(
    cutting cut: Int? = nil, byReset isReset: Bool = false, missing: Int? = nil,
    _ check: (DownloadState?, TestDownloads) -> Void
  ) async throws {
    let ffmpeg = try #require(Programs.ffmpeg)
    try await withFolder { folder in
      let clips = try await onThread {
        try (0..<3).map { number in
          let process = Process()
          process.executableURL = URL(fileURLWithPath: ffmpeg)
          process.arguments = Self.clipWords(at: 2 * number, "\(folder)/\(number).ts")
          try process.run()
          process.waitUntilExit()
          return try fileBytes(of: "\(folder)/\(number).ts")
        }
      }
      let list =
        "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        + (0..<3).map { "#EXTINF:2,\n\($0).ts\n" }.joined() + "#EXT-X-ENDLIST\n"
      try await withServer { request in
        guard let number = Int(request.path.dropFirst().prefix { $0 != "." }) else {
          return .answer(TestAnswer(list, headers: ["Content-Type": "application/vnd.apple.mpegurl"]))
        }
        if number == missing { return .answer(TestAnswer("", status: 404)) }
        let answer = TestAnswer(clips[number], headers: ["Content-Type": "video/mp2t"])
        guard number == cut else { return .answer(answer) }
        let half = clips[number].count / 2
        return isReset ? .reset(answer, after: half) : .cut(answer, after: half)
      } _: { server in
        let downloads = TestDownloads(in: folder) { $0.ffmpegPath = ffmpeg }
        check(try await downloads.download(try .of(server.origin + "/film.m3u8", kind: .stream)), downloads)
      }
    }
  }

  @Test(.enabled(if: Programs.ffmpeg != nil, "ffmpeg is not installed"), arguments: [0, 1, 2])
  func `a stream without one of its segments is not published`(missing: Int) async throws {
    try await stream(missing: missing) { end, downloads in
      #expect(end.reason?.hasPrefix("parts of the stream are missing") == true)
      #expect(!downloads.names.contains { $0.hasSuffix(".mkv") })
    }
  }

  @Test(.enabled(if: Programs.ffmpeg != nil, "ffmpeg is not installed"), arguments: [(1, true), (2, true), (2, false)])
  func `a stream with a segment that is cut off is not published`(segment: Int, isReset: Bool) async throws {
    try await stream(cutting: segment, byReset: isReset) { end, downloads in
      #expect(end.reason?.hasPrefix("parts of the stream are missing") == true)
      #expect(!downloads.names.contains { $0.hasSuffix(".mkv") })
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
