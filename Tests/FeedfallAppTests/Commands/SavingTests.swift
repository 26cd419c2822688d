import FeedfallFeeds
import FeedfallFilters
import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct SavingTests {
  private var two: Scenario { configured("a.example", "b.example") }

  /// A program with two configured sources of three videos each.
  private func configured(_ names: String..., at addresses: [String] = ["", ""]) -> Scenario {
    let sources = zip(names, addresses).map { name, address in
      var source = SourceSettings(name: name, isLocal: true)
      (source.givenName, source.address) = (name, address)
      return source
    }
    var scenario = Scenario(AppSettings(sources: sources), width: 160)
    scenario.answer(0, sampleVideos(3))
    scenario.answer(1, sampleVideos(3))
    return scenario
  }

  /// The settings that the program was asked to save.
  private func saved(_ scenario: Scenario) -> [SavedSettings] {
    scenario.effects.compactMap { if case .saveSettings(let settings) = $0 { settings } else { nil } }
  }

  private func setting(_ name: String, _ value: String, in scenario: inout Scenario, layout: LayoutKind = .waterfall) {
    let live = LiveOptions(layout: layout, layoutOptions: LayoutOptions(), theme: ThemeSettings(.nord))
    scenario.handle(.optionsChanged(live, name: name, value: value))
  }

  @Test func `save keeps the options that were changed, once`() {
    var scenario = two
    #expect(scenario.typing(":save<Enter>").screen.contains("There is nothing to save"))
    setting("columns", "3", in: &scenario)
    #expect(scenario.screen.contains("columns = “3” until you quit · :save to keep"))
    setting("theme", "nord", in: &scenario)
    scenario.type(":save<Enter>")
    let options = SavedSettings.options(["columns": "3", "theme": "nord"])
    #expect(saved(scenario) == [options])
    setting("columns", "4", in: &scenario)
    scenario.handle(.settingsSaved(options, failure: nil))
    #expect(scenario.screen.contains("Saved in own.toml: columns = “3”, theme = “nord”"))
    #expect(saved(scenario.typing(":save<Enter>")) == [options, .options(["columns": "4"])])
  }

  /// The changes of sources that the program was asked for.
  private func requests(_ scenario: Scenario) -> [SubscriptionRequest] {
    scenario.effects.compactMap { if case .changeSubscription(let request) = $0 { request } else { nil } }
  }

  @Test func `rename and tag change the source of the tab, or of the row in the list of sources`() throws {
    let scenario = configured("a.example", "b.example", at: ["https://a.example", "https://b.example"])
    #expect(scenario.typing(":rename X<Enter>").screen.contains("“All” is not a source with an address"))
    var renamed = scenario.typing("2:rename New name<Enter>")
    let request = try #require(requests(renamed).first)
    #expect(request.change == .rename("New name") && request.name == "a.example")
    let before = Subscription(name: "a.example", address: request.address)
    var after = before
    after.name = "New name"
    renamed.handle(.subscriptionChanged(.changed(before: before, after: after), request))
    #expect(renamed.screen.contains("2 New name") && renamed.screen.contains("Renamed “a.example” to “New name”"))
    #expect(requests(renamed.typing("u")).last?.change == .rename("a.example"))
    #expect(requests(scenario.typing("bjj:tag news, world news<Enter>")).map(\.name) == ["b.example"])
    #expect(requests(scenario.typing("b:tag a<Enter>")).isEmpty)
  }

  @Test func `tags are separated by commas or blanks, and filter at once`() throws {
    let scenario = configured("a.example", "b.example", at: ["https://a.example", "https://b.example"])
    #expect(requests(scenario.typing("2:tag b a b<Enter>")).first?.change == .tag(["b", "a"]))
    #expect(requests(scenario.typing("2:tag<Enter>")).first?.change == .tag([]))
    var tagged = scenario.typing("2:tag world news, a<Enter>")
    let request = try #require(requests(tagged).first)
    #expect(request.change == .tag(["world news", "a"]))
    let before = Subscription(name: "a.example", address: request.address)
    var after = before
    after.tags = ["world news", "a"]
    tagged.handle(.subscriptionChanged(.changed(before: before, after: after), request))
    #expect(ids(tagged.typing("1ftag:news<Enter>")).count == 3)
    #expect(tagged.typing("b").screen.contains("▾ world news · 1"))
    let many = (0..<21).map(String.init).joined(separator: " ")
    #expect(requests(scenario.typing("2:tag \(many)<Enter>")).isEmpty)
    #expect(requests(scenario.typing("2:rename \(String(repeating: "x", count: 81))<Enter>")).isEmpty)
  }

  @Test func `save keeps only the last layout, and each change once`() {
    var scenario = two
    setting("layout", "grid", in: &scenario, layout: .grid)
    scenario.type("v:save<Enter>")
    #expect(saved(scenario) == [.options(["layout": "list"])])
    scenario.handle(.settingsSaved(saved(scenario)[0], failure: nil))
    setting("columns", "3", in: &scenario, layout: .list)
    #expect(saved(scenario.typing(":save<Enter>")).last == .options(["columns": "3"]))
    // The layout that is saved already.
    #expect(saved(scenario.typing("vvvvv:save<Enter>")).last == .options(["columns": "3"]))
  }

  @Test func `save keeps the layout that was typed in a view with its own one`() throws {
    var scenario = two
    let view = ViewSettings(name: "Mine", query: try FilterQuery("walk"), layout: .list)
    scenario.handle(.settingsSaved(.view(view), failure: nil))
    setting("layout", "grid", in: &scenario, layout: .grid)
    #expect(scenario.state.tabs.layout == .grid)
    #expect(saved(scenario.typing("v:save<Enter>")) == [.options(["layout": "grid"])])
  }

  @Test func `save keeps the last one of two options that exclude each other`() {
    var scenario = two
    setting("columns", "3", in: &scenario)
    setting("min-column-width", "30", in: &scenario)
    #expect(saved(scenario.typing(":save<Enter>")) == [.options(["min-column-width": "30"])])
  }

  @Test func `options that were not saved can be saved again`() {
    var scenario = two
    setting("columns", "3", in: &scenario)
    scenario.type(":save<Enter>")
    scenario.handle(.settingsSaved(saved(scenario)[0], failure: "own.toml: the disk is full. Free some space."))
    #expect(scenario.screen.contains("Could not save the options: own.toml: the disk is full. Free some space."))
    #expect(saved(scenario.typing(":save<Enter>")).count == 2)
  }

  @Test(arguments: [
    ("1", "walk", "walk"), ("2", "", "source:=\"a.example\" sort:feed"),
    ("2", "sort:newest", "source:=\"a.example\" sort:newest"),
    ("2", "x | y", "source:=\"a.example\" (x | y) sort:feed"), ("1", "starred", "starred"),
    ("3", "sort:longest x", "source:=\"b.example\" x sort:longest"),
  ])
  func `view keeps the filter and the order of the tab`(tab: String, filter: String, text: String) throws {
    let scenario = two.typing("\(tab):where \(filter)<Enter>:view My view<Enter>")
    let view = ViewSettings(name: "My view", query: try FilterQuery(text), layout: .waterfall)
    #expect(saved(scenario) == [.view(view)])
  }

  @Test func `a saved view is a tab with its layout, which other tabs do not share`() throws {
    var scenario = two.typing("vv2:where walk<Enter>:view One<Enter>vv")
    let layout = scenario.state.tabs.layout
    guard case .view(let view) = try #require(saved(scenario).first) else { return }
    #expect(view.layout != layout)
    scenario.handle(.settingsSaved(.view(view), failure: nil))
    #expect(scenario.screen.contains("Saved the view “One” in own.toml") && scenario.screen.contains("One"))
    #expect(scenario.state.tabs.selected.cards.cards.count == 1)
    #expect(scenario.state.tabs.layout == view.layout)
    #expect(scenario.typing("1").state.tabs.layout == layout)
    let changed = scenario.typing("v")
    #expect(changed.state.tabs.layout != view.layout && changed.typing("1").state.tabs.layout == layout)
    // Under the same name it replaces the view.
    scenario.type(":where Elephants<Enter>")
    scenario.handle(
      .settingsSaved(.view(ViewSettings(name: "One", query: try FilterQuery("Elephants"), layout: nil)), failure: nil))
    #expect(scenario.state.tabs.visible.count == two.state.tabs.visible.count + 1)
    let found = two.typing("1:where Elephants<Enter>").state.tabs.selected.cards.cards.count
    #expect(found > 0 && scenario.state.tabs.selected.cards.cards.count == found)
    #expect(scenario.state.tabs.layout == layout)
  }

  @Test func `the view of a source shows the order of its feed`() throws {
    let sources = ["Talks", "Films"].map { name in
      var source = SourceSettings(name: name, isLocal: true)
      source.givenName = name
      return source
    }
    var scenario = Scenario(AppSettings(sources: sources), width: 160)
    func videos(_ days: Int...) -> [Video] { days.map { sampleVideo("\($0)", day: $0) } }
    func titles() -> [String] {
      scenario.state.tabs.selected.cards.cards.slots.map { scenario.state.library.store[$0].video.title }
    }
    scenario.answer(0, videos(3, 9, 5))
    scenario.answer(1, videos(4, 8))
    scenario.type("2:view One<Enter>")
    guard case .view(let view) = try #require(saved(scenario).first) else { return }
    scenario.handle(.settingsSaved(.view(view), failure: nil))
    #expect(titles() == videos(3, 9, 5).map(\.title))
    scenario.type("r")
    scenario.answer(0, videos(7, 3, 9, 5))
    scenario.answer(1, videos(4, 8))
    #expect(titles() == videos(7, 3, 9, 5).map(\.title))
  }

  @Test func `a view of marks, which no feed orders, is not saved in the order of a feed`() {
    let scenario = two.typing("2:where starred<Enter>:view One<Enter>")
    #expect(saved(scenario).isEmpty && scenario.screen.contains("it cannot have the order “feed”."))
    #expect(saved(scenario.typing("S:view One<Enter>")).count == 1)
  }

  @Test func `the view of a source has no videos of a source with a longer name`() throws {
    var scenario = configured("Talks", "Talks (old)").typing("2:view One<Enter>")
    guard case .view(let view) = try #require(saved(scenario).first) else { return }
    scenario.handle(.settingsSaved(.view(view), failure: nil))
    #expect(scenario.state.tabs.selected.cards.cards.count == 3)
    #expect(scenario.typing(":close<Enter>").screen.contains("Could not close “One”: it is a view. Delete it"))
  }

  @Test func `the view of a source has its videos whatever other tabs are called`() throws {
    var scenario = configured("Talks", "Films", at: ["a.example", "b.example"]).typing(":c.example<Enter>")
    scenario.answer(2, sampleVideos(5), title: "Talks")
    #expect(scenario.state.library[SourceID(0)].name != "Talks")
    scenario.type("2:view One<Enter>")
    let view = ViewSettings(name: "One", query: try FilterQuery("source:=\"Talks\" sort:feed"), layout: .waterfall)
    #expect(saved(scenario) == [.view(view)])
    scenario.handle(.settingsSaved(.view(view), failure: nil))
    #expect(scenario.state.tabs.selected.cards.cards.count == 3)
  }

  @Test(arguments: ["All", "queue", "a\u{2028}b", String(repeating: "x", count: 81)])
  func `some names are refused`(name: String) {
    let scenario = two.typing(":view \(name)<Enter>")
    #expect(saved(scenario).isEmpty && scenario.screen.contains("this cannot be its name"))
  }

  @Test func `a tab whose source is not saved has no view`() {
    let opened = two.typing(":c.example<Enter>:view Talks<Enter>")
    let ofCommandLine = Scenario.ofTwoSources().typing("2:view Talks<Enter>")
    for scenario in [opened, ofCommandLine] {
      #expect(saved(scenario).isEmpty && scenario.screen.contains("Type :subscribe first."))
    }
  }

  @Test func `the downloads are no view`() {
    let scenario = two.typing("d4:view Mine<Enter>")
    #expect(saved(scenario).isEmpty && scenario.screen.contains("Could not save a view of the downloads"))
  }

  // MARK: - Subscriptions

  private func subscribed(_ scenario: Scenario) -> Scenario {
    var scenario = scenario
    scenario.handle(
      .subscriptionChanged(
        .added(Subscription(name: "My talks", address: "c.example")),
        SubscriptionRequest(.add, name: "Talks", address: "c.example")))
    return scenario
  }

  @Test func `the tab of a saved source has its name at once, and its videos join All`() {
    var scenario = two.typing(":c.example<Enter>")
    scenario.answer(2, (10..<14).map { sampleVideo($0) }, title: "Talks")
    let before = two.state.tabs.selected.cards.cards.count
    #expect(scenario.typing("1").state.tabs.selected.cards.cards.count == before)
    scenario = subscribed(scenario)
    #expect(scenario.screen.contains("My talks"))
    #expect(scenario.typing("1").state.tabs.selected.cards.cards.count == before + 4)
    #expect(
      scenario.typing("1:view All of it<Enter>").effects.contains { if case .saveSettings = $0 { true } else { false } }
    )
    // What it loads later, too.
    scenario.type("r")
    scenario.answer(2, (10..<16).map { sampleVideo($0) }, title: "Talks")
    #expect(scenario.typing("1").state.tabs.selected.cards.cards.count == before + 6)
    // In an order that is sorted once for all filters, too.
    var undo = SubscriptionRequest(.remove, name: "My talks", address: "c.example")
    undo.isUndo = true
    var sorted = scenario.typing("1:where sort:title<Enter>4")
    sorted.handle(.subscriptionChanged(.removed(name: "My talks"), undo))
    #expect(sorted.screen.contains("Talks") && !sorted.screen.contains("My talks "))
    #expect(sorted.typing("1").state.tabs.selected.cards.cards.count == before)
    #expect(scenario.typing(":close<Enter>1").state.tabs.selected.cards.cards.count == before)
  }

  @Test func `a tab of a source that is saved already joins All, too`() {
    var scenario = two.typing(":c.example<Enter>")
    scenario.answer(2, (10..<14).map { sampleVideo($0) }, title: "Talks")
    scenario.handle(
      .subscriptionChanged(
        .alreadyConfigured(name: "Mine"), SubscriptionRequest(.add, name: "Talks", address: "c.example")))
    #expect(scenario.screen.contains("“Mine” is in the configuration already"))
    #expect(scenario.state.library[SourceID(2)].ownName == "Mine")
    let count = two.state.tabs.selected.cards.cards.count
    #expect(scenario.typing("1").state.tabs.selected.cards.cards.count == count + 4)
  }

  @Test func `undoing the removal of a source names its tab again, which joins All`() {
    var scenario = two.typing(":c.example<Enter>")
    scenario.answer(2, (10..<14).map { sampleVideo($0) }, title: "Talks")
    scenario = subscribed(scenario)
    let removal = SubscriptionRequest(.remove, name: "My talks", address: "c.example")
    scenario.handle(.subscriptionChanged(.removed(name: "My talks"), removal))
    var undo = SubscriptionRequest(.add, name: "My talks", address: "c.example")
    undo.isUndo = true
    scenario.handle(.subscriptionChanged(.added(Subscription(name: "My talks", address: "c.example")), undo))
    #expect(scenario.state.library[SourceID(2)].ownName == "My talks")
    let count = two.state.tabs.selected.cards.cards.count
    #expect(scenario.typing("1").state.tabs.selected.cards.cards.count == count + 4)
  }

  @Test func `after a start with one source, views show a saved one as well, and each video once`() throws {
    var scenario = Scenario.of("a.example", width: 160)
    scenario.answer(0, sampleVideos(3))
    scenario.type(":c.example<Enter>")
    scenario.answer(1, sampleVideos(5), title: "Talks")
    scenario = subscribed(scenario)
    scenario.type(":view Mine<Enter>")
    #expect(saved(scenario).count == 1)
    scenario.handle(.settingsSaved(.view(ViewSettings(name: "All films", query: .empty)), failure: nil))
    let slots = scenario.state.tabs.selected.cards.cards.slots
    #expect(slots.count >= 5 && Set(slots.map { scenario.state.library.store[$0].key }).count == slots.count)
    #expect(scenario.screen.contains("My talks"))
  }
}
