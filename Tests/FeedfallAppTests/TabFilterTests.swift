import FeedfallFeeds
import FeedfallFilters
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct TabFilterTests {
  /// Ten films of 1 to 10 minutes, of which every third one is by Anna.
  private func films(_ range: some Sequence<Int> = 1...10) -> [Video] {
    range.map { number in
      var video = sampleVideo("\(number)", day: 100 - number)
      video.title = "Film \(number)"
      video.duration = .seconds(number * 60)
      video.channel = number.isMultiple(of: 3) ? "Anna" : "Bert"
      return video
    }
  }

  private func showing(next: FeedCursor? = nil, width: Int = 120) -> Scenario {
    .showing(films(), next: next, width: width, height: 24)
  }

  // MARK: - Typing

  @Test func `hidden videos count only for a filter that asks for them`() {
    let scenario = Scenario.showing(sampleVideos(30), width: 140, height: 24, layout: .list).typing("XXXf")
    #expect(scenario.status.contains("27 of 27"))
    #expect(scenario.typing("hidden").status.contains("3 of 30"))
    #expect(scenario.typing("zzz<Enter>").screen.contains("No match among 27 videos."))
    #expect(scenario.typing("<Esc>Xf").status.contains("26 of 26"))
  }

  @Test func `the prompt filters while the user types and shows the counts`() {
    let typed = showing().typing("fanna")
    #expect(ids(typed) == ["3", "6", "9"])
    #expect(typed.status.contains("Filter: anna▏  3 of 10"))
    #expect(ids(typed.typing("x")) == [])
    #expect(typed.typing("x").screen.contains("No match among 10 videos."))
    #expect(!typed.typing("x").screen.contains("to change the filter"))
    #expect(typed.typing("x<Enter>").screen.contains("No match among 10 videos. Press f to change the filter."))
    #expect(ids(typed.typing("x<BS>")) == ["3", "6", "9"])
  }

  @Test func `an operator of other query languages is explained while nothing matches`() throws {
    let hint = try #require(try FilterQuery("anna OR zebra").foreignOperator?.text)
    let typed = showing().typing("fanna OR zebra")
    #expect(ids(typed) == [] && typed.screen.contains(hint))
    #expect(typed.typing("<Enter>").screen.contains("No match among 10 videos. \(hint) Press f to change the filter."))
    #expect(!typed.typing("<BS><BS><BS><BS><BS><BS><BS><BS><BS>").screen.contains(hint))
    #expect(!showing().typing("fNOT | anna").screen.contains("is a word here"))
  }

  @Test func `in each order, further keys and deleted ones include the videos that a new filter includes`() {
    var scenario = Scenario.of("a", "b", width: 120)
    scenario.answer(0, films(1...40))
    scenario.answer(1, films((41...70).map { $0 }), next: .page(1))
    for _ in 0..<7 {
      let all = scenario.state.shownVideos
      #expect(all.count >= 30)
      let (anna, one) = (all.filter { $0.channel == "Anna" }, all.filter { $0.title.contains("1") })
      scenario.type("fanna")
      #expect(scenario.state.shownVideos == anna)
      scenario.type("<BS><BS><BS><BS>")
      #expect(scenario.state.shownVideos == all)
      scenario.type("film")
      #expect(scenario.state.shownVideos == all)
      scenario.type(" title:1")
      #expect(scenario.state.shownVideos == one)
      scenario.type("<C-u>anna title:1")
      #expect(scenario.state.shownVideos == anna.filter(one.contains))
      scenario.type("<C-u><Enter>S")
    }
  }

  @Test func `an order that is chosen for some videos holds for all of them after the filter`() {
    var scenario = showing()
    scenario.type("fanna sort:title<Enter>")
    #expect(ids(scenario) == ["3", "6", "9"])
    scenario.type("f<C-u>sort:title<Enter>")
    #expect(ids(scenario) == (1...10).map { "\($0)" })
  }

  @Test func `deleting characters restores the videos of the shorter filter, even after other changes`() {
    let changes: [(inout Scenario) -> Void] = [
      { _ in },
      { $0.handle(.screenChanged(Size(width: 90, height: 30), cellSize: Size(width: 8, height: 16))) },
      { $0.answer(FeedPage(videos: films(11...20), next: .page(2))) },
      { $0.type("<Esc><Left><Esc>xfan") },
    ]
    for change in changes {
      var scenario = showing(next: .page(1)).typing("G")
      scenario.endWaits()
      scenario.type("ggfa")
      scenario.type("n")
      change(&scenario)
      scenario.type("na")
      #expect(ids(scenario).allSatisfy { (Int($0) ?? 1).isMultiple(of: 3) })
      let kept = scenario.typing("<BS><BS>")
      var anew = scenario.typing("<C-u>an")
      anew.endWaits()
      #expect(ids(kept) == ids(anew))
      #expect(kept.typing("<BS><BS>").screen == scenario.typing("<C-u>").screen)
    }
  }

  @Test func `opening the prompt prepares the facts in batches`() {
    var scenario = showing().typing("f")
    #expect(scenario.facts.count == 1)
    while let wait = scenario.facts.first { scenario.end(wait) }
    #expect(ids(scenario.typing("anna")) == ["3", "6", "9"])
    #expect(scenario.typing("anna").facts.isEmpty)
    // A key that is typed before prepares all at once.
    #expect(ids(showing().typing("fanna")) == ["3", "6", "9"])
    let closed = showing().typing("f<Esc>")
    #expect(closed.facts.count == 1)
    var ended = closed
    ended.endWaits()
    #expect(ended.facts.isEmpty)
  }

  @Test func `an expression that is too slow is reported, and a longer filter compares the remaining videos again`() {
    var random = SeededGenerator(seed: 1)
    let videos = (0..<1_000).map { number in
      var video = sampleVideo("\(number)", day: 1)
      video.title = String((0..<200).map { _ in "ab".randomElement(using: &random) ?? "a" })
      if number == 999 { video.title = "a\(String(repeating: "b", count: 200))c zeta" }
      return video
    }
    let slow = Scenario.showing(videos, width: 120).typing("ftitle:/a(a|b){200}c/")
    #expect(ids(slow) == [] && slow.screen.contains("Could not compare all videos"))
    #expect(!slow.typing("<C-u>a").screen.contains("Could not"))
    #expect(ids(slow.typing(" zeta")) == ["999"])
    #expect(!slow.typing(" zeta").screen.contains("too slow"))
    // The same after the cards were collected for another order.
    #expect(ids(slow.typing("<Enter>Sf zeta")) == ["999"])
  }

  @Test func `a fault is shown with its column, and the last valid filter stays`() {
    let typed = showing().typing("fanna (")
    #expect(typed.screen.contains("column 7: expected a condition. Write a word, such as “blender”."))
    #expect(typed.status.contains("Filter: anna (▏  3 of 10"))
    #expect(ids(typed) == ["3", "6", "9"])
    #expect(typed.typing("<Enter>").screen.contains("column 7: expected a condition."))
    #expect(typed.typing("<Enter><BS><BS><Enter>").status.contains("filter “anna”"))
    #expect(
      showing().typing("fchanel:").screen.contains("column 1: “chanel” is not a known field. Did you mean “channel”?"))
  }

  @Test(arguments: [(120, 24), (40, 15), (24, 10)])
  func `a long fault is shown in full, and the typed text stays visible`(width: Int, height: Int) {
    let typed = Scenario.showing(films(), width: width, height: height).typing("fsort:foo")
    let words = typed.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("column 6: “foo” is not a known order. Write one of feed, newest, oldest, shortest,"))
    #expect(words.contains("random."))
    #expect(typed.status.contains("Filter: sort:foo▏"))
  }

  @Test func `while a keyword is typed, the last valid filter stays and the keyword is proposed`() {
    let kept = showing().typing("fanna ")
    for keys in ["len", "sort", "sort:", "sort:lo", "since:", "unw"] {
      #expect(ids(kept.typing(keys)) == ["3", "6", "9"])
    }
    #expect(kept.typing("so").screen.contains("sort: · source:"))
    #expect(ids(kept.typing("sort:longest")) == ["9", "6", "3"])
    #expect(ids(kept.typing("so<Enter>")) == [])
    #expect(kept.typing("sort:<Enter>").state.hasPrompt)
    #expect(kept.typing("sort:<Enter>").screen.contains("expected a value"))
  }

  @Test func `an empty prompt shows examples, and the help has the language`() {
    #expect(showing().typing("f").screen.contains("Examples: unwatched >10m"))
    #expect(!showing().typing("fa").screen.contains("Examples:"))
    let help = Scenario.showing(width: 180, height: 140).typing("?").screen
    for example in FilterLanguage.examples { #expect(help.contains(example.text) && help.contains(example.meaning)) }
  }

  @Test func `Enter keeps the filter, which the status line shows`() {
    let kept = showing().typing("f>7m<Enter>")
    #expect(!kept.state.hasPrompt)
    #expect(ids(kept) == ["8", "9", "10"])
    #expect(kept.status.contains("1 of 3 · films.example · filter “>7m”"))
  }

  @Test func `Esc in the prompt restores the previous filter, and Esc in the cards clears it`() {
    let kept = showing().typing("fanna<Enter>")
    let canceled = kept.typing("f<C-u>bert<Esc>")
    #expect(ids(canceled) == ["3", "6", "9"])
    #expect(ids(canceled.typing("<Esc>")).count == 10)
    #expect(!canceled.typing("<Esc>").status.contains("filter “"))
  }

  @Test func `the prompt begins with the current filter, and an empty one clears it`() {
    let edited = showing().typing("fanna<Enter>f")
    #expect(edited.status.contains("Filter: anna▏"))
    #expect(ids(edited.typing(" >5m<Enter>")) == ["6", "9"])
    #expect(ids(edited.typing("<C-u><Enter>")).count == 10)
    #expect(!edited.typing("<C-u><Enter>").state.hasPrompt)
  }

  @Test func `Esc clears the search before the filter`() {
    let both = showing().typing("fanna<Enter>/film<Enter>")
    #expect(ids(both.typing("<Esc>")) == ["3", "6", "9"])
    #expect(ids(both.typing("<Esc><Esc>")).count == 10)
  }

  @Test func `a pasted filter is applied`() {
    var scenario = showing().typing("f")
    scenario.handle(.input(.paste("anna\n")))
    #expect(ids(scenario) == ["3", "6", "9"])
  }

  @Test func `a filter belongs to its tab`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, films(1...4))
    scenario.answer(1, films(5...8))
    scenario.type("2fanna<Enter>")
    #expect(ids(scenario) == ["3"])
    #expect(ids(scenario.typing("3")).count == 4)
    #expect(ids(scenario.typing("1")).count == 8)
    #expect(ids(scenario.typing("1fsource:b anna<Enter>")) == ["6"])
  }

  // MARK: - Selection

  @Test func `the selected card stays selected, or else the nearest one is`() {
    let fifth = showing().typing("v").typing("jjjj")
    #expect(fifth.state.selectedVideo != nil)
    let list = Scenario.showing(films(), width: 60, height: 24, layout: .list).typing("jjjj")
    #expect(list.state.selectedVideo?.id == "5")
    #expect(list.typing("fbert<Enter>").state.selectedVideo?.id == "5")
    #expect(list.typing("fanna<Enter>").state.selectedVideo?.id == "6")
    #expect(list.typing("fanna<Enter><Esc>").state.selectedVideo?.id == "6")
    #expect(list.typing("fanna<Esc>").state.selectedVideo?.id == "5")
    #expect(list.typing("f<lt>3m<Enter>").state.selectedVideo?.id == "2")
  }

  @Test func `widening the text selects the card again that was selected first`() {
    let list = Scenario.showing(films(), width: 60, height: 24, layout: .list).typing("jjjj")
    #expect(list.typing("f1").state.selectedVideo?.id == "1")
    #expect(list.typing("f10").state.selectedVideo?.id == "10")
    #expect(list.typing("f10<BS>").state.selectedVideo?.id == "10")
    #expect(list.typing("f10<BS><BS>").state.selectedVideo?.id == "5")
  }

  @Test func `a selected card far below is visible again after the filter is cleared`() {
    let videos = films(1...200)
    let far = Scenario.showing(videos, width: 60, height: 24, layout: .list).typing("f150<Enter>gg<Esc>")
    #expect(far.state.selectedVideo?.id == "150")
    #expect(far.screen.contains("Film 150"))
    #expect(ids(far).count == 200)
  }

  @Test func `the card that is selected again stays in memory while the prompt is open`() {
    let list = Scenario.showing(films(), width: 60, height: 24, layout: .list).typing("jjjj")
    let origin = list.state.cards.cards[4]
    let typed = list.typing("f10")
    #expect(!typed.state.cards.cards.slots.contains(origin))
    #expect(typed.state.tabs.usedSlots.contains(origin))
  }

  // MARK: - Pages

  /// Answers the requests for up to 20 further pages of 40 films, with keys before each, and returns the count of all.
  private func loadedCount(_ scenario: inout Scenario, keys: String = "") -> Int {
    for page in 1...20 {
      scenario.type(keys)
      scenario.endWaits()
      guard scenario.awaitedPage != nil else { break }
      let first = 40 * page + 1
      scenario.answer(FeedPage(videos: films(first...first + 39), next: .page(page + 1)))
    }
    return scenario.state.library.loadedCount(of: scenario.state.content)
  }

  private func remoteList(where filter: String = "", sources: [String] = ["a"]) throws -> Scenario {
    var settings = AppSettings(sources: sources.map { SourceSettings(name: $0, isLocal: false) })
    settings.sources[0].query = try FilterQuery(filter)
    settings.layout = .list
    return Scenario(settings, width: 60, height: 24)
  }

  @Test func `paging for a source's own filter pauses as well`() throws {
    var scenario = try remoteList(where: "nothing")
    scenario.answer(FeedPage(videos: films(1...40), next: .page(1)))
    #expect(loadedCount(&scenario) == 440)
    #expect(scenario.screen.contains("Searched 440 videos. Press m to continue."))
  }

  @Test func `paging for a source's own filter pauses in All`() throws {
    var scenario = try remoteList(where: "nothing", sources: ["a", "b"])
    scenario.answer(1, [])
    scenario.answer(0, films(1...40), next: .page(1))
    #expect(loadedCount(&scenario) == 440)
  }

  @Test func `pages with included videos do not pause paging`() throws {
    var scenario = try remoteList()
    scenario.answer(FeedPage(videos: films(1...40), next: .page(1)))
    scenario.type("ffilm<Enter>")
    #expect(loadedCount(&scenario, keys: "G") == 840)
  }

  @Test func `cards of further pages are filtered`() {
    var scenario = showing(next: .page(1)).typing("fanna<Enter>")
    scenario.endWaits()
    scenario.answer(FeedPage(videos: films(11...15), next: nil))
    #expect(ids(scenario) == ["3", "6", "9", "12", "15"])
    #expect(ids(scenario.typing("<Esc>")).count == 15)
  }

  @Test func `the open prompt counts the videos of further pages without hidden ones`() {
    var scenario = showing(next: .page(1)).typing("Xfanna<Enter>")
    scenario.endWaits()
    scenario.type("f")
    #expect(scenario.status.contains("3 of 9"))
    scenario.answer(FeedPage(videos: films(11...15), next: nil))
    #expect(scenario.status.contains("5 of 14"))
  }

  @Test func `paging continues until a screen is full, but not longer than ten pages`() throws {
    var scenario = try remoteList()
    scenario.answer(FeedPage(videos: films(1...40), next: .page(1)))
    scenario.type("fnothing<Enter>")
    #expect(loadedCount(&scenario) == 440)
    #expect(scenario.screen.contains("Searched 440 videos. Press m to continue."))
    scenario.type("m")
    #expect(scenario.awaitedPage == .page(11))
    scenario.answer(FeedPage(videos: films([3, 1_000]), next: .page(12)))
    scenario.endWaits()
    #expect(scenario.awaitedPage == .page(12))
  }

  @Test func `a filtered tab of several sources holds back what another source may precede`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, films([1, 3, 6]), next: .page(1))
    scenario.answer(1, films([2, 9, 12]), next: .page(1))
    scenario.type("fanna<Enter>")
    #expect(ids(scenario) == ["3", "6"])
    #expect(ids(scenario.typing("<Esc>")) == ["1", "2", "3", "6"])
  }

  @Test func `a refresh keeps the filter and counts only included videos as new`() {
    var scenario = showing().typing("fanna<Enter>r")
    scenario.answer(FeedPage(videos: films([-3, -1, 0, 1, 2, 3]), next: .page(1)))
    #expect(ids(scenario).contains("-3"))
    #expect(!ids(scenario).contains("-1"))
    #expect(scenario.status.contains("2 new"))
    #expect(ids(scenario.typing("fnew<Enter>")) == [])
    #expect(ids(scenario.typing("f<C-u>new<Enter>")) == ["-3", "-1", "0"])
  }

  // MARK: - Orders

  @Test func `S cycles through the orders and names them`() {
    let scenario = showing()
    let longest = scenario.typing("SSSS")
    #expect(longest.status.contains("order: longest"))
    #expect(ids(longest).first == "10")
    #expect(scenario.typing("S").status.contains("order: newest"))
    #expect(ids(scenario.typing("SS")).first == "10")
    let again = scenario.typing("SSSSSSSS")
    #expect(again.status.contains("Order: as in the feed"))
    #expect(ids(again) == ids(scenario))
  }

  @Test func `sort in a filter orders the videos, and a chosen order wins`() {
    let sorted = showing().typing("fanna sort:longest<Enter>")
    #expect(ids(sorted) == ["9", "6", "3"])
    #expect(ids(sorted.typing("S")) != ["9", "6", "3"] || sorted.typing("S").status.contains("order: title"))
    #expect(ids(sorted.typing("<Esc>")).first == "1")
  }

  @Test func `S goes on from an order in the filter to all others`() {
    let sorted = showing().typing("fsort:views<Enter>")
    #expect(sorted.typing("S").status.contains("filter “sort:random”  "))
    #expect(sorted.typing("SS").status.contains("filter “sort:feed”  "))
    #expect(ids(sorted.typing("SS")) == ids(showing()))
    #expect(sorted.typing("SSS").status.contains("filter “sort:newest”  "))
  }

  @Test func `the seed of the state determines the random order`() {
    let orders = [1, 1, 2].map { (seed: UInt64) in
      var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
      settings.shuffleSeed = seed
      var scenario = Scenario(settings)
      scenario.answer(FeedPage(videos: films(1...30)))
      return ids(scenario.typing("fsort:random<Enter>"))
    }
    #expect(orders[0] == orders[1] && orders[0] != orders[2])
  }

  @Test func `an order that is not the feed's is in the status line`() {
    #expect(showing().typing("SSj").status.contains("films.example · order: oldest"))
    #expect(!showing().typing("SS").status.contains("Order:"))
    #expect(showing().typing("fanna<Enter>SSj").status.contains("filter “anna” · order: oldest"))
    #expect(!showing().status.contains("order"))
    #expect(!showing().typing("fsort:oldest<Enter>j").status.contains("order:"))
  }

  @Test func `S replaces the order in the text of the filter`() {
    let sorted = showing().typing("funwatched sort:longest<Enter>Sj")
    #expect(sorted.status.contains("filter “unwatched sort:title”"))
    #expect(ids(sorted) == ids(showing().typing("fsort:title<Enter>")))
    #expect(sorted.typing("f").status.contains("Filter: unwatched sort:title▏"))
    #expect(showing().typing("fsort:random<Enter>S").status.contains("filter “sort:feed”"))
  }

  @Test func `without a match the status line counts the videos`() {
    let none = showing().typing("fzebra<Enter>")
    #expect(none.status.contains("0 of 10 · films.example · filter “zebra”"))
    #expect(none.status.hasSuffix("f change the filter  Esc clear it  q quit  ? help"))
  }

  @Test func `an order stays while the filter changes`() {
    #expect(ids(showing().typing("SSSSfanna")) == ["9", "6", "3"])
  }

  // MARK: - Sources and views

  private func viewed(_ texts: String..., sources: [String] = ["a", "b"]) throws -> Scenario {
    var settings = AppSettings(sources: sources.map { SourceSettings(name: $0, isLocal: true) })
    settings.views = try texts.map { ViewSettings(name: "View \($0)", query: try FilterQuery($0)) }
    return Scenario(settings, width: 100, height: 24)
  }

  @Test func `a source's own filter applies in its tab and in All`() throws {
    var settings = AppSettings(sources: ["a", "b"].map { SourceSettings(name: $0, isLocal: true) })
    settings.sources[0].query = try FilterQuery("-anna")
    var scenario = Scenario(settings, width: 100, height: 24)
    scenario.answer(0, films(1...4))
    scenario.answer(1, films(5...8))
    #expect(ids(scenario) == ["1", "2", "4", "5", "6", "7", "8"])
    #expect(ids(scenario.typing("2")) == ["1", "2", "4"])
    #expect(ids(scenario.typing("2fanna")) == [])
    #expect(ids(scenario.typing("fanna")) == ["6"])
  }

  @Test func `a view is a tab of the videos of all sources that it includes`() throws {
    var scenario = try viewed("anna", ">7m sort:longest")
    scenario.answer(0, films(1...6))
    scenario.answer(1, films(7...10))
    #expect(scenario.screen.contains("View anna"))
    #expect(ids(scenario.typing("4")) == ["3", "6", "9"])
    #expect(ids(scenario.typing("5")) == ["10", "9", "8"])
    #expect(ids(scenario.typing("4f>5m")) == ["6", "9"])
    #expect(scenario.typing("4").status.contains("View anna"))
  }

  @Test func `a view beside a single source has tabs`() throws {
    var scenario = try viewed("anna", sources: ["a"])
    scenario.answer(0, films(1...6))
    #expect(ids(scenario) == ["1", "2", "3", "4", "5", "6"])
    #expect(ids(scenario.typing("2")) == ["3", "6"])
    #expect(scenario.screen.contains("View anna"))
  }

  @Test func `news in a view are counted by its own filter`() throws {
    var scenario = try viewed("anna", sources: ["a"])
    scenario.answer(0, films(1...6))
    scenario.type("r")
    scenario.answer(0, films(-6...6), next: .page(1))
    #expect(scenario.screen.split(separator: "\n")[0].contains("View anna 3"))
    #expect(Set(ids(scenario.typing("2"))) == ["-6", "-3", "0", "3", "6"])
  }
}

extension Scenario {
  /// The pauses between the pieces of work that prepare a filter.
  fileprivate var facts: [Wait] { openWaits.filter { if case .facts = $0 { true } else { false } } }
}
