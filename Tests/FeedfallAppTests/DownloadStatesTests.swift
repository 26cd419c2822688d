import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct DownloadStatesTests {
  private func key(_ scenario: Scenario) throws -> VideoKey { try #require(scenario.state.selectedCard).key }

  private func file(_ name: String = "Elephants Dream [abcd].mp4") throws -> DownloadedFile {
    let address = try #require(FileAddress(path: "/videos/\(name)".utf8))
    return DownloadedFile(address: address, byteCount: 34_500_000, time: UnixTime(seconds: 5))
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
    #expect(scenario.screen.contains("↓…") && scenario.typing("fdownloaded<Enter>").screen.contains("1 of 1"))
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
    scenario.handle(.savingFailed("no room"))
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
    states.set(.running(DownloadProgress(byteCount: 50, totalByteCount: 100)), of: VideoKey(text: "1"))
    states.set(.running(DownloadProgress(byteCount: 0, totalByteCount: 300)), of: VideoKey(text: "2"))
    states.set(.waiting, of: VideoKey(text: "3"))
    #expect(states.summary?.count == 3 && states.summary?.percent == 12)
    states.set(.running(DownloadProgress(byteCount: 7)), of: VideoKey(text: "4"))
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

  @Test func `each reason for a waiting download is reported once, until data arrives`() throws {
    var scenario = Scenario.showing(width: 160)
    let (key, words) = (try key(scenario), "is waiting: no answer")
    func fail() {
      scenario.handle(.downloadChanged(key, .running(DownloadProgress(byteCount: 0))))
      scenario.handle(.downloadChanged(key, .stalled(FeedFailure(.temporary, "no answer"))))
    }
    fail()
    #expect(scenario.screen.contains(words))
    scenario.type("l")
    fail()
    #expect(!scenario.screen.contains(words))
    scenario.handle(.downloadChanged(key, .running(DownloadProgress(byteCount: 5))))
    fail()
    #expect(scenario.screen.contains(words))
  }

  // MARK: - The copy and its tab

  private func tabs(_ scenario: Scenario) -> Substring { scenario.screen.prefix { $0 != "\n" } }

  @Test func `a downloaded file in a folder has its video's record, whichever is listed first`() throws {
    for isListedFirst in [false, true] {
      var scenario = Scenario.of("films.example", "Videos", width: 120, height: 40)
      let (videos, file) = (sampleVideos(3), try file())
      let copy = Video(id: file.address.text, title: "copy", playback: .direct([MediaFile(url: .file(file.address))]))
      let key = VideoKey(videos[0])
      scenario.answer(FeedPage(videos: videos))
      if isListedFirst { scenario.answer(FeedPage(videos: [copy])) }
      scenario.handle(.downloadChanged(key, .done(file)))
      if !isListedFirst { scenario.answer(FeedPage(videos: [copy])) }
      scenario.type("1")
      #expect(ids(scenario).count == 3, "\(isListedFirst)")
      #expect(scenario.typing("3").state.selectedCard?.key == key, "\(isListedFirst)")
    }
  }

  @Test func `the details show the path of the copy and that it is played`() throws {
    var scenario = Scenario.showing(width: 120, height: 40)
    scenario.handle(.downloadChanged(try key(scenario), .done(try file())))
    #expect(scenario.screen.contains("Downloaded “0 Elephants Dream” to /videos"))
    scenario.type("<Enter>")
    #expect(scenario.screen.contains("Playback  the downloaded file"))
    #expect(scenario.screen.contains("File      /videos/Elephants Dream [abcd].mp4"))
    #expect(scenario.screen.contains("Address   https://films.example/0.mp4"))
  }

  @Test func `the Downloads tab appears with the first download and shows the last one first`() throws {
    var scenario = Scenario.showing(width: 120, height: 30, layout: .list)
    #expect(!tabs(scenario).contains("Downloads"))
    scenario.type("djdjjd")
    #expect(tabs(scenario).contains("2 Downloads"))
    scenario.type("2")
    #expect(ids(scenario) == ["film-3", "film-1", "film-0"])
    scenario.handle(.downloadChanged(try key(scenario), .failed(FeedFailure(.permanent, "the file is empty"))))
    #expect(scenario.screen.contains("↓⚠") && scenario.screen.contains("↓…"))
    scenario.type("d")
    #expect(downloads(scenario).count == 4)
    scenario.type("DD")
    scenario.handle(.downloadChanged(try key(scenario), nil))
    #expect(ids(scenario) == ["film-1", "film-0"])
  }

  private func withDownloads(_ requests: [DownloadRequest], _ states: [DownloadState]) -> Scenario {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.downloadRequests = requests
    settings.downloads = Dictionary(uniqueKeysWithValues: zip(requests.map(\.key), states))
    settings.awaitedDownloads = requests.filter(\.awaitsAddress)
    var scenario = Scenario(settings, width: 140, height: 30)
    scenario.answer(FeedPage(videos: sampleVideos(2)))
    return scenario
  }

  private func request(_ number: Int) throws -> DownloadRequest {
    let address = try #require(WebAddress("https://gone.example/\(number).mp4"))
    let video = Video(id: address.text, title: "Gone \(number)", playback: .direct([MediaFile(url: address)]))
    return try DownloadRequest(video, key: VideoKey(video), source: "gone.example")
  }

  @Test func `downloads that no feed lists are in the tab, and are retried as they were requested`() throws {
    let requests = [try request(1), try request(2)]
    var scenario = withDownloads(requests, [.done(try file()), .failed(FeedFailure(.temporary, "no answer"))])
    scenario.type("2")
    #expect(scenario.screen.contains("Gone 1") && scenario.state.selectedCard?.key == requests[1].key)
    scenario.type("d")
    #expect(downloads(scenario) == [requests[1]])
    scenario.type("<Enter>")
    #expect(scenario.screen.contains("Download waiting"))
  }

  @Test func `another quality of a video that no feed lists keeps its source, headers and login`() throws {
    var request = try request(1)
    let headers = RequestHeaders(userAgent: nil, referrer: "https://gone.example/")
    (request.addresses[0].headers, request.addresses[0].lacksLogin) = (headers, true)
    request.addresses.append(DownloadAddress(.page, try #require(WebAddress("https://gone.example/page"))))
    for state in [DownloadState.failed(FeedFailure(.temporary, "no answer")), .stalled(FeedFailure(.temporary, "x"))] {
      let scenario = withDownloads([request], [state]).typing("2:download audio<Enter>")
      var expected = request
      (expected.addresses, expected.quality) = ([request.addresses[1]], .audio)
      #expect(downloads(scenario) == [expected])
      request.addresses[0].height = 0
      let sound = withDownloads([request], [state]).typing("2:download audio<Enter>")
      expected.addresses = [request.addresses[0]]
      #expect(downloads(sound) == [expected])
      request.addresses[0].height = nil
    }
  }

  @Test func `a download that lacks the secret of its address shows how to remove it`() throws {
    var lacking = try request(1)
    let details = try #require(WebAddress("https://gone.example/api/1"))
    lacking.addresses = [DownloadAddress(.details, details)]
    var scenario = withDownloads([lacking], [.waiting])
    scenario.type("2d")
    #expect(scenario.screen.contains("Download waits until gone.example lists it again; D removes it"))
    #expect(scenario.typing("<Enter>").screen.contains("Download waits until gone.example lists it"))
    #expect(removals(scenario.typing("DD")) == [lacking.key])
  }

  @Test func `downloads of an earlier program keep their order when one of them changes`() throws {
    let requests = try (1...3).map { try request($0) }
    for changed in requests {
      var scenario = withDownloads(requests, [.waiting, .done(try file("2.mp4")), .waiting])
      scenario.handle(.downloadChanged(changed.key, .running(DownloadProgress(byteCount: 1))))
      let records = scenario.state.library.store.userData
      #expect(requests.map { records[$0.key].download } == [1, 2, 3])
    }
  }

  @Test func `marks of a downloaded file store the facts of its video`() throws {
    let request = try request(1)
    let address = try file().address
    let copy = Video(id: address.text, title: "A copy", playback: .direct([MediaFile(url: .file(address))]))
    var settings = AppSettings(sources: [SourceSettings(name: "Videos", isLocal: true)])
    (settings.downloads, settings.downloadRequests) = ([request.key: .done(try file())], [request])
    var scenario = Scenario(settings, width: 140, height: 30)
    scenario.answer(FeedPage(videos: [copy]))
    #expect(scenario.state.selectedCard?.key == request.key)
    scenario.type("x")
    let facts = scenario.state.library.store.userData.storedVideo(request.key)?.video(request.key)
    #expect(facts?.title == "Gone 1" && facts?.playbackURL == request.addresses.first.map { .web($0.address) })
  }

  @Test func `a card that was removed is not the copy of a later download`() throws {
    var store = CardStore()
    store.findTwins()
    let address = try file().address
    let copy = Video(id: address.text, title: "A copy", playback: .direct([MediaFile(url: .file(address))]))
    store.unlist(store.list([copy], of: SourceID(0)))
    store.removeUnlisted(keeping: [])
    let request = try request(1)
    store.userData.setDownload(.done(try file()), of: request.key, place: 1)
    let isAdopted = store.assignKeysOfDownloadedVideos()
    let listed = store.list([copy], of: SourceID(0))
    #expect(!isAdopted && !store.hasTwins && listed.map { store[$0].key } == [request.key])
  }

  @Test func `a quality that the source lacks leaves an earlier attempt`() throws {
    let failure = FeedFailure(.temporary, "the disk is full")
    for state in [DownloadState.failed(failure), .stalled(failure)] {
      var scenario = Scenario.showing(width: 140, height: 30)
      let key = try key(scenario)
      scenario.handle(.downloadChanged(key, state))
      scenario.type(":download audio<Enter>")
      #expect(scenario.screen.contains("Could not download the "))
      #expect(scenario.state.browsing.downloads[key] == state && removals(scenario) == [])
    }
  }

  @Test func `a hidden video stays among the downloads`() {
    let scenario = Scenario.showing(width: 120, height: 30, layout: .list).typing("dX2")
    #expect(ids(scenario) == ["film-0"])
  }

  @Test func `a video is downloaded in another quality, or a message says that there is only one`() throws {
    var videos = sampleVideos(2)
    videos[0].playback = .direct(
      try [1080, 480, 0].map { (height: Int) in
        MediaFile(url: try #require(WebAddress("https://films.example/\(height).mp4")), height: height)
      })
    let scenario = Scenario.showing(videos, width: 160, height: 30)
    let low = scenario.typing(":download 720p<Enter>")
    #expect(downloads(low).first?.addresses.first?.height == 480 && low.screen.contains(" in 480p · D to cancel"))
    let sound = scenario.typing(":download audio<Enter>")
    #expect(downloads(sound).first?.addresses.map(\.height) == [0] && sound.screen.contains("Downloading the audio of"))
    let single = scenario.typing("l:download 720p<Enter>")
    #expect(downloads(single).isEmpty && single.screen.contains("its source has only one. Press d to download it."))
    #expect(scenario.typing("l:download audio<Enter>").screen.contains("it has no separate audio"))
    #expect(scenario.typing(":download best<Enter>").screen.contains("“best” is not a quality. Type audio or a height"))
  }

  @Test func `random changes keep the places and the requests of the downloads that remain`() throws {
    var (random, states) = (SeededGenerator(seed: 11), DownloadStates())
    var model: [VideoKey: DownloadState] = [:]
    var (order, known): ([VideoKey], [VideoKey: [DownloadRequest]]) = ([], [:])
    for _ in 0..<2_000 {
      var request = try request(Int.random(in: 0..<8, using: &random))
      if random.chance(1, in: 2) { request.addresses[0].kind = .details }
      request.quality = random.chance(1, in: 2) ? .audio : nil
      let all: [DownloadState?] = [
        nil, .waiting, .running(DownloadProgress(byteCount: 1)), .failed(FeedFailure(.temporary, "x")),
        .done(try file()),
      ]
      let state = all[Int.random(in: 0..<all.count, using: &random)]
      let isNew = random.chance(1, in: 2)
      states.set(state, of: request.key, request: isNew ? request : nil)
      known[request.key] = state == nil ? nil : known[request.key, default: []] + (isNew ? [request] : [])
      let earlier = known[request.key]?.last { $0.awaitedVideo == nil }
      #expect(states.request(of: request.key) == known[request.key]?.last)
      #expect(states.replacedRequest(of: request.key) == (earlier == known[request.key]?.last ? nil : earlier))
      if state == nil {
        order.removeAll { $0 == request.key }
      } else if model[request.key] == nil {
        order.append(request.key)
      }
      model[request.key] = state
      #expect(order.compactMap { states.place(of: $0) } == order.compactMap { states.place(of: $0) }.sorted())
      #expect(states[request.key] == state && (states.place(of: request.key) == nil) == (state == nil))
      #expect(state != nil || states.request(of: request.key) == nil)
    }
  }

  @Test func `a file that may be incomplete is marked, and a list that cannot be read has a lasting sign`() throws {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    let message = "Could not read all downloads: no permission."
    settings.unreadable = [AppSettings.UnreadableFile(contents: "downloads", message: message)]
    var scenario = Scenario(settings, width: 200, height: 40)
    scenario.answer(FeedPage(videos: sampleVideos(3), next: nil, total: nil))
    #expect(scenario.screen.contains("downloads not read"))
    var file = try file()
    file.mayBeIncomplete = true
    scenario.handle(.downloadChanged(try key(scenario), .done(file)))
    #expect(scenario.screen.contains("but it may be incomplete") && scenario.screen.contains("↓?"))
  }
}
