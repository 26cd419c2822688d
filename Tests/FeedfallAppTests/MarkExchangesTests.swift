import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct MarkExchangesTests {
  private static let now = 1_900_000_000_000
  private static let refusal = MarkResult.failed(FeedFailure(.permanent, "the server answered 403 Forbidden"))
  private static let outage = MarkResult.failed(FeedFailure(.temporary, "no answer"))

  /// The entries of an account; some are read.
  private static func page(_ count: Int = 2, read: Set<Int> = [], next: FeedCursor? = nil) -> FeedPage {
    let scope = WebAddress("https://rss.example/?user=anna").map { FeedScope($0) }
    var page = FeedPage(videos: sampleVideos(count), next: next)
    for index in page.videos.indices { (page.videos[index].id, page.videos[index].scope) = ("e\(index)", scope) }
    page.marks = page.videos.enumerated().map { MarkedVideo($1, read.contains($0) ? [.watched] : []) }
    return page
  }

  /// A program with a remote source whose first page has arrived, and whose agreements are being read.
  private func opening(_ page: FeedPage = page(), records: UserData = UserData(device: "desk")) -> Scenario {
    var settings = AppSettings(sources: [SourceSettings(name: "News", isLocal: false)])
    (settings.userData, settings.exchangesMarks) = (records, true)
    var scenario = Scenario(settings)
    scenario.handle(.clockRead(UnixTime(seconds: Self.now / 1_000)), at: Self.now)
    scenario.answer(page)
    return scenario
  }

  private func showing(_ page: FeedPage = page()) -> Scenario {
    var scenario = opening(page)
    scenario.readAgreements()
    return scenario
  }

  private func key(_ id: String) -> VideoKey {
    VideoKey(Self.page(9).videos.first { $0.id == id } ?? sampleVideo(0))
  }

  private func isWatched(_ scenario: Scenario, _ id: String = "e0") -> Bool {
    scenario.state.library.store.userData[key(id)].watched != nil
  }

  // MARK: - Pages

  @Test func `the first page waits for the agreements, and later ones do not`() {
    var scenario = opening(Self.page(read: [0]))
    #expect(scenario.state.shownVideos.isEmpty)
    scenario.readAgreements()
    #expect(scenario.state.shownVideos.count == 2 && isWatched(scenario) && !isWatched(scenario, "e1"))
    #expect(scenario.savedText.contains("read 1 1 e0\n") && scenario.sent.isEmpty)
    scenario.refresh(Self.page(read: [0, 1]))
    #expect(isWatched(scenario, "e1") && scenario.savedText.contains("read 1 \(Self.now) e1\n"))
  }

  @Test func `the log is written before the agreements`() {
    let saves = showing(Self.page(read: [0])).effects.compactMap { effect -> String? in
      switch effect {
      case .saveEvents: "events"
      case .saveAgreements: "agreements"
      default: nil
      }
    }
    #expect(saves == ["events", "agreements"])
  }

  @Test func `two pages of an account wait for one reading`() {
    var settings = AppSettings(sources: ["News", "Talks"].map { SourceSettings(name: $0, isLocal: true) })
    settings.exchangesMarks = true
    var scenario = Scenario(settings)
    for source in [0, 1] { scenario.answer(source, Self.page(read: [0])) }
    #expect(scenario.readings.count == 1 && scenario.state.library.isBusy)
    scenario.readAgreements()
    #expect(!scenario.state.library.isBusy && isWatched(scenario))
  }

  @Test func `agreements that cannot be read are reported once, and marks are exchanged once they can be`() {
    var scenario = opening(Self.page(read: [0]))
    scenario.failReadingAgreements()
    #expect(scenario.state.toast.text == Words.marksUnreadable("/state/desk: Permission denied"))
    #expect(scenario.state.shownVideos.count == 2 && !isWatched(scenario))
    scenario.refresh(Self.page(read: [0]))
    scenario.failReadingAgreements()
    #expect(scenario.state.toast.text != Words.marksUnreadable("/state/desk: Permission denied"))
    scenario.refresh(Self.page(read: [0]))
    scenario.readAgreements()
    #expect(isWatched(scenario) && scenario.saved.count == 1)
  }

  @Test func `a damaged file is named`() {
    var scenario = opening()
    scenario.readAgreements(damagedCopy: "/state/desk.damaged")
    #expect(scenario.state.toast.text == Words.marksDamaged("/state/desk.damaged"))
  }

  @Test func `an answer without a pending request changes nothing`() throws {
    var scenario = showing()
    scenario.type("r")
    let ticket = try #require(scenario.awaitedTicket)
    scenario.fail(FeedFailure(.temporary, "no answer"))
    scenario.handle(.pageArrived(ticket, Self.page(read: [0]), at: UnixTime(seconds: 0)))
    #expect(!isWatched(scenario))
  }

  @Test func `without a folder for records, no marks are exchanged`() {
    var scenario = Scenario(AppSettings(sources: [SourceSettings(name: "News", isLocal: true)]))
    scenario.answer(Self.page(read: [0]))
    #expect(scenario.state.shownVideos.count == 2 && scenario.readings.isEmpty && !isWatched(scenario))
  }

  // MARK: - Sending

  @Test func `a change is sent once, and its success is stored`() {
    var scenario = showing().typing("x")
    #expect(scenario.sent == [MarkChange(.watched, true, ids: ["e0"])])
    scenario.answerMarks(.sent)
    #expect(scenario.savedText.contains("read 1 \(Self.now) e0\n"))
    scenario.refresh(Self.page(read: [0]))
    #expect(scenario.sent.count == 1 && isWatched(scenario))
  }

  @Test func `one request at a time is sent, and the next follows its answer`() {
    var scenario = showing().typing("x*")
    scenario.handle(.marksSent(Ticket(office: 9, number: 9), .sent))
    #expect(scenario.sent.map(\.mark) == [.watched])
    scenario.answerMarks(.sent)
    #expect(scenario.sent.map(\.mark) == [.watched, .starred])
  }

  @Test func `a page requested before a change does not take it back`() {
    var scenario = showing().typing("rx")
    scenario.answerMarks(.sent)
    scenario.answer(Self.page())
    #expect(isWatched(scenario) && scenario.sent.count == 1)
  }

  @Test func `changes that the last program could not send are sent with the first page`() {
    let last = showing().typing("*")
    var scenario = opening(records: last.state.library.store.userData)
    scenario.readAgreements(last.savedText)
    #expect(scenario.sent == [MarkChange(.starred, true, ids: ["e0"])])
  }

  @Test(arguments: [true, false])
  func `changes by another program on this device are sent, those of other devices are left to them`(isOwn: Bool) {
    var other = UserData(device: isOwn ? "desk" : "laptop")
    let change = AppEvent.recordsChanged(
      UserData(of: other.change(key("e0"), [.flag(.starred, true)], at: Self.now)))
    var (early, late) = (opening(), showing())
    early.handle(change)
    early.readAgreements("contact 5\n")
    late.handle(change)
    #expect(early.sent.isEmpty != isOwn && early.sent == late.sent)
  }

  @Test func `a removal whose value on the server is unknown is stored at once`() {
    var scenario = showing(Self.page(1))
    let count = scenario.saved.count
    var records = UserData(device: "desk")
    for (isSet, device) in [(true, "laptop"), (false, "desk")] {
      var other = UserData(device: device)
      other.merge(records)
      records = UserData(of: other.change(key("e1"), [.flag(.starred, isSet)], at: Self.now))
      scenario.handle(.recordsChanged(records))
    }
    #expect(scenario.saved.count == count + 1 && scenario.savedText.contains("starred ? "))
  }

  // MARK: - Failures

  @Test func `a page that loads ends the pause after a failure`() {
    var scenario = showing().typing("x")
    scenario.answerMarks(Self.outage)
    #expect(scenario.state.toast.text?.hasPrefix("Could not send your marks: no answer.") == true)
    #expect(scenario.sent.count == 1 && scenario.pauses == [.seconds(15)])
    scenario.refresh(Self.page())
    #expect(scenario.sent.count == 2 && isWatched(scenario) && !scenario.openWaits.contains { $0.isMarks })
  }

  @Test func `a server that asks to wait is left alone for that time`() {
    var scenario = showing().typing("x")
    scenario.answerMarks(.failed(FeedFailure(.wait(seconds: 90), "too many requests")))
    #expect(scenario.pauses == [.seconds(90)] && scenario.sent.count == 1)
    scenario.endMarkPause()
    #expect(scenario.sent.count == 2)
  }

  @Test(arguments: [outage, .failed(FeedFailure(.wait(seconds: 1), "busy")), .refused(FeedFailure(.permanent, "no"))])
  func `a server that accepts nothing for a day gets few requests`(result: MarkResult) {
    var scenario = showing(Self.page(9))
    for _ in 1...9 { scenario.type("x<Right>") }
    var time = Duration.zero
    while time < .seconds(86_400), scenario.sent.count < 1_000, scenario.pauses.count < scenario.sent.count {
      scenario.answerMarks(result)
      time += scenario.pauses.last ?? .zero
      scenario.endMarkPause()
    }
    #expect((2...60).contains(scenario.sent.count), "\(scenario.sent.count)")
  }

  @Test func `after a refused login, only a page leads to another request`() {
    var scenario = showing().typing("x")
    scenario.answerMarks(Self.refusal)
    scenario.type("*")
    #expect(scenario.sent.count == 1 && scenario.pauses.isEmpty)
    scenario.refresh(Self.page())
    #expect(scenario.sent.count == 2)
  }

  @Test func `a change that fails for good in three hours is given up`() {
    var scenario = showing().typing("x")
    for hour in 0..<3 {
      scenario.handle(.clockRead(UnixTime(seconds: 0)), at: Self.now + hour * 3_600_000)
      // Failures within an hour count once.
      for _ in 1...2 {
        scenario.answerMarks(Self.refusal)
        scenario.refresh(Self.page())
      }
    }
    #expect(scenario.sent.count == 5 && scenario.savedText.contains("refused read \(Self.now) e0\n"))
    scenario.endMarkPause()
    #expect(scenario.sent.count == 5)
  }

  @Test func `a refused mark does not keep others, and a page does not shorten the pause after it`() {
    var scenario = showing().typing("x")
    scenario.answerMarks(.refused(FeedFailure(.permanent, "not found")))
    #expect(scenario.state.toast.text == "Could not send your marks: not found. Set the mark again to retry.")
    scenario.type("*")
    scenario.refresh(Self.page())
    #expect(scenario.sent.count == 1 && scenario.pauses == [.seconds(1)])
    scenario.endMarkPause()
    #expect(scenario.sent.last == MarkChange(.starred, true, ids: ["e0"]))
  }

  // MARK: - The end

  @Test func `at the end no request begins, and the answer to the last one is stored`() {
    var scenario = showing().typing("x*")
    scenario.handle(.ending)
    scenario.answerMarks(.sent)
    #expect(scenario.sent.map(\.mark) == [.watched] && scenario.savedText.contains("read 1 \(Self.now) e0\n"))
  }

  @Test func `at the end, refusals are stored`() {
    var scenario = showing(Self.page(3))
    for _ in 1...3 { scenario.type("x<Right>") }
    scenario.answerMarks(.sent)
    scenario.answerMarks(.refused(FeedFailure(.permanent, "not found")))
    #expect(!scenario.savedText.contains("refusals"))
    scenario.handle(.ending)
    #expect(scenario.savedText.contains("refusals 1\n"))
  }
}

