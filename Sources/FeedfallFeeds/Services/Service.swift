import FeedfallText

/// A service, or a format in JSON: how its pages and documents are recognized, which requests they mean, and which member
/// of an item means what. A new one is a row in `all`.
final class Service: Equatable, Sendable {
  typealias Test = @Sendable (JSONObject) -> Bool

  let kind: FeedKind
  /// The pages that users paste.
  let site: Site?
  /// The name of its lists, such as `items` in `{"items": […]}`; nil if they have no name of their own.
  let list: String?
  /// The name of the object around the list, such as `response` in `{"response": {"docs": […]}}`.
  let parent: String?
  /// Whether an item of a list is its own.
  let matches: Test
  /// Whether `matches` also decides in lists under the name of another row, such as `items`.
  let matchesInNamedLists: Bool
  /// Whether a document is a single video.
  private let isVideo: Test
  /// The member that contains the video, if the item has it.
  private let wrapper: StaticString?
  /// Nil for a video.
  private let other: @Sendable (JSONObject, MediaAddress?) -> OtherItem?
  private let facts: [Fact]
  /// Whether an item is a link to a list, such as a channel, whose facts are `linkFacts`.
  private let isLink: Test
  private let linkFacts: [Fact]
  /// Replaces `facts` for an item that is a list itself.
  private let items: (@Sendable (JSONObject, MediaAddress?, inout SharedTexts) -> [Video]?)?
  /// Decodes a document that is neither a list nor a single video; nil for that of another service.
  private let answer: @Sendable (JSONObject, WebAddress?) -> ServiceAnswer?
  /// Returns the page after a list, if the facts around the list determine it.
  let next: @Sendable (WebAddress, ListEnd) -> NextPage?
  /// Returns the list related to a video of its own, by the video and the address that lists it.
  let related: @Sendable (Video, WebAddress?) -> RelatedVideos?

  init(
    _ kind: FeedKind, site: Site? = nil, list: String? = nil, in parent: String? = nil,
    matches: @escaping Test = { _ in false },
    inNamedLists: Bool = false, isVideo: @escaping Test = { _ in false }, wrapper: StaticString? = nil,
    other: @escaping @Sendable (JSONObject, MediaAddress?) -> OtherItem? = { _, _ in nil }, facts: [Fact] = [],
    isLink: @escaping Test = { _ in false }, linkFacts: [Fact] = [],
    items: (@Sendable (JSONObject, MediaAddress?, inout SharedTexts) -> [Video]?)? = nil,
    answer: @escaping @Sendable (JSONObject, WebAddress?) -> ServiceAnswer? = { _, _ in nil },
    next: @escaping @Sendable (WebAddress, ListEnd) -> NextPage? = { _, _ in nil },
    related: @escaping @Sendable (Video, WebAddress?) -> RelatedVideos? = { _, _ in nil }
  ) {
    (self.kind, self.site, self.list, self.parent, self.matches, matchesInNamedLists) = (
      kind, site, list, parent, matches, inNamedLists
    )
    (self.isVideo, self.wrapper, self.other, self.facts, self.items) = (isVideo, wrapper, other, facts, items)
    (self.isLink, self.linkFacts) = (isLink, linkFacts)
    (self.answer, self.next, self.related) = (answer, next, related)
  }

  /// The first row that matches decides; articles match anything. The feeds of the last row are in XML.
  static let all: [Service] = [
    ytDlp, invidious, piped, pipedVideo, dailymotion, applePodcasts, archive, mediaCCC, jsonFeed, peerTube,
    peerTubeOverview, broadcast, commons, catalogue, articles, youTube,
  ]

  static func == (left: Service, right: Service) -> Bool { left === right }

  static func named(_ name: [UInt8]) -> Service? {
    all.first { $0.parent == nil && $0.list.map { name.elementsEqual($0.utf8) } ?? false }
  }

  static func parentNamed(_ name: [UInt8]) -> Service? {
    all.first { $0.parent.map { name.elementsEqual($0.utf8) } ?? false }
  }

  static func of(_ item: JSONObject, in place: JSONItems.Place?) -> Service {
    if case .named(let service) = place { return all.first { $0.matchesInNamedLists && $0.matches(item) } ?? service }
    return all.first { $0.matches(item) } ?? articles
  }

  static func kind(ofEmptyListAt place: JSONItems.Place?) -> FeedKind {
    switch place {
    case .data: .peerTube
    case .document: .catalogue
    case .named(let service): service.kind
    case nil: .articles
    }
  }

  /// Decodes a document without a list; nil if no row recognizes it.
  static func answer(_ object: JSONObject, from address: WebAddress?) -> ServiceAnswer? {
    all.firstNonNil { service in
      if let answer = service.answer(object, address) { return answer }
      let videos = service.isVideo(object) ? service.videos(of: [object], from: address) : []
      return videos.isEmpty ? nil : ServiceAnswer(kind: service.kind, videos: videos)
    }
  }

  /// Leaves out unusable items.
  func videos(of items: [JSONObject], from address: WebAddress?) -> [Video] {
    var shared = SharedTexts()
    return items.flatMap { decode($0, from: address.map(MediaAddress.web), &shared) ?? [] }
  }

  /// Returns several videos for an item that is a list itself; nil for an unusable item.
  func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> [Video]? {
    if let items { return items(item, address, &shared) }
    var item = item
    if let wrapper, let inner = item[wrapper] {
      guard let object = inner.object else { return nil }
      item = object
    }
    if let other = other(item, address) { return other == .ignored ? [] : nil }
    var draft = VideoDraft(item, from: address)
    guard draft.adopt(isLink(item) ? linkFacts : facts, &shared) else { return nil }
    return draft.films.map { draft.video.films($0) } ?? [draft.video]
  }
}

typealias ListEnd = (facts: JSONItems.Facts, itemCount: Int, videoCount: Int)

/// An item that is no video.
enum OtherItem {
  /// Lists of videos have such items, too.
  case ignored
  case unusable
}

/// A decoded answer of a service, as a whole rather than item by item.
struct ServiceAnswer: Sendable {
  let kind: FeedKind
  var title: String?
  var videos: [Video] = []
  var nextPage: NextPage?
  /// The documents that contain the videos, if the answer is a list of lists.
  var parts: [WebAddress] = []
  var notice: String?
  /// The reason why there are no videos; nil if an empty list is valid.
  var failure: FeedFailure?
}
