import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct ScreenTests {
  @Test(arguments: [LayoutKind.waterfall, .grid])
  func `a large window with colors matches its golden file in each layout`(layout: LayoutKind) {
    let scenario = Scenario.showing(width: 120, height: 40, layout: layout)
    Golden.expect("\(layout.rawValue)-120x40", scenario.state.draw())
  }

  @Test(arguments: [(40, 15), (80, 24), (200, 50)])
  func `the list shows more columns in a wider window`(size: (Int, Int)) {
    let scenario = Scenario.showing(datedVideos(60), width: size.0, height: size.1, layout: .list).typing("llljjj")
    Golden.expect("list-\(size.0)x\(size.1)", scenario.state.draw())
  }

  @Test(arguments: [(40, 15), (120, 36)])
  func `justified rows in a small and a large window match their golden files`(size: (Int, Int)) {
    let scenario = Scenario.showing(datedVideos(60), width: size.0, height: size.1, layout: .justified).typing("lj")
    Golden.expect("justified-\(size.0)x\(size.1)", scenario.state.draw())
  }

  @Test(arguments: [LayoutKind.waterfall, .list], [(40, 15), (120, 36)])
  func `groups in a small and a large window match their golden files`(layout: LayoutKind, size: (Int, Int)) {
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

  @Test func `the footer while there is more`() {
    Golden.expect("footer-idle", Scenario.showing(sampleVideos(20), next: .page(1)).typing("Gr").state.draw())
  }

  /// The text of the header or the footer after keys and perhaps a failure.
  struct Edge: Sendable {
    let keys: String
    var failure: FeedFailure?
    var laterKeys = ""
    let text: String
    let role: Role
    var isBusy = false
    var status = "films.example  Enter details  space play  / search  q quit  ? help"
  }

  private static let wait = FeedFailure(.wait(seconds: 7), "the server is busy")
  private static let longWait = FeedFailure(.wait(seconds: 600), "the server is busy")
  private static let reset = FeedFailure(.temporary, "the connection was reset")
  private static let waitStatus = "films.example · waiting 7 s for the server          q quit  ? help"

  @Test(arguments: [
    Edge(keys: "r", text: "⠋ Refreshing…", role: .dim, isBusy: true),
    Edge(
      keys: "r", failure: wait, text: "Loading continues in 7 s, as the server asked.", role: .warning,
      status: waitStatus),
  ])
  func `the header is a row above the cards`(edge: Edge) {
    let start = Scenario.showing()
    expect(edge, inRow: 0, of: start, besides: start.typing("k"))
  }

  @Test(arguments: [
    Edge(keys: "m", text: "⠋ Loading more…", role: .dim, isBusy: true),
    Edge(
      keys: "m", failure: wait, text: "Loading continues in 7 s, as the server asked.", role: .warning,
      status: waitStatus),
    Edge(keys: "m", failure: reset, laterKeys: "<Esc>", text: "Loading failed. Press m to retry.", role: .error),
    Edge(
      keys: "m", failure: longWait, laterKeys: "<Esc>", text: "Wait 10 min for the server, then press m.",
      role: .warning),
  ])
  func `the footer is the last row of the cards`(edge: Edge) {
    let start = Scenario.showing(sampleVideos(20), next: .page(1)).typing("G")
    expect(edge, inRow: 22, of: start, besides: start.typing("r"))
  }

  @Test func `the footer after the last page`() {
    let edge = Edge(keys: "G", text: "End of the list · 20 videos", role: .success)
    expect(edge, inRow: 22, of: .showing(), besides: .showing(sampleVideos(20), next: .page(1)).typing("Gr"))
  }

  @Test func `the footer just before loading more`() {
    let start = Scenario.showing(sampleVideos(20), next: .page(1), columns: .count(1))
    let edge = Edge(keys: "G", text: "Loading more in a moment", role: .dim)
    expect(edge, inRow: 22, of: start, besides: start.typing("Gr"))
  }

  @Test func `a dismissed failure of the first load stays in the header`() {
    let edge = Edge(
      keys: "", failure: Self.reset, laterKeys: "<Esc>", text: "Loading failed. Press r to retry.", role: .error,
      status: "films.example                                         r retry  q quit  ? help")
    expect(edge, inRow: 0, of: Scenario(), besides: nil)
  }

  /// All other rows of cards are those of another scenario.
  private func expect(_ edge: Edge, inRow row: Int, of start: Scenario, besides other: Scenario?) {
    var scenario = start.typing(edge.keys)
    if let failure = edge.failure { scenario.fail(failure) }
    scenario.type(edge.laterKeys)
    func rows(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    let canvas = scenario.state.draw()
    let indent = (80 - edge.text.count) / 2
    var (texts, roles) = (rows(canvas.text), rows(canvas.roles))
    #expect(texts[row] == String(repeating: " ", count: indent) + edge.text)
    #expect(roles[row].dropFirst(indent).prefix(edge.text.count).allSatisfy { $0 == edge.role.letter })
    #expect(roles[row].allSatisfy { $0 == "." || $0 == edge.role.letter })
    #expect(scenario.status.hasSuffix(edge.status) && scenario.status.hasPrefix("⠋") == edge.isBusy)
    guard let other = other?.state.draw() else {
      #expect(texts.enumerated().allSatisfy { $0 == row || $0 == 23 || $1.isEmpty })
      return
    }
    var (otherTexts, otherRoles) = (rows(other.text), rows(other.roles))
    for index in [23, row] {
      texts.remove(at: index)
      roles.remove(at: index)
      otherTexts.remove(at: index)
      otherRoles.remove(at: index)
    }
    #expect(texts == otherTexts && roles == otherRoles)
  }

  @Test func `a failure shows how long the server asks to wait`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("Gm")
    scenario.fail(Self.longWait)
    #expect(
      scenario.screen.contains("⚠ Could not load more videos: the server is busy. The\n   server asked to wait 10 min.")
    )
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
