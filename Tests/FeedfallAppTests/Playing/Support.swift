import FeedfallFeeds
import FeedfallText
import WaterfallEngine

@testable import FeedfallApp

/// A video with files of these names, in this order.
func playItem(_ names: String..., id: String = "film") -> PlayItem { PlayItem(video(names.map { ($0, nil) }, id: id)) }

func video(_ files: [(name: String, height: Int?)], id: String = "film") -> Video {
  let files = files.compactMap { name, height in
    WebAddress("https://films.example/\(name)").map { MediaFile(url: $0, height: height) }
  }
  return Video(id: id, title: "A video", playback: files.isEmpty ? .unknown : .direct(files))
}

func address(_ name: String) -> MediaAddress {
  guard let address = WebAddress("https://films.example/\(name)") else { fatalError("no address: \(name)") }
  return .web(address)
}

/// The order to load a file.
func load(_ number: Int, _ name: String, at seconds: Double = 0, isPaused: Bool = false) -> PlaySession.Effect {
  var request = PlayRequest(id: PlayID(number), address: address(name), title: "A video")
  request.startSeconds = seconds
  request.isPaused = isPaused
  return .order(.load(request))
}

/// The first order to a player.
let defaultConfiguration: [PlaySession.Effect] = [.order(.configure(PlayerConfiguration()))]

extension PlaySession {
  init(after commands: PlayCommand...) {
    self.init()
    for command in commands { _ = perform(command) }
  }

  /// Handles events of the current load.
  mutating func receive(_ events: PlayEvent...) -> [PlaySession.Effect] {
    let id = currentID ?? PlayID(0)
    return events.flatMap { handle(.event(id, $0)) }
  }

  func receiving(_ events: PlayEvent...) -> PlaySession {
    var copy = self
    for event in events { _ = copy.receive(event) }
    return copy
  }

  /// A session whose video is ready and has this duration; a position has been saved before.
  static func playing(_ item: PlayItem = playItem("a.mp4"), duration: Double? = 100, at seconds: Double = 0)
    -> PlaySession
  {
    PlaySession(after: .play(item)).receiving(
      .duration(seconds: duration), .ready, .time(seconds: seconds + 1), .time(seconds: seconds))
  }
}

extension PlayEvent {
  /// A length that the file states; nil for an unknown one.
  static func duration(seconds: Double?) -> PlayEvent { .length(seconds.map(MediaLength.stated) ?? .unknown) }
}
