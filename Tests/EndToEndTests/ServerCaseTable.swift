import TestServer
import TestSupport
import Testing

@testable import FeedfallMedia

/// Unusual servers, files and pictures, each as a check by name. The helpers are in `…Cases.swift`.
@Suite(.hangLimit) struct ServerCaseTable {
  @Test(arguments: connections) func `redirects, names and slow lines`(_ row: Case) async throws {
    try await row.check()
  }
  @Test(arguments: bodies) func `bodies and names of downloads`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: files) func `files and paths`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: pages) func `pages and streams`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: loads) func `loading of covers`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: candidates) func `choice of covers`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: pictures) func `decoding of pictures`(_ row: Case) async throws { try await row.check() }

  static let connections: [Case] = [
    Case(
      "a consent page that redirects to the film itself with a cookie lets it be downloaded",
      ConnectionCases.consentWall),
    Case("redirects to names beyond ASCII are followed", ConnectionCases.redirectBeyondASCII),
    Case("a film on a Japanese name is downloaded without a locale", ConnectionCases.downloadBeyondASCII),
    Case("messages show names of one script, and mixtures in ASCII", ConnectionCases.namesInMessages),
    Case("a long time-out applies to videos and downloads too", ConnectionCases.longTimeout),
    Case("a server whose covers arrive too slowly is not regarded as silent", ConnectionCases.slowIsNotSilent),
    Case(
      "a film that leaves https is not downloaded, and the message names the option", ConnectionCases.refusedRedirect),
    Case("a film of a source with allow-http leaves https without the cookie", ConnectionCases.allowedRedirect),
    Case("a film with a password never leaves https", ConnectionCases.redirectWithPassword),
    Case("a stream that leaves https is not given to a program", ConnectionCases.redirectOfStream),
    Case("a feed of a source with allow-http never leaves https", ConnectionCases.redirectOfFeed),
  ]

  static let bodies: [Case] = [
    Case("a feed in Brotli or Zstandard is listed, whether or not it has that coding") {
      try await BodyCases.expectFilms(PackedBytes.brotli(BodyCases.feed), coding: "br")
      try await BodyCases.expectFilms(PackedBytes.zstandard(BodyCases.feed), coding: "zstd")
      try await BodyCases.expectFilms(BodyCases.feed, coding: "br")
      try await BodyCases.expectFilms(BodyCases.feed, coding: "zstd")
    },
    Case("a feed in gzip with the comment of a cache behind its end is listed") {
      let body = PackedBytes.gzip(BodyCases.feed) + Array("<!-- Cached page -->".utf8)
      try await BodyCases.expectFilms(body, coding: "gzip")
      try await BodyCases.expectFilms(body, coding: nil, type: "application/gzip")
    },
    Case("a file feed.xml.gz that its server also names gzip is unpacked once or twice, as needed") {
      let packed = PackedBytes.gzip(BodyCases.feed)
      for body in [packed, PackedBytes.gzip(packed)] {
        try await BodyCases.expectFilms(body, coding: "gzip", type: "application/x-gzip")
      }
    },
    Case("a feed whose gzip data end too early has its first videos and a message") {
      let cut = Array(PackedBytes.gzip(BodyCases.feed).dropLast(60))
      for (coding, type) in [("gzip", "application/rss+xml"), ("none", "application/gzip")] {
        let (lines, errors) = try await BodyCases.list(cut, coding: coding, type: type)
        #expect(lines.count >= 2 && errors.contains("The feed is incomplete"), "\(coding): \(errors)")
      }
    },
    Case("a playlist whose gzip data end too early is incomplete, and not stored", BodyCases.cutPlaylist),
    Case("the address of a film with a coding that does not exist opens as a film") {
      let (lines, errors) = try await BodyCases.list(BodyCases.mp4, coding: "aws-chunked", type: "video/mp4")
      #expect(lines.count == 1, "\(errors)")
    },
    Case("a feed in gzip that its server confirms is listed from the cache") {
      try await DownloadHome.use { home in
        let (lines, errors) = try await BodyCases.list(
          from: { request in
            if request.headers["if-none-match"] == "\"1-gzip\"" { return .answer(TestAnswer("", status: 304)) }
            let headers = ["Content-Encoding": "gzip", "ETag": "\"1-gzip\"", "Cache-Control": "no-cache"]
            return .answer(TestAnswer(PackedBytes.gzip(BodyCases.feed), headers: headers))
          }, home, times: 2)
        #expect(lines.count == 3, "\(errors)")
      }
    },
    Case("a cover has its own bytes, whatever its coding says") {
      let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 9, count: 2_000)
      for coding in [nil, "gzip", "deflate", "br", "none", "utf-8", ""] {
        for body in [picture, PackedBytes.gzip(picture)] {
          let bytes = try await BodyCases.picture(body, coding: coding)
          #expect(bytes == picture)
        }
      }
    },
    Case("a cover whose members unpack to more than the limit together is refused") {
      let member = GzipBomb.bytes(unpackingTo: PictureLimits.webByteCount / 2 + 1)
      await #expect(throws: CoverFailure.self) { _ = try await BodyCases.picture(member + member, coding: "gzip") }
    },
    Case("a film with a name in the query of a signed address has its extension") {
      let query = "?X-Amz-Date=1&response-content-disposition=attachment%3B%20filename%3D%22film.m4v%22"
      try await BodyCases.expectExtension(".m4v", path: "/5f3c" + query)
    },
    Case("a film behind a redirect has the extension of the last address") {
      try await BodyCases.expectExtension(".mov", headers: ["Location": "/real/holiday.mov"])
    },
    Case("a rest with the status of the whole file is not taken for the whole file") {
      let (_, bytes) = try await BodyCases.download { request in
        var answer = TestAnswer.media(BodyCases.mp4, type: "video/mp4", for: request)
        answer.headers["ETag"] = "\"1\""
        guard request.headers["range"] != nil else { return .cut(answer, after: 200_000) }
        answer.status = 200
        return .answer(answer)
      }
      #expect(bytes == BodyCases.mp4)
    },
  ]

  static let files: [Case] = [
    Case("paths that VLC has encoded name the files that exist, and names with %20 stay names") {
      try await FileCases.expect(
        "my%20film.mp4", "a%20b.mp4", "sub%20dir/%C3%A4.mp4", "100%.mp4",
        with: ["my film.mp4", "a%20b.mp4", "sub dir/ä.mp4", "100%.mp4"],
        are: ["my film.mp4", "a%20b.mp4", "sub dir/ä.mp4", "100%.mp4"])
    },
    Case("a percent sign in the folder of a playlist is part of its name") {
      try await FileCases.expect(
        "a%20b.mp4", "ROOT/c.mp4", with: ["a b.mp4", "c.mp4"], in: "/100%25 live", are: ["a b.mp4", "c.mp4"])
    },
    Case("encoded paths on standard input are relative to the current folder") {
      try await FileCases.expect("a%20b.mp4", with: ["a b.mp4"], input: true, are: ["a b.mp4"])
    },
    Case("an encoded slash separates folders if no file has that name") {
      try await FileCases.expect(
        "sub%2Fa.mp4", "%2E%2E/x.mp4", with: ["sub/a.mp4"], are: ["sub/a.mp4", "%2E%2E/x.mp4"])
    },
    Case("a file address of another spelling goes into the queue", FileCases.queued),
    Case("no spelling lets a document from a server name a file", FileCases.serverNamesNoFile),
    Case("absurd numbers of ffprobe are read to their end", FileCases.absurdProbe),
  ]

  static let pages: [Case] = [
    Case("a page that refuses this program is listed by yt-dlp, once", PageCases.refusedPages),
    Case("a page that refuses both programs is one message that a retry cannot change", PageCases.refusedByBoth),
    Case("without yt-dlp the message names the address for it, without its secrets", PageCases.secretAddress),
    Case("a feed that was read before is not replaced by yt-dlp while it is refused", PageCases.knownFeed),
    Case(
      "the question of YouTube for consent is answered in advance, and the channel is read from the page",
      PageCases.consent),
    Case("only the ID of the channel itself is read from a page of YouTube", PageCases.channelPages),
    Case("a source without Shorts has none if yt-dlp lists the channel", PageCases.shortsOfYtDlp),
    Case("the number of a video on its page survives any address, and is only a number", PageCases.pageItems),
    Case("the second video of a page is played by its number", PageCases.playedItem),
    Case("a start is read in each spelling, and a time stamp is no start", PageCases.spelledStarts),
    Case("a file starts where its address says, unless the user has ever stopped it elsewhere", PageCases.startOfFile),
    Case("the parts of a file have one record, except in a list of them", PageCases.partsOfFile),
    Case("shares of an older server have different records, without their tokens", PageCases.sharesOfServer),
    Case("a start in the address of a list starts none of its videos", PageCases.startOfList),
    Case("a start in any form of an address is queued with its video", PageCases.queuedStarts),
    Case("the software of a server is identified once for all its pages", PageCases.oneIdentification),
    Case(
      "a stream is opened only with the protocols that carry it, and a list only with those of the web",
      PageCases.streamProtocols),
    Case("the password of a camera is not printed", PageCases.streamPasswords),
    Case("a stream can be queued", PageCases.queuedStream),
    Case("a record names streams, but neither as a cover nor within another protocol", PageCases.storedStream),
    Case("addresses that only look like streams are no streams", PageCases.otherSchemes),
    Case("the marks of Jellyfin are adopted, except over the user's own", PageCases.marksOfJellyfin),
    Case("a missing document is not left to yt-dlp") {
      try await PageCases.expectNoCall("/talks.xml", WalkCases.refusal(404))
    },
  ]
}
