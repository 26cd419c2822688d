import FeedfallFeeds
import FeedfallText
import FeedfallUserData

/// A video to play: its title, and the addresses from which it may be played.
public struct PlayItem: Equatable, Sendable {
  /// The video's ID.
  public let id: String
  public let title: String
  /// The key of the user's record.
  public let key: VideoKey
  /// The position at which playback starts.
  let startSeconds: Int
  /// The author, or else the channel; nil if the feed states neither.
  public let artist: String?
  /// Without a user name and a password, like `address`; nil if the video has no cover with an address.
  public let cover: MediaAddress?
  /// The address of the video's page, or else of its file; nil without either.
  public let address: MediaAddress?
  /// Nil for a video that is not on YouTube.
  public let youTubeID: String?
  /// In seconds, as stated by the feed or found before; nil if it is unknown.
  let duration: Double?
  /// Whether the next video of its list follows it, also without autoplay.
  var isContinued: Bool
  /// Whether it is a broadcast that has not ended, whose duration grows.
  let isLive: Bool
  /// The chapters that the feed states outside the description.
  let chapters: [Chapter]
  /// The chapters that the description lists.
  let describedChapters: [Chapter]
  /// In the feed's order.
  private let candidates: [PlayCandidate]

  /// Further addresses of a video are ignored.
  static let maximumCandidates = 16

  /// Creates an item with the files that the feed names, or else with the pages in which a helper may find one.
  ///
  /// - Parameter key: nil for that of the video, which may change with its details.
  public init(_ video: Video, key: VideoKey? = nil, startSeconds: Int = 0, isContinued: Bool = false) {
    self.isContinued = isContinued
    self.key = key ?? VideoKey(video)
    self.startSeconds = startSeconds
    id = video.id
    title = video.title
    artist = video.author ?? video.channel
    cover = video.coverAddress?.forStorage
    address = (video.pageURL.map(MediaAddress.web) ?? video.playbackURL)?.forStorage
    youTubeID = video.youTubeID
    duration = video.duration?.seconds.map(Double.init)
    isLive = video.live != nil && video.live != .ended
    chapters = video.chapters
    describedChapters = chapters.isEmpty ? video.summary.map(Chapter.listed) ?? [] : []
    let all: [PlayCandidate]
    switch video.playback {
    case .direct(let files): all = files.prefix(Self.maximumCandidates).map { PlayCandidate($0) }
    case .page(let page), .details(_, let page?): all = [PlayCandidate(page: page)]
    case .details(_, nil), .unknown:
      all = video.players.prefix(Self.maximumCandidates).map { PlayCandidate(page: $0) }
    }
    candidates = all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Returns the addresses in the order in which to try them: the nearest to the height first, and among equal heights
  /// the file extension that last worked on the host.
  func candidates(
    maximumHeight: Int?, preferring preferred: PreferredExtensions = PreferredExtensions()
  ) -> [PlayCandidate] {
    candidates.enumerated().map { offset, candidate in
      let distance = maximumHeight.map(candidate.distance) ?? 0
      let sameHeight = candidates.firstIndex { $0.height == candidate.height } ?? offset
      return (order: (distance, sameHeight, preferred.contains(candidate) ? 0 : 1, offset), candidate)
    }.sorted { $0.order < $1.order }.map(\.1)
  }

  /// Whether both are the same video with the same start and addresses, so that playback of one can go on as the other.
  public func isSamePlayback(as other: PlayItem) -> Bool {
    id == other.id && key == other.key && startSeconds == other.startSeconds && candidates == other.candidates
  }

  /// The heights in pixels that the feed offers, in descending order.
  var heights: [Int] { Set(candidates.compactMap(\.height)).sorted(by: >) }
}

/// An address from which a video may be played.
struct PlayCandidate: Equatable, Sendable {
  let address: MediaAddress
  /// Whether the address is a page in which a helper must find the video.
  let isPage: Bool
  /// In pixels, if the feed states it.
  let height: Int?
  /// The headers of its request, if the feed demands any.
  let headers: RequestHeaders?
  /// Whether the address offers several heights.
  let isAdaptive: Bool

  init(_ file: MediaFile) {
    address = file.url
    isPage = false
    height = file.height
    headers = file.headers
    isAdaptive = file.isStreamList
  }

  init(page: WebAddress) {
    address = .web(page)
    isPage = true
    height = nil
    headers = nil
    isAdaptive = true
  }

  /// Returns a rank, the best lowest: at most the given height, then unknown heights, then greater heights.
  func distance(from maximum: Int) -> Int {
    guard !isAdaptive else { return 0 }
    guard let height else { return Self.beyondHeights }
    return height <= maximum ? maximum - height : Self.beyondHeights + height
  }

  /// Greater than the height of any video.
  private static let beyondHeights = 100_000
}

extension MediaFile {
  /// Whether it is an HLS or DASH list, from which the player selects a stream.
  fileprivate var isStreamList: Bool {
    if let mimeType = mimeType?.lowercased() {
      return mimeType.hasSuffix("mpegurl") || mimeType == "application/dash+xml"
    }
    let path = url.text.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return path.hasSuffix(".m3u8") || path.hasSuffix(".mpd")
  }
}
