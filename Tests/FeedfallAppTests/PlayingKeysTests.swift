import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// Keys for the video that plays, on whatever screen the user is.
@Suite(.hangLimit) struct PlayingKeysTests {
  /// A video plays, and another card is selected.
  private func elsewhere(_ keys: String = "<Enter>j") -> Scenario { .playing().typing(keys) }

  private func orders(_ keys: String, after place: String) -> [PlayerOrder] {
    let scenario = elsewhere(place)
    return scenario.typing(keys).orders(since: scenario.effects.count)
  }

  private func volume(_ order: PlayerOrder?) -> Int? {
    if case .configure(let configuration) = order { configuration.volume } else { nil }
  }

  @Test(arguments: ["<Enter>j", "<Enter>j<Enter>", "", "f"])
  func `the playing video is controlled from everywhere`(place: String) {
    #expect(orders(",", after: place) == [.pause])
    #expect(orders(",,", after: place) == [.pause, .resume])
    #expect(orders("<lt>", after: place) == [.seek(to: 50)])
    #expect(orders(">", after: place) == [.seek(to: 70)])
    #expect(volume(orders("--", after: place).last) == 90)
    #expect(volume(orders("--=", after: place).last) == 95)
  }

  @Test func `the bar below the cards shows a changed volume for a moment`() {
    var scenario = elsewhere().typing("-")
    #expect(scenario.screen.contains("volume ▇▇▇▇▇▇▇▇▇▇ 95 %"))
    scenario.endWaits()
    #expect(!scenario.screen.contains("volume"))
  }

  @Test(arguments: [",", "<lt>", ">", "-", "="]) func `with nothing playing, a message is shown`(key: String) {
    let scenario = Scenario.showing().typing(key)
    #expect(scenario.screen.contains("Nothing is playing. Press space to play the selected video."))
    var failed = elsewhere()
    failed.report(.ended(.failed(.timedOut)))
    #expect(failed.typing(key).screen.contains("Nothing is playing") && failed.typing(key).orders() == failed.orders())
  }

  @Test func `a prompt inserts the keys as text`() {
    let scenario = elsewhere().typing("/,-=")
    #expect(scenario.state.cards.prompt?.needle == ",-=" && scenario.orders() == elsewhere().orders())
  }

  // MARK: - Sound

