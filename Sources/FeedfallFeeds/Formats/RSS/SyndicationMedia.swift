import FeedfallText

extension SyndicationDocument {
  /// The media of an item: `media:content`, `enclosure`, `link rel=enclosure` and `podcast:alternateEnclosure`.
  struct Media {
    /// The files of any kind, each address once, in the order of the item. Those of a `media:group` have the
    /// title of the group, and alternate enclosures none, because they are copies of one film.
    private(set) var files: [OfferedFile] = []
    private(set) var players: [WebAddress] = []
    /// The first duration of a whole film.
    private(set) var anyDuration: VideoDuration?
    private(set) var author: String?
    /// The titles of the files, decoded only if there are several files.
    private var titles: [Title?] = []
    /// Contents without an address, such as those with a player.
    private var contents: [XMLElement] = []

    private static let maximumPlayerCount = 4

    init(_ item: XMLElement) {
      append(contentsOf: item)
      files = distinctFiles
      anyDuration =
        files.firstNonNil { $0.isSample ? nil : $0.duration }
        ?? contents.firstNonNil { $0.attribute("duration").flatMap { VideoDuration(feedText: $0) } }
      author = contents.firstNonNil { $0.first(.media, "credit").flatMap { $0.personName } }
      let groups = [item] + item.children(.media, "group") + contents
      let explicit = groups.flatMap { $0.children(.media, "player") }.prefix(Self.maximumPlayerCount).compactMap {
        player in
        player.attribute("url").flatMap { WebAddress(reference: $0, base: player.base) }
      }
      players = Array(
        (files.filter { $0.kind == .player }.compactMap(\.url.web) + explicit).prefix(Self.maximumPlayerCount))
    }

    var pictures: [OfferedFile] { files.filter { $0.kind == .picture } }

    /// The file whose address identifies an item without an ID: the first one of the best kind, whatever its height, so
    /// that the item keeps its ID if the preferred height changes.
    var identifyingFile: OfferedFile? {
      files.filter(\.isPlayable).min { $0.identifyingOrder < $1.identifyingOrder }
    }
  }
}

extension OfferedFile {
  fileprivate var identifyingOrder: (Int, Int) { (kindOrder, isDefault ? 0 : 1) }

  init?(_ element: XMLElement, address: String?) {
    guard let address,
      let url = WebAddress(reference: address, base: element.base).map(MediaAddress.web)
        ?? StreamAddress(address).map(MediaAddress.stream)
    else { return nil }
    self.init(url, type: element.attribute("type"), medium: element.attribute("medium")?.lowercased())
    duration = element.attribute("duration").flatMap { VideoDuration(feedText: $0) }
    width = element.attribute("width").flatMap(Self.length)
    height = element.attribute("height").flatMap(Self.length)
    byteCount = (element.attribute("filesize") ?? element.attribute("length")).flatMap(WrittenCount.byteCount)
      .flatMap { $0 > 0 ? $0 : nil }
    isDefault = ["true", "1", "yes"].contains(
      (element.attribute("isdefault") ?? element.attribute("default"))?.lowercased() ?? "")
    isSample = element.attribute("expression")?.lowercased() == "sample"
    language =
      (element.attribute("lang") ?? element.attribute("hreflang"))
      .map { cleanedLine($0, limit: Video.maximumLanguageLength) }.nonEmpty
  }

  private static func length(_ text: String) -> Int? {
    let digits = text.utf8.prefix(6).prefix(while: \.isASCIIDigit)
    return Int(String(decoding: Array(digits), as: UTF8.self)).flatMap { (1...100_000).contains($0) ? $0 : nil }
  }
}

extension SyndicationDocument.Media {
  private enum Title {
    case element(XMLElement)
    case link(String)
  }

