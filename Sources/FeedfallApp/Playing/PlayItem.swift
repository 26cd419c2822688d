import FeedfallFeeds
import FeedfallRecords
import FeedfallText

/// A video to play: its title, and the addresses from which it may be played.
public struct PlayItem: Equatable, Sendable {
  public let id: String
  public let title: String
  public let key: VideoKey
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
  /// Whether the user allows redirects from https to http.
  public var allowsHTTP = false
  /// The chapters that the feed states outside the description.
  let chapters: [Chapter]
  let describedChapters: [Chapter]
  /// In the feed's order.
  private let candidates: [Candidate]

  static let maximumCandidates = 16

  /// Chooses the files that the feed names, or else the pages in which a helper may find one. A video's own key may
  /// change with its details.
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
    let all: [Candidate]
    switch video.playback {
    case .direct(let files):
      all = files.prefix(Self.maximumCandidates).map { Candidate($0, traits: $0.traits(in: video.language)) }
    case .page(let page), .details(_, let page?): all = [Candidate(page: page)]
    case .list: all = []
    case .details(_, nil), .unknown: all = video.players.prefix(Self.maximumCandidates).map { Candidate(page: $0) }
    }
    candidates = all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Returns the addresses in the order in which to try them: whole films before extracts, pictures before sound, the
  /// nearest to the height first, and among equal heights the file extension that last worked on the host.
  func candidates(maximumHeight: Int?, preferring preferred: PreferredExtensions = PreferredExtensions()) -> [Candidate]
  {
    let language = preferredLanguage
    return candidates.enumerated().map { offset, candidate in
      let traits = candidate.traits
      let sameHeight = candidates.firstIndex { $0.height == candidate.height } ?? offset
      let rank = (traits.group(preferring: language), traits.distance(from: maximumHeight))
      return (order: (rank.0, rank.1, sameHeight, preferred.contains(candidate) ? 0 : 1, offset), candidate)
    }.sorted { $0.order < $1.order }.map(\.1)
  }

  /// Whether both are the same video with the same start and addresses, so that playback of one can go on as the other.
  public func isSamePlayback(as other: PlayItem) -> Bool {
    id == other.id && key == other.key && startSeconds == other.startSeconds
      && candidates.lazy.map(\.address).elementsEqual(other.candidates.lazy.map(\.address))
  }

  /// The heights in pixels of the pictures that may play, in descending order: those of the whole film in its language.
  var heights: [Int] {
    let language = preferredLanguage
    let groups = candidates.map { $0.traits.group(preferring: language) }
    let best = groups.min()
    let playable = zip(candidates, groups).filter { $1 == best && !$0.traits.isSound }
    return Set(playable.compactMap(\.0.height)).sorted(by: >)
  }

  private var preferredLanguage: String? { FileTraits.language(of: candidates.map(\.traits)) }

  struct Candidate: Equatable, Sendable {
    let address: MediaAddress
    /// Whether the address is a page in which a helper must find the video.
    let isPage: Bool
    let headers: RequestHeaders?
    let traits: FileTraits

    /// In pixels, if the feed states it; 0 means that there is only audio.
    var height: Int? { traits.height }
    var isAdaptive: Bool { isPage || traits.kind == .stream }

    init(_ file: MediaFile, traits: FileTraits) {
      (address, isPage, headers, self.traits) = (file.url, false, file.headers, traits)
    }

    init(page: WebAddress) { (address, isPage, headers, traits) = (.web(page), true, nil, FileTraits(kind: .player)) }
  }

  /// The file extension that last worked on each host, after another one had failed there.
  struct PreferredExtensions: Equatable, Sendable {
    private static let maximumHostCount = 100

    private var extensions: [String: String] = [:]

    mutating func insert(_ candidate: Candidate) {
      guard let host = candidate.address.web?.host, let name = Self.fileExtension(of: candidate) else { return }
      if extensions.count >= Self.maximumHostCount { extensions = [:] }
      extensions[host] = name
    }

    func contains(_ candidate: Candidate) -> Bool {
      guard let host = candidate.address.web?.host, let preferred = extensions[host] else { return false }
      return Self.fileExtension(of: candidate) == preferred
    }

    /// With its dot, in lower case.
    private static func fileExtension(of candidate: Candidate) -> String? {
      let path = candidate.address.web?.path ?? ""
      guard let dot = path.lastIndex(of: "."), path[dot...].utf8.count <= 6 else { return nil }
      return path[dot...].lowercased()
    }
  }
}
