import FeedfallSystem
import FeedfallText
import FeedfallWeb
import FoundationEssentials
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

/// Pages listed by a script in place of yt-dlp.
@Suite(.hangLimit) struct YtDlpFeedTests {
  /// Opens an address with a script of these lines; `$range` is the argument of `-I`, `$url` the address on standard
  /// input.
  private func withProgram<Value>(
    _ lines: String, pageSize: Int? = 3, _ address: String = "https://v.example/list",
    _ body: (PageSource) async throws -> Value
  ) async throws -> Value {
    try await withFolder { folder in
      let path = try writeScript("range=$9; read -r url\n\(lines)", to: "\(folder)/yt-dlp")
      return try await body(open("yt-dlp:\(address)", pageSize: pageSize, ytDlp: path))
    }
  }

  private func failure(_ lines: String) async throws -> FeedFailure? {
    try await withProgram(lines) { await $0.page(.start).failure }
  }

  /// The lines that print the entries from `$1` to `$2` of `count`.
  private static func entries(of count: Int) -> String {
    """
    print() {
      separator=; i=$1
      while [ $i -le $2 ] && [ $i -le \(count) ]; do
        printf '%s{"_type":"url","id":"%s","url":"%s/%s","title":"Film %s"}' "$separator" $i "$url" $i $i
        separator=,; i=$((i + 1))
      done
    }
    """
  }

