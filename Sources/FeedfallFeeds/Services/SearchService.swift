import FeedfallText

/// A service whose videos can be searched from anywhere, or all of them together. A new one is a case with its rows.
public enum SearchService: String, CaseIterable, Sendable {
  case youtube, peertube, archive, ccc, commons, dailymotion, soundcloud, bilibili, niconico, podcasts
  case everywhere

  /// The site with its own search, and the name of yt-dlp's search.
  private var row: (name: String, site: Site?, ytDlp: String?) {
    switch self {
    case .youtube: ("YouTube", nil, "ytsearch:")
    case .peertube: ("PeerTube", nil, nil)
    case .archive: ("Internet Archive", Site.archive, nil)
    case .ccc: ("media.ccc.de", Site.mediaCCC, nil)
    case .commons: ("Wikimedia Commons", Site.commons, nil)
    case .dailymotion: ("Dailymotion", Service.dailymotion.site, nil)
    case .soundcloud: ("SoundCloud", nil, "scsearch:")
    case .bilibili: ("bilibili", nil, "bilisearch:")
    case .niconico: ("niconico", nil, "nicosearch:")
    case .podcasts: ("Podcasts", Service.applePodcasts.site, nil)
    case .everywhere: ("everywhere", nil, nil)
    }
  }

  /// The name for titles.
  public var name: String { row.name }

  /// The default service.
  public static func usual(hasYtDlp: Bool) -> SearchService { hasYtDlp ? .youtube : .peertube }

  /// Whether yt-dlp searches it.
  var needsYtDlp: Bool { row.ytDlp != nil }

  /// The addresses of the results by their services: several for `everywhere`.
  public func searches(
    for request: SearchRequest, hasYtDlp: Bool
  ) -> [(service: SearchService, address: String)] {
    let services = self == .everywhere ? Self.allCases.filter { hasYtDlp || !$0.needsYtDlp } : [self]
    return services.compactMap { service in service.address(of: request).map { (service: service, address: $0) } }
  }

  /// The address of the results, as a user would type it; nil for several.
  public func address(of request: SearchRequest) -> String? {
    let words = PercentCoding.encode(request.words)
    return switch self {
    case .youtube:
      "https://www.youtube.com/results?search_query=\(words)&sp=\(PercentCoding.encode(request.youTubeParameter))"
    case .peertube:
      "https://sepiasearch.org/api/v1/search/\(PeerTubeEndpoint.found(request.kind))?search=\(words)"
        + request.peerTubeParameters
    case .archive, .ccc, .commons, .dailymotion, .podcasts: row.site?.search.map { $0 + words }
    case .soundcloud, .bilibili, .niconico: row.ytDlp.map { $0 + request.words }
    case .everywhere: nil
    }
  }
}

/// The words to search for, and conditions in the language of filters, such as `blender since:1m >20m sort:views`.
///
/// A server gets the conditions that it knows, as far as its own classes go; all of them filter its results, too.
public struct SearchRequest: Equatable, Sendable {
  public let words: String
  /// The conditions as a filter.
  public let filter: String
  /// The kind of lists to find; nil for videos.
  public let kind: ListLink.Kind?
  /// The number of one of `ages`, from 1 on; nil for any age.
  private let age: Int?
  private let length: Length?
  private let isSortedByViews: Bool

  /// YouTube's classes of age, from an hour to a year, by the longest age in hours.
  private static let ages = [1, 24, 7 * 24, 31 * 24, 366 * 24]

  /// YouTube's classes of length.
  private enum Length: Int {
    case short = 1
    case long, medium
  }

  private static let fields: Set<String> = ["since", "before", "length", "lang", "sort", "type"]
  private static let kinds = ["type:channel": ListLink.Kind.channel, "type:playlist": .playlist]

  /// The first word may name a service; in quotation marks it is searched for.
  public static func parse(_ text: String) -> (service: SearchService?, request: SearchRequest) {
    let tokens = tokens(of: text)
    let service = tokens.count > 1 ? SearchService(rawValue: tokens[0].lowercased()) : nil
    return (service, SearchRequest(service == nil ? tokens[...] : tokens.dropFirst()))
  }

  /// Blanks separate them, except in quotation marks.
  private static func tokens(of text: String) -> [String] {
    var tokens: [String] = []
    var isOpen = false
    var isInToken = false
    for character in text {
      if character == "\"" { isOpen.toggle() }
      guard isOpen || !character.isWhitespace else {
        isInToken = false
        continue
      }
      if isInToken { tokens[tokens.count - 1].append(character) } else { tokens.append(String(character)) }
      isInToken = true
    }
    return tokens
  }

