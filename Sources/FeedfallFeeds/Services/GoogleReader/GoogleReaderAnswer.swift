import FeedfallText

/// The answers of the Google Reader API.
public enum GoogleReaderAnswer {
  public struct IDList: Equatable, Sendable {
    public var ids: [GoogleReaderID]
    /// The parameter of the request for the rest; nil at the end.
    public var continuation: String?
  }

  /// In bytes.
  private static let maximumSecretLength = 2_048
  private static let maximumContinuationLength = 512

  /// Returns the header with the secret of a login; nil if the answer has none.
  public static func authorization(_ body: [UInt8]) -> Authorization? {
    let lines = String(decoding: body.prefix(16_384), as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.first { $0.hasPrefix("Auth=") }
      .flatMap { secret(String($0.dropFirst("Auth=".count))) }
      .flatMap { HeaderValue("GoogleLogin auth=\($0)") }.map { .other($0) }
  }

  /// Whether the body of a login's answer refuses the name or the password.
  public static func refusesLogin(_ body: [UInt8]) -> Bool {
    String(decoding: body.prefix(1_024), as: UTF8.self).contains("BadAuthentication")
  }

  /// Returns the token for changes.
  public static func token(_ body: [UInt8]) -> String? {
    secret(String(decoding: Array(body.prefix(maximumSecretLength)).trimmingBlanks(), as: UTF8.self))
  }

  /// Returns a text that can be a part of a header or a form.
  private static func secret(_ text: String) -> String? {
    let isValid =
      (1...maximumSecretLength).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isValid ? text : nil
  }

  /// Whether the answer says that a change was made. Others, such as the page of a proxy, may have the same status.
  public static func isConfirmation(_ body: [UInt8]) -> Bool { body.trimmingBlanks().elementsEqual("OK".utf8) }

  /// Returns the titles of the subscriptions by the ID of their stream; nil if the answer is no list of them.
  public static func subscriptions(_ body: [UInt8]) -> [String: String]? {
    guard let list = JSONObject(document: body)?["subscriptions"]?.elements(limit: .max) else {
      return nil
    }
    let pairs = list.compactMap { value in
      value.object.flatMap { object in
        object["id"]?.string.flatMap { id in object.line("title", as: .html).map { (id, $0) } }
      }
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Returns a list of IDs without repetitions; nil if the answer is none. An empty list may be missing in an object
  /// without any member; another one may be an error, and an empty list would change marks.
  public static func ids(_ body: [UInt8]) -> IDList? {
    guard let object = JSONObject(document: body) else { return nil }
    let list = object["itemRefs"]
    let items = list?.elements(limit: .max)
    guard items != nil || object.isEmpty else { return nil }
    var known: Set<GoogleReaderID> = []
    let ids = (items ?? []).compactMap { $0.object?["id"]?.text.flatMap { GoogleReaderID($0) } }
      .filter { known.insert($0).inserted }
    let continuation = object["continuation"]?.text.nonEmpty
    let isUsable = !ids.isEmpty && continuation?.utf8.count ?? .max <= maximumContinuationLength
    return IDList(ids: ids, continuation: isUsable ? continuation : nil)
  }

  /// Returns the entries of an answer; nil if it is none.
  public static func entries(
    _ body: [UInt8], from server: GoogleReaderServer, in scope: FeedScope, _ subscriptions: [String: String]
  ) -> [Entry]? {
    let items = JSONObject(document: body)?["items"]?.elements(limit: .max)
    var shared = SharedTexts()
    return items?.compactMap { $0.object.flatMap { Entry($0, from: server.base, in: scope, subscriptions, &shared) } }
  }
}

extension GoogleReaderAnswer {
  /// An entry of a list.
  public struct Entry: Equatable, Sendable {
    public let id: GoogleReaderID
    public var marks: Set<Mark>
    /// When the entry was published or has arrived on the server, whichever is earlier; nil if unknown.
    public let time: UnixTime?
    /// Nil if the entry has neither a medium nor a page.
    public let video: Video?
    /// Whether the server lists a medium outside the text without an address that can be requested.
    public let lacksAddress: Bool

    public var marked: MarkedVideo? { video.map { MarkedVideo($0, marks) } }
  }
}

extension GoogleReaderAnswer.Entry {
  private static let maximumCategoryCount = 1_000
  private static let maximumCoverCount = 6

  fileprivate init?(
    _ item: JSONObject, from base: WebAddress, in scope: FeedScope, _ subscriptions: [String: String],
    _ shared: inout SharedTexts
  ) {
    guard let id = item["id"]?.text.flatMap({ GoogleReaderID($0) }) else { return nil }
    let categories = item.texts("categories", limit: Self.maximumCategoryCount)
    let published = item["published"].flatMap { UnixTime($0) }
    let arrival =
      item["crawlTimeMsec"].flatMap { UnixTime($0) }
      ?? item.count("timestampUsec").map { UnixTime(seconds: $0 / 1_000_000) }
    let enclosures = item.objects("enclosure").compactMap { Self.enclosure($0, base) }
    let origin = item["origin"]?.object
    var video = Self.video(item, id, enclosures, base)
    video?.scope = scope
    video?.published = published ?? arrival
    video?.channel = shared.shared(
      origin?["streamId"]?.string.flatMap { subscriptions[$0] } ?? origin?.line("title", as: .html))
    video?.author = shared.shared(item.line("author", as: .html))
    self.init(
      id: id, marks: Set(Mark.exchanged.filter { mark in categories.contains { mark.isNamed(by: $0) } }),
      time: [published, arrival].compactMap(\.self).min { $0.seconds < $1.seconds }, video: video,
      lacksAddress: enclosures.isEmpty && item["enclosure"]?.elements(limit: 1)?.isEmpty == false)
  }

  /// Reads the media in the enclosures and in `content` or `summary`; nil without a medium and a page.
  private static func video(
    _ item: JSONObject, _ id: GoogleReaderID, _ enclosures: [OfferedFile], _ base: WebAddress
  ) -> Video? {
    func link(_ name: StaticString) -> WebAddress? {
      item.objects(name).firstNonNil { $0.address("href", base: base) }
    }
    let page = link("canonical") ?? link("alternate")
    let texts: [StaticString] = ["content", "summary"]
    let html = texts.firstNonNil { item[$0]?.object?["content"]?.string.nonEmpty }
    let markup = Array((html ?? "").utf8)
    let embedded = EmbeddedMedia(markup, base: page)
    let summary = html.map { cleanedText($0, as: .html) }.nonEmpty
    var video = Video(
      id: id.text, title: item.line("title", as: .html, limit: 500) ?? Video.opening(of: summary),
      playback: (page ?? embedded.players.first).map(Playback.page) ?? .unknown)
    var known: Set<MediaAddress> = []
    video.adopt((enclosures + embedded.files).filter { known.insert($0.url).inserted })
    guard video.playback != .unknown else { return nil }
    (video.pageURL, video.players, video.summary) = (page, embedded.players, summary)
    video.covers = enclosures.filter { $0.kind == .picture }.prefix(maximumCoverCount).map { Cover(url: $0.url) }
    video.covers.append(inText: HTMLPictures(in: markup, base: page).addresses)
    return video
  }

  /// FreshRSS, The Old Reader and BazQux Reader write `href`, Miniflux `url`.
  private static func enclosure(_ object: JSONObject, _ base: WebAddress) -> OfferedFile? {
    guard let text = object["href"]?.string.nonEmpty ?? object["url"]?.string.nonEmpty,
      // FreshRSS encodes these addresses for HTML.
      let address = WebAddress(
        reference: Array(text.utf8).contains(sequence: "&amp;".utf8) ? Markup.textOfHTML(text) : text, base: base)
    else { return nil }
    let type = object["type"]?.string.nonEmpty
    // FreshRSS writes the medium in place of a missing type.
    let isMedium = type.map { !$0.contains("/") } ?? false
    var file = OfferedFile(address, type: isMedium ? nil : type, medium: isMedium ? type?.lowercased() : nil)
    file.byteCount = object["length"]?.integer.flatMap { $0 > 0 ? $0 : nil }
    return file
  }
}
