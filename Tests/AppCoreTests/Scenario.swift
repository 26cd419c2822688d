import AppCore
import Geometry
import Loading
import Screen
import VideoFeed
import WaterfallEngine

@testable import struct AppCore.AppState

/// The program with a feed of its own and nobody else around: keys are typed, answers given and waits ended by hand.
struct Scenario {
  private(set) var state: AppState
  /// All effects so far, in order.
  private(set) var effects: [AppEffect] = []
  private var unanswered: [(FeedCursor, Ticket)] = []
  private var waits: [Wait] = []

  init(
    width: Int = 80, height: Int = 24, layout: LayoutKind = .waterfall, columns: ColumnRule = .minimumWidth(24),
    hasBrowser: Bool = false
  ) {
    var settings = AppSettings(sourceName: "films.example")
    settings.layout = layout
    settings.columns = columns
    settings.hasBrowser = hasBrowser
    state = AppState(settings: settings)
    handle(.screenChanged(Size(width: width, height: height), cellSize: Size(width: 8, height: 16)))
    handle(.started)
  }

  /// The program with its first page on the screen.
  static func showing(
    _ videos: [Video] = films(20), next: FeedCursor? = nil, total: Int? = nil, width: Int = 80, height: Int = 24,
    layout: LayoutKind = .waterfall, columns: ColumnRule = .minimumWidth(24), hasBrowser: Bool = false
  ) -> Scenario {
    var scenario = Scenario(
      width: width, height: height, layout: layout, columns: columns, hasBrowser: hasBrowser)
    scenario.answer(FeedPage(videos: videos, next: next, total: total))
    return scenario
  }

  mutating func handle(_ event: AppEvent) {
    let new = state.handle(event)
    effects += new
    for effect in new {
      switch effect {
      case .requestPage(let cursor, let ticket): unanswered.append((cursor, ticket))
      case .cancel(let ticket):
        unanswered.removeAll { $0.1 == ticket }
        waits.removeAll { $0.ticket == ticket }
      case .wait(_, let wait): waits.append(wait)
      case .requestDetails, .copy, .openInBrowser, .play, .repaint, .suspend, .quit: break
      }
    }
  }

  mutating func type(_ script: String) {
    guard let keys = try? keys(typed: script) else { fatalError("no such keys: \(script)") }
    for key in keys { handle(.input(.key(key))) }
  }

  func typing(_ script: String) -> Scenario {
    var copy = self
    copy.type(script)
    return copy
  }

  /// The page that is asked for and has not come.
  var awaitedPage: FeedCursor? { unanswered.last?.0 }

  mutating func answer(_ page: FeedPage) {
    guard let (_, ticket) = unanswered.popLast() else { return }
    handle(.pageArrived(ticket, page))
  }

  mutating func fail(_ failure: FeedFailure) {
    guard let (_, ticket) = unanswered.popLast() else { return }
    handle(.pageFailed(ticket, failure))
  }

  /// Ends the waits that are under way now, apart from those for an answer.
  mutating func endWaits() {
    let ended = waits
    waits = []
    for wait in ended where !isTimeout(wait) { handle(.waitElapsed(wait)) }
    waits += ended.filter(isTimeout)
  }

  /// Lets the answer that is waited for come too late.
  mutating func timeOut() {
    guard let (_, ticket) = unanswered.last else { return }
    handle(.waitElapsed(.loader(ticket)))
  }

  private func isTimeout(_ wait: Wait) -> Bool {
    unanswered.contains { wait == .loader($0.1) }
  }
}

/// Films with pictures of several sizes and titles of several lengths.
func films(_ count: Int, from first: Int = 0) -> [Video] {
  (first..<first + count).map(film)
}

func film(_ number: Int) -> Video {
  let titles = [
    "Elephants Dream", "A walk through the old town on a rainy afternoon in late November", "中文视频 学习",
    "Sintel", "The tape that nobody was supposed to find in the attic", "Café noir", "Spring",
  ]
  let sizes = [(1280, 720), (640, 480), (1080, 1350), (1688, 720)]
  let address = WebAddress("https://films.example/\(number).mp4")
  let file = address.map { Playback.direct([MediaFile(url: $0)]) }
  var video = Video(
    id: "film-\(number)", title: "\(number) \(titles[number % titles.count])", playback: file ?? .unknown)
  let size = sizes[number % sizes.count]
  video.pictureSize = number % 5 == 4 ? nil : PixelSize(width: size.0, height: size.1)
  video.duration = number % 6 == 5 ? nil : .seconds(61 + number * 97)
  video.channel = number % 3 == 2 ? nil : "Channel \(number % 4)"
  video.covers = WebAddress("https://films.example/\(number).jpg").map { [Cover(url: $0)] } ?? []
  video.pageURL = number % 2 == 0 ? WebAddress("https://films.example/watch/\(number)") : nil
  video.licence = "CC BY 3.0"
  video.summary = "What happens in film \(number).\n\nAnd how it ends."
  return video
}
