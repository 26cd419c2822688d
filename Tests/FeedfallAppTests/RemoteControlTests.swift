import FeedfallFeeds
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct RemoteControlTests {
  @Test func `nothing is published before the first video`() {
    #expect(Scenario.showing().state.nowPlaying == nil)
  }

  @Test func `the published state is that of the player`() throws {
    var scenario = Scenario.playing()
    var now = try #require(scenario.state.nowPlaying)
    #expect(now.item.title == "0 Elephants Dream")
    #expect(now.status == .playing)
    #expect((now.position, now.duration) == (60, 100))
    #expect((now.hasPrevious, now.hasNext) == (false, true))
    scenario.type(" -]")
    now = try #require(scenario.state.nowPlaying)
    #expect(now.status == .paused)
    #expect((now.volume, now.rate) == (95, 1.25))
    scenario.type("q")
    #expect(scenario.state.nowPlaying?.status == .stopped)
  }

  @Test func `commands have the same orders as the keys`() {
    let keys: [(RemoteCommand, String)] = [
      (.togglePause, " "), (.pause, " "), (.seek(by: 5), "<Right>"), (.seek(by: -5), "<Left>"), (.next, "n"),
      (.previous, "p"), (.setVolume(95), "-"), (.setRate(1.25), "]"), (.stop, "q"),
      (.setLoop(.video), "L"),
    ]
    for (command, key) in keys {
      var remote = Scenario.playing()
      let count = remote.effects.count
      remote.handle(.remote(command))
      #expect(remote.orders(since: count) == Scenario.playing().typing(key).orders(since: count), "\(command)")
    }
  }

  @Test func `play and pause are no toggles`() {
    var scenario = Scenario.playing()
    let count = scenario.effects.count
    scenario.handle(.remote(.play))
    #expect(scenario.orders(since: count) == [])
    scenario.handle(.remote(.pause))
    scenario.handle(.remote(.pause))
    #expect(scenario.orders(since: count) == [.pause])
    scenario.handle(.remote(.play))
    #expect(scenario.orders(since: count) == [.pause, .resume])
  }

  @Test func `a position is set only inside the video that the sender meant`() throws {
    var scenario = Scenario.playing()
    let id = try #require(scenario.state.nowPlaying?.item.key.text)
    let count = scenario.effects.count
    for (seconds, id) in [(20, "another"), (-1, id), (101, id), (.nan, id), (.infinity, id)] {
      scenario.handle(.remote(.setPosition(seconds, id: id)))
    }
    #expect(scenario.orders(since: count) == [])
    scenario.handle(.remote(.setPosition(20, id: id)))
    #expect(scenario.orders(since: count) == [.seek(to: 20)])
  }

  @Test func `loop and shuffle are set, not toggled`() throws {
    var scenario = Scenario.playing()
    for command in [RemoteCommand.setLoop(.list), .setLoop(.list), .setShuffle(true), .setShuffle(true)] {
      scenario.handle(.remote(command))
    }
    let now = try #require(scenario.state.nowPlaying)
    #expect(now.loop == .list)
    #expect(now.shuffles)
  }

  @Test func `a seek beyond the end plays the next video`() {
    var scenario = Scenario.playing()
    scenario.handle(.remote(.seek(by: 1e12)))
    #expect(scenario.loads.last?.title.hasPrefix("1 ") == true)
  }

  @Test func `levels stay within their range`() {
    var scenario = Scenario.playing()
    for command in [RemoteCommand.setVolume(.max), .setVolume(.min), .setRate(100)] {
      scenario.handle(.remote(command))
    }
    #expect(scenario.state.player.session.settings.volume == 0)
    #expect(scenario.state.player.session.settings.rate == 2)
  }

  @Test(arguments: [
    RemoteCommand.play, .pause, .togglePause, .stop, .next, .previous, .seek(by: 5), .setPosition(5, id: ""),
    .setLoop(.video), .setShuffle(true),
  ])
  func `commands before the first video play nothing`(command: RemoteCommand) {
    var scenario = Scenario.showing()
    scenario.handle(.remote(command))
    #expect(scenario.orders() == [])
  }
}
