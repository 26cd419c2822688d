import FeedfallFeeds
import FeedfallText

/// A kind of pagination. A new kind is a type that conforms to this protocol, and a line in `WebFeed.paging`.
protocol Paging: Sendable {
  /// Nil for a cursor of another kind.
  func address(of cursor: FeedCursor) -> WebAddress?
  /// Nil after the last page.
  func cursor(after cursor: FeedCursor, _ answer: DecodedDocument) -> FeedCursor?
  /// In place of a page that is permanently gone; nil if there is none.
  func substitute(at cursor: FeedCursor) -> (document: DecodedDocument, next: FeedCursor)?
  /// Whether a missing page means that the one before it was the last.
  var endsAtMissingPage: Bool { get }
}

extension Paging {
  func substitute(at cursor: FeedCursor) -> (document: DecodedDocument, next: FeedCursor)? { nil }
  var endsAtMissingPage: Bool { false }
}

extension PageAddresses: Paging {
  func address(of cursor: FeedCursor) -> WebAddress? { number(of: cursor).flatMap { address(of: $0) } }

  func cursor(after cursor: FeedCursor, _ answer: DecodedDocument) -> FeedCursor? {
    guard !answer.saysEnd, !answer.isEmpty || answer.saysMore else { return nil }
    return number(of: cursor).flatMap { page(after: $0) }.map(FeedCursor.page)
  }

  var endsAtMissingPage: Bool { isTemplate }

  private func number(of cursor: FeedCursor) -> Int? {
    switch cursor {
    case .start: first
    case .page(let page): page
    case .offset, .address, .archive, .item: nil
    }
  }
}

/// Pages that name the next one, in the document or in a `Link` header; also documents of one page.
struct LinkedPages: Paging {
  let first: WebAddress
  /// The first address after all redirects. Tokens are added to it to continue the list.
  let source: WebAddress

  func address(of cursor: FeedCursor) -> WebAddress? { cursor == .start ? first : cursor.address }

  func cursor(after cursor: FeedCursor, _ answer: DecodedDocument) -> FeedCursor? {
    answer.nextPage?.cursor(in: source)
  }
}

/// A list of lists: each list is a page, counted from one, with its own header.
struct ListedParts: Paging {
  let index: WebAddress
  private(set) var parts: [WebAddress] = []
  private var known: Set<WebAddress> = []
  /// Whether there are more lists than the limits allow.
  private(set) var isCut = false
  private let kind: FeedKind

  /// The maximum count of lists, and of folders between the first list and another.
  private static let maximumCount = 1_000
  private static let maximumDepth = 16

  init(index: WebAddress, _ document: DecodedDocument) {
    self.index = index
    kind = document.kind
    for part in document.parts { append(part) }
  }

  private mutating func append(_ part: WebAddress) {
    guard !known.contains(part) else { return }
    guard parts.count < Self.maximumCount else {
      isCut = true
      return
    }
    known.insert(part)
    parts.append(part)
  }

  static let cutNotice =
    "The source has more lists than the first \(maximumCount), or lists more than \(maximumDepth) folders deep; these are "
    + "left out. Open one of them."

  /// Appends the lists in another list, such as the folders in a folder.
  mutating func append(_ inner: [WebAddress]) {
    let depth = index.pathSegments.count + Self.maximumDepth
    for part in inner {
      if part.pathSegments.count <= depth { append(part) } else { isCut = true }
    }
  }

  func address(of cursor: FeedCursor) -> WebAddress? {
    switch cursor {
    case .start: index
    case .page(let page): parts.indices.contains(page - 1) ? parts[page - 1] : nil
    case .offset, .address, .archive, .item: nil
    }
  }

  func cursor(after cursor: FeedCursor, _ answer: DecodedDocument) -> FeedCursor? {
    let next = if case .page(let page) = cursor { page + 1 } else { 1 }
    return next <= parts.count ? .page(next) : nil
  }

  func substitute(at cursor: FeedCursor) -> (document: DecodedDocument, next: FeedCursor)? {
    guard case .page(let page) = cursor, page < parts.count else { return nil }
    return (DecodedDocument(kind: kind, videos: [], skippedCount: 1), .page(page + 1))
  }

  /// Gives the videos of a list the group with its title.
  func grouped(_ answer: DecodedDocument) -> DecodedDocument {
    guard let title = answer.title else { return answer }
    var answer = answer
    answer.title = nil
    for index in answer.videos.indices { answer.videos[index].group = title }
    return answer
  }
}

extension DecodedDocument {
  /// Without valid and invalid items.
  var isEmpty: Bool { videos.isEmpty && skippedCount == 0 }
}

/// A list that is paged by `start` and `count`.
struct PeerTubeList: Paging {
  enum Place: Equatable {
    case endpoint(PeerTubeEndpoint)
    /// Another address with such a list. The server determines the size of the first page.
    case address(WebAddress)
  }
  let place: Place
  let count: Int