  @Test func `yt-dlp receives a range as an argument, and the address where no other user can read it`() async throws {
    let words = try await withProgram(
      #"""
      for word in "$@"; do words="$words<$word>"; done
      printf '{"id":"1","title":"%s %s","webpage_url":"https://v.example/1"}' "$words" "$url"
      """#, "https://ann:secret@v.example/list"
    ) { await $0.page(.start).titles }
    #expect(
      words == [
        "<--paths><home:/dev/null><--no-colors><--no-download-archive><--no-match-filter>"
          + "<-J><--flat-playlist><-I><1:3><--no-warnings><--batch-file><-> https://ann:secret@v.example/list"
      ])
  }

  @Test func `a list is read in ranges to its end`() async throws {
    let lines = """
      \(Self.entries(of: 8))
      printf '{"_type":"playlist","title":"Talks","playlist_count":8,"entries":['
      print ${range%:*} ${range#*:}
      printf ']}'
      """
    let pages = try await withProgram(lines) { try await allPages(of: $0) }
    #expect(
      pages.map { $0.videos.map(\.title) } == [
        ["Film 1", "Film 2", "Film 3"], ["Film 4", "Film 5", "Film 6"], ["Film 7", "Film 8"],
      ])
    #expect(pages.map(\.next) == [.offset(3), .offset(6), nil])
    #expect(pages.map(\.total) == [8, 8, 8])
    #expect(pages.first?.title == "Talks")
  }

  @Test func `failed entries count as requested`() async throws {
    let lines = #"printf '{"_type":"playlist","entries":[null,null,{"id":"1","url":"https://v.example/1"}]}'; exit 1"#
    let page = try await withProgram(lines) { try await $0.page(.start).get() }
    #expect(page.videos.count == 1)
    #expect(page.skippedCount == 2)
    #expect(page.next == .offset(3))
  }

  @Test func `the tabs of a channel are read one after the other`() async throws {
    let lines = """
      \(Self.entries(of: 4))
      tab() { printf '{"_type":"playlist","title":"%s","webpage_url":"https://v.example/%s","entries":[' $1 $1; }
      case $url in
      */list) printf '{"_type":"playlist","title":"Channel","entries":['
        url=v; url=https://v.example/Videos; tab Videos; print 1 3; printf ']},'
        url=https://v.example/Shorts; tab Shorts; print 1 2; printf ']}]}';;
      *) tab other; print ${range%:*} ${range#*:}; printf ']}';;
      esac
      """
    let pages = try await withProgram(lines) { try await allPages(of: $0) }
    #expect(
      pages.map { $0.videos.compactMap(\.group) } == [["Videos", "Videos", "Videos", "Shorts", "Shorts"], ["Videos"]])
    #expect(pages.last?.videos.map(\.playbackURL?.text) == ["https://v.example/Videos/4"])
    #expect(pages.last?.next == nil)
  }

  @Test func `a list that contains itself, and one that is there twice, are continued once`() async throws {
    let lines = """
      \(Self.entries(of: 4))
      tab() { printf '{"_type":"playlist","title":"%s","webpage_url":"https://v.example/%s","entries":[' $1 $1; }
      case $range in
      1:*) printf '{"_type":"playlist","entries":['
        tab list; print 1 3; printf ']},'; tab a; print 1 3; printf ']},'; tab a; print 1 3; printf ']}]}';;
      *) printf '{"_type":"playlist","entries":[]}';;
      esac
      """
    let pages = try await withProgram(lines) { try await allPages(of: $0) }
    #expect(pages.map(\.videos.count) == [9, 0, 0])
  }

  @Test func `lists that contain each other are each continued once`() async throws {
    let lines = """
      \(Self.entries(of: 4))
      case $url in
      */list) inner=other;;
      *) inner=list;;
      esac
      printf '{"_type":"playlist","entries":[{"_type":"playlist","webpage_url":"https://v.example/%s","entries":[' $inner
      print 1 3
      printf ']}]}'
      """
    let pages = try await withProgram(lines) { try await allPages(of: $0) }
    #expect(pages.map(\.videos.count) == [3, 3])
  }

  @Test func `a single video is one page`() async throws {
    let page = try await withProgram(
      #"echo '{"_type":"video","id":"1","title":"One","webpage_url":"https://v.example/1"}'"#, pageSize: 1
    ) { try await $0.page(.start).get() }
    #expect(page.videos.map(\.title) == ["One"])
    #expect(page.next == nil)
  }

  @Test func `the last error is reported, cleaned`() async throws {
    let failure = try await failure(
      #"printf 'WARNING: a\nERROR: first\nERROR: [x] Sign \033[31min to \007confirm\nhint\n' >&2; echo null; exit 1"#)
    #expect(failure?.reason == "yt-dlp failed: [x] Sign [31min to confirm")
    #expect(failure?.kind == .temporary)
  }

  @Test func `a password in an error of yt-dlp is hidden`() async throws {
    let failure = try await withProgram(
      "echo \"ERROR: Unsupported URL: $url\" >&2; exit 1", "https://ann:secret@v.example/list"
    ) { await $0.page(.start).failure }
    #expect(failure?.reason == "yt-dlp failed: Unsupported URL: https://ann:•••@v.example/list")
  }

  @Test(arguments: ["echo title; echo", "echo 'yt-dlp: error: no such option: --x' >&2; exit 2"])
  func `a configuration that spoils the output is ignored, with a notice`(fault: String) async throws {
    let page = try await withProgram(
      """
      case "$*" in *--ignore-config*) ;; *) \(fault); exit;; esac
      printf '{"id":"1","title":"A","webpage_url":"https://v.example/1"}'
      """
    ) { try await $0.page(.start).get() }
    #expect(page.videos.map(\.title) == ["A"])
    #expect(page.notice?.contains("configuration") == true)
  }

  /// It fails at the network, where nothing listens, and not at an argument.
  @Test(
    .enabled(if: installedYtDlp != nil, "skipped: .ci/install --tests installs yt-dlp"), arguments: [true, false])
  func `yt-dlp itself understands all arguments of a list`(readsConfiguration: Bool) async throws {
    try await withFolder { folder in
      var options = SourceOptions()
      let text = try allSettingsOfYtDlp(in: folder, readsConfiguration: readsConfiguration)
      options.ytDlp = YtDlpDirectory(try #require(YtDlp(text: text)))
      let source = try FeedSources.open("yt-dlp:http://127.0.0.1:9/", options: options)
      let failure = await source.page(.start).failure
      #expect(failure?.reason.contains("Unable to download") == true, "\(failure?.reason ?? "none")")
    }
  }

  @Test func `a failure names its cure`() async throws {
    let failure = try await failure("echo 'ERROR: [x] Log in. Use --cookies-from-browser' >&2; exit 1")
    #expect(failure?.advice?.contains("cookies-from-browser") == true)
    #expect(failure?.kind == .permanent)
  }

  @Test func `a crash of yt-dlp shows the last line, cleaned and limited, and asks to update it`() async throws {
    let failure = try await failure(
      #"printf 'Traceback:\n  File "x"\nKeyError: \033[31mx https://ann:secret@v.example/\n\n' >&2; exit 1"#)
    #expect(failure?.reason == "yt-dlp failed: KeyError: [31mx https://ann:•••@v.example/")
    #expect(failure?.advice == YtDlpCure.tooOld.advice && failure?.kind == .permanent)
    let long = try await self.failure("head -c 5000 /dev/zero | tr '\\0' E >&2; exit 1")
    #expect(long?.reason.hasPrefix("yt-dlp failed: EEE") == true && (long?.reason.count ?? 0) < 300)
  }

  @Test func `a page that yt-dlp does not know stays unknown`() async throws {
    #expect(try await failure("echo 'ERROR: Unsupported URL: x' >&2; exit 1")?.kind == .permanent)
  }

  @Test(arguments: [
    ("exit 3", "yt-dlp ended with status 3 without a message"),
    ("kill -9 $$", "yt-dlp ended with status 137 without a message"),
    ("echo 'WARNING: a' >&2; exit 3", "yt-dlp ended with status 3 without a message"),
    ("echo note >&2", "yt-dlp found no videos"),
    ("echo garbage", "yt-dlp found no videos"), ("exit 0", "yt-dlp found no videos"),
    ("yes", "yt-dlp printed more than 32 MB"),
  ])
  func `an answer without videos is reported`(lines: String, reason: String) async throws {
    #expect(try await failure(lines)?.reason == reason)
  }

  @Test func `a hanging yt-dlp ends with its cancelled task`() async throws {
    try await withProgram("trap '' TERM; while :; do sleep 1; done") { source in
      let task = Task { await source.page(.start) }
      task.cancel()
      #expect(await task.value.failure == .cancelled)
    }
  }

  // MARK: - Web pages

  private func withWebPage<Value>(
    _ lines: String, _ html: String = "<!doctype html><title>Films</title>",
    _ body: (PageSource, TestServer) async throws -> Value
  ) async throws -> Value {
    try await withFolder { folder in
      let path = try writeScript("range=$9; read -r url\n\(lines)", to: "\(folder)/yt-dlp")
      return try await withServer({ request in
        .answer(request.path == "/page" ? TestAnswer(html) : TestAnswer("no", status: 404))
      }) { server in
        try await body(open(server.origin + "/page", pageSize: 3, ytDlp: path), server)
      }
    }
  }

  @Test func `a web page without a feed is read by yt-dlp, page by page`() async throws {
    let lines = """
      \(Self.entries(of: 4))
      printf '{"_type":"playlist","entries":['; print ${range%:*} ${range#*:}; printf ']}'
      """
    try await withWebPage(lines) { source, server in
      let pages = try await allPages(of: source)
      #expect(pages.map(\.videos.count) == [3, 1])
      #expect(pages.first?.videos.first?.playbackURL?.text == server.origin + "/page/1")
    }
  }

  @Test func `if a web page has no feed and yt-dlp fails, both failures are reported`() async throws {
    try await withWebPage("echo 'ERROR: Unsupported URL: x' >&2; exit 1") { source, _ in
      #expect(
        await source.page(.start).failure?.reason
          == "the answer is a web page (Films), not a feed; yt-dlp failed: Unsupported URL: x")
    }
  }

  @Test func `yt-dlp does not request a server that sent Retry-After`() async throws {
    try await withFolder { folder in
      let lines = "echo called >> '\(folder)/calls'; echo 'ERROR: not now' >&2; exit 1"
      let path = try writeScript(lines, to: "\(folder)/yt-dlp")
      let isBusy = Mutex(false)
      try await withServer { request in
        if isBusy.withLock({ $0 }) { return .answer(TestAnswer("", status: 429, headers: ["Retry-After": "9"])) }
        return .answer(
          request.path == "/page" ? .html("<!doctype html><title>Films</title>") : TestAnswer("", status: 404))
      } _: { server in
        let source = try open(server.origin + "/page", ytDlp: path)
        #expect(await source.page(.start).failure?.kind == .temporary)
        isBusy.withLock { $0 = true }
        #expect(await source.page(.start).failure?.kind == .wait(seconds: 9))
        #expect(try String(contentsOfFile: "\(folder)/calls", encoding: .utf8) == "called\n")
      }
    }
  }

  @Test func `a feed that was a web page for a while is a feed again after one refresh`() async throws {
    let isFeed = Mutex(false)
    try await withFolder { folder in
      let script =
        "echo called >> '\(folder)/calls'; read -r url\n" + Self.entries(of: 1)
        + "\nprintf '{\"_type\":\"playlist\",\"entries\":['; print 1 1; printf ']}'"
      let path = try writeScript(script, to: "\(folder)/yt-dlp")
      try await withServer { request in
        guard request.path == "/page" else { return .answer(TestAnswer("no", status: 404)) }
        return .answer(
          isFeed.withLock { $0 } ? TestAnswer(films(0..<2)) : .html("<!doctype html><title>Closed</title>"))
      } _: { server in
        let source = try open(server.origin + "/page", ytDlp: path)
        #expect(await source.page(.start).titles?.count == 1)
        let count = server.requests.count
        #expect(await source.page(.start).titles?.count == 1)
        #expect(server.requests.dropFirst(count).map(\.path) == ["/page"])
        isFeed.withLock { $0 = true }
        #expect(await source.page(.start).titles == ["Film 0", "Film 1"])
        #expect(try fileBytes(of: folder + "/calls").count == 2 * "called\n".utf8.count)
      }
    }
  }
}
