import FeedfallRecords
import FeedfallText

struct DownloadStates: Equatable, Sendable {
  private var states: [VideoKey: DownloadState] { didSet { revision += 1 } }
  private(set) var revision = 0
  /// The downloads that the next press of the key removes.
  private var removal: Set<VideoKey> = []
  private var requests: [VideoKey: DownloadRequest]
  private var replaced: [VideoKey: DownloadRequest] = [:]
  /// The places in the list, ascending.
  private var places: [VideoKey: Int]
  private var lastPlace: Int
  /// Why each download has waited since it last received data. Each reason is reported once.
  private var reportedReasons: [VideoKey: Set<String>] = [:]

  /// - Parameter requests: in the order of the list.
  init(_ states: [VideoKey: DownloadState] = [:], requests: [DownloadRequest] = []) {
    self.states = states
    self.requests = Dictionary(requests.map { ($0.key, $0) }) { first, _ in first }
    places = Dictionary(zip(requests.map(\.key), 1...)) { first, _ in first }
    for key in states.keys where places[key] == nil { places[key] = 0 }
    lastPlace = requests.count
  }

  var isEmpty: Bool { states.isEmpty }

  subscript(key: VideoKey) -> DownloadState? { states.isEmpty ? nil : states[key] }

  func request(of key: VideoKey) -> DownloadRequest? { requests[key] }

  /// The request of an earlier attempt, which continues if the present request gets no address.
  func replacedRequest(of key: VideoKey) -> DownloadRequest? { replaced[key] }

  func place(of key: VideoKey) -> Int? { places[key] }

  /// `state` is nil for a removed download, `request` for the known one.
  mutating func set(_ state: DownloadState?, of key: VideoKey, request: DownloadRequest? = nil) {
    states[key] = state
    guard state != nil else {
      (requests[key], replaced[key], places[key], reportedReasons[key]) = (nil, nil, nil, nil)
      return
    }
    if let request {
      let earlier = requests[key].flatMap { $0.awaitedVideo == nil ? $0 : replaced[key] }
      replaced[key] = request.awaitedVideo == nil ? nil : earlier
      requests[key] = request
    }
    guard places[key] == nil else { return }
    lastPlace += 1
    places[key] = lastPlace
  }

  mutating func recordReason(_ reason: String, of key: VideoKey) -> Bool {
    reportedReasons[key, default: []].insert(reason).inserted
  }

  /// Handles received data, after which each reason is reported again.
  mutating func progressed(_ key: VideoKey) { reportedReasons[key] = nil }

  /// The state of a download on a card; nil for none, and for a complete one, which has a mark of its own.
  func mark(of key: VideoKey) -> Mark? { self[key].flatMap(Mark.init) }

  // MARK: - Removing

  /// Returns whether the key was pressed for these downloads before; else the next press returns true.
  mutating func confirmsRemoval(of keys: Set<VideoKey>) -> Bool {
    defer { removal = removal == keys ? [] : keys }
    return removal == keys
  }

  mutating func cancelRemoval() { removal = [] }

  // MARK: - Summary

  /// The number of downloads that run or are about to. Others may wait forever.
  var activeCount: Int {
    states.count { key, state in
      switch state {
      case .running: true
      case .waiting: requests[key]?.awaitsAddress != true
      case .stalled, .failed, .done: false
      }
    }
  }

  /// The number of unfinished downloads, and their share in percent if all lengths are known; nil if there are none.
  var summary: (count: Int, percent: Int?)? {
    guard !states.isEmpty else { return nil }
    let progress = states.values.compactMap { state in
      if case .running(let progress) = state { progress } else { nil as DownloadProgress? }
    }
    let waitingCount = states.values.count { state in
      switch state {
      case .waiting, .stalled: true
      case .running, .done, .failed: false
      }
    }
    guard !progress.isEmpty || waitingCount > 0 else { return nil }
    let totals = progress.compactMap(\.totalByteCount)
    let isKnown = !totals.isEmpty && totals.count == progress.count
    let all = DownloadProgress(
      byteCount: progress.reduce(0) { $0 + min($1.byteCount, $1.totalByteCount ?? 0) },
      totalByteCount: isKnown ? totals.reduce(0) { $0.addingReportingOverflow($1).partialValue } : nil)
    return (progress.count + waitingCount, all.percent)
  }
}

extension DownloadStates {
  enum Mark: Hashable, Sendable {
    case waiting
    case running(percent: Int)
    case runningWithoutEnd(megabytes: Int)
    case stalled
    case failed
    /// It may be only the beginning of the video.
    case doubtful

    fileprivate init?(_ state: DownloadState) {
      switch state {
      case .waiting: self = .waiting
      case .running(let progress) where progress.interruption != nil: self = .waiting
      case .running(let progress):
        self =
          progress.percent.map { .running(percent: $0) }
          ?? .runningWithoutEnd(megabytes: progress.byteCount / 1_000_000)
      case .stalled: self = .stalled
      case .failed: self = .failed
      case .done(let file) where file.mayBeIncomplete: self = .doubtful
      case .done: return nil
      }
    }

    static let sign = "↓"

    var text: String {
      switch self {
      case .waiting: "\(Self.sign)…"
      case .running(let percent): "\(Self.sign) \(percent) %"
      case .runningWithoutEnd(let megabytes): "\(Self.sign) \(megabytes) MB"
      case .stalled: "\(Self.sign)…⚠"
      case .failed: "\(Self.sign)⚠"
      case .doubtful: "\(Self.sign)?"
      }
    }
  }
}
