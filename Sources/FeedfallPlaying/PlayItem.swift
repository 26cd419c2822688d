import FeedfallFeeds

/// A video as it is played: what it is called, and where it may be played from.
public struct PlayItem: Equatable, Sendable {
  /// The video's own.
  public let id: String
  public let title: String
  /// Under what its place is kept. Feeds may use the same ids, so the server goes with one that is no address itself.
  let recordID: String
  /// In seconds, as its feed tells; nil where it does not.
  let duration: Double?
  /// In the feed's order.
  let candidates: [PlayCandidate]

  /// More addresses of one video are not tried.
  public static let maximumCandidates = 16

  /// A video with the files that its feed names, else with the pages in which a helper may find one.
  public init(_ video: Video) {
    id = video.id
    title = video.title
    duration = if case .seconds(let seconds) = video.duration { Double(seconds) } else { nil }
    let all: [PlayCandidate]
    switch video.playback {
    case .direct(let files): all = files.prefix(Self.maximumCandidates).map { PlayCandidate($0) }
    case .page(let page), .details(_, let page?): all = [PlayCandidate(address: .web(page), isPage: true)]
    case .details(_, nil), .unknown:
      all = video.players.prefix(Self.maximumCandidates).map { PlayCandidate(address: .web($0), isPage: true) }
    }
    candidates = all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    let isAddress = video.id.hasPrefix("/") || video.id.contains("://")
    let home = candidates.first.map { $0.address.web?.host ?? $0.address.text }
    recordID = isAddress ? video.id : [home, video.id].compactMap { $0 }.joined(separator: " ")
  }

  /// Where to play it from, the first to be tried first: the nearest to the height that is wished for, and of one height
  /// what has won on its server before.
  func candidates(maximumHeight: Int?, winners: WinningEndings = WinningEndings()) -> [PlayCandidate] {
    candidates.enumerated().map { offset, candidate in
      let distance = maximumHeight.map(candidate.distance) ?? 0
      let sameHeight = candidates.firstIndex { $0.height == candidate.height } ?? offset
      return (order: (distance, sameHeight, winners.contains(candidate) ? 0 : 1, offset), candidate)
    }.sorted { $0.order < $1.order }.map(\.1)
  }

  /// The heights in pixels that the feed offers, the highest first.
  public var heights: [Int] { Set(candidates.compactMap(\.height)).sorted(by: >) }
}
