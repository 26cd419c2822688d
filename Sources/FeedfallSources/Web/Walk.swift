import FeedfallText
import FeedfallWeb

/// The walk from an address to its videos: the candidates that may have them, each of which is requested once.
///
/// Answers offer further candidates. One of a kind that was offered before, or with an address that was requested
/// before, is ignored, so that no sequence of answers leads to more requests than there are kinds.
struct Walk: Sendable {
  enum Kind: Int, CaseIterable, Sendable {
    /// The address that had the videos in the last load.
    case known
    /// The API of the server that a web page names.
    case api
    /// The feed that the answer of a directory names.
    case namedFeed
    /// The request that identifies a PeerTube instance; it has no videos.
    case instance
    case instanceList
    /// The PeerTube channel with a name that belongs to no account.
    case channel
    /// The RSS feed of a list whose API is refused.
    case rss
    case address
    /// The address with or without the counts that its server may refuse.
    case otherForm
    /// The web page of a known site, whose API is requested first.
    case page
    /// The feed that a web page names.
    case pageFeed
    /// A page that no feed replaces, or that refuses this program, for yt-dlp.
    case ytDlp

    fileprivate var isLed: Bool { [.known, .api, .namedFeed, .instanceList, .channel, .pageFeed].contains(self) }

    /// The prefix of the reason; nil if the reason already names the candidate.
    fileprivate var label: String? {
      switch self {
      case .known, .address, .otherForm, .ytDlp: nil
      case .api: "its API"
      case .namedFeed, .instance, .instanceList: "its list"
      case .channel: "its channel"
      case .rss: "its RSS"
      case .page: "its page"
      case .pageFeed: "the feed of its page"
      }
    }
  }

  struct Candidate: Sendable {
    let kind: Kind
    let address: WebAddress
    /// The feed's target if the answer has its videos; nil for a candidate that only leads to others.
    let target: WebFeed.Target?
  }

  /// A candidate without videos, and the reason.
  struct Left: Equatable, Sendable {
    let kind: Kind
    let failure: FeedFailure
    /// Whether it was a web page, which may have led to the later ones.
    var isWebPage = false

    fileprivate var words: String { (kind.label.map { "\($0): " } ?? "") + failure.reason }
  }

  private var waiting: [Candidate] = []
  private var offered: Set<Kind> = []
  private var requested: Set<WebAddress> = []
  private var silentServers: Set<String> = []
  private(set) var current: Candidate?
  private(set) var left: [Left] = []
  /// The address whose server refused this program, which yt-dlp may read.
  private var refusedPage: WebAddress?
  /// Whether yt-dlp stands in for a feed whose site fails at times.
  private(set) var isSubstituted = false

  static var maximumCount: Int { Kind.allCases.count }

  mutating func offer(_ kind: Kind, _ address: WebAddress, _ target: WebFeed.Target? = nil) {
    guard offered.insert(kind).inserted else { return }
    waiting.append(Candidate(kind: kind, address: address, target: target))
  }

  /// Many sites refuse only unknown programs, and not yt-dlp.
  mutating func offerRefused(_ address: WebAddress, isSubstituted: Bool = false) {
    (refusedPage, self.isSubstituted) = (address, isSubstituted || self.isSubstituted)
    offer(.ytDlp, address)
  }

  mutating func next() -> Candidate? {
    current = nil
    while let index = waiting.indices.min(by: { waiting[$0].kind.rawValue < waiting[$1].kind.rawValue }) {
      let candidate = waiting.remove(at: index)
      guard !silentServers.contains(candidate.address.server),
        candidate.kind == .ytDlp || requested.insert(candidate.address).inserted
      else { continue }
      current = candidate
      return candidate
    }
    return nil
  }

  mutating func leave(_ failure: FeedFailure, as kind: Kind? = nil, isWebPage: Bool = false) {
    guard let kind = kind ?? current?.kind else { return }
    left.append(Left(kind: kind, failure: failure, isWebPage: isWebPage))
  }

  func waits(for kind: Kind) -> Bool {
    waiting.contains {
      $0.kind == kind && !silentServers.contains($0.address.server) && !requested.contains($0.address)
    }
  }

  /// Drops all candidates on the server of the current one, which does not answer.
  mutating func dropServer() {
    if let current { silentServers.insert(current.address.server) }
  }

  /// Drops all candidates that this program would request, as no server may be requested now.
  mutating func dropRequests() { waiting.removeAll { $0.kind != .ytDlp || $0.address != refusedPage } }

  /// Whether a candidate failed temporarily, so that the next walk may end elsewhere.
  var isProvisional: Bool { left.contains { $0.failure.kind != .permanent } }

  /// Whether a candidate would replace the videos of a list that failed temporarily.
  func isReplacement(_ kind: Kind) -> Bool {
    if kind == .ytDlp, isSubstituted { return false }
    let lists: Set<Kind> =
      switch kind {
      case .pageFeed: [.api, .instanceList, .channel]
      case .ytDlp: [.known, .api, .namedFeed, .instanceList, .channel, .pageFeed]
      case .known, .api, .namedFeed, .instance, .instanceList, .channel, .rss, .address, .otherForm, .page: []
      }
    return left.contains { lists.contains($0.kind) && $0.failure.kind != .permanent }
  }

  /// - Parameter lacksYtDlp: whether yt-dlp was the last candidate, and is not installed.
  func failure(lacksYtDlp: Bool = false) -> FeedFailure {
    var causes: [Left] = []
    for one in left
    where !(one.isWebPage && isLed) && !causes.contains(where: { $0.failure.reason == one.failure.reason }) {
      causes.append(one)
    }
    guard let first = causes.first?.failure else { return .noSuchPage }
    // The kind decides whether a retry helps, and the advice belongs to it.
    let wait = causes.first { if case .wait = $0.failure.kind { true } else { false } }
    var failure = (wait ?? causes.last { $0.failure.kind != .permanent })?.failure ?? first
    failure.reason = ([first.reason] + causes.dropFirst().map(\.words)).joined(separator: "; ")
    failure.isOffline = causes.contains(where: \.failure.isOffline)
    if lacksYtDlp, failure.kind == .permanent,
      causes.allSatisfy(\.isWebPage) || left.contains(where: { $0.kind == .page })
    {
      failure.advice = "use the address of a feed, or install yt-dlp, which may find videos on the page"
    } else if lacksYtDlp, let refusedPage {
      let install = SubstituteWords.install(toOpen: isSubstituted ? nil : refusedPage)
      failure.advice = (failure.advice.map { "\($0), or " } ?? "") + install
    }
    return failure
  }

  /// Whether a web page led to another candidate that failed, so that the page itself is not reported.
  private var isLed: Bool { left.contains { $0.kind.isLed && !$0.isWebPage } }
}
