import FeedfallText

/// The form of the path of a page, such as `/channel/{id}/{tab:videos|shorts}`: each segment is a text, one of several, or
/// any one, perhaps after a mark, if only its name is given: `@{name}`. `…` stands for any further segments.
struct PageForm: ExpressibleByStringLiteral, Sendable {
  private struct Segment {
    var start: Substring = ""
    var name: String?
    var texts: [Substring] = []
  }

  private let segments: [Segment]
  private let isOpen: Bool

  init(stringLiteral text: String) {
    let parts = text.split(separator: "/")
    isOpen = parts.last == "…"
    segments = (isOpen ? parts.dropLast() : parts[...]).map { part in
      guard part.last == "}" else { return Segment(texts: part.split(separator: "|")) }
      let start = part.prefix { $0 != "{" }
      let inner = part.dropFirst(start.count + 1).dropLast().split(separator: ":")
      return Segment(
        start: start, name: String(inner[0]), texts: inner.count > 1 ? inner[1].split(separator: "|") : [])
    }
  }

  /// Returns the named segments, and the further ones as `…`; nil for a path in another form.
  func values(in path: [String]) -> [String: String]? {
    guard path.count == segments.count || isOpen && path.count > segments.count else { return nil }
    var values: [String: String] = [:]
    for (segment, text) in zip(segments, path) {
      guard segment.texts.isEmpty || segment.texts.contains(Substring(text)) else { return nil }
      guard let name = segment.name else { continue }
      guard text.hasPrefix(segment.start), text.count > segment.start.count else { return nil }
      values[name] = String(text.dropFirst(segment.start.count))
    }
    let rest = path.dropFirst(segments.count).map(PercentCoding.encodeSegment)
    if !rest.isEmpty { values["…"] = rest.joined(separator: "/") }
    return values
  }
}

extension PageForm {
  /// Returns a text with the values in place of their names in braces; nil without one of them.
  static func expanded(_ template: String, _ value: (Substring) -> String?) -> String? {
    var result = ""
    for (index, part) in template.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
      let name = index == 0 ? "" : part.prefix { $0 != "}" }
      if index > 0 {
        guard let value = value(name) else { return nil }
        result += result.contains("?") ? PercentCoding.encode(value) : PercentCoding.encodeSegment(value)
      }
      result += part.dropFirst(index == 0 ? 0 : name.count + 1)
    }
    return result
  }
}

/// The page of a site that a user has pasted.
struct Page {
  let address: WebAddress
  /// The segments of its path by the names in its form.
  let values: [String: String]
  /// The requested number of videos per page; nil for the default of the site.
  let count: Int?
  /// The start of the addresses of the site's API.
  fileprivate let server: String

  /// A named segment, or, with `?` before its name, a parameter that is not empty.
  subscript(_ name: Substring) -> String? {
    name.first == "?" ? address.queryValue(String(name.dropFirst())).nonEmpty : values[String(name)]
  }

  /// A request, of which a start with a slash stands for the API, with those parameters of the page that the API has, too.
  func list(_ request: String, passing names: [String] = []) -> PageMeaning? {
    let items = names.flatMap { name in address.queryItems.filter { $0.name == name && !$0.value.isEmpty } }
    return WebAddress(request.hasPrefix("/") ? server + request : request).map {
      .list(items.isEmpty ? $0 : $0.appending(items))
    }
  }
}

/// A form of pages, and the request for the videos of such a page.
struct Route: Sendable {
  let form: PageForm
  /// Returns nil for a page without videos.
  let meaning: @Sendable (Page) -> PageMeaning?

  init(_ form: PageForm, _ meaning: @escaping @Sendable (Page) -> PageMeaning?) {
    (self.form, self.meaning) = (form, meaning)
  }

  /// - Parameters:
  ///   - request: the address, in which `{id}` stands for a named segment and `{?q}` for a parameter of the page, without
  ///     which it has no videos. A slash at its start stands for the API of the site.
  ///   - names: the parameters of the page that the request has, too.
  init(_ form: PageForm, _ request: String, passing names: [String] = []) {
    self.init(form) { page in
      PageForm.expanded(request) { page[$0] }.flatMap { page.list($0, passing: names) }
    }
  }
}

/// A site whose pages determine the requests for their videos.
struct Site: Sendable {
  let isHere: @Sendable (WebAddress) -> Bool
  /// The start of the address of a search page, which the words follow; nil for a site without a search.
  let search: String?
  /// Whether yt-dlp may find the videos of a page whose list is refused.
  let mayNeedYtDlp: Bool
  private let server: @Sendable (WebAddress) -> String
  /// The first one decides whose form a page has.
  private let routes: [Route]
  /// What the named segments can be.
  private let checks: [String: @Sendable (String) -> Bool]

  init(
    _ isHere: @escaping @Sendable (WebAddress) -> Bool, search: String? = nil, mayNeedYtDlp: Bool = false,
    api server: @escaping @Sendable (WebAddress) -> String = { $0.origin },
    where checks: [String: @Sendable (String) -> Bool] = [:], pages routes: [Route]
  ) {
    (self.isHere, self.search, self.mayNeedYtDlp, self.server) = (isHere, search, mayNeedYtDlp, server)
    (self.checks, self.routes) = (checks, routes)
  }

  init(
    _ hosts: String..., search: String? = nil, mayNeedYtDlp: Bool = false, api: String = "",
    where checks: [String: @Sendable (String) -> Bool] = [:], pages routes: [Route]
  ) {
    self.init(
      { hosts.contains($0.host) }, search: search, mayNeedYtDlp: mayNeedYtDlp, api: { _ in api }, where: checks,
      pages: routes)
  }

  /// Those of the services, and those without an API.
  static let all: [Site] =
    Service.all.compactMap(\.site) + [vimeo, odysee, bitChute, mediathekView, webFinger] + shares + links + closed

  /// Returns the list that a page shows; nil for a page without videos.
  func meaning(of page: WebAddress, count: Int? = nil) -> PageMeaning? {
    let path = page.pathSegments
    for route in routes {
      guard let values = route.form.values(in: path), values.allSatisfy({ checks[$0.key]?($0.value) ?? true }) else {
        continue
      }
      let meaning = route.meaning(Page(address: page, values: values, count: count, server: server(page)))
      // Further parameters may have made it too long.
      return if case .list(let list)? = meaning { WebAddress(list.text).map(PageMeaning.list) } else { meaning }
    }
    return nil
  }
}

/// The list that a page of a site shows, as a request to the API of the site.
public enum PageMeaning: Equatable, Sendable {
  case list(WebAddress)
  /// The API has no such list. Another one must not be shown in its place.
  case refused(FeedFailure)

  static func refused(_ reason: String, advice: String) -> PageMeaning {
    .refused(FeedFailure(.permanent, reason, advice: advice))
  }

  /// The page lists something else, such as playlists.
  static func refused(listOf items: String, advice: String) -> PageMeaning {
    refused("the page is a list of \(items), not of videos", advice: advice)
  }

  var list: WebAddress? { if case .list(let address) = self { address } else { nil } }

  var refusal: FeedFailure? { if case .refused(let failure) = self { failure } else { nil } }
}
