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
    Case("a download in a folder that is checked by a link is no news") {
      try await CopyCases.expectNews([], below: "link")
    },
    Case("a download in a folder below the checked one is no news") {
      try await CopyCases.expectNews([], into: "deep/")
    },
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
}
