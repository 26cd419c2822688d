import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct OpenedTabTests {
  private var two: Scenario { .ofTwoSources(width: 100) }

  private func shownCount(_ scenario: Scenario) -> Int { scenario.state.tabs.selected.cards.cards.count }

  @Test func `an address opens as a tab, which loads like any other`() {
    var scenario = two.typing(":c.example/talks<Enter>")
    #expect(scenario.effects.contains(.openSource(SourceID(2), .address("c.example/talks"))))
    #expect(scenario.state.content == .source(SourceID(2)))
    #expect(scenario.screen.contains("c.example/talks"))
    scenario.answer(2, sampleVideos(5), title: "Talks")
    #expect(shownCount(scenario) == 5)
    #expect(scenario.screen.contains("Talks"))
  }

  @Test func `a short form opens as the address for which it stands, once`() {
    let scenario = two.typing(":@blender<Enter>")
    #expect(scenario.effects.contains(.openSource(SourceID(2), .address("https://www.youtube.com/@blender"))))
    let again = scenario.typing("1:https://www.youtube.com/@blender<Enter>")
    #expect(again.state.content == .source(SourceID(2)) && again.state.library.sources.count == 3)
    #expect(two.typing(":@ann@films.example<Enter>").screen.contains("@ann@films.example"))
  }

  @Test func `the All tab does not show its videos`() {
    let all = two
    var scenario = two.typing(":c.example<Enter>")
    scenario.answer(2, sampleVideos(9))
    #expect(shownCount(scenario.typing("1")) == shownCount(all))
  }

  @Test func `an open address is selected, not opened again`() {
    var scenario = two.typing(":c.example<Enter>")
    scenario.answer(2, sampleVideos(2))
    let again = scenario.typing("1:c.example<Enter>")
    #expect(again.state.content == .source(SourceID(2)))
    #expect(again.state.library.sources.count == 3)
    #expect(scenario.typing("1:B.EXAMPLE<Enter>").state.content == .source(SourceID(1)))
  }

  @Test func `close ends its requests, removes its cards and selects the tab before`() {
    var scenario = two.typing(":c.example<Enter>")
    #expect(scenario.unanswered.contains { $0.source == 2 })
    let closed = scenario.typing(":close<Enter>")
    #expect(closed.effects.contains(.closeSource(SourceID(2))))
    #expect(!closed.unanswered.contains { $0.source == 2 })
    #expect(closed.state.content == .source(SourceID(1)))
    scenario.answer(2, sampleVideos(4))
    scenario.type(":close<Enter>")
    #expect(scenario.state.tabs.visible.count == 3)
    #expect(!scenario.screen.contains("c.example"))
    scenario.type(":c.example<Enter>")
    #expect(scenario.state.content == .source(SourceID(3)))
  }

  @Test func `a tab of the start stays open`() {
    let scenario = two.typing("2:close<Enter>")
    #expect(scenario.state.content == .source(SourceID(0)))
    #expect(scenario.screen.contains("Could not close “a.example”: only tabs opened with : can be closed."))
  }

  @Test func `an answer for a closed tab changes nothing`() throws {
    var scenario = two.typing(":c.example<Enter>")
    let ticket = try #require(scenario.unanswered.first { $0.source == 2 }?.ticket)
    scenario.type(":close<Enter>")
    let before = scenario.screen
    scenario.handle(.pageArrived(ticket, FeedPage(videos: sampleVideos(4)), at: .init(seconds: 0)))
    #expect(scenario.screen == before)
  }

  @Test func `only a limited number of tabs can be open`() {
    var scenario = two
    for number in 1...Browsing.maximumOpenedCount { scenario.type(":c.example/\(number)<Enter>") }
    #expect(scenario.state.tabs.openedCount == Browsing.maximumOpenedCount)
    scenario.type(":d.example<Enter>")
    #expect(scenario.state.tabs.openedCount == Browsing.maximumOpenedCount)
    #expect(scenario.screen.contains("Could not open a tab"))
  }

  @Test func `c opens the channel of the selected video, once`() {
    var videos = sampleVideos(3)
    videos[0].channelURL = WebAddress("https://video.example/video-channels/talks")
    videos[0].channel = "Talks"
    let opened = Scenario.showing(videos, width: 100).typing("c")
    let request = SourceRequest.address("https://video.example/video-channels/talks")
    #expect(opened.effects.contains(.openSource(SourceID(1), request)))
    #expect(opened.state.content == .source(SourceID(1)))
    #expect(opened.state.library.name(of: opened.state.content) == "Talks")
    let again = opened.typing("1c")
    #expect(again.state.content == .source(SourceID(1)) && again.state.library.sources.count == 2)
  }

  @Test func `a video without the address of its channel opens no tab`() {
    let scenario = Scenario.showing(sampleVideos(3), width: 100).typing("c")
    #expect(scenario.screen.contains("Could not open the channel: the feed does not state its address. Press o"))
    #expect(scenario.state.library.sources.count == 1)
  }

  @Test func `the lists of a channel open by name`() {
    let scenario = two.typing(":https://www.youtube.com/@talks<Enter>")
    let opened = scenario.typing(":channel playlists<Enter>")
    let playlists = SourceRequest.address("https://www.youtube.com/@talks/playlists")
    #expect(opened.effects.contains(.openSource(SourceID(3), playlists)))
    var other = two.typing(":https://v.example/c/talks<Enter>")
    #expect(other.typing(":channel playlists<Enter>").screen.contains("the tab is not a channel, or"))
    var video = sampleVideo(0)
    video.pageURL = WebAddress("https://v.example/w/9c9de5e8-0a1e-484a-b099-e80766180a6d")
    other.answer(2, [video])
    let others = SourceRequest.address("https://v.example/video-channels/talks/video-playlists")
    #expect(other.typing(":channel playlists<Enter>").effects.contains(.openSource(SourceID(3), others)))
    #expect(two.typing("2:channel live<Enter>").screen.contains("the tab is not a channel, or"))
    #expect(two.typing("2:channel x<Enter>").screen.contains("Could not open “x”: it is not a list of a channel."))
  }

  @Test func `in a tab that is no channel, the lists are those of the selected video's channel`() {
    var videos = sampleVideos(2)
    videos[0].channelURL = WebAddress("https://video.example/video-channels/talks")
    var scenario = two.typing(":https://c.example/feed.xml<Enter>")
    scenario.answer(2, videos)
    let lists = SourceRequest.address("https://video.example/video-channels/talks/video-playlists")
    #expect(scenario.typing(":channel playlists<Enter>").effects.contains(.openSource(SourceID(3), lists)))
    #expect(scenario.typing(":channel shorts<Enter>").screen.contains("the tab is not a channel, or"))
    #expect(scenario.typing("l:channel playlists<Enter>").screen.contains("the tab is not a channel, or"))
  }

  @Test(arguments: ["ytrec", ":ytrec"]) func `the lists of the user's account open by their names`(text: String) {
    let scenario = two.typing(":\(text)<Enter>")
    #expect(scenario.effects.contains(.openSource(SourceID(2), .address(":ytrec"))))
    #expect(scenario.state.library.name(of: scenario.state.content) == "YouTube: recommended")
  }

  @Test func `s asks for words and opens the search of the server`() {
    var settings = AppSettings(sources: [SourceSettings(name: "Films", isLocal: false)])
    settings.sources[0].address = "https://archive.org/details/films"
    var scenario = Scenario(settings, width: 100)
    scenario.answer(0, sampleVideos(3))
    let asking = scenario.typing("s")
    #expect(asking.state.commandPrompt.prompt?.needle == "search ")
    let note = "For another service, type its name first, such as youtube."
    #expect(asking.screen.contains("Searches archive.org. \(note)"))
    #expect(asking.typing("soundcloud rain").screen.contains("Searches SoundCloud. \(note)"))
    let searching = asking.typing("rain<Enter>")
    let request = AppEffect.openSource(SourceID(1), .address("https://archive.org/search?query=rain"))
    #expect(searching.effects.contains(request))
    #expect(searching.state.library.name(of: searching.state.content) == "rain · archive.org")
    #expect(scenario.typing(":search rain<Enter>").effects.contains(request))
    #expect(searching.typing("s").state.commandPrompt.prompt != nil)
  }

  @Test(arguments: [true, false]) func `s searches a channel of YouTube only with yt-dlp`(hasYtDlp: Bool) {
    var settings = AppSettings(sources: [SourceSettings(name: "Talks", isLocal: false)])
    settings.sources[0].address = "https://www.youtube.com/@talks"
    (settings.hasYtDlp, settings.searchService) = (hasYtDlp, .peertube)
    var scenario = Scenario(settings, width: 100)
    scenario.answer(0, sampleVideos(3))
    let address =
      hasYtDlp
      ? "https://www.youtube.com/@talks/search?query=rain" : "https://sepiasearch.org/api/v1/search/videos?search=rain"
    let searching = scenario.typing("srain<Enter>")
    #expect(searching.effects.contains(.openSource(SourceID(1), .address(address))))
    let place = hasYtDlp ? "Talks" : "PeerTube"
    #expect(scenario.typing("s").screen.contains("Searches \(place). "))
    #expect(searching.state.library.name(of: searching.state.content) == "rain · \(place)")
    #expect(searching.typing("s").screen.contains("Searches \(place). "))
  }

  @Test func `the type in a search reaches a server that has it`() {
    let opened = two.typing(":https://video.example/videos/trending<Enter>:search rain type:channel<Enter>")
    let address = "https://video.example/api/v1/search/video-channels?search=rain"
    #expect(opened.effects.contains(.openSource(SourceID(3), .address(address))))
  }

  @Test func `s on a source without a server search searches the user's service`() {
    var settings = AppSettings(sources: [SourceSettings(name: "Films", isLocal: true)])
    settings.searchService = .youtube
    var scenario = Scenario(settings, width: 100)
    scenario.answer(0, sampleVideos(3))
    let searching = scenario.typing("srain<Enter>")
    let address = "https://www.youtube.com/results?search_query=rain&sp=EgIQAQ%3D%3D"
    #expect(searching.effects.contains(.openSource(SourceID(1), .address(address))))
    var answered = searching
    answered.answer(1, sampleVideos(3), title: "rain")
    #expect(answered.state.library.name(of: answered.state.content) == "rain · YouTube")
  }

  @Test func `search names a service, and its conditions filter the results`() {
    var scenario = Scenario.showing(width: 120).typing(":search soundcloud piano length:..6m sort:longest<Enter>")
    let source = SourceID(1)
    #expect(scenario.effects.contains(.openSource(source, .address("scsearch:piano"))))
    scenario.answer(
      1,
      [(1, 300), (2, 600), (3, 200)].map { number, seconds in
        var video = sampleVideos(number)[number - 1]
        video.duration = VideoDuration(seconds: seconds)
        return video
      })
    #expect(shownCount(scenario) == 2)
    #expect(scenario.typing(":search youtube since:1w<Enter>").state.library.sources.count == 2)
    let faulty = scenario.typing(":search rain sort:zzz<Enter>")
    #expect(faulty.state.library.sources.count == 2)
  }

  @Test(arguments: [":search soundcloud zzz<Enter>", ":find zzz<Enter>"])
  func `a search without results advises other words`(keys: String) {
    var scenario = Scenario.showing(width: 120).typing(keys)
    scenario.answer(1, [])
    #expect(scenario.screen.contains("Nothing found. Use fewer or other words."))
    scenario.type(":https://a.example/feed.xml<Enter>")
    scenario.answer(2, [])
    #expect(scenario.screen.contains("No videos. Press r to refresh.") && !scenario.screen.contains("Nothing found"))
  }

  @Test func `the first page of an opened source is not reported as nothing new, but a refresh is`() {
    var scenario = Scenario.showing(width: 120).typing(":https://a.example/film.mp4<Enter>")
    scenario.answerRecall(1, sampleVideos(1))
    scenario.answer(1, sampleVideos(1))
    #expect(!scenario.status.contains("Nothing new") && shownCount(scenario) == 1)
    scenario.endWaits()
    scenario.type("r")
    scenario.answer(1, sampleVideos(1))
    #expect(scenario.status.contains("Nothing new"))
  }

  @Test func `the prompt completes the services of a search`() {
    let scenario = Scenario.showing(width: 120).typing(":search soun<Tab>")
    #expect(scenario.state.commandPrompt.prompt?.needle == "search soundcloud ")
  }

  @Test func `find opens a tab with the videos ever loaded`() {
    var scenario = two.typing(":find rainy town<Enter>")
    #expect(scenario.effects.contains(.openSource(SourceID(2), .find("rainy town"))))
    #expect(scenario.screen.contains("rainy town · found"))
    scenario.answer(2, sampleVideos(4))
    #expect(shownCount(scenario) == 4)
    #expect(scenario.typing(":subscribe<Enter>").screen.contains("is not a source with an address."))
  }

  @Test func `where filters the tab, and without a filter shows all`() {
    let videos = two
    let filtered = videos.typing(":where zzz<Enter>")
    #expect(shownCount(filtered) == 0)
    #expect(shownCount(filtered.typing(":where<Enter>")) == shownCount(videos))
  }

  /// The program after an option has changed.
  private func setting(_ name: String, _ layout: LayoutKind, in scenario: Scenario) -> Scenario {
    var (scenario, options) = (scenario, LayoutOptions())
    options.columns = .count(2)
    let live = LiveOptions(layout: layout, layoutOptions: options, theme: ThemeSettings(.nord))
    scenario.handle(.optionsChanged(live, name: name, value: "value"))
    return scenario
  }

  @Test func `an option lays out all tabs again`() {
    var scenario = setting("layout", .list, in: two.typing("2"))
    #expect(scenario.state.tabs.layout == .list)
    #expect(shownCount(scenario) == 3 && shownCount(scenario.typing("1")) == shownCount(two))
    #expect(scenario.typing("1").state.tabs.selected.cards.layout.options.columns == .count(2))
    scenario.handle(.optionRefused(name: "columns", reason: "“x” is not valid. Write a whole number from 1 to 100."))
    #expect(scenario.screen.contains("Could not set columns: “x” is not valid."))
  }

  @Test func `another option keeps the layout chosen by a key, and the theme is only an effect`() {
    let chosen = two.typing("2v")
    let layout = chosen.state.tabs.layout
    #expect(layout != .waterfall)
    let columns = setting("columns", .waterfall, in: chosen)
    #expect(columns.state.tabs.layout == layout)
    #expect(columns.state.tabs.selected.cards.layout.options.columns == .count(2))
    let theme = setting("theme", .waterfall, in: chosen)
    #expect(theme.effects.contains(.setTheme(ThemeSettings(.nord))))
    #expect(theme.state.tabs.layout == layout)
    #expect(theme.state.tabs.selected.cards.layout.options == chosen.state.tabs.selected.cards.layout.options)
  }

  @Test func `a queued video stays in the Queue tab while an opened source lists it`() {
    var settings = AppSettings(sources: [SourceSettings(name: "a.example", isLocal: true)])
    let video = sampleVideo(7)
    _ = settings.userData.change(VideoKey(video), [.queued(1)], at: 1)
    _ = settings.userData.describe(VideoKey(video), video, at: 1)
    var scenario = Scenario(settings, width: 100)
    scenario.answer(0, sampleVideos(3))
    scenario.type(":c.example<Enter>")
    scenario.answer(1, sampleVideos(9))
    #expect(shownCount(scenario.typing("2")) == 1)
  }

  @Test func `messages name the source only while several are open`() {
    var scenario = Scenario.of("a.example", width: 100)
    scenario.answer(0, sampleVideos(3))
    scenario.type(":c.example<Enter>")
    #expect(scenario.state.library.hasSeveralSources)
    #expect(!scenario.typing(":close<Enter>").state.library.hasSeveralSources)
  }

  @Test func `subscribe adds the source of the tab to the configuration, and unsubscribe removes it`() {
    var scenario = two.typing(":c.example<Enter>")
    scenario.answer(2, sampleVideos(2), title: "Talks")
    var request = SubscriptionRequest(.add, name: "Talks", address: "c.example")
    #expect(scenario.typing(":subscribe<Enter>").effects.contains(.changeSubscription(request)))
    request.typedName = "My talks"
    #expect(scenario.typing(":subscribe My talks<Enter>").effects.contains(.changeSubscription(request)))
    let removal = SubscriptionRequest(.remove, name: "Talks", address: "c.example")
    #expect(scenario.typing(":unsubscribe<Enter>").effects.contains(.changeSubscription(removal)))
    for tab in ["1", "2"] {
      let scenario = scenario.typing(tab + ":subscribe<Enter>")
      #expect(scenario.screen.contains("is not a source with an address. Select the tab of one."))
    }
  }

  @Test(arguments: [
    (
      SubscriptionRequest.Outcome.added(Subscription(name: "Talks 2", address: "c.example")),
      "Subscribed to “Talks 2”, saved in own.toml · u to undo"
    ),
    (.removed(name: "Talks"), "Unsubscribed from “Talks” · u to undo"),
    (
      .removed(name: "Talks", isHidden: true),
      "Unsubscribed from “Talks”; own.toml hides it, config.toml still has it · u to undo"
    ),
    (.notConfigured, "“My talks” is not in the configuration"),
    (.failed("~/config.toml: no access. Check it."), "Could not subscribe to “My talks”: ~/config.toml: no access."),
  ])
  func `the outcome of a subscription is a message`(outcome: SubscriptionRequest.Outcome, message: String) {
    var scenario = two
    scenario.handle(
      .subscriptionChanged(outcome, SubscriptionRequest(.add, name: "My talks", address: "c.example")))
    #expect(scenario.screen.contains(message))
  }

  @Test func `undo reverts subscriptions and marks, the last one first, each once`() {
    var scenario = two
    func undone() -> [SubscriptionRequest] {
      scenario.effects.compactMap { if case .changeSubscription(let request) = $0 { request } else { nil } }
    }
    let talks = Subscription(name: "Talks 2", address: "c.example")
    scenario.handle(
      .subscriptionChanged(.added(talks), SubscriptionRequest(.add, name: "Talks", address: "c.example")))
    scenario.type("*")
    scenario.handle(
      .subscriptionChanged(
        .removed(name: "Old"), SubscriptionRequest(.remove, name: "Older", address: "~/old.json")))
    scenario.handle(
      .subscriptionChanged(.alreadyConfigured(name: "x"), SubscriptionRequest(.add, name: "x", address: "x")))
    scenario.type("u")
    var adding = SubscriptionRequest(.add, name: "Old", address: "~/old.json")
    adding.isUndo = true
    #expect(undone() == [adding])
    let old = Subscription(name: "Old", address: "/home/anna/old.json")
    scenario.handle(.subscriptionChanged(.added(old), adding))
    #expect(scenario.screen.contains("Undone: unsubscribed from “Old”"))
    scenario.type("u")
    #expect(undone() == [adding] && scenario.screen.contains("Undone: starred"))
    scenario.type("u")
    var removing = SubscriptionRequest(.remove, name: "Talks 2", address: "c.example")
    removing.isUndo = true
    #expect(undone() == [adding, removing])
    scenario.handle(.subscriptionChanged(.removed(name: "Talks 2"), removing))
    #expect(scenario.screen.contains("Undone: subscribed to “Talks 2”"))
    scenario.type("u")
    #expect(undone() == [adding, removing] && scenario.screen.contains("Nothing to undo"))
  }

  @Test func `a failed undo of a subscription can be repeated before that of an earlier mark`() {
    var scenario = two.typing("*")
    scenario.handle(
      .subscriptionChanged(.removed(name: "Old"), SubscriptionRequest(.remove, name: "Old", address: "/old.json")))
    var undo = SubscriptionRequest(.add, name: "Old", address: "/old.json")
    undo.isUndo = true
    for count in 1...2 {
      scenario.type("u")
      scenario.handle(.subscriptionChanged(.failed("another program is changing it. Try again."), undo))
      #expect(scenario.effects.count { $0 == .changeSubscription(undo) } == count)
    }
    #expect(!scenario.screen.contains("Undone"))
    scenario.type("u")
    scenario.handle(.subscriptionChanged(.notConfigured, undo))
    #expect(scenario.screen.contains("Could not restore “Old”: it is no longer known."))
    #expect(scenario.typing("u").screen.contains("Undone: starred"))
  }

  @Test func `only failed changes of the configuration and options have a failure message`() {
    var request = SubscriptionRequest(.add, name: "New", address: "/new.json")
    #expect(AppEvent.subscriptionChanged(.notConfigured, request).failureMessage == nil)
    request.isUndo = true
    #expect(
      AppEvent.subscriptionChanged(.notConfigured, request).failureMessage
        == "Could not restore “New”: it is no longer known. Add it in an editor.")
    #expect(AppEvent.subscriptionChanged(.removed(name: "New"), request).failureMessage == nil)
    #expect(AppEvent.optionRefused(name: "a", reason: "b.").failureMessage == "Could not set a: b.")
    #expect(AppEvent.started.failureMessage == nil)
  }

  @Test func `the message about a change names the copy of a damaged file`() {
    var scenario = two
    scenario.handle(
      .subscriptionChanged(
        .notConfigured, SubscriptionRequest(.remove, name: "x", address: "x"), damagedCopy: "~/own.toml.damaged"))
    #expect(scenario.screen.contains("own.toml was damaged, its copy is ~/own.toml.damaged"))
  }

  /// A program with a configured source that is not open.
  private var subscribed: Scenario {
    var settings = AppSettings(sources: [SourceSettings(name: "a.example", isLocal: true)])
    settings.subscriptions = [
      Subscription(name: "Late", address: "/films/two.json", query: (try? FilterQuery("Film-1")) ?? .empty)
    ]
    return Scenario(settings, width: 100)
  }

  @Test func `a configured source opens by its name in any case, with its address, filter and locality`() {
    let scenario = subscribed.typing(":open late<Enter>")
    #expect(scenario.effects.contains(.openSource(SourceID(1), .configured(name: "Late"))))
    let settings = scenario.state.library.sources[1].settings
    #expect(settings.address == "/films/two.json" && settings.givenName == "Late" && settings.isLocal)
    #expect(!settings.query.filter.isEmpty && settings.isSubscription)
    #expect(scenario.typing("1:open LATE<Enter>").state.library.sources.count == 2)
    var removal = SubscriptionRequest(.remove, name: "Late", address: "/films/two.json")
    removal.isNameConfigured = true
    #expect(scenario.typing(":unsubscribe<Enter>").effects.contains(.changeSubscription(removal)))
  }

  @Test func `an added source can be opened by its name, a removed one cannot`() {
    var scenario = subscribed
    let zwei = Subscription(name: "Zwei", address: "z.example")
    scenario.handle(
      .subscriptionChanged(.added(zwei), SubscriptionRequest(.add, name: "Zwei", address: "z.example")))
    #expect(scenario.typing(":zwei<Enter>").effects.contains(.openSource(SourceID(1), .configured(name: "Zwei"))))
    scenario.handle(
      .subscriptionChanged(
        .removed(name: "Zwei"), SubscriptionRequest(.remove, name: "Zwei", address: "z.example")))
    #expect(scenario.typing(":zwei<Enter>").screen.contains("Unknown command"))
  }
}