  /// Each address once, with the properties of all its descriptions.
  private var distinctFiles: [OfferedFile] {
    guard files.count > 1 else { return files }
    var distinct: [OfferedFile] = []
    var places: [MediaAddress: Int] = [:]
    let areFormats = linksAreFormats
    for (file, title) in zip(files, titles) {
      var file = file
      switch title {
      case .element(let element)?: file.title = element.feedLine()
      case .link(let text)? where !areFormats: file.title = cleanedLine(text, limit: 500).nonEmpty
      case .link?, nil: break
      }
      if let place = places[file.url] {
        distinct[place].merge(file)
      } else {
        places[file.url] = distinct.count
        distinct.append(file)
      }
    }
    return distinct
  }

  /// Whether all links have different types. Their titles then name the formats: Atom does not define their meaning.
  private var linksAreFormats: Bool {
    let links = zip(files, titles).filter { if case .link? = $1 { true } else { false } }
    return Set(links.map(\.0.mimeType)).count == links.count
  }

  private mutating func append(contentsOf item: XMLElement) {
    for case .element(let child) in item.nodes {
      switch child.space {
      case .media where child.hasName("content"): appendContents(of: child)
      case .media where child.hasName("group"):
        appendContents(of: child, titled: .some(child.first(.media, "title")))
      case .podcast where child.hasName("alternateenclosure"): appendSources(of: child)
      case .rss, .atom, .media: appendEnclosure(child)
      default: continue
      }
    }
  }

  /// Appends the medium of an `enclosure`, or of a `link rel=enclosure`, which Media RSS does not have.
  private mutating func appendEnclosure(_ element: XMLElement) {
    if element.hasName("enclosure") {
      // RSS 1.0 has `enc:enclosure` with `rdf:resource`.
      let address = element.attribute("url") ?? element.attribute("href") ?? element.attribute("resource")
      append(OfferedFile(element, address: address), titled: element.first(.media, "title").map(Title.element))
      return
    }
    guard element.space.isFeed, element.hasName("link"), element.attribute("rel")?.lowercased() == "enclosure" else {
      return
    }
    append(
      OfferedFile(element, address: element.attribute("href")), titled: element.attribute("title").map(Title.link))
  }

  /// - Parameter title: that of the group; nil outside a group.
  private mutating func appendContents(of element: XMLElement, titled title: XMLElement?? = nil) {
    if element.name == "content" {
      if let file = OfferedFile(element, address: element.attribute("url")) {
        append(file, titled: (title ?? element.first(.media, "title")).map(Title.element))
      } else {
        contents.append(element)
      }
    }
    for case .element(let child) in element.nodes
    where child.space == .media && ["content", "group"].contains(child.name) {
      appendContents(of: child, titled: title)
    }
  }

  /// Appends the sources of an alternate enclosure, which are copies of one medium.
  private mutating func appendSources(of element: XMLElement) {
    for source in element.children(.podcast, "source") {
      var file = OfferedFile(element, address: source.attribute("uri"))
      if let type = source.attribute("contenttype") { file?.setType(type) }
      append(file, titled: nil)
    }
  }

  private mutating func append(_ file: OfferedFile?, titled title: Title?) {
    guard let file else { return }
    files.append(file)
    titles.append(title)
  }
}

extension EmbeddedMedia {
  /// The film of an item that names no medium, at the first of these places: the page, which may be a file itself; the
  /// content of an Atom entry; the first `video` or `audio` in a text. Nil if none of them has a film.
  init?(inPlaceOfMediaOf item: XMLElement, page: WebAddress?) {
    if let file = OfferedFile(page: page) ?? Self.content(of: item) {
      self.init(file)
      return
    }
    let media = item.feedTexts.firstNonNil { text in
      guard let text, text.feedHTMLMayHave(.media) else { return nil as EmbeddedMedia? }
      return EmbeddedMedia(firstIn: text.feedHTML, base: text.base ?? page)
    }
    guard let media else { return nil }
    self = media
  }

  /// The film that an Atom entry references instead of a text (RFC 4287, 4.1.3.2).
  private static func content(of item: XMLElement) -> OfferedFile? {
    guard let content = item.first("content"), let source = content.attribute("src"),
      let file = OfferedFile(content, address: source), file.isPlayable, file.kind != .unknown
    else { return nil }
    return file
  }
}
