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
  page: @escaping @Sendable (FeedCursor) async -> Result<FeedPage, FeedFailure>
) -> Services {
  Services(page: { _, cursor, _ in await page(cursor) }, details: { .success($1) }, openInBrowser: { _ in })
}

/// A program whose pages are loaded by `load`; by default each is `page`.
func runtime(
  _ terminal: RecordingTerminal, signals: Runtime.PolledSource<Int32> = .none,
  page load: @escaping @Sendable (FeedCursor) async -> Result<FeedPage, FeedFailure> = { _ in .success(page) }
) -> Runtime {
  Runtime(
    state: AppState(settings: AppSettings(sources: [films])), terminal: terminal.port, signals: signals,
    services: services(page: load))
}

func next(_ counter: borrowing Mutex<Int>) -> Int {
  counter.withLock {
    $0 += 1
    return $0
  }
}
