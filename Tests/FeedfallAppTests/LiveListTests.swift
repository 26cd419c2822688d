import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

private func feed(_ name: String, tags: [String] = []) -> LiveList.Feed {
  guard let address = WebAddress("https://\(name).example/feed") else { fatalError("invalid name: \(name)") }
  return LiveList.Feed(name: name, address: address, tags: tags)
}

@Suite(.hangLimit) struct LiveListTests {
  private func list(_ names: String...) -> LiveList { LiveList(names.map { feed($0) }) }

  private func names(_ list: LiveList) -> [String] { list.feeds.map(\.name) }

  @Test func `an answer that drops up to half of the sources, or a single one, is followed`() {
    for (before, after) in [("abcd", "cdx"), ("a", "b"), ("ab", "b"), ("", "ab"), ("", ""), ("ab", "ba")] {
      var list = LiveList(before.map { feed(String($0)) })
      list.handle(after.map { feed(String($0)) })
      #expect(list.question == nil && names(list) == after.map { String($0) }, "\(before) \(after)")
      #expect(list.followed == list.feeds)
    }
  }

  @Test func `an answer that drops more than half, or all, asks, and the sources of both stay`() {
    for (before, after, dropped) in [("abc", "cx", 2), ("abcd", "dx", 3), ("ab", "", 2), ("a", "", 1)] {
      var list = LiveList(before.map { feed(String($0)) })
      let followed = list.followed
      list.handle(after.map { feed(String($0)) })
      #expect(list.question == LiveList.Question(droppedCount: dropped, count: before.count), "\(before) \(after)")
      #expect(Set(names(list)) == Set((before + after).map { String($0) }))
      #expect(list.followed == followed)
    }
  }

  @Test func `the answer is followed once the user agrees`() {
    var list = list("a", "b", "c")
    list.handle([feed("x")])
    list.follow()
    #expect(list.question == nil && names(list) == ["x"] && list.followed == list.feeds)
    list.handle([])
    #expect(list.question == LiveList.Question(droppedCount: 1, count: 1))
  }

  @Test func `after a refusal nothing is asked again, and nothing is dropped`() {
    var list = list("a", "b", "c")
    list.handle([feed("x")])
    list.refuse()
    for answer in [["x"], [], ["y"]] {
      list.handle(answer.map { feed($0) })
      #expect(list.question == nil && names(list) == ["a", "b", "c"] + answer)
    }
    list.handle([feed("a"), feed("b"), feed("y")])
    #expect(names(list) == ["a", "b", "y"])
  }

  @Test func `an answer that is complete again withdraws the question`() {
    var list = list("a", "b", "c")
    list.handle([])
    list.handle([feed("c"), feed("b"), feed("a")])
    #expect(list.question == nil && names(list) == ["c", "b", "a"])
  }

  @Test func `the sources of two answers are bounded`() {
    let count = LiveList.maximumCount
    var list = LiveList((0..<count).map { feed("a\($0)") })
    for round in 0..<3 {
      list.handle((0..<count).map { feed("b\(round)-\($0)") })
      #expect(list.feeds.count == count && list.question != nil)
    }
  }

  @Test func `a source stays open while another list has it, and one of the configuration is not touched`() {
    let (first, second) = (list("a", "own"), list("b", "shared"))
    let open = Set(["a", "gone", "shared", "mine"].map { feed($0).address.text })
    let configured = Set(["own", "mine"].map { feed($0).address.text })
    let (added, dropped) = first.difference(from: open, among: [first, second], configured: configured)
    #expect(added.isEmpty && dropped == [feed("gone").address.text])
    #expect(second.difference(from: open, among: [first, second], configured: configured).added.map(\.name) == ["b"])
  }
}

@Suite(.hangLimit) struct LiveListScreenTests {
  private static let address = "https://lab.example/list.opml"

  /// A program with a live list as source 0, its sources, and one of the configuration. All but the list are loaded.
  private func scenario(_ names: [String], configured: String? = nil, width: Int = 100) -> Scenario {
    var list = SourceSettings(name: "lab.example", isLocal: false)
    (list.address, list.givenName, list.list) = (Self.address, "Lab", names.map { feed($0) })
    let others = (names + [configured].compactMap(\.self)).map { name in
      var source = SourceSettings(name: name, isLocal: true)
      (source.address, source.givenName) = (feed(name).address.text, name)
      source.listName = name == configured ? nil : "Lab"
      return source
    }
    var settings = AppSettings(sources: [list] + others)
    settings.subscriptions = [configured].compactMap(\.self).map {
      Subscription(name: $0, address: feed($0).address.text)
    }
    var scenario = Scenario(settings, width: width, height: 20)
    for number in others.indices { scenario.answer(number + 1, sampleVideos(2, from: number * 10)) }
    return scenario
  }

