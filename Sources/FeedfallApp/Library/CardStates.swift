import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords

extension CardStates {
  /// The parts of a visible card that its video does not determine.
  struct State: Equatable, Sendable {
    var marks: VideoStates = []
    /// The watched share of the video; nil if it is not begun or its length is unknown.
    var watched: Double?
    var download: DownloadStates.Mark?
  }

  struct Playing: Equatable, Sendable {
    /// The key of its record; several cards may show the video.
    var key: VideoKey
    /// In seconds.
    var time: Double
    /// In seconds; nil if it is unknown.
    var length: Double?
  }

  struct Facts {
    /// Changes with the facts. Only the versions of one session can be compared.
    struct Version: Equatable, Sendable {
      fileprivate var library: Int
      fileprivate var downloads: Int
      fileprivate var playing: Playing?
    }

    let library: Library
    let downloads: DownloadStates
    let playing: Playing?

    var version: Version {
      Version(library: library.revision, downloads: downloads.revision, playing: playing)
    }

    func state(of slot: CardSlot) -> State {
      let card = library.store[slot]
      let playing = playing?.key == card.key ? playing : nil
      var state = State(marks: VideoStates(library.store.record(of: slot)).intersection(.signedMarks))
      let isWatched = playing == nil && state.marks.contains(.watched)
      let seconds = playing?.time ?? (isWatched ? 0 : Double(library.store.resumeSeconds(of: card)))
      let length = playing == nil ? card.video.duration?.seconds.map(Double.init) : playing?.length
      if playing != nil { state.marks.remove(.watched) }
      if playing != nil || seconds > 0 { state.marks.insert(.begun) }
      if seconds > 0, let length, length > 0, card.video.live == nil { state.watched = min(seconds / length, 1) }
      if library.isNew(slot) { state.marks.insert(.new) }
      state.download = downloads.mark(of: card.key)
      return state
    }
  }
}

struct CardStates: Equatable, Sendable {
  private static let spareCount = 128
  private var states: [CardSlot: State] = [:]
  private var version: Facts.Version?

  subscript(slot: CardSlot) -> State { states[slot] ?? State() }

  var count: Int { states.count }

  mutating func prepare(_ slots: [CardSlot], _ facts: Facts) {
    let new = facts.version
    if new != version || states.count > slots.count + Self.spareCount { states.removeAll(keepingCapacity: true) }
    version = new
    for slot in slots where states[slot] == nil { states[slot] = facts.state(of: slot) }
  }
}
