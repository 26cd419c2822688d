import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct ListCardTests {
  private static func card(
    _ address: String = "https://video.example/c/talks", _ kind: ListFacts.Kind = .channel, title: String = "Talks"
  ) throws -> Video {
    let list = ListFacts(
      kind, at: .web(try #require(WebAddress(address))), videoCount: 120, subscriberCount: 3_400)
    return Video(list: list, title: title)
  }

  /// The list is the first card, before videos.
  private func scenario(layout: LayoutKind = .waterfall, hasBrowser: Bool = false) throws -> Scenario {
    .showing(
      [try Self.card()] + sampleVideos(3), width: 120, layout: layout, columns: .minimumWidth(50),
      hasBrowser: hasBrowser)
  }

  @Test func `a card shows that it is a list, and its counts`() throws {
    let screen = try scenario().screen
    #expect(screen.contains("≡ channel"))
    #expect(screen.contains("120 videos · 3.4k subscribers"))
    #expect(try scenario(layout: .list).screen.contains("channel"))
  }

  @Test func `Enter and a second press open the list as a tab, once`() throws {
    let request = AppEffect.openSource(SourceID(1), .address("https://video.example/c/talks"))
    let opened = try scenario().typing("<Enter>")
    #expect(opened.effects.contains(request) && opened.state.content == .source(SourceID(1)))
    #expect(opened.state.library.name(of: opened.state.content) == "Talks")
    #expect(opened.typing("1<Enter>").state.library.sources.count == 2)
    #expect(try scenario().typing("c").effects.contains(request))
    #expect(try scenario().typing("l<Enter>h<Enter>").effects.contains(request))
  }

  @Test(arguments: [" ", "e", "a", "A", "x", "X", "*", "d", ":download<Enter>"])
  func `a list is not played, queued, marked or downloaded, and a sentence names Enter`(keys: String) throws {
    let before = try scenario()
    let after = before.typing(keys)
    #expect(after.screen.contains("“Talks” is a channel, not a video. Press Enter to open it."))
    #expect(after.state.library.store.userData.count == 0 && after.state.content == before.state.content)
    for effect in after.effects.dropFirst(before.effects.count) {
      switch effect {
      case .player, .saveEvents, .download, .requestDetails: Issue.record("\(effect)")
      default: break
      }
    }
  }

  @Test func `its address is copied, and its page opens in the browser`() throws {
    let address = "https://video.example/c/talks"
    #expect(try scenario().typing("y").effects.contains(.copy(address)))
    let page = try #require(WebAddress(address))
    #expect(try scenario(hasBrowser: true).typing("o").effects.contains(.openInBrowser(page)))
  }

  @Test func `playback skips a list`() throws {
    var scenario = Scenario.showing([sampleVideo(0), try Self.card(), sampleVideo(1)], width: 120).typing(" ")
    scenario.type("n")
    #expect(scenario.state.playersCard?.video.title == sampleVideo(1).title)
  }

  @Test func `filters include lists by their type and their title`() throws {
    func count(_ filter: String) throws -> Int {
      try scenario().typing(":where \(filter)<Enter>").state.tabs.selected.cards.cards.count
    }
    #expect(try count("type:channel") == 1 && count("type:list") == 1 && count("type:playlist") == 0)
    #expect(try count("type:video") == 3 && count("-type:video") == 1 && count("title:talks") == 1)
    #expect(try scenario().typing(":where type:chanel<Enter>").screen.contains("Did you mean “channel”?"))
  }

  // MARK: - Back

  @Test func `Backspace goes back to the card, step by step`() throws {
    let inner = try Self.card("https://video.example/w/p/1", .playlist, title: "Best")
    var scenario = Scenario.showing(sampleVideos(2) + [try Self.card()], width: 120).typing("G<Enter>")
    scenario.answer(1, sampleVideos(4) + [inner])
    scenario.type("G<Enter>")
    scenario.answer(2, sampleVideos(3))
    #expect(scenario.state.content == .source(SourceID(2)))
    scenario.type("l<Backspace>")
    #expect(scenario.state.content == .source(SourceID(1)) && scenario.state.selectedVideo?.title == "Best")
    scenario.type("gg<Backspace>")
    #expect(scenario.state.content == .source(SourceID(0)) && scenario.state.selectedVideo?.title == "Talks")
    scenario.type("<Backspace>")
    #expect(scenario.screen.contains("Nothing to go back to"))
  }

  @Test func `lists of each other have a way back that ends`() throws {
    let itself = try Self.card("https://video.example/a", title: "A")
    var scenario = Scenario.showing([itself], width: 120).typing("<Enter>")
    scenario.answer(1, [itself, try Self.card("https://video.example/b", title: "B")])
    scenario.type("<Enter>")
    #expect(scenario.state.library.sources.count == 2 && scenario.state.content == .source(SourceID(1)))
    scenario.type("G<Enter>")
    scenario.answer(2, [itself])
    scenario.type("<Enter>")
    let shown = (0..<4).map { _ in
      defer { scenario.type("<Backspace>") }
      return scenario.state.content
    }
    #expect(shown == [1, 2, 1, 0].map { .source(SourceID($0)) })
  }

  @Test func `there is no way back to a closed tab`() throws {
    var scenario = try scenario().typing("<Enter>")
    scenario.answer(1, [try Self.card("https://video.example/b", title: "B")])
    scenario.type("<Enter>2:close<Enter>")
    scenario.type("2<Backspace>")
    #expect(scenario.screen.contains("Nothing to go back to"))
  }

  @Test func `the steps back are bounded`() {
    var trail = Browsing.Trail()
    for number in 0..<1_000 {
      trail.add(.init(from: .source(SourceID(number)), card: nil, to: .source(SourceID(number + 1))))
    }
    #expect(trail.removeLast(to: .source(SourceID(1_000)))?.from == .source(SourceID(999)))
    #expect(trail.removeLast(to: .source(SourceID(500))) == nil)
  }

  // MARK: - Channels and own lists

  @Test func `channel opens a list of the tab's channel, or of that of the card`() throws {
    var settings = AppSettings(sources: [SourceSettings(name: "Ada", isLocal: false)])
    settings.sources[0].address = "https://www.youtube.com/@ada"
    var scenario = Scenario(settings, width: 120)
    scenario.answer(0, sampleVideos(2))
    func opened(_ address: String) -> AppEffect { .openSource(SourceID(1), .address(address)) }
    #expect(
      scenario.typing(":channel playlists<Enter>").effects.contains(opened("https://www.youtube.com/@ada/playlists")))
    #expect(
      scenario.typing(":search rain<Enter>").effects.contains(opened("https://www.youtube.com/@ada/search?query=rain")))
    let card = try self.scenario().typing(":channel playlists<Enter>")
    #expect(card.effects.contains(opened("https://video.example/c/talks/video-playlists")))
    #expect(try self.scenario().typing(":channel films<Enter>").screen.contains("A channel has no list “films”"))
    #expect(Scenario.showing(width: 120).typing(":channel shorts<Enter>").screen.contains("Could not open"))
  }

  @Test(arguments: [":ytrec<Enter>", "::ytrec<Enter>", "::YTREC<Enter>"])
  func `the user's own lists open by their names`(keys: String) throws {
    let opened = try scenario().typing(keys)
    #expect(opened.effects.contains(.openSource(SourceID(1), .address(":ytrec"))))
    #expect(opened.state.library.name(of: opened.state.content) == "YouTube: recommended")
  }

  @Test func `the own lists are completed if there are cookies`() {
    var vocabulary = CommandVocabulary()
    #expect(vocabulary.completions(of: "ytw") == [])
    vocabulary.hasOwnLists = true
    #expect(vocabulary.completions(of: "ytw") == ["ytwatchlater"])
    #expect(vocabulary.completions(of: ":ytr") == [":ytrec"])
    #expect(vocabulary.completions(of: "channel l") == ["channel live"])
  }
}
