import FeedfallFeeds
import FeedfallText
import FeedfallUserData
import Foundation
import TestSupport
import Testing

@testable import FeedfallPlaying

/// A fault of a kind that users of such programs report, as a check that the program does not have it.
struct Case: Sendable, CustomTestStringConvertible {
  let name: String
  let check: @Sendable () async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable () async throws -> Void) {
    (self.name, self.check) = (name, check)
  }

  var testDescription: String { name }
}

/// All cases by name. Their helpers are in `…Cases.swift`.
@Suite(.hangLimit) struct CaseTable {
  @Test(arguments: walks) func `walks from an address to videos end`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: keys) func `keys and pastes`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: terminals) func `unusual terminals`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: screens) func `what stays on the screen`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: attacks) func `attacks and surroundings`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: configurations) func `configuration files`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: downloads) func `downloads, queue and marks`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: hours) func `a first hour`(_ row: Case) async throws { try await row.check() }

  static let walks: [Case] = []

  static let keys: [Case] = []

  static let terminals: [Case] = []

  static let screens: [Case] = []

  static let attacks: [Case] = []

  static let configurations: [Case] = []

  static let downloads: [Case] = [
    Case("a word that is no address and no ID is not queued") {
      try await DownloadHome.use {
        try await $0.expectRefusal(of: "foo", by: "queue", "add", "https://a.example/1.mp4")
      }
    },
    Case("a word that is no address and no ID is not watched") {
      try await DownloadHome.use {
        try await $0.expectRefusal(of: "nonsense here", by: "watched", "https://a.example/1")
      }
    },
    Case("the lines that list prints are the videos of the feed") {
      try await DownloadHome.use { home in
        let lines = try await home.run("list", home.feed()).output
        #expect(try await home.run("queue", "add", "-", input: lines).status == 0)
        #expect(try await home.ids("queue") == home.ids("list", home.feed()))
      }
    },
    Case("the first line of list is its video although its reader has ended") {
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
    Case("the lines that queue prints remove their videos") {
      try await DownloadHome.use { home in
        _ = try await home.run("queue", "add", "-", input: try await home.run("list", "--json", home.feed()).output)
        let lines = try await home.run("queue").output
        #expect(try await home.run("queue", "remove", "-", input: lines).status == 0)
        #expect(try await home.ids("queue").isEmpty)
      }
    },
    Case("a page of several videos is none of them") {
      try await DownloadHome.use { home in
        _ = try await home.run("list", home.feed(page: "https://a.example/show"))
        _ = try await home.run("watched", "https://a.example/show")
        #expect(try await home.ids("history") == ["https://a.example/show"])
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
    Case("a mistyped command names the one that was meant") {
      let end = try await Feedfall.run("lst")
      #expect(end.status == 2 && end.errors.contains("Did you mean list?") && end.output.isEmpty)
    },
    Case("a mistyped action of the queue names the one that was meant") {
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
    Case("the copy in a folder is one video with the marks of its film, also by a link") {
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
    Case("a download that waits for its source says so in the list") {
      try await DownloadHome.use { home in
        try home.store(entries: [home.entry("a.example 1", lacksSecret: true)])
        #expect(try await home.run("download", "--list").output.hasSuffix("\tIt waits until Films lists it again.\n"))
      }
    },
    Case("a program that ends during a download says that it goes on") {
      try await DownloadHome.use { try await $0.expectWordsAfterQuitting() }
    },
    Case("a film of six seconds that was stopped at three is resumed") {
      let address = try #require(WebAddress("https://a.example/1.mp4"))
      var session = PlaySession()
      _ = session.perform(.play(PlayItem(Video(id: "1", title: "1", playback: .direct([MediaFile(url: address)])))))
      let id = try #require(session.currentID)
      for event in [PlayEvent.length(.stated(6)), .ready, .time(seconds: 3)] { _ = session.handle(.event(id, event)) }
      _ = session.perform(.stop)
      #expect(session.savedPosition?.seconds == 3)
    },
    Case("the same sound in two formats is no choice of pictures") { () async throws in
      let files = ["1.mp3", "1.m4a"].compactMap { WebAddress("https://a.example/\($0)").map { MediaFile(url: $0) } }
      let video = Video(id: "1", title: "1", playback: .direct(files))
      #expect(throws: DownloadRequest.Obstacle.noChoice(.height(720))) {
        try DownloadRequest(video, key: VideoKey(video), quality: .height(720))
      }
      #expect(try DownloadRequest(video, key: VideoKey(video), quality: .audio).addresses.count == 2)
    },
  ]

  static let hours: [Case] = []
}
