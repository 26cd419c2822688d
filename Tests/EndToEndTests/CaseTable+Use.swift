import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp
@testable import FeedfallScreen
@testable import FeedfallTerminal

extension CaseTable {
  static let downloads: [Case] = [
    Case("a word that is neither an address nor an ID is not queued") {
      try await DownloadHome.use {
        try await $0.expectRefusal(of: "foo", by: "queue", "add", "https://a.example/1.mp4")
      }
    },
    Case("a word that is neither an address nor an ID is not watched") {
      try await DownloadHome.use {
        try await $0.expectRefusal(of: "nonsense here", by: "watched", "https://a.example/1")
      }
    },
    Case("the lines of list name the videos of the feed") {
      try await DownloadHome.use { home in
        let lines = try await home.run("list", home.feed()).output
        #expect(try await home.run("queue", "add", "-", input: lines).status == 0)
        #expect(try await home.ids("queue") == home.ids("list", home.feed()))
      }
    },
    Case("the first line of list names its video even if its reader has exited") {
      try await DownloadHome.use { home in
        let command = "'\(Feedfall.path)' list '\(try home.feed())' | head -1 | '\(Feedfall.path)' queue add -"
        #expect(try await run("/bin/sh", ["-c", command], environment: home.environment).status == 0)
        #expect(try await home.ids("queue") == [home.ids("list", home.feed())[0]])
      }
    },
    Case("addresses on standard input are queued, whatever ends their lines") {
      try await DownloadHome.use { (home) async throws in
        let input = "\r\n  https://a.example/1.mp4\t\r\n\n\u{FEFF}\nhttps://a.example/page"
        #expect(try await home.run("queue", "add", "-", input: input).status == 1)
        #expect(try await home.ids("queue") == ["https://a.example/1.mp4", "https://a.example/page"])
      }
    },
    Case("the address of a film plays as a film, not as a page") {
      try await DownloadHome.use { home in
        _ = try await home.run("queue", "add", "https://a.example/kitchen-clip.mp4")
        let row = try await home.run("queue", "--json").output
        #expect(row.contains(#""playbackURL":"https://a.example/kitchen-clip.mp4""#) && !row.contains("pageURL"))
      }
    },
    Case("the lines of queue remove their videos") {
      try await DownloadHome.use { home in
        _ = try await home.run("queue", "add", "-", input: try await home.run("list", "--json", home.feed()).output)
        let lines = try await home.run("queue").output
        #expect(try await home.run("queue", "remove", "-", input: lines).status == 0)
        #expect(try await home.ids("queue").isEmpty)
      }
    },
    Case("a page of several videos names none of them") {
      try await DownloadHome.use { home in
        _ = try await home.run("list", home.feed(page: "https://a.example/show"))
        _ = try await home.run("queue", "add", "https://a.example/show")
        #expect(try await home.ids("queue") == ["https://a.example/show"])
      }
    },
    Case("a file on the disk is queued by its path") {
      try await DownloadHome.use { home in
        try Data([0]).write(to: URL(fileURLWithPath: home.folder + "/a film.mp4"))
        #expect(try await home.run("queue", "add", home.folder + "/a film.mp4").status == 0)
        #expect(try await home.ids("queue").first?.hasSuffix("/a%20film.mp4") == true)
      }
    },
    Case("the queue is not cleared without an answer or --yes") {
      try await DownloadHome.use { home in
        _ = try await home.run("queue", "add", "https://a.example/1.mp4")
        let refused = try await home.run("queue", "clear")
        #expect(refused.status == 2 && refused.errors.contains("Add --yes."))
        #expect(try await home.ids("queue").count == 1)
        #expect(try await home.run("queue", "clear", "--yes").status == 0)
        #expect(try await home.ids("queue").isEmpty)
      }
    },
    Case("the queue is cleared after a yes on a terminal") {
      try await DownloadHome.use { home in
        _ = try await home.run("queue", "add", "https://a.example/1.mp4")
        for (answer, count) in [("\n", 1), ("y\n", 0)] {
          try await home.answer(answer, to: "Remove 1 video from the queue? [y/N]", of: "queue", "clear")
          #expect(try await home.ids("queue").count == count)
        }
      }
    },
    Case("a mistyped command suggests a similar one") {
      let end = try await Feedfall.run("lst")
      #expect(end.status == 2 && end.errors.contains("Did you mean list?") && end.output.isEmpty)
    },
    Case("a mistyped queue action suggests a similar one") {
      let end = try await Feedfall.run("queue", "lst")
      #expect(end.status == 2 && end.errors.contains("Did you mean list?"))
    },
    Case("a finished download is listed with its path, and removed with its file") {
      try await DownloadHome.withDownload { (home, address, path) async throws in
        #expect(try await home.run("download", "--list").output == "done\tfilm\t\(path)\n")
        #expect(try await home.run("download", "--remove", address).status == 2)
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try await home.run("download", "--remove", address, "--yes").status == 0)
        #expect(try !FileManager.default.fileExists(atPath: path) && home.names(in: "videos").isEmpty)
        #expect(try await home.run("download", "--remove", address, "--yes").status == 1)
      }
    },
    Case("a file that was deleted by hand is listed as missing") {
      try await DownloadHome.withDownload { home, _, path in
        try FileManager.default.removeItem(atPath: path)
        #expect(try await home.run("download", "--list", "--json").output.contains(#""state":"missing""#))
        #expect(try await home.run("download", "--remove", "no such thing", "--yes").status == 1)
      }
    },
    Case("a downloaded file in a folder has the marks of its video, also by a link") {
      try await DownloadHome.withDownload { home, address, _ in
        _ = try await home.run("queue", "add", address)
        let link = home.folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home.folder + "/videos")
        for folder in [home.folder + "/videos", link] {
          let rows = try await home.run("list", "--json", folder).output
          #expect(rows.split(separator: "\n").count == 1 && rows.contains(#""queued":true"#))
          #expect(try await home.ids("list", folder) == home.ids("queue"))
        }
      }
    },
    Case("an entry that is listed twice does not return after its removal") {
      try await DownloadHome.use { home in
        try home.store(entries: [home.entry("a.example 1"), home.entry("a.example 1")])
        #expect(try await home.run("download", "--remove", "a.example 1", "--yes").status == 0)
        #expect(try await home.run("download", "--list").output.isEmpty)
      }
    },
    Case("the list shows that a download waits for its source") {
      try await DownloadHome.use { home in
        try home.store(entries: [home.entry("a.example 1", lacksSecret: true)])
        #expect(
          try await home.run("download", "--list").output.hasSuffix("\tIt waits until Films lists the video again.\n"))
      }
    },
    Case("quitting during a download reports that it will resume") {
      try await DownloadHome.use { try await $0.expectWordsAfterQuitting() }
    },
    Case("a video of six seconds stopped at three is resumed") {
      let address = try #require(WebAddress("https://a.example/1.mp4"))
      var session = PlaySession()
      _ = session.perform(.play(PlayItem(Video(id: "1", title: "1", playback: .direct([MediaFile(url: address)])))))
      let id = try #require(session.currentID)
      for event in [PlayEvent.length(.stated(6)), .ready, .time(seconds: 3)] { _ = session.handle(.event(id, event)) }
      _ = session.perform(.stop)
      #expect(session.savedPosition?.seconds == 3)
    },
    Case("two audio formats do not count as a choice of heights") { () async throws in
      let files = ["1.mp3", "1.m4a"].compactMap { WebAddress("https://a.example/\($0)").map { MediaFile(url: $0) } }
      let video = Video(id: "1", title: "1", playback: .direct(files))
      #expect(throws: DownloadRequest.Obstacle.noChoice(.height(720))) {
        try DownloadRequest(video, key: VideoKey(video), quality: .height(720))
      }
      #expect(try DownloadRequest(video, key: VideoKey(video), quality: .audio).addresses.count == 2)
    },
  ]

  static let copies: [Case] = [
    Case("check prints no line of a download into its folder") { try await CopyCases.expectNews([], of: "--json") },
    Case("a download in a folder that is checked by a link is no news") {
      try await CopyCases.expectNews([], below: "link")
    },
    Case("a download in a folder below the checked one is no news") {
      try await CopyCases.expectNews([], into: "deep/")
    },
    Case("a file beside a download is news") { try await CopyCases.expectNews(["Third"], adding: "Third.mp4") },
    Case("a file of another length with the name of a download elsewhere is news") {
      try await CopyCases.expectNews(["Other length"], addingOtherLength: true)
    },
    Case("a file in place of a removed download is news", CopyCases.removedDownload),
    Case("check fails with a sentence if it cannot read which files are downloads", CopyCases.unreadableList),
    Case("a page that is queued says that it needs yt-dlp, and stays") {
      try await CopyCases.expectQueued("https://a.example/talk", says: "1 video is on a web page")
    },
    Case("several pages that are queued are counted in one line") {
      try await CopyCases.expectQueued("https://a.example/1", "https://a.example/2", says: "2 videos are on web pages")
    },
    Case("a film that is queued says nothing") {
      try await CopyCases.expectQueued("https://a.example/1.mp4", says: nil)
    },
    Case("a page that is queued says nothing if yt-dlp is installed") {
      try await CopyCases.expectQueued("https://a.example/talk", says: nil, hasYtDlp: true)
    },
    Case("pages that fail after a download has ended the sign bring it back") {
      #expect(CopyCases.outage(after: .page, .media, .page) == .servers)
    },
    Case("covers that fail after a download has ended the sign bring it back") {
      #expect(CopyCases.outage(after: .page, .media, .rest, .cover) == .covers)
    },
    Case("a cover that fails with another that arrives ends the sign") {
      #expect(CopyCases.outage(after: .page, .cover, .media, .cover) == nil)
    },
    Case("the sign of missing covers ends with the first one, although others are loading") {
      #expect(CopyCases.outage(after: .cover, .media, areCoversLoading: true) == nil)
    },
  ]

  static let hours: [Case] = [
    Case("holding q down stops at the question") {
      var hour = try Hour().typing("<Enter> f")
      for _ in 0..<3 { try hour.type("q") }
      #expect(!hour.hasQuit && !hour.state.playback.screen.isActive)
      try hour.type("q")
      #expect(!hour.hasQuit && hour.shows("Press q again to quit."))
    },
    Case("a question that another key has withdrawn is asked again") {
      let hour = try Hour().typing(" <Enter>qjqlq")
      #expect(!hour.hasQuit && hour.shows("A video is playing."))
    },
    Case("q after a video that failed to play leads back to the cards") {
      var hour = try Hour(unresolved: [0]).typing(" ")
      for case .requestDetails(_, _, let ticket) in hour.effects { hour.handle(.detailsArrived(ticket, Hour.film(0))) }
      hour.report(.ended(.failed(.http(status: 403))))
      #expect(try hour.shows("403") && hour.typing("q").state.details == nil)
    },
    Case("play next takes precedence over shuffle") {
      var hour = try Hour().typing(" SN<Enter>GA")
      hour.playToEnd()
      #expect(hour.played == ["Film 0", "Film 5"])
    },
    Case("queueing a video next twice plays it once") {
      var hour = try Hour().typing(" <Enter>lAhlA")
      for _ in 0..<3 { hour.playToEnd() }
      #expect(hour.played == ["Film 0", "Film 1"])
    },
    Case("putting the playing video first in the queue does not play it again") {
      var hour = try Hour().typing(" <Enter>A")
      hour.playToEnd()
      #expect(hour.played == ["Film 0"])
    },
    Case("a speed set while paused applies to the next video, and is shown") {
      var hour = try Hour().typing(" ")
      hour.report(.ready, .length(.stated(100)), .time(seconds: 5))
      try hour.type(",]],n")
      hour.report(.ready)
      #expect(hour.settings.rate == 1.5 && hour.shows("1.5x"))
      #expect(try hour.typing("<Enter>").shows("1.5x"))
    },
    Case("playback keys while the next address loads show a message") {
      var hour = try Hour(unresolved: [1]).typing(" N")
      hour.playToEnd()
      #expect(try hour.typing("<Enter>,").shows("Loading more videos…") && hour.played == ["Film 0"])
    },
    Case("a failure disappears once another video plays") {
      var hour = try Hour().typing(" ")
      hour.report(.ended(.failed(.unrecognizedFormat)))
      try hour.type("<Enter>l ")
      hour.report(.ready, .time(seconds: 1))
      #expect(!hour.shows("Could not play") && hour.played == ["Film 0", "Film 1"])
    },
    Case("a pasted key does not control playback") {
      var hour = try Hour().typing(" <Enter>")
      hour.report(.ready, .length(.stated(100)), .time(seconds: 50))
      let count = hour.effects.count
      hour.handle(.input(.paste("q,<>-=")))
      #expect(!hour.effects.dropFirst(count).contains { if case .player = $0 { true } else { false } })
      #expect(!hour.hasQuit)
    },
    Case("at 80 columns, the key hints stay beside the offline indicator") {
      var hour = try Hour(width: 80, height: 24, isCatalogue: true)
      hour.failCovers(Hour.offline)
      hour.now += 300_000
      try hour.type("jk")
      #expect(hour.shows("· offline for 5 min") && hour.shows(": open") && hour.shows("q quit  ? help"))
      #expect(!hour.shows("⚠"))
    },
    Case("a server error does not count as offline") {
      var hour = try Hour().typing("r")
      try hour.fail(FeedFailure(.temporary, "the server answered 503"))
      hour.failCovers(FeedFailure(.permanent, "the server answered 404"))
      #expect(!hour.shows("offline") && hour.shows("503"))
    },
    Case("a recovered network clears the offline indicator") {
      var hour = try Hour().typing("r")
      try hour.fail(Hour.offline)
      #expect(hour.shows("· offline"))
      try hour.type("r")
      try hour.answer(FeedPage(videos: [Hour.film(1)]))
      #expect(!hour.shows("offline"))
    },
    Case("a clock set back by a year neither blocks quitting nor shows negative times") {
      var hour = try Hour().typing("r")
      try hour.fail(Hour.offline)
      try hour.type("<Enter>q")
      hour.now -= 31_536_000_000
      try hour.type("jq")
      #expect(hour.shows("· offline ·") || hour.shows("· offline  "))
      #expect(try hour.typing("q").hasQuit)
    },
    Case("a single queued video leaves the queue after it plays, and the quit question counts downloads") {
      var hour = try Hour().typing(" <Enter>lA")
      for _ in 0..<2 { hour.playToEnd() }
      #expect(hour.state.library.store.userData.queuedKeys.isEmpty)
      for number in 0..<2 { hour.handle(.downloadChanged(VideoKey(Hour.film(number)), .waiting)) }
      #expect(try hour.typing("q").shows("2 downloads are running and resume at the next start."))
    },
    Case("the first screen shows how to open an address, and s searches") {
      #expect(try await render("").contains(": open  q quit  ? help"))
      let found = try await render("s")
      #expect(found.contains("has no search") && found.contains("Command: find"))
    },
  ]
}
