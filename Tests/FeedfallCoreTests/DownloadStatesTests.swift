import FeedfallFeeds
import FeedfallText
import FeedfallUserData
import TestSupport
import Testing

@testable import FeedfallCore

@Suite(.hangLimit) struct DownloadStatesTests {
  private func key(_ scenario: Scenario) throws -> VideoKey { try #require(scenario.state.selectedCard).key }

  private func file(_ name: String = "Elephants Dream [abcd].mp4") throws -> DownloadedFile {
    let address = try #require(FileAddress(path: "/videos/\(name)".utf8))
    return DownloadedFile(address: address, byteCount: 34_500_000, time: UnixTime(seconds: 5))
  }

  private func downloads(_ scenario: Scenario) -> [DownloadRequest] {
    scenario.effects.compactMap { if case .download(let request) = $0 { request } else { nil } }
  }

  private func removals(_ scenario: Scenario) -> [VideoKey] {
    scenario.effects.compactMap { if case .removeDownload(let key) = $0 { key } else { nil } }
  }

  @Test func `d downloads the selected video once, and its progress is shown`() throws {
    var scenario = Scenario.showing(width: 120).typing("d")
    let key = try key(scenario)
    #expect(downloads(scenario).map(\.key) == [key])
    #expect(scenario.screen.contains("Downloading “0 Elephants Dream” · D to cancel"))
    #expect(scenario.screen.contains("Channel 0 · ↓…"))
    scenario.handle(.downloadChanged(key, .running(DownloadProgress(byteCount: 34, totalByteCount: 100))))
    #expect(scenario.screen.contains("Channel 0 · ↓ 34 %"))
    scenario.type("d")
    #expect(scenario.screen.contains("“0 Elephants Dream” is being downloaded. Press D to cancel."))
    #expect(scenario.typing("?<Esc>").screen.contains("downloading 34 %") && downloads(scenario).count == 1)
    scenario.handle(.downloadChanged(key, .running(DownloadProgress(byteCount: 12_000_000))))
    #expect(scenario.screen.contains("Channel 0 · ↓ 12 MB"))
    scenario.handle(
      .downloadChanged(key, .running(DownloadProgress(byteCount: 12_000_000, interruption: "the server is busy"))))
    #expect(scenario.screen.contains("Channel 0 · ↓…"))
    #expect(scenario.typing("<Enter>").screen.contains("Downloading 12.0 MB, retrying after a"))
  }

  @Test func `a downloaded video has a mark, matches the filter and plays from disk`() throws {
    var scenario = Scenario.showing(width: 120, height: 40)
    let (key, file) = (try key(scenario), try file())
    scenario.handle(.downloadChanged(key, .done(file)))
    #expect(scenario.screen.contains("Downloaded “0 Elephants Dream”") && scenario.screen.contains("Channel 0 · ↓"))
    #expect(scenario.typing("fdownloaded<Enter>").screen.contains("1 of 1"))
    scenario.type(" ")
    let orders = scenario.effects.compactMap { if case .player(.load(let load)) = $0 { "\(load)" } else { nil } }
    #expect(orders.count == 1 && orders[0].contains("file:///videos/Elephants%20Dream%20%5Babcd%5D.mp4"))
    #expect(scenario.effects.contains(.checkDownload(key)))
    #expect(!scenario.effects.contains { if case .saveEvents(let events) = $0 { !events.isEmpty } else { false } })
    #expect(scenario.typing("<Esc><Esc>d").screen.contains("Already downloaded: Elephants Dream [abcd].mp4"))
  }

  @Test func `downloads whose films have disappeared lose their marks without a message`() throws {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    let videos = sampleVideos(3)
    settings.downloads = [VideoKey(videos[0]): .done(try file()), VideoKey(videos[1]): .waiting]
    var scenario = Scenario(settings, width: 120, height: 40)
    scenario.answer(FeedPage(videos: videos, next: nil, total: nil))
    let status = scenario.status
    scenario.handle(.downloadsMissing(videos.map { VideoKey($0) }))
    #expect(scenario.state.browsing.downloads[VideoKey(videos[0])] == nil && scenario.status == status)
    #expect(scenario.state.browsing.downloads[VideoKey(videos[1])] == .waiting)
    #expect(scenario.typing("fdownloaded<Enter>").state.shownVideos.isEmpty)
  }

  @Test func `a removal that fails is reported and leaves the state`() throws {
    var scenario = Scenario.showing(width: 160)
    let key = try key(scenario)
    scenario.handle(.downloadChanged(key, .done(try file())))
    scenario.handle(
      .downloadRemovalFailed(key, FeedFailure(.temporary, "the disk is full", advice: "delete files")))
    #expect(
      scenario.screen.contains("Could not delete the download of “0 Elephants Dream”: the disk is full. Delete files."))
    #expect(scenario.state.browsing.downloads[key]?.file != nil)
  }

  @Test func `the downloads of an earlier program are shown`() throws {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    let videos = sampleVideos(3)
    settings.downloads = [VideoKey(videos[1]): .done(try file()), VideoKey(videos[0]): .waiting]
    var scenario = Scenario(settings, width: 120, height: 40)
    scenario.answer(FeedPage(videos: videos, next: nil, total: nil))
    #expect(scenario.screen.contains("↓…") && scenario.typing("fdownloaded<Enter>").screen.contains("1 of 1"))
  }

