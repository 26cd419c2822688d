import FeedfallFeeds
import FeedfallText
import WaterfallEngine

@testable import FeedfallPlaying

/// A film with files of these names, in this order.
func film(_ names: String..., id: String = "film") -> PlayItem { PlayItem(video(names.map { ($0, nil) }, id: id)) }

func video(_ files: [(name: String, height: Int?)], id: String = "film") -> Video {
  let files = files.compactMap { name, height in
    WebAddress("https://films.example/\(name)").map { MediaFile(url: $0, height: height) }
  }
  return Video(id: id, title: "A film", playback: files.isEmpty ? .unknown : .direct(files))
}

func address(_ name: String) -> MediaAddress {
  guard let address = WebAddress("https://films.example/\(name)") else { fatalError("no address: \(name)") }
  return .web(address)
}

/// The order to load a file.
func load(_ number: Int, _ name: String, at seconds: Double = 0, isPaused: Bool = false) -> PlayEffect {
  var request = PlayRequest(id: PlayID(number), address: address(name), title: "A film")
  request.startSeconds = seconds
  request.isPaused = isPaused
  return .order(.load(request))
}

/// What a player that knows nothing is told first.
let allSettings: [PlayEffect] = [
  .order(.setVolume(100)), .order(.setMuted(false)), .order(.setRate(1)), .order(.setPresentation(.soundOnly)),
]

extension PlaySession {
  /// After these wishes.
  init(after wishes: PlayWish..., records: ResumeRecords = ResumeRecords()) {
    self.init(records: records)
    for wish in wishes { _ = perform(wish) }
  }

  /// Takes in what the player says of what it was told to play last.
  mutating func hear(_ news: PlayNews...) -> [PlayEffect] {
    let id = current ?? PlayID(0)
    return news.flatMap { handle(.playing(id, $0)) }
  }

  func hearing(_ news: PlayNews...) -> PlaySession {
    var copy = self
    for one in news { _ = copy.hear(one) }
    return copy
  }

  /// What plays is ready and this long; its place has been kept before where there is one.
  static func playing(_ item: PlayItem = film("a.mp4"), duration: Double? = 100, at seconds: Double = 0) -> PlaySession
  {
    PlaySession(after: .play(item)).hearing(
      .duration(seconds: duration), .ready, .time(seconds: seconds + 1), .time(seconds: seconds))
  }
}