  @Test func `e plays audio only, and toggles it for the playing video`() {
    var scenario = Scenario.showing(width: 120, height: 40).typing("je")
    #expect(scenario.loads.count == 1 && scenario.state.showsPlayer)
    #expect(scenario.orders().contains(.configure(PlayerConfiguration(presentation: .soundOnly))))
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 5))
    #expect(scenario.screen.contains("audio only"))
    #expect(scenario.typing("<Enter>").screen.contains("audio only"))
    #expect(!scenario.typing("e").screen.contains("audio only"))
    #expect(!scenario.typing("<Enter>e").screen.contains("audio only"))
  }

  @Test func `e keeps the picture of the playing video until the next address has loaded`() {
    var scenario = Scenario.showing([sampleVideo(0), sampleVideoWithoutDetails(1)], width: 120, height: 40).typing(" l")
    scenario.report(.ready, .pictureSize(Size(width: 640, height: 360)), .time(seconds: 5))
    scenario.type("e")
    #expect(scenario.state.player.session.settings.presentation == .cells)
    scenario.answerDetails(.success(sampleVideo(1)))
    #expect(scenario.loads.count == 2 && scenario.state.player.session.settings.presentation == .soundOnly)
  }

  @Test func `speed and audio only stay on for the next video, and the bars show them`() {
    var scenario = Scenario.playing().typing("]]e")
    for bar in [scenario, scenario.typing("<Enter>")] {
      #expect(bar.screen.contains("1.5x") && bar.screen.contains("audio only"))
    }
    scenario.type("n")
    scenario.report(.ready)
    let settings = scenario.state.player.session.settings
    #expect(settings.rate == 1.5 && settings.presentation == .soundOnly)
    #expect(scenario.screen.contains("1.5x") && scenario.typing("<Enter>").screen.contains("1.5x  audio only"))
    #expect(!Scenario.playing().typing("<Enter>").screen.contains("1x"))
  }

  // MARK: - Another video

  @Test func `playing another video saves and shows the position of the previous one`() {
    let scenario = elsewhere().typing(" ")
    #expect(scenario.loads.count == 2)
    #expect(scenario.screen.contains("Left “0 Elephants Dream” at 1:00. It resumes there."))
    #expect(scenario.state.library.store.userData[VideoKey(sampleVideo(0))].position == 60)
    #expect(scenario.typing("<Enter>k ").loads.last?.startSeconds == 60)
  }

  // MARK: - Play next

  private func end(_ scenario: inout Scenario) {
    guard scenario.state.player.session.isUnderWay else { return }
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 99.9), .ended(.reachedEnd))
  }

  @Test(arguments: [(" ", [0, 4, 2]), (" N", [0, 4, 2, 1, 3, 5]), (" S", [0, 4, 2]), (" NS", [0, 4, 2])])
  func `videos put first in the queue follow the playing one, then the list goes on with autoplay`(
    keys: String, numbers: [Int]
  ) {
    var scenario = Scenario.showing(sampleVideos(6), width: 100, layout: .list).typing(keys + "<Enter>jjAjjA")
    for _ in numbers { end(&scenario) }
    #expect(Array(played(scenario).prefix(numbers.count)) == numbers)
    #expect(scenario.state.library.store.userData.queuedKeys.isEmpty)
    if !keys.contains("N") { #expect(!scenario.state.player.session.isUnderWay) }
  }

  @Test func `a video that is removed from the queue is not played next`() {
    var scenario = Scenario.showing(sampleVideos(6), layout: .list).typing(" <Enter>jjAa")
    end(&scenario)
    #expect(played(scenario) == [0] && !scenario.state.player.isActive)
  }

  @Test func `n plays the video that was put first, and p returns`() {
    let scenario = Scenario.showing(sampleVideos(6), layout: .list).typing(" <Enter>jjjAp")
    #expect(played(scenario.typing("n")) == [0, 3])
    #expect(played(scenario.typing("np")) == [0, 3, 0])
    #expect(played(scenario.typing("npnn")) == [0, 3, 0, 3, 1])
  }

  @Test func `a video that is put first while an address is looked up follows the video of that address`() {
    let videos = [sampleVideo(0), sampleVideoWithoutDetails(1), sampleVideo(2), sampleVideo(3)]
    var scenario = Scenario.showing(videos, layout: .list).typing(" ")
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 5))
    scenario.type("nqGA")
    scenario.answerDetails(.success(sampleVideo(1)))
    end(&scenario)
    #expect(played(scenario) == [0, 1, 3])
  }

  @Test func `the playing video is not played again after it was put first in the queue`() {
    var scenario = Scenario.showing(sampleVideos(6), layout: .list).typing(" <Enter>A")
    end(&scenario)
    #expect(played(scenario) == [0])
  }

  @Test func `keys for playback show a message while the address of the next video is looked up`() {
    var scenario = Scenario.playing([sampleVideo(0), sampleVideoWithoutDetails(1)]).typing("N")
    end(&scenario)
    #expect(scenario.typing("<Enter>,").screen.contains("Loading more videos…") && played(scenario) == [0])
  }

  @Test func `a video of another tab is played next`() {
    var scenario = Scenario.of("one", "two", width: 100)
    scenario.answer(0, sampleVideos(2))
    scenario.answer(1, sampleVideos(2, from: 10))
    scenario.type("2 <Enter>3A")
    end(&scenario)
    #expect(played(scenario) == [0, 10])
  }

  @Test(arguments: 1...60)
  func `each requested video plays once and in order, whatever else happens`(seed: Int) {
    var chances = SeededGenerator(seed: UInt64(seed))
    var scenario = Scenario.showing(sampleVideos(9), layout: .list).typing(" <Enter>")
    var (wanted, expected) = ([Int](), [0])
    for _ in 0..<30 where scenario.state.player.session.isUnderWay {
      switch Int.random(in: 0..<4, using: &chances) {
      case 0:
        let number = Int.random(in: 1..<9, using: &chances)
        guard !expected.contains(number) else { continue }
        scenario.type("gg" + String(repeating: "j", count: number) + "A")
        wanted = [number] + wanted.filter { $0 != number }
      case 1:
        guard let number = wanted.randomElement(using: &chances) else { continue }
        scenario.type("gg" + String(repeating: "j", count: number) + "a")
        wanted.removeAll { $0 == number }
      case 2:
        let disturbances = ["fnothing<Enter><Esc><Esc>", "2jk1", "/film<Enter><Esc>", "p<Enter>", ",,", "r"]
        scenario.type(disturbances.randomElement(using: &chances) ?? "")
      default:
        end(&scenario)
        if !wanted.isEmpty { expected.append(wanted.removeFirst()) }
      }
    }
    #expect(played(scenario) == expected)
  }

  // MARK: - Failures

  @Test func `the next key dismisses a background failure, in all tabs`() {
    var scenario = Scenario.of("one", "two", width: 120, height: 40)
    scenario.answer(0, sampleVideos(3))
    scenario.answer(1, sampleVideos(3, from: 10))
    scenario.type("2 <Enter>")
    scenario.report(.ready, .ended(.failed(.timedOut)))
    #expect(scenario.screen.contains("Could not play “0 Elephants Dream”"))
    for key in ["3", "j", "<Tab>", "?", "/"] { #expect(!scenario.typing(key).screen.contains("Could not play")) }
    #expect(scenario.typing("p").screen.contains("Could not play this video"))
    let left = scenario.typing("p<Enter>")
    #expect(!left.screen.contains("Could not play") && left.state.details == nil)
  }

  @Test func `a failure is shown in the details of its video until they are left`() {
    var scenario = Scenario.playing()
    scenario.report(.ended(.failed(.timedOut)))
    for keys in ["", "?q", "v", "/a<Esc>"] {
      #expect(scenario.typing(keys).screen.contains("Could not play this video"))
    }
    for keys in ["l", "<Enter>", "q"] { #expect(!scenario.typing(keys).screen.contains("Could not play")) }
    #expect(scenario.typing("r").loads.count == 2)
  }

  @Test func `dismissing a failure does not cancel the video that the same key plays`() {
    var scenario = Scenario.showing([sampleVideo(0), sampleVideoWithoutDetails(1)], width: 120, height: 40)
    scenario.type(" <Enter>")
    scenario.report(.ready, .ended(.failed(.timedOut)))
    scenario.type("l")
    scenario.type(" ")
    scenario.answerDetails(.success(sampleVideo(1)))
    #expect(scenario.loads.count == 2)
  }

  // MARK: - Footer

  @Test(arguments: [LayoutKind.waterfall, .grid, .list, .justified])
  func `after G the failure of the next page is on the screen with the last card`(layout: LayoutKind) {
    var scenario = Scenario.showing(sampleVideos(40), next: .page(1), layout: layout).typing("G")
    scenario.endWaits()
    if scenario.unanswered.isEmpty { scenario.type("m") }
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    #expect(scenario.screen.contains("Loading failed. Press m to retry."))
    let cards = scenario.state.cards
    #expect(cards.isLastCardVisible && cards.selection == 39)
    #expect(scenario.typing("<Esc>").screen.contains("Loading failed. Press m to retry."))
  }

  // MARK: - New videos

  @Test func `the last video of the list has a next one once another card has arrived`() {
    var scenario = Scenario.showing(sampleVideos(2), layout: .list).typing("j <Enter>")
    #expect(!scenario.state.playback.neighbors(in: scenario.state.browsing).next)
    scenario.type("r")
    scenario.answer(FeedPage(videos: sampleVideos(3)))
    #expect(scenario.state.playback.neighbors(in: scenario.state.browsing).next)
    #expect(played(scenario.typing("pn")) == [1, 2])
  }
}