  private func page(_ names: String..., others: [LiveList.Feed] = []) -> FeedPage {
    var page = FeedPage(videos: [])
    page.subscriptions = SubscriptionList(names.map { feed($0) } + others)
    return page
  }

  /// The open sources of the list.
  private func names(_ scenario: Scenario) -> [String] {
    scenario.state.library.sources.filter { $0.settings.listName != nil }.map(\.name)
  }

  private func changes(_ scenario: Scenario) -> [LiveListChange] {
    scenario.effects.compactMap { if case .changeList(let change) = $0 { change } else { nil } }
  }

  @Test func `a list opens what it adds, closes what it drops, and is stored`() throws {
    var scenario = scenario(["a", "b", "c"])
    #expect(scenario.screen.contains("1 All  2 a") && !scenario.screen.contains("Lab"))
    scenario.answer(0, page("a", "b", "d"))
    #expect(names(scenario) == ["a", "b", "d"] && scenario.state.library[SourceID(4)].settings.isSubscription)
    let change = try #require(changes(scenario).last)
    #expect(change.name == "Lab" && change.address == Self.address)
    #expect(change.closed == [SourceID(3)] && change.opened == [SourceID(4): feed("d")])
    #expect(change.followed?.map(\.name) == ["a", "b", "d"])
    scenario.answer(4, sampleVideos(1, from: 90))
    #expect(ids(scenario).contains("film-90") && !ids(scenario).contains("film-20"))
    #expect(scenario.screen.prefix { $0 != "\n" }.contains("4 d"))
    #expect(scenario.typing("4:close<Enter>").state.content == .source(SourceID(4)))
  }

  @Test func `a command for several sources leaves out those that a list has closed meanwhile`() {
    var scenario = scenario(["a", "b", "c"]).typing("bjjtt:tag x")
    scenario.answer(0, page("a", "b"))
    scenario.type("<Enter>")
    let names = scenario.effects.compactMap { effect in
      if case .changeSubscription(let request) = effect { request.name } else { nil }
    }
    #expect(names == ["b"])
  }

  @Test func `an unchanged answer changes nothing`() {
    var scenario = scenario(["a", "b"])
    scenario.answer(0, page("a", "b"))
    #expect(changes(scenario).isEmpty && names(scenario) == ["a", "b"])
  }

  @Test func `the first answer of a list without sources fills the tab All`() {
    var scenario = scenario([])
    scenario.answer(0, page("a", "b"))
    #expect(names(scenario) == ["a", "b"] && scenario.state.content == .all)
    scenario.answer(1, sampleVideos(2))
    scenario.answer(2, [])
    #expect(ids(scenario).count == 2)
  }

  @Test func `the tab of a source that is dropped gives way to the one before`() {
    var scenario = scenario(["a", "b", "c"]).typing("4")
    #expect(scenario.state.content == .source(SourceID(3)))
    scenario.answer(0, page("a", "b"))
    #expect(scenario.state.content == .source(SourceID(2)))
  }

  @Test func `a list that drops most of its sources asks in its row, and Enter follows it`() {
    var scenario = scenario(["a", "b", "c", "d"])
    scenario.answer(0, page("d", "e"))
    #expect(names(scenario) == ["a", "b", "c", "d", "e"])
    #expect(changes(scenario).last?.followed == nil)
    #expect(scenario.status.contains("Lab drops 3 of 4 sources. Press b to decide."))
    let list = scenario.typing("bG")
    #expect(list.screen.contains("Lab drops 3 of 4 sources · Enter drop them · x keep them"))
    #expect(list.status.contains("x keep them  Enter drop them  q back"))
    let followed = list.typing("<Enter>")
    #expect(names(followed) == ["d", "e"] && !followed.screen.contains("drops 3"))
    #expect(changes(followed).last?.followed?.map(\.name) == ["d", "e"])
    #expect(followed.state.areSourcesShown)
  }

  @Test func `news do not cover the question of a list, and a key hides it`() {
    var scenario = scenario(["a", "b", "c", "d"])
    scenario.answer(0, page("a", "b", "c", "d"))
    scenario.type("bRb")
    scenario.answer(0, page("d", "e"))
    scenario.answer(1, sampleVideos(3))
    #expect(scenario.screen.contains("Lab drops 3 of 4 sources. Press b to decide."))
    #expect(!scenario.typing("j").screen.contains("Press b to decide."))
  }

  @Test func `after x the sources stay, and the same answer is not asked about again`() {
    var scenario = scenario(["a", "b", "c"])
    scenario.answer(0, page())
    var kept = scenario.typing("bGx")
    #expect(names(kept) == ["a", "b", "c"] && !kept.screen.contains("drops"))
    kept = kept.typing("r")
    kept.answer(0, page())
    #expect(names(kept) == ["a", "b", "c"] && !kept.screen.contains("drops"))
    #expect(changes(kept).allSatisfy { $0.followed == nil })
  }