extension Scenario {
  fileprivate var readings: [(scope: FeedScope, ticket: Ticket)] {
    effects.compactMap { if case .readAgreements(let scope, _, let ticket) = $0 { (scope, ticket) } else { nil } }
  }

  /// Answers the last request for agreements.
  fileprivate mutating func readAgreements(_ text: String = "", damagedCopy: String? = nil) {
    guard let (scope, ticket) = readings.last else { return }
    var sync = MarkSync(scope: scope, device: "desk")
    sync.read(text)
    handle(.agreementsRead(ticket, sync, damagedCopy: damagedCopy))
  }

  fileprivate mutating func failReadingAgreements() {
    readings.last.map { handle(.agreementsUnreadable($0.ticket, reason: "/state/desk: Permission denied")) }
  }

  fileprivate mutating func refresh(_ page: FeedPage) {
    endWaits(where: { !$0.isMarks })
    type("r")
    answer(page)
  }

  private mutating func endWaits(where isEnded: (Wait) -> Bool) {
    for wait in openWaits where isEnded(wait) { end(wait) }
  }

  fileprivate var saved: [String] {
    effects.compactMap { if case .saveAgreements(let sync) = $0 { sync.text } else { nil } }
  }

  fileprivate var savedText: String { saved.last ?? "" }

  fileprivate var sent: [MarkChange] {
    effects.compactMap { if case .sendMarks(_, let change, _) = $0 { change } else { nil } }
  }

  fileprivate var pauses: [Duration] {
    effects.compactMap { if case .wait(let pause, .marks) = $0 { pause } else { nil } }
  }

  /// Answers the last change.
  fileprivate mutating func answerMarks(_ result: MarkResult) {
    let tickets = effects.compactMap { if case .sendMarks(_, _, let ticket) = $0 { ticket } else { nil } }
    tickets.last.map { handle(.marksSent($0, result)) }
  }

  fileprivate mutating func endMarkPause() { endWaits(where: \.isMarks) }
}

extension Wait {
  fileprivate var isMarks: Bool { if case .marks = self { true } else { false } }
}

extension UserData {
  /// The records of these events.
  fileprivate init(of events: [UserEvent]) {
    self.init()
    for event in events { apply(event) }
  }
}