  func address(of cursor: FeedCursor) -> WebAddress? {
    switch (cursor, place) {
    case (.start, .endpoint(let endpoint)): endpoint.address(start: 0, count: count)
    case (.start, .address(let address)): address
    case (.offset(let start), .endpoint(let endpoint)): endpoint.address(start: start, count: count)
    case (.offset(let start), .address(let address)):
      address.setting(query: "start", to: String(start)).setting(query: "count", to: String(count))
    case (.page, _), (.address, _), (.archive, _), (.item, _): nil
    }
  }

  /// The count of videos in an answer to a request without `count`.
  private static let defaultCount = 15

  /// Continues after the requested count, because PeerTube omits hidden videos from a page.
  /// A full page is always followed by another one, because the total shrinks when videos are deleted.
  func cursor(after cursor: FeedCursor, _ answer: DecodedDocument) -> FeedCursor? {
    let seen = answer.videos.count + answer.skippedCount
    let (start, asked, full) =
      switch (cursor, place) {
      case (.offset(let start), _): (start, count, count)
      case (_, .endpoint): (0, count, count)
      case (_, .address(let address)):
        (0, seen, address.queryValue("count").flatMap { Int($0) } ?? Self.defaultCount)
      }
    let (next, isTooFar) = start.addingReportingOverflow(asked)
    guard !isSingleVideo, !answer.isEmpty, !isTooFar, seen >= full || next < answer.total ?? .max else { return nil }
    return .offset(next)
  }

  private var isSingleVideo: Bool {
    if case .endpoint(let endpoint) = place { endpoint.isSingleVideo } else { false }
  }
}

/// The addresses of the pages of a feed that counts pages.
struct PageAddresses: Equatable, Sendable {
  let first: Int
  private let form: Form

  /// By the user, so that the pagination applies to any feed.
  var isCounted: Bool {
    switch form {
    case .template, .query: true
    case .assumed, .asTyped: false
    }
  }

  var isTemplate: Bool { if case .template = form { true } else { false } }

  static let defaultSize = 20
  static let maximumPage = 1_000_000_000

  private enum Form: Equatable {
    case template(String)
    case query(WebAddress, size: String)
    /// `page=` and `size=`; the server of a static file ignores them, another one may refuse them. An address with a
    /// secret, such as a signature, is requested as typed: it may be valid for its own parameters only.
    case assumed(WebAddress, size: String)
    /// The first page as typed. The others add only `page=`, so that the server gives them the same size as the first.
    case asTyped(WebAddress)
  }

  init?(typed text: String, pageSize: Int? = nil, firstPage: Int? = nil) {
    let size = String(pageSize ?? Self.defaultSize)
    let text = text.replacing("{size}", with: size)
    guard let address = WebAddress(typed: text.replacing("{page}", with: "0")) else { return nil }
    let ownPage = address.queryValue("page").flatMap { Int($0) }
    let isCounted = ownPage != nil || pageSize != nil || firstPage != nil
    if text.contains("{page}") {
      form = .template(text)
      first = Self.bounded(firstPage ?? 0)
    } else if isCounted {
      let ownSize = pageSize == nil ? address.queryValue("size") : nil
      form = .query(address, size: ownSize ?? size)
      first = Self.bounded(firstPage ?? ownPage ?? 0)
    } else {
      let isCatalogue = address.path.lowercased().hasSuffix(".json") && !address.hasSecret
      form = isCatalogue ? .assumed(address, size: size) : .asTyped(address)
      first = 0
    }
  }

  /// With the same numbers in place of `{page}` and `{size}`, whatever the options are.
  static func written(_ text: String) -> WebAddress? {
    WebAddress(typed: text.replacing("{size}", with: "0").replacing("{page}", with: "0"))
  }

  private init(asTyped address: WebAddress) {
    form = .asTyped(address)
    first = 0
  }

  /// The pages of a server that refuses `page=` and `size=` in the first request; nil where they are not an assumption.
  var withoutAssumption: PageAddresses? {
    if case .assumed(let address, _) = form { PageAddresses(asTyped: address) } else { nil }
  }

  func address(of page: Int) -> WebAddress? {
    switch form {
    case .template(let text): WebAddress(typed: text.replacing("{page}", with: String(page)))
    case .query(let address, let size), .assumed(let address, let size):
      address.setting(query: "page", to: String(page)).setting(query: "size", to: size)
    case .asTyped(let address):
      page == first ? address : address.setting(query: "page", to: String(page))
    }
  }

  func page(after page: Int) -> Int? { page < Self.maximumPage ? page + 1 : nil }

  private static func bounded(_ page: Int) -> Int { min(max(page, 0), maximumPage) }
}

extension String {
  /// Replaces every `part`; regular expressions would have to be loaded first.
  func replacing(_ part: String, with other: String) -> String {
    var result = ""
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(part) {
        result += other
        rest = rest.dropFirst(part.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result
  }
}
