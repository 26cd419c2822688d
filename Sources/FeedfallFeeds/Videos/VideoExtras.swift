import FeedfallText

/// Rare facts about a video: those of podcasts (podcastindex.org/namespace/1.0) and series.
public struct VideoExtras: Equatable, Sendable {
  /// At least 0.
  public var season: Int?
  public var seasonName: String?
  /// At least 0, with a fraction for an episode between two others.
  public var episode: Double?
  /// Shown instead of the number of the episode, such as `Day 5`.
  public var episodeName: String?
  public var episodeType: EpisodeType?
  public var categories: [String] = []
  /// Those by which PeerTube finds similar videos.
  var tags: [String] = []
  public var people: [Person] = []
  public var transcripts: [Transcript] = []
  public var funding: [Funding] = []
  public var soundbites: [Soundbite] = []
  public var countries: CountryLimit?

  public init() {}

  /// The maximum count of the categories, people, transcripts, donations and soundbites of a video, each.
  public static let maximumCount = 32
  static let maximumTagCount = 5

  mutating func merge(_ details: VideoExtras) {
    season = details.season ?? season
    seasonName = details.seasonName ?? seasonName
    episode = details.episode ?? episode
    episodeName = details.episodeName ?? episodeName
    episodeType = details.episodeType ?? episodeType
    categories = details.categories.isEmpty ? categories : details.categories
    tags = details.tags.isEmpty ? tags : details.tags
    people = details.people.isEmpty ? people : details.people
    transcripts = details.transcripts.isEmpty ? transcripts : details.transcripts
    funding = details.funding.isEmpty ? funding : details.funding
    soundbites = details.soundbites.isEmpty ? soundbites : details.soundbites
    countries = details.countries ?? countries
  }

  public enum EpisodeType: String, Sendable {
    case full, trailer, bonus
  }

  public struct Person: Equatable, Sendable {
    public var name: String
    /// In lower case, such as `guest`.
    public var role: String
    /// In lower case, such as `cast`.
    public var group: String
    public var page: WebAddress?
    public var picture: WebAddress?
  }

  public struct Transcript: Equatable, Sendable {
    public var url: WebAddress
    /// In lower case, such as `text/vtt`.
    public var type: String?
    public var language: String?
    /// Whether it has times, whatever its type is.
    public var isCaptions: Bool
  }

  /// A page on which users can pay for the feed.
  public struct Funding: Equatable, Sendable {
    public var url: WebAddress
    public var title: String?
  }

  /// A highlight of a video.
  public struct Soundbite: Equatable, Sendable {
    /// In seconds.
    public var start: Double
    /// In seconds, more than 0.
    public var duration: Double
    public var title: String?
  }

  /// The countries in which a video is available, or is not.
  public struct CountryLimit: Equatable, Sendable {
    public var isAvailable: Bool
    /// In upper case, at least one.
    public var codes: [String]
  }
}

extension [String] {
  mutating func append(category: String?) {
    // The byte is searched first: most categories have none, and a search for a text takes many times as long.
    let isAddress = category.map { $0.contains(ascii: .colon) && $0.contains("://") }
    guard let category, count < VideoExtras.maximumCount, !category.isEmpty, isAddress == false, !contains(category)
    else { return }
    append(category)
  }
}

/// The state of a live broadcast.
public enum LiveState: Equatable, Sendable {
  case live
  /// The broadcast has not started; the value is its planned start.
  case upcoming(UnixTime?)
  case ended

  /// The live state of a video, as one answer states it.
  ///
  /// An answer that does not mention the state leaves an earlier statement in force; one that states its absence
  /// replaces it. After a broadcast, the details of its recording state that it is not live, which replaces the state
  /// in the list.
  enum Statement: Equatable {
    case unmentioned
    case absent
    case present(LiveState)

    /// A state that the answer always mentions.
    init(_ state: LiveState?) { self = state.map(Statement.present) ?? .absent }

    var state: LiveState? { if case .present(let state) = self { state } else { nil } }

    func replaced(by newer: Statement) -> Statement { newer == .unmentioned ? self : newer }
  }
}

extension Video {
  /// The live state. Setting nil means that the source does not mention it.
  public var live: LiveState? {
    get { statedLive.state }
    set { statedLive = newValue.map(LiveState.Statement.present) ?? .unmentioned }
  }

  /// Returns the video with its live state at a time: after its planned end, a broadcast has ended, and an announced
  /// film has become an ordinary one.
  public func settled(at now: UnixTime) -> Video {
    guard let live, let liveEnd, liveEnd <= now else { return self }
    var video = self
    video.liveEnd = nil
    switch live {
    case .upcoming(liveEnd): video.statedLive = .absent
    case .upcoming, .live: video.live = .ended
    case .ended: break
    }
    return video
  }

  /// Returns this video of a list completed with details that are older than the list.
  public func completed(byEarlier details: Video) -> Video {
    var video = completed(by: details)
    video.replaceStatements(by: self)
    if !video.isOnAir { video.duration = video.duration ?? duration }
    return video
  }

  mutating func replaceStatements(by newer: Video) {
    statedLive = statedLive.replaced(by: newer.statedLive)
    if newer.statedLive != .unmentioned {
      liveEnd = newer.liveEnd
      // A broadcast has no length until it has ended.
      if newer.isOnAir { duration = newer.duration }
    }
    flags = flags.subtracting(newer.statedFlags).union(newer.flags)
    statedFlags.formUnion(newer.statedFlags)
  }

  private var isOnAir: Bool { live != nil && live != .ended }
}
