import FeedfallDocuments
import FeedfallText

/// The media of an item: `media:content`, `enclosure`, `link rel=enclosure` and `podcast:alternateEnclosure`.
struct SyndicationMedia {
  /// The playable media, best first: video before audio, streams before files, the default of the feed before others.
  let playable: [MediaOffer]
  /// The addresses of web players.
  let players: [WebAddress]
  /// The pictures among the media, which serve as covers.
  let pictures: [MediaOffer]
  let anyDuration: VideoDuration?
  /// The credit in a `media:content`.
  let author: String?

  private static let maximumCount = 64

  init(_ item: XMLElement) {
    // Contents without an address, such as those with a player.
    var contents: [XMLElement] = []
    let offers = Array(Self.offers(item, &contents).prefix(Self.maximumCount))
    let usable = offers.filter(\.isPlayable)
    let order = usable.enumerated().sorted {
      $0.element.rank == $1.element.rank ? $0.offset < $1.offset : $0.element.rank < $1.element.rank
    }
    var seen: Set<WebAddress> = []
    playable = order.map(\.element).filter { seen.insert($0.url).inserted }
    pictures = offers.filter { $0.kind == .picture }
    anyDuration =
      offers.firstNonNil(\.duration)
      ?? contents.firstNonNil { $0.attribute("duration").flatMap { VideoDuration(feedText: $0) } }
    author = contents.firstNonNil { $0.first(.media, "credit").flatMap(SyndicationText.person) }
    let groups = [item] + item.children(.media, "group") + contents
    let explicit = groups.flatMap { $0.children(.media, "player") }.prefix(Self.maximumCount).compactMap { player in
      player.attribute("url").flatMap { WebAddress(reference: $0, base: player.base) }
    }
    players = Array((offers.filter { $0.kind == .player }.map(\.url) + explicit).prefix(4))
  }

  var chosen: MediaOffer? { playable.first }

  var files: [MediaFile] {
    playable.map { MediaFile(url: $0.url, mimeType: $0.type, height: $0.height) }
  }

  private static func offers(_ item: XMLElement, _ others: inout [XMLElement]) -> [MediaOffer] {
    var offers: [MediaOffer] = []
    for case .element(let child) in item.nodes where offers.count < maximumCount {
      switch child.space {
      case .media where child.hasName("content") || child.hasName("group"):
        appendContents(of: child, to: &offers, &others)
      case .podcast where child.hasName("alternateenclosure"): appendSources(of: child, to: &offers)
      case .rss, .atom, .media:
        if let offer = enclosure(child) { offers.append(offer) }
      default: continue
      }
    }
    return offers
  }

  /// Returns the medium of an `enclosure`, or of a `link rel=enclosure`, which Media RSS does not have.
  private static func enclosure(_ element: XMLElement) -> MediaOffer? {
    if element.hasName("enclosure") {
      return MediaOffer(element, address: element.attribute("url") ?? element.attribute("href"))
    }
    guard element.space.isFeed, element.hasName("link"), element.attribute("rel")?.lowercased() == "enclosure" else {
      return nil
    }
    return MediaOffer(element, address: element.attribute("href"))
  }

  /// Appends the contents of an element, those without an address to `others`.
  private static func appendContents(
    of element: XMLElement, to offers: inout [MediaOffer], _ others: inout [XMLElement]
  ) {
    if element.name == "content" {
      if let offer = MediaOffer(element, address: element.attribute("url")) {
        offers.append(offer)
      } else {
        others.append(element)
      }
    }
    for case .element(let child) in element.nodes
    where offers.count < maximumCount && child.space == .media && ["content", "group"].contains(child.name) {
      appendContents(of: child, to: &offers, &others)
    }
  }

  /// Appends the sources of an alternate enclosure, which are copies of one medium.
  private static func appendSources(of element: XMLElement, to offers: inout [MediaOffer]) {
    for source in element.children(.podcast, "source").prefix(maximumCount) {
      guard var offer = MediaOffer(element, address: source.attribute("uri")) else { continue }
      if let type = source.attribute("contenttype") { offer.setType(type) }
      offers.append(offer)
    }
  }
}

/// A medium of an item.
struct MediaOffer: Equatable {
  let url: WebAddress
  private(set) var type: String?
  private(set) var kind: MediaKind
  let duration: VideoDuration?
  let width: Int?
  let height: Int?
  let byteCount: Int?
  let isDefault: Bool

  /// Returns nil without a valid address.
  init?(_ element: XMLElement, address: String?) {
    guard let address, let url = WebAddress(reference: address, base: element.base) else { return nil }
    self.url = url
    let type = Self.cleaned(element.attribute("type"))
    self.type = type
    kind = MediaKind(type: type, medium: element.attribute("medium")?.lowercased(), address: url)
    duration = element.attribute("duration").flatMap { VideoDuration(feedText: $0) }
    width = element.attribute("width").flatMap(Self.length)
    height = element.attribute("height").flatMap(Self.length)
    byteCount = (element.attribute("filesize") ?? element.attribute("length")).flatMap(WrittenCount.byteCount)
      .flatMap { $0 > 0 ? $0 : nil }
    isDefault = ["true", "1", "yes"].contains(
      (element.attribute("isdefault") ?? element.attribute("default"))?.lowercased() ?? "")
  }

  /// Sets the type that is declared outside the element.
  mutating func setType(_ text: String) {
    type = Self.cleaned(text) ?? type
    kind = MediaKind(type: type, medium: nil, address: url)
  }

  var isPlayable: Bool {
    switch kind {
    case .stream, .video, .audio, .unknown: true
    case .picture, .player, .unusable: false
    }
  }

  var pictureSize: PixelSize? {
    guard let width, let height else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// The order of preference, the smallest first.
  var rank: Int {
    let base =
      switch kind {
      case .stream: 0
      case .video: 2
      case .unknown: 4
      case .audio: 6
      case .picture, .player, .unusable: 8
      }
    return isDefault ? base : base + 1
  }

  private static func length(_ text: String) -> Int? {
    let digits = text.utf8.prefix(6).prefix(while: \.isASCIIDigit)
    return Int(String(decoding: Array(digits), as: UTF8.self)).flatMap { (1...100_000).contains($0) ? $0 : nil }
  }

  /// Returns the type in lower case, without its parameters.
  private static func cleaned(_ type: String?) -> String? {
    let bytes = type.map { $0.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != .comma }.map(\.lowercased) }
    guard let bytes = bytes?.trimmingBlanks(), !bytes.isEmpty, bytes.count <= 100,
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
