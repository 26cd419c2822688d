import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// A session without a terminal and a network: generated pages answer its requests.
struct CountedSession {
  private struct Request {
    var source: SourceID
    var cursor: FeedCursor
    var ticket: Ticket
  }

  private static let now = UnixTime(seconds: 1_700_000_000)

  private var app: AppState
  private var requests: [Request] = []
  private var waits: [Wait] = []
  private var covers: [Ticket] = []
  private let pageSize: Int
  private let hasSizes: Bool
  /// Keeps the work from being optimized away.
  private(set) var sum = 0

  /// A session in a window of 120 by 40 cells whose first pages together hold about `cardCount` cards. `hasSizes`:
  /// whether the feeds name the sizes of the pictures.
  init(sources: Int, cardCount: Int, records: UserData = UserData(device: "a"), hasSizes: Bool = true) {
    (pageSize, self.hasSizes) = (cardCount / sources, hasSizes)
    var settings = AppSettings(sources: (0..<sources).map { SourceSettings(name: "source \($0)", isLocal: true) })
    settings.userData = records
    app = AppState(settings: settings)
    send(.screenChanged(Size(width: 120, height: 40), cellSize: Size(width: 8, height: 16)))
    send(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    send(.started)
    answerRequests()
  }

  mutating func press(_ key: Key) { send(.input(.key(key))) }

  mutating func draw() { sum += app.draw().cells.count }

  mutating func answerRequests() {
    let answered = requests
    requests = []
    for request in answered {
      let number: Int = if case .page(let number) = request.cursor { number } else { 0 }
      let videos = (0..<pageSize).map { video(number * pageSize + $0, of: request.source) }
      send(.pageArrived(request.ticket, FeedPage(videos: videos, next: .page(number + 1)), at: Self.now))
    }
  }

  /// Ends the waits after scrolling, before loading and between the pieces of a filter's facts.
  mutating func passPauses() {
    let passed = waits
    waits = []
    for wait in passed {
      switch wait {
      case .rest, .lengths, .loader, .facts: send(.waitElapsed(wait))
      case .counts, .pull, .details, .glide, .spinner, .preview, .covers, .controls, .level, .filmShape, .secondClick,
        .refresh, .toast, .marks, .titles, .schedule:
        break
      }
    }
  }

  private mutating func send(_ event: AppEvent) {
    for effect in app.handle([event]) {
      switch effect {
      case .requestPage(let source, let cursor, _, let ticket):
        requests.append(Request(source: source, cursor: cursor, ticket: ticket))
      case .wait(_, let wait): waits.append(wait)
      case .requestCover(_, let ticket): covers.append(ticket)
      default: sum += 1
      }
    }
  }

  mutating func resize(to size: Size) { send(.screenChanged(size, cellSize: Size(width: 8, height: 16))) }

  /// Reports the size of a picture that is still loading: of one a round, in turn of 4:3 and 1:1.
  mutating func reportCoverSize(_ round: Int) {
    guard !covers.isEmpty, let size = PixelSize(width: round / covers.count % 2 == 0 ? 400 : 300, height: 300) else {
      return
    }
    send(.coverSize(size, covers[round % covers.count]))
  }

  private func video(_ number: Int, of source: SourceID) -> Video {
    let folder = "https://example.org/\(source.number)/\(number)"
    let files = WebAddress("\(folder).mp4").map { [MediaFile(url: .web($0))] } ?? []
    var video = Video(
      id: "video-\(source.number)-\(number)", title: "The long way down: a waterfall in four seasons, part \(number)",
      playback: .direct(files))
    let height = 200 + number * 37 % 300
    video.published = UnixTime(seconds: Self.now.seconds - number * 3_600 - source.number * 100)
    video.covers =
      WebAddress("\(folder).jpg").map { [Cover(url: $0, width: hasSizes ? 640 : nil, height: hasSizes ? height : nil)] }
      ?? []
    if hasSizes { video.pictureSize = PixelSize(width: 640, height: height) }
    video.pageURL = WebAddress("\(folder).html")
    video.author = "Author \(number % 9)"
    video.channel = "Channel \(number % 7)"
    video.summary = "A summary of video \(number) that is long enough to be stored outside the value."
    return video
  }
}

extension CountedSession {
  private static let works: [String: @Sendable (_ sources: Int, _ rounds: Int) -> Int] = [
    "start": { sources, rounds in
      (0..<rounds).reduce(0) { sum, _ in
        var session = CountedSession(sources: sources, cardCount: 60)
        session.draw()
        return sum + session.sum
      }
    },
    "more": { sources, rounds in
      repeated(rounds, sources, cardCount: 60) { session, _ in
        session.press(.character("G"))
        session.passPauses()
        session.answerRequests()
      }
    },
    "key": { sources, rounds in
      repeated(rounds, sources) { session, round in
        session.press(round / 20 % 2 == 0 ? .down : .up)
        session.draw()
      }
    },
    "page": { sources, rounds in
      repeated(rounds, sources) { session, round in
        session.press(round / 8 % 2 == 0 ? .pageDown : .pageUp)
        session.draw()
        session.passPauses()
      }
    },
    "search": { sources, rounds in
      repeated(rounds, sources) { session, round in
        if round == 0 { session.press(.character("/")) }
        session.press(.character("q"))
        session.press(.backspace)
      }
    },
    "filter": { sources, rounds in
      repeated(rounds, sources) { session, round in
        if round == 0 { session.press(.character("f")) }
        session.press(.character(Array("part 77")[round % 7]))
        session.draw()
      }
    },
    "order": { sources, rounds in
      repeated(rounds, sources) { session, _ in
        session.press(.character("S"))
        session.draw()
      }
    },
    "watch": { sources, rounds in
      // With the user's records of 100,000 other videos.
      let log = RecordLog.bytes(of: 100_000)
      var records = UserData(device: "a")
      _ = log.withUnsafeBufferPointer { records.read($0, of: "a", now: 1_700_000_000_000) }
      return repeated(rounds, sources, records: records) { session, _ in
        session.press(.character("x"))
        session.draw()
      }
    },
    // Of 10,000 cards.
    "hide": { sources, rounds in
      repeated(rounds, sources, cardCount: 10_000) { session, _ in session.press(.character("X")) }
    },
    "resize": { sources, rounds in
      repeated(rounds, sources, cardCount: 10_000) { session, round in
        session.resize(to: Size(width: round % 2 == 0 ? 119 : 120, height: 40))
      }
    },
    "cover": { sources, rounds in
      repeated(rounds, sources, cardCount: 10_000, hasSizes: false) { session, round in session.reportCoverSize(round) }
    },
    "details": { sources, rounds in
      repeated(rounds, sources) { session, _ in
        session.press(.enter)
        session.draw()
        session.press(.escape)
        session.draw()
      }
    },
    "layouts": { sources, rounds in
      repeated(rounds, sources) { session, _ in
        session.press(.character("v"))
        session.draw()
      }
    },
  ]

  /// The works by name: those of one source, and with a "3" behind the name those of three sources.
  static var counted: [(name: String, work: @Sendable (Int) -> Int)] {
    works.flatMap { name, work in
      [(name, { @Sendable in work(1, $0) }), (name + "3", { @Sendable in work(3, $0) })]
    }
  }

  private static func repeated(
    _ rounds: Int, _ sources: Int, cardCount: Int = 1_200, records: UserData = UserData(device: "a"),
    hasSizes: Bool = true, _ round: (inout CountedSession, Int) -> Void
  ) -> Int {
    var session = CountedSession(sources: sources, cardCount: cardCount, records: records, hasSizes: hasSizes)
    for number in 0..<rounds { round(&session, number) }
    return session.sum
  }
}
