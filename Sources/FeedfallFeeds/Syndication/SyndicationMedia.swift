import FeedfallDocuments
import FeedfallText

/// The media that an item offers, by all the ways there are: `media:content`, `enclosure`, `link rel=enclosure` and
/// `podcast:alternateEnclosure`.
struct SyndicationMedia {
  /// What can be played, the best first: pictures before sound alone, streams that hold all heights before files, the
  /// feed's default before others.
  let playable: [MediaOffer]
  /// Addresses of web players.
  let players: [WebAddress]
  /// Pictures among the media, which are covers.
  let pictures: [MediaOffer]
  let anyDuration: VideoDuration?

  private static let maximumCount = 64

  init(_ item: XMLElement) {
    let offers = Array(Self.offers(item).prefix(Self.maximumCount))
    let usable = offers.filter(\.isPlayable)
    let order = usable.enumerated().sorted {
      $0.element.rank == $1.element.rank ? $0.offset < $1.offset : $0.element.rank < $1.element.rank
    }
    var seen: Set<WebAddress> = []
    playable = order.map(\.element).filter { seen.insert($0.url).inserted }
    pictures = offers.filter { $0.kind == .picture }
    anyDuration = offers.lazy.compactMap(\.duration).first
    let groups = [item] + item.children(.media, "group")
    let told = groups.flatMap { $0.children(.media, "player") }.compactMap { player in
      player.attribute("url").flatMap { WebAddress(reference: $0, base: player.base) }
    }
    players = Array((offers.filter { $0.kind == .player }.map(\.url) + told).prefix(4))
  }

  var chosen: MediaOffer? { playable.first }

  var files: [MediaFile] {
    playable.map { MediaFile(url: $0.url, mimeType: $0.type, height: $0.height) }
  }

  private static func offers(_ item: XMLElement) -> [MediaOffer] {
    var offers: [MediaOffer] = []
    for child in item.children {
      switch (child.space, child.name) {
      case (.media, "content"), (.media, "group"): appendContents(of: child, to: &offers)
      case (.podcast, "alternateenclosure"): appendSources(of: child, to: &offers)
      case (.rss, "enclosure"), (.atom, "enclosure"), (.media, "enclosure"):
        if let offer = MediaOffer(child, address: child.attribute("url") ?? child.attribute("href")) {
          offers.append(offer)
        }
      case (.atom, "link"), (.rss, "link"):
        guard child.attribute("rel")?.lowercased() == "enclosure" else { continue }
        if let offer = MediaOffer(child, address: child.attribute("href")) { offers.append(offer) }
      default: continue
      }
    }
    return offers
  }

  private static func appendContents(of element: XMLElement, to offers: inout [MediaOffer]) {
    if element.name == "content", let offer = MediaOffer(element, address: element.attribute("url")) {
      offers.append(offer)
    }
    for child in element.children where child.space == .media && ["content", "group"].contains(child.name) {
      appendContents(of: child, to: &offers)
    }
  }

  /// The sources of an alternate enclosure are the same medium from several places.
  private static func appendSources(of element: XMLElement, to offers: inout [MediaOffer]) {
    for source in element.children(.podcast, "source") {
      guard var offer = MediaOffer(element, address: source.attribute("uri")) else { continue }
      if let type = source.attribute("contenttype") { offer.setType(type) }
      offers.append(offer)
    }
  }
}
