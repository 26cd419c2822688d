import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// The key that quits, and how far it leads.
@Suite(.hangLimit) struct QuitTests {
  private func type(_ script: String, at now: Int, _ scenario: inout Scenario) throws {
    for key in try keys(typed: script) { scenario.handle(.input(.key(key)), at: now) }
  }

  private func quits(_ scenario: Scenario) -> Bool { scenario.effects.contains(.quit) }

  @Test func `q at the top level quits at once if nothing is running`() {
    #expect(quits(Scenario.showing().typing("q")))
    #expect(quits(Scenario.showing().typing("jG/a<Enter><Esc>q")))
  }

  @Test func `q asks once while a video plays or is paused, and any other key withdraws the question`() {
    for keys in ["", ","] {
      let asked = Scenario.playing().typing("<Enter>" + keys + "q")
      #expect(!quits(asked) && asked.screen.contains("A video is playing. Press q again to quit."))
      #expect(quits(asked.typing("q")))
      for other in ["j", "?q", "x", "<Esc>"] {
        let again = asked.typing(other + "q")
        #expect(!quits(again) && quits(again.typing("q")))
      }
    }
  }

  @Test func `the question ends with its message`() throws {
    var scenario = Scenario.playing().typing("<Enter>q")
    for case .toast(let ticket) in scenario.openWaits { scenario.end(.toast(ticket)) }
    #expect(!quits(scenario.typing("q")) && quits(scenario.typing("qq")))
    scenario.type("q")
    scenario.handle(.savingFailed("the disk is full"))
    #expect(!quits(scenario.typing("q")))
  }

  @Test func `^C and a typed quit never ask`() {
    let playing = Scenario.playing().typing("<Enter>")
    for keys in ["<C-c>", ":quit<Enter>", "q<C-c>", "?<C-c><C-c>"] { #expect(quits(playing.typing(keys))) }
  }

  @Test func `q asks while downloads run, and says that they resume`() {
    let words = ["1 download is running and resumes", "2 downloads are running and resume"]
    for (count, words) in zip(1..., words) {
      var scenario = Scenario.showing()
      for number in 0..<count {
        let state = number == 0 ? DownloadState.waiting : .running(DownloadProgress(byteCount: 1))
        scenario.handle(.downloadChanged(VideoKey(sampleVideo(number)), state))
      }
      scenario.type("q")
      #expect(!quits(scenario) && scenario.screen.contains(words))
      #expect(quits(scenario.typing("q")))
    }
  }

  @Test func `downloads that wait for a server or a source are no reason to ask`() throws {
    var awaited = sampleVideo(0)
    awaited.playback = .details(try #require(WebAddress("https://films.example/api/0")), page: nil)
    let request = try #require(DownloadRequest(awaiting: awaited, key: VideoKey(awaited)))
    let failure = FeedFailure(.temporary, "the disk is full")
    for state in [DownloadState.waiting, .stalled(failure), .failed(failure)] {
      var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
      (settings.downloads, settings.downloadRequests) = ([request.key: state], [request])
      var scenario = Scenario(settings, width: 120, height: 40)
      #expect(quits(scenario.typing("q")))
      scenario.handle(.downloadChanged(VideoKey(sampleVideo(1)), .running(DownloadProgress(byteCount: 1))))
      scenario.type("q")
      #expect(!quits(scenario) && scenario.screen.contains("1 download is running"))
    }
  }

  @Test(arguments: ["<Enter>q", "?q", "<Enter>iqq"])
  func `q asks if it has just closed a screen`(script: String) throws {
    for (pause, asks) in [(0, true), (999, true), (1_000, false), (-5_000, true)] {
      var scenario = Scenario.showing()
      try type(script, at: 1_000_000, &scenario)
      try type("q", at: 1_000_000 + pause, &scenario)
      #expect(quits(scenario) == !asks)
      if asks { #expect(quits(scenario.typing("q"))) }
    }
  }

  @Test func `a screen closed by another key does not count`() {
    #expect(quits(Scenario.showing().typing("<Enter><Esc>q")))
    #expect(quits(Scenario.showing().typing("??q")))
  }

  // MARK: - Levels

  private enum End: CaseIterable { case stopped, failed, played }

  private func ended(_ end: End, from keys: String) -> Scenario {
    var scenario = Scenario.showing(width: 120, height: 40).typing(keys)
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 99.9))
    switch end {
    case .stopped: break
    case .failed: scenario.report(.ended(.failed(.timedOut)))
    case .played: scenario.report(.ended(.reachedEnd))
    }
    return scenario
  }

  @Test func `q leads back to the cards from which a video was played, however it has ended`() {
    for end in End.allCases {
      let left = ended(end, from: " ").typing("q")
      #expect(left.state.details == nil && !left.state.player.isActive && !quits(left), "\(end)")
    }
  }

  @Test func `q leads back to the details in which a video was played`() {
    for end in [End.stopped, .failed] {
      let left = ended(end, from: "<Enter> ").typing("q")
      #expect(left.state.details != nil && !left.state.player.isActive, "\(end)")
      #expect(left.typing("q").state.details == nil)
    }
  }

  @Test func `each q leaves one level: the full window, the player, the cards`() {
    var scenario = ended(.stopped, from: "<Enter> f")
    #expect(scenario.state.isFullWindow)
    scenario.type("q")
    #expect(!scenario.state.isFullWindow && scenario.state.showsPlayer)
    scenario.type("q")
    #expect(!scenario.state.showsPlayer && scenario.state.details != nil)
    scenario.type("q")
    #expect(scenario.state.details == nil && !quits(scenario))
  }

  @Test func `q leaves a video that autoplay has started for the cards`() {
    var scenario = ended(.stopped, from: " N")
    scenario.report(.ended(.reachedEnd))
    #expect(scenario.state.showsPlayer && scenario.state.cards.selection == 1)
    #expect(scenario.typing("q").state.details == nil)
  }

  @Test(arguments: 1...60) func `the second press in a row always quits, whatever happened before`(seed: Int) {
    var (chances, quit) = (SeededGenerator(seed: UInt64(seed)), AppState.QuitGuard())
    for _ in 0..<200 {
      let now = [Int.min, -1, 0, 999, 1_000, 5_000, Int.max].randomElement(using: &chances) ?? 0
      switch Int.random(in: 0..<3, using: &chances) {
      case 0: quit.screenClosed(at: now)
      case 1: quit.cancel()
      default:
        let (isPlaying, count) = (Bool.random(using: &chances), Int.random(in: 0...2, using: &chances))
        let first = quit.ask(isPlaying: isPlaying, downloadCount: count, at: now)
        if first != nil { #expect(quit.ask(isPlaying: true, downloadCount: 1, at: now) == nil) }
        quit.cancel()
        #expect((quit.ask(isPlaying: true, downloadCount: 0, at: now) == .playing))
        quit.cancel()
        #expect(quit.ask(isPlaying: false, downloadCount: 0, at: now) == nil)
      }
    }
  }
}