  private init(_ tokens: ArraySlice<String>) {
    let conditions = tokens.filter(Self.isCondition)
    words = tokens.filter { !Self.isCondition($0) }.joined(separator: " ")
    filter = conditions.joined(separator: " ")
    isSortedByViews = conditions.contains("sort:views")
    age = conditions.firstNonNil { $0.hasPrefix("since:") ? Self.age($0.dropFirst(6)) : nil }
    length = conditions.firstNonNil(Self.length)
    kind = conditions.firstNonNil { Self.kinds[$0] }
  }

  private static func isCondition(_ token: String) -> Bool {
    if let first = token.first, "<>".contains(first), token.dropFirst().contains(where: \.isNumber) { return true }
    guard let colon = token.firstIndex(of: ":") else { return false }
    return fields.contains(String(token[..<colon]))
  }

  /// The number of the smallest class that contains an age such as `2w`.
  private static func age(_ text: Substring) -> Int? {
    let units: [Character: Int] = ["h": 1, "d": 24, "w": 168, "m": 31 * 24, "y": 366 * 24]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()), (1...1_000).contains(count)
    else { return nil }
    return ages.firstIndex { $0 >= count * unit }.map { $0 + 1 }
  }

  /// The class that contains all lengths of a condition such as `>20m`; nil if none does.
  private static func length(_ token: String) -> Length? {
    let digits = token.drop { "<>=".contains($0) }
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600]
    guard digits.count < token.count, let unit = digits.last.flatMap({ units[$0] }), let count = Int(digits.dropLast()),
      (0...100_000).contains(count)
    else { return nil }
    let seconds = count * unit
    if token.first == ">" { return seconds >= 20 * 60 ? .long : nil }
    return seconds <= 4 * 60 ? .short : nil
  }

  /// The parameter `sp` of YouTube's results: a message in protocol buffers (protobuf.dev), in Base64. Field 1 is the
  /// order, of which YouTube still heeds 3, by views; field 2 has the filters: 1 the age, 2 the kind (1 video,
  /// 2 channel, 3 playlist), 3 the length.
  fileprivate var youTubeParameter: String {
    var filters: [UInt8] = []
    func append(_ field: UInt8, _ value: Int, to bytes: inout [UInt8]) { bytes += [field << 3, UInt8(value)] }
    if let age { append(1, age, to: &filters) }
    append(2, kind == .channel ? 2 : kind == .playlist ? 3 : 1, to: &filters)
    if let length { append(3, length.rawValue, to: &filters) }
    var message: [UInt8] = []
    if isSortedByViews { append(1, 3, to: &message) }
    message += [2 << 3 | 2, UInt8(filters.count)] + filters
    return String(decoding: Base64.encode(message), as: UTF8.self)
  }

  fileprivate var peerTubeParameters: String {
    guard kind == nil else { return "" }
    return (isSortedByViews ? "&sort=-views" : "") + (length == .long ? "&durationMin=1200" : "")
      + (length == .short ? "&durationMax=240" : "")
  }
}

/// Words for one of yt-dlp's searches (github.com/yt-dlp/yt-dlp), such as `scsearch10:piano`. Their number is ignored:
/// the results have pages.
public struct YtDlpSearch: Equatable, Sendable {
  /// The text for yt-dlp in place of an address: all results, of which it loads only those of a page.
  public let input: String
  /// The site, for its proxy.
  public let site: WebAddress
  /// The title of one of the user's own lists; nil for a search.
  public let title: String?

  /// The name of a search that yt-dlp has removed.
  public static let removed = "ytsearchdate"

  private static let sites = [
    "ytsearch": "https://www.youtube.com/", removed: "https://www.youtube.com/", "scsearch": "https://soundcloud.com/",
    "bilisearch": "https://www.bilibili.com/", "nicosearch": "https://www.nicovideo.jp/",
    "nicosearchdate": "https://www.nicovideo.jp/",
  ]

  public init?(_ text: String) {
    if let own = Self.ownLists.first(where: { $0.name == text }), let site = WebAddress("https://www.youtube.com/") {
      (input, self.site, title) = (own.name, site, own.title)
      return
    }
    guard let (name, words) = Self.split(text), !words.isEmpty,
      let site = Self.sites[name].flatMap({ WebAddress($0) })
    else { return nil }
    (input, self.site, title) = ("\(name)all:\(words)", site, nil)
  }

  /// Whether an argument names a list of the user's account.
  public static func isOwnList(_ argument: String) -> Bool {
    YtDlpSearch(SourcePrefix.split(argument)?.rest ?? argument)?.title != nil
  }

  private static func split(_ text: String) -> (name: String, words: String)? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    var name = text[..<colon].lowercased()
    if name.hasSuffix("all") { name.removeLast(3) }
    while name.last?.isASCII == true, name.last?.isNumber == true { name.removeLast() }
    guard sites[name] != nil else { return nil }
    let words = cleanedLine(String(text[text.index(after: colon)...]), limit: 500).split(separator: " ")
    return (name, words.joined(separator: " "))
  }
}
