import FeedfallApp
import FeedfallFeeds
import FeedfallText
import Synchronization

@testable import FeedfallProgram

func film(_ number: Int) -> Video {
  let address = WebAddress("https://films.example/\(number).mp4")
  return Video(
    id: "\(number)", title: "Film \(number)",
    playback: address.map { .direct([MediaFile(url: $0)]) } ?? .unknown)
}

let page = FeedPage(videos: (0..<200).map(film))

let films = SourceSettings(name: "films.example", isLocal: true)

func services(
  page load: @escaping @Sendable (FeedCursor) async -> Result<FeedPage, FeedFailure> = { _ in .success(page) }
) -> Services {
  Services(page: { _, cursor, _ in await load(cursor) }, details: { .success($1) }, openInBrowser: { _ in })
}

/// A program with the source `films`, or others.
func runtime(
  _ port: TerminalPort, _ services: Services = services(), sources: [SourceSettings] = [films],
  signals: Runtime.PolledSource<Int32> = .none, inbox: Inbox = Inbox(), firstPaintTimeout: Duration = .zero,
  settings change: (inout AppSettings) -> Void = { _ in }, idleReport: ((Int) -> Void)? = nil
) -> Runtime {
  var settings = AppSettings(sources: sources)
  change(&settings)
  return Runtime(
    state: AppState(settings: settings), terminal: port, signals: signals, services: services, inbox: inbox,
    firstPaintTimeout: firstPaintTimeout, idleReport: idleReport)
}

/// A program whose pages are loaded by `load`.
func runtime(
  _ terminal: RecordingTerminal, signals: Runtime.PolledSource<Int32> = .none,
  page load: @escaping @Sendable (FeedCursor) async -> Result<FeedPage, FeedFailure> = { _ in .success(page) }
) -> Runtime {
  runtime(terminal.port, services(page: load), signals: signals)
}

/// A load that never ends.
@Sendable func neverLoaded() async -> Result<FeedPage, FeedFailure> {
  await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
  return .success(page)
}

func next(_ counter: borrowing Mutex<Int>) -> Int {
  counter.withLock {
    $0 += 1
    return $0
  }
}