  @Test func `D names the file, and deletes it when pressed again`() throws {
    var scenario = Scenario.showing(width: 120)
    let key = try key(scenario)
    scenario.handle(.downloadChanged(key, .done(try file())))
    scenario.type("D")
    #expect(scenario.screen.contains("Press D again to delete Elephants Dream [abcd].mp4, 34.5 MB."))
    #expect(removals(scenario) == [])
    scenario.type("D")
    #expect(removals(scenario) == [key])
    scenario.handle(.downloadChanged(key, nil))
    #expect(scenario.screen.contains("Removed the download of “0 Elephants Dream”"))
    #expect(!scenario.screen.contains("↓"))
    #expect(scenario.typing("D").screen.contains("This video has not been downloaded. Press d to download it."))
  }

  @Test(arguments: ["lh", "x", "<Enter><Esc>", "?<Esc>"])
  func `another key between the two presses of D keeps the file`(keys: String) throws {
    var scenario = Scenario.showing(width: 120)
    scenario.handle(.downloadChanged(try key(scenario), .done(try file())))
    scenario.type("D\(keys)D")
    #expect(removals(scenario) == [])
    scenario.type("D")
    #expect(removals(scenario).count == 1)
  }

  @Test func `another message between the two presses of D keeps the file`() throws {
    var scenario = Scenario.showing(width: 120)
    scenario.handle(.downloadChanged(try key(scenario), .done(try file())))
    scenario.type("D")
    scenario.handle(.marksIgnored)
    #expect(removals(scenario.typing("D")) == [])
    #expect(removals(scenario.typing("DD")).count == 1)
  }

  @Test func `a video that was played from a deleted file is played again from its address`() throws {
    var scenario = Scenario.showing(width: 120, height: 40)
    let (key, file) = (try key(scenario), try file())
    scenario.handle(.downloadChanged(key, .done(file)))
    scenario.type(" ")
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 50))
    scenario.handle(.downloadChanged(key, nil))
    scenario.report(.ended(.closed))
    scenario.handle(.remote(.togglePause))
    #expect(scenario.loads.map(\.address.text).last == "https://films.example/0.mp4")
  }

  @Test func `a failure is shown with its remedy, and d retries`() throws {
    var scenario = Scenario.showing(width: 160).typing("d")
    let failure = FeedFailure(.temporary, "no answer in 30 s", advice: "check the network")
    scenario.handle(.downloadChanged(try key(scenario), .failed(failure)))
    #expect(
      scenario.screen.contains(
        "Could not download “0 Elephants Dream”: no answer in 30 s. Check the network. Press d to retry."))
    #expect(scenario.screen.contains("↓⚠"))
    #expect(scenario.typing("<Enter>").screen.contains("Download failed: no answer in 30 s"))
    scenario.type("d")
    #expect(downloads(scenario).count == 2)
  }

  @Test func `a live broadcast and a local file are not downloaded`() throws {
    var videos = sampleVideos(2)
    videos[0].live = .live
    videos[1].playback = .direct([MediaFile(url: .file(try file().address))])
    let scenario = Scenario.showing(videos, width: 120)
    #expect(scenario.typing("d").screen.contains("the broadcast has not ended. Press d once it has."))
    #expect(scenario.typing("ld").screen.contains("is already a file on this computer."))
    #expect(downloads(scenario.typing("dld")) == [])
  }

  @Test func `several downloads share one share in the status line`() {
    var states = DownloadStates()
    states[VideoKey(text: "1")] = .running(DownloadProgress(byteCount: 50, totalByteCount: 100))
    states[VideoKey(text: "2")] = .running(DownloadProgress(byteCount: 0, totalByteCount: 300))
    states[VideoKey(text: "3")] = .waiting
    #expect(states.summary?.count == 3 && states.summary?.percent == 12)
    states[VideoKey(text: "4")] = .running(DownloadProgress(byteCount: 7))
    #expect(states.summary?.count == 4 && states.summary?.percent == nil)
    #expect(DownloadStates([VideoKey(text: "1"): .failed(FeedFailure(.temporary, "x"))]).summary == nil)
  }

  @Test func `a failed video that has been downloaded is retried from its file`() throws {
    var scenario = Scenario.playing()
    scenario.report(.ended(.failed(.notSeekable)))
    let (key, downloaded) = (try #require(scenario.state.selectedCard).key, try file())
    scenario.handle(.downloadChanged(key, .done(downloaded)))
    scenario.type("r")
    #expect(scenario.loads.last?.address.file == downloaded.address)
  }

  @Test func `a download that waits for the end of a failure shows the reason once, and d retries it`() throws {
    var scenario = Scenario.showing(width: 160)
    let key = try key(scenario)
    let failure = FeedFailure(.temporary, "the disk is full", advice: "delete files")
    scenario.handle(.downloadChanged(key, .stalled(failure)))
    #expect(scenario.screen.contains("The download of “0 Elephants Dream” is waiting: the disk is full. Delete files."))
    #expect(scenario.screen.contains("↓…⚠") && scenario.screen.contains("downloading"))
    scenario.type("d")
    #expect(downloads(scenario).map(\.key) == [key])
  }

  @Test func `a file that may be incomplete is marked, and a list that cannot be read has a lasting sign`() throws {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    let message = "Could not read all downloads: no permission."
    settings.unreadable = [UnreadableFile(contents: "downloads", message: message)]
    var scenario = Scenario(settings, width: 200, height: 40)
    scenario.answer(FeedPage(videos: sampleVideos(3), next: nil, total: nil))
    #expect(scenario.screen.contains("downloads not read"))
    var file = try file()
    file.mayBeIncomplete = true
    scenario.handle(.downloadChanged(try key(scenario), .done(file)))
    #expect(scenario.screen.contains("but it may be incomplete") && scenario.screen.contains("↓?"))
  }
}