  @Test func `a list that has itself or another list is not followed there`() throws {
    var scenario = scenario(["a"])
    let own = LiveList.Feed(name: "Lab", address: try #require(WebAddress(Self.address)))
    scenario.answer(0, page("a", others: [own]))
    #expect(names(scenario) == ["a"] && changes(scenario).isEmpty)
  }

  @Test func `sources of two lists that answer at the same moment have distinct names`() throws {
    let lists = ["one", "two"].map { name in
      var list = SourceSettings(name: name, isLocal: false)
      (list.address, list.givenName, list.list) = ("https://\(name).example/list.opml", name, [])
      return list
    }
    var settings = AppSettings(sources: lists)
    settings.subscriptions = [Subscription(name: "News 2", address: "https://own.example/")]
    var scenario = Scenario(settings, width: 100, height: 20)
    for (number, host) in ["a", "b"].enumerated() {
      let address = try #require(WebAddress("https://\(host).example/"))
      scenario.answer(number, page(others: [LiveList.Feed(name: "News", address: address)]))
    }
    #expect(names(scenario) == ["News", "News 3"])
    #expect(changes(scenario).map { $0.opened.values.map(\.name) } == [["News"], ["News 3"]])
  }

  @Test func `a source of the configuration is neither opened again nor closed`() {
    var scenario = scenario(["a", "b"], configured: "own")
    scenario.answer(0, page("a", "b", "own"))
    #expect(changes(scenario).allSatisfy { $0.opened.isEmpty && $0.closed.isEmpty })
    scenario.type("bR")
    scenario.answer(0, page("a", "b"))
    #expect(changes(scenario).allSatisfy { $0.opened.isEmpty && $0.closed.isEmpty })
    #expect(!scenario.state.library[SourceID(3)].isClosed)
  }

  @Test func `a source that was subscribed to stays when its list drops it`() {
    var scenario = scenario(["a", "b", "c"])
    let request = SubscriptionRequest(.add, name: "c", address: feed("c").address.text)
    scenario.handle(.subscriptionChanged(.added(Subscription(name: "c", address: request.address)), request))
    scenario.answer(0, page("a", "b"))
    #expect(!scenario.state.library[SourceID(3)].isClosed)
  }

  @Test func `Enter on a list without a question shows its size, and R refreshes it as well`() {
    var scenario = scenario(["a", "b"])
    scenario.answer(0, page("a", "b"))
    let list = scenario.typing("bG<Enter>")
    #expect(list.state.areSourcesShown && list.status.contains("“Lab” is a live list of 2 sources."))
    #expect(Set(list.typing("R").unanswered.map(\.source)) == [0, 1, 2])
  }

  @Test func `a failure of a list is named completely, and shown at once if nothing is known`() {
    let failure = FeedFailure(.permanent, "it is not OPML", advice: "use another address")
    var empty = scenario([])
    empty.fail(0, failure)
    #expect(empty.status.contains("Could not load the list “Lab”: it is not OPML. Use another address."))
    var scenario = scenario(["a"], width: 180)
    scenario.fail(0, failure)
    #expect(!scenario.status.contains("Could not") && names(scenario) == ["a"])
    #expect(scenario.typing("bG").status.contains("Could not load the list “Lab”: it is not OPML."))
  }

  @Test func `sources that change with each answer are bounded`() {
    var scenario = scenario(["a", "b", "c", "d"])
    for round in 0..<5 {
      scenario.answer(0, page("a", "b", "c", "x\(round)"))
      scenario.type(round == 0 ? "bR" : "R")
      scenario.endWaits()
      #expect(names(scenario) == ["a", "b", "c", "x\(round)"])
    }
    #expect(scenario.state.library.sources.count { $0.slots.count > 0 } <= 4)
  }

  @Test(arguments: [[String](), ["own"]])
  func `with tabs of tags, a source of a list has a tab while it is selected`(others: [String]) {
    var list = SourceSettings(name: "lab.example", isLocal: false)
    (list.address, list.givenName, list.list) = (Self.address, "Lab", [])
    var settings = AppSettings(sources: [list] + others.map { SourceSettings(name: $0, isLocal: true) })
    settings.hidesSourceTabs = true
    var scenario = Scenario(settings, width: 100, height: 20)
    scenario.answer(0, page("a", "b"))
    #expect(scenario.state.regions.tabs == nil)
    let opened = scenario.typing("bj<Enter>")
    #expect(opened.state.content == .source(SourceID(1 + others.count)) && opened.screen.contains("1 All  2 a "))
    #expect(opened.typing("1").state.regions.tabs == nil)
  }
}
