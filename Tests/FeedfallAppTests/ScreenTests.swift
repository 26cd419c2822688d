import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct ScreenTests {
  @Test(arguments: [LayoutKind.waterfall, .grid])
  func `a large window with colors`(layout: LayoutKind) {
    let scenario = Scenario.showing(width: 120, height: 40, layout: layout)
    Golden.expect("\(layout.rawValue)-120x40", scenario.state.draw())
  }

  @Test(arguments: [(40, 15), (80, 24), (200, 50)])
  func `the list shows more columns in a wider window`(size: (Int, Int)) {
    let scenario = Scenario.showing(datedVideos(60), width: size.0, height: size.1, layout: .list).typing("llljjj")
    Golden.expect("list-\(size.0)x\(size.1)", scenario.state.draw())
  }

  @Test(arguments: [(40, 15), (120, 36)])
  func `justified rows in a small and a large window`(size: (Int, Int)) {
    let scenario = Scenario.showing(datedVideos(60), width: size.0, height: size.1, layout: .justified).typing("lj")
    Golden.expect("justified-\(size.0)x\(size.1)", scenario.state.draw())
  }

  @Test(arguments: [LayoutKind.waterfall, .list], [(40, 15), (120, 36)])
  func `groups in a small and a large window`(layout: LayoutKind, size: (Int, Int)) {
    let scenario = Scenario.showing(
      datedVideos(60), width: size.0, height: size.1, layout: layout, grouping: .channel)
    Golden.expect("groups-\(layout.rawValue)-\(size.0)x\(size.1)", scenario.state.draw())
  }

  /// Videos that are a few hours older each.
  private func datedVideos(_ count: Int) -> [Video] {
    sampleVideos(count).enumerated().map { index, video in
      var video = video
      video.published = UnixTime(seconds: -index * index * 3_600)
      return video
    }
  }

  @Test func `the carousel in its middle, pulled and at its end`() {
    let start = Scenario.showing(width: 100, height: 28, layout: .carousel)
    Golden.expect("carousel-middle", start.typing("ll").state.draw())
    Golden.expect("carousel-pulled", start.typing("hh").state.draw())
    Golden.expect("carousel-end", start.typing("G").state.draw())
  }

  @Test func `groups with a pinned header, and a card that spans columns`() {
    var videos = sampleVideos(20)
    for index in videos.indices { videos[index].group = index < 7 ? "Friday" : "Thursday" }
    videos[2].span = 2
    let start = Scenario.showing(videos)
    Golden.expect("groups-top", start.state.draw())
    Golden.expect("groups-pinned", start.typing("jj").state.draw())
  }

  @Test func `the header pulled by a row`() {
    Golden.expect("header-idle", Scenario.showing().typing("k").state.draw())
  }

  @Test func `the header pulled far enough`() {
    Golden.expect("header-pulling", Scenario.showing().typing("kkk").state.draw())
  }

  @Test func `the header during a refresh`() {
    Golden.expect("header-refreshing", Scenario.showing().typing("r").state.draw())
  }

  @Test func `the header while the server asks to wait`() {
    var scenario = Scenario.showing().typing("r")
    scenario.fail(FeedFailure(.wait(seconds: 7), "the server is busy"))
    Golden.expect("header-holding", scenario.state.draw())
  }

  @Test func `the header after a failed refresh`() {
    var scenario = Scenario.showing().typing("r")
    scenario.fail(FeedFailure(.temporary, "no answer in 10 s"))
    Golden.expect("header-failed", scenario.state.draw())
  }

  @Test func `the footer while there is more`() {
    Golden.expect("footer-idle", Scenario.showing(sampleVideos(20), next: .page(1)).typing("Gr").state.draw())
  }

  @Test func `the footer just before loading more`() {
    let scenario = Scenario.showing(sampleVideos(20), next: .page(1), columns: .count(1))
    Golden.expect("footer-will-refresh", scenario.typing("G").state.draw())
  }

  @Test func `the footer while loading more`() {
    Golden.expect("footer-refreshing", Scenario.showing(sampleVideos(20), next: .page(1)).typing("Gm").state.draw())
  }

  @Test func `the footer while the server asks to wait`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("Gm")
    scenario.fail(FeedFailure(.wait(seconds: 7), "the server is busy"))
    Golden.expect("footer-holding", scenario.state.draw())
  }

  @Test func `the footer after the last page`() {
    Golden.expect("footer-no-more-data", Scenario.showing().typing("G").state.draw())
  }

  @Test func `the footer after a failure that was dismissed`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("Gm")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    scenario.type("<Esc>")
    Golden.expect("footer-failed", scenario.state.draw())
  }

  @Test func `the footer after a dismissed failure with a long wait`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("Gm")
    scenario.fail(FeedFailure(.wait(seconds: 600), "the server is busy"))
    scenario.type("<Esc>")
    Golden.expect("footer-failed-wait", scenario.state.draw())
  }

  @Test func `a failure shows how long the server asks to wait`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("Gm")
    scenario.fail(FeedFailure(.wait(seconds: 600), "the server is busy"))
    Golden.expect("failure-wait", scenario.state.draw())
  }

  @Test func `a dismissed failure of the first load stays in the header`() {
    var scenario = Scenario()
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    scenario.type("<Esc>")
    Golden.expect("header-failed-first", scenario.state.draw())
  }

  @Test func `a failed page is an error, and the end of the feed a success`() {
    #expect(role(of: "End of the list · 2 videos", in: .showing(sampleVideos(2), height: 40)) == .success)
    var scenario = Scenario.showing(sampleVideos(2), next: .page(1), height: 40).typing("m")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    #expect(role(of: "Loading failed", in: scenario) == .error)
  }

  @Test func `a dismissed failure of a refresh is only in the status line`() {
    var scenario = Scenario.showing()
    let screen = scenario.screen
    scenario.type("r")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    scenario.type("<Esc>")
    #expect(scenario.status.contains("films.example · refresh failed"))
    #expect(scenario.screen.split(separator: "\n").dropLast() == screen.split(separator: "\n").dropLast())
  }

  private func role(of text: String, in scenario: Scenario) -> Role? {
    let rows = scenario.screen.split(separator: "\n", omittingEmptySubsequences: false)
    guard let y = rows.firstIndex(where: { $0.contains(text) }) else { return nil }
    let x = rows[y].prefix { $0 == " " }.count
    return scenario.state.draw()[x, y].style.role
  }

  @Test func `a failure above the cards says what failed and why, with its keys`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("Gm")
    scenario.fail(FeedFailure(.temporary, "the server answered 500 Internal Server Error"))
    Golden.expect("failure", scenario.state.draw())
  }

  @Test func `a feed without videos`() {
    Golden.expect("empty-feed", Scenario.showing([]).state.draw())
  }

  @Test func `the pane beside the cards`() {
    Golden.expect("pane-beside", Scenario.showing(width: 120, height: 40).typing("l<Enter>").state.draw())
  }

  @Test func `pictures on the cards and in the pane, the tall one cut off below`() {
    var scenario = Scenario.showing(sampleVideos(5), width: 120, height: 20).typing("<Enter>")
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    while !scenario.awaitedCovers.isEmpty { scenario.answerCover() }
    Golden.expect("pictures", scenario.state.draw())
  }

  @Test func `the pane during a request for details`() {
    Golden.expect("pane-asking", Scenario.showing([sampleVideoWithoutDetails(0)]).typing("<Enter>").state.draw())
  }

  @Test func `the pane after a failed request for details`() {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)]).typing("<Enter>")
    scenario.answerDetails(.failure(FeedFailure(.permanent, "the server answered 404", advice: "check the address")))
    Golden.expect("pane-failed", scenario.state.draw())
  }

  @Test func `the cover over the whole window`() {
    Golden.expect("pane-cover", Scenario.showing(width: 120, height: 40).typing("<Enter>i").state.draw())
  }

  @Test(arguments: [(1, 1), (3, 2), (19, 10), (60, 5)])
  func `a window too small says so`(size: (Int, Int)) {
    let scenario = Scenario.showing(width: size.0, height: size.1)
    Golden.expect("small-\(size.0)x\(size.1)", scenario.state.draw())
  }
}
