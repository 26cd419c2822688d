import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The processor time of the state with thousands of sources, without requests, decoding and the disk.
enum InboxBenchmarks {
  private static let sourceCount = 3_079

  static func run(_ output: (String, Double, String) -> Void) {
    for count in [10, sourceCount] {
      var session = InboxSession(sourceCount: count)
      session.answerBatch(fromCache: true)
      report("first paint with \(count) sources", session)
    }
    var session = InboxSession(sourceCount: sourceCount)
    session.answerAll(fromCache: true)
    report("cached pages", session)
    session.restart()
    session.answerAll(fromCache: false)
    report("refresh", session)
    let keys = [
      ("j", Key.down), ("PgDn", .pageDown), ("b", .character("b")), ("b again", .character("b")), ("Tab", .tab),
    ]
    for (name, key) in keys {
      session.restart()
      session.press(key)
      output("inbox: \(name)", session.total, "ms")
    }
    var failing = InboxSession(sourceCount: sourceCount)
    failing.failAll()
    report("failures", failing)
    var marking = InboxSession(sourceCount: 334)
    marking.answerAll(fromCache: true)
    marking.restart()
    marking.press(.character("M"))
    report("mark of \(marking.savedCount) videos", marking)

    func report(_ name: String, _ session: InboxSession) {
      output("inbox: \(name)", session.total, "ms")
      output("inbox: \(name), longest turn", session.longest, "ms")
    }
  }
}

/// A session whose sources have 30 videos each, in the cache and on their servers.
private struct InboxSession {
  private static let now = UnixTime(seconds: 1_700_000_000)
  private static let videoCount = 30
  /// The pages that arrive together.
  private static let batchSize = 8

  private var app: AppState
  private var recalls: [(source: SourceID, ticket: Ticket)] = []
  private var requests: [(source: SourceID, ticket: Ticket)] = []
  /// In milliseconds.
  private(set) var (total, longest) = (0.0, 0.0)
  private(set) var savedCount = 0

  init(sourceCount: Int) {
    let sources = (0..<sourceCount).map { number in
      var source = SourceSettings(name: "Channel \(number)", isLocal: false)
      (source.address, source.givenName) = ("https://s\(number).example/feed.xml", "Channel \(number)")
      source.isSubscription = true
      return source
    }
    var settings = AppSettings(sources: sources)
    settings.userData = UserData(device: "a")
    app = AppState(settings: settings)
    send([.screenChanged(Size(width: 160, height: 45), cellSize: Size(width: 8, height: 16))])
    send([.started])
  }

  mutating func restart() { (total, longest) = (0, 0) }

  mutating func press(_ key: Key) { send([.input(.key(key))]) }

  mutating func answerAll(fromCache isCached: Bool) {
    while !(isCached ? recalls : requests).isEmpty { answerBatch(fromCache: isCached) }
  }

  mutating func failAll() {
    let failure = FeedFailure(.temporary, "no connection")
    while !requests.isEmpty || !recalls.isEmpty {
      let batch = Array(recalls.prefix(Self.batchSize)) + requests.prefix(Self.batchSize)
      recalls.removeFirst(min(recalls.count, Self.batchSize))
      requests.removeFirst(min(requests.count, Self.batchSize))
      send(batch.map { .pageFailed($0.ticket, failure) })
    }
  }

  mutating func answerBatch(fromCache isCached: Bool) {
    let batch = Array((isCached ? recalls : requests).prefix(Self.batchSize))
    if isCached { recalls.removeFirst(batch.count) } else { requests.removeFirst(batch.count) }
    send(
      batch.map { source, ticket in
        var page = FeedPage(videos: (0..<Self.videoCount).map { video($0, of: source) })
        if isCached { page.savedAt = UnixTime(seconds: Self.now.seconds - 600) }
        return .pageArrived(ticket, page, at: Self.now)
      })
  }

  /// Handles events as the main loop does, and draws.
  private mutating func send(_ events: [AppEvent]) {
    let time = ProcessorTime.milliseconds {
      for effect in app.handle(events) {
        switch effect {
        case .requestPage(let source, _, .onlyIfCached, let ticket): recalls.append((source, ticket))
        case .requestPage(let source, _, _, let ticket): requests.append((source, ticket))
        case .cancel(let ticket): recalls.removeAll { $0.ticket == ticket }
        case .saveEvents(let events): savedCount += events.count
        default: break
        }
      }
      savedCount += app.draw().cells.isEmpty ? 1 : 0
    }
    (total, longest) = (total + time, max(longest, time))
  }

  private func video(_ number: Int, of source: SourceID) -> Video {
    let folder = "https://s\(source.number).example/\(number)"
    let files = WebAddress("\(folder).mp4").map { [MediaFile(url: .web($0))] } ?? []
    var video = Video(
      id: "yt:video:\(source.number)-\(number)", title: "Video \(number) of channel \(source.number): over a lazy dog",
      playback: .direct(files))
    let age = number * 10_800 * (1 + source.number % 20) + source.number % 97 * 3_600
    video.published = UnixTime(seconds: Self.now.seconds - age)
    video.pageURL = WebAddress(folder)
    video.summary = "A summary of video \(number) that is long enough to be stored outside the value."
    return video
  }
}
