import FeedfallText

extension SyndicationDocument.Item {
  private static let maximumCoverCount = 6
  /// The maximum count of addresses that are resolved to find the covers.
  private static let maximumOfferCount = 64

  func covers(_ media: SyndicationDocument.Media, poster: WebAddress?) -> [Cover] {
    var covers: [Cover] = []
    Self.appendThumbnails(of: item, to: &covers)
    covers += media.pictures.map { Cover(url: $0.url, width: $0.width, height: $0.height) }
    covers += images
    if covers.count > 1 {
      var seen: Set<MediaAddress> = []
      covers = covers.filter { seen.insert($0.url).inserted }
    }
    covers = Array(Self.withYouTubeSizes(covers).prefix(Self.maximumCoverCount))
    if let poster { covers.append(inText: [poster]) }
    covers.append(inText: picturesInText)
    return covers
  }

  private static func appendThumbnails(of element: XMLElement, to covers: inout [Cover]) {
    for case .element(let child) in element.nodes
    where child.space == .media && covers.count < maximumOfferCount {
      switch child.name {
      case "thumbnail":
        let text = child.attribute("url") ?? child.attribute("href") ?? child.text
        if let url = WebAddress(reference: text, base: child.base) {
          covers.append(Cover(url: url, width: child.length("width"), height: child.length("height")))
        }
      case "group", "content": appendThumbnails(of: child, to: &covers)
      default: continue
      }
    }
  }

  private var images: [Cover] {
    item.children { $0.isImage }.prefix(Self.maximumOfferCount).compactMap { child in
      if child.name == "link" {
        return child.attribute("href").flatMap { WebAddress(reference: $0, base: child.base) }.map { Cover(url: $0) }
      }
      return child.imageAddress.map { Cover(url: $0, width: child.length("width")) }
    }
  }

  private var picturesInText: [WebAddress] {
    item.feedTexts.firstNonNil { text in
      guard let text, text.feedHTMLMayHave(.picture) else { return nil }
      let pictures = HTMLPictures(in: text.feedHTML, base: text.base).addresses
      return pictures.isEmpty ? nil : pictures
    } ?? []
  }

  /// Adds the cover without black bars, which YouTube's feeds do not contain.
  private static func withYouTubeSizes(_ covers: [Cover]) -> [Cover] {
    guard let first = covers.first?.url.web, first.host.hasSuffix(".ytimg.com"),
      first.path.hasSuffix("/hqdefault.jpg"),
      let small = WebAddress(resolving: "mqdefault.jpg", against: first)
    else { return covers }
    return [Cover(url: small, width: 320, height: 180)] + covers
  }
}

extension XMLElement {
  fileprivate var isImage: Bool {
    switch space {
    case .rss, .atom: hasName("image")
    case .podcast: hasName("image") || hasName("images")
    case .itunes: hasName("image") || hasName("link") && attribute("rel")?.lowercased() == "image"
    default: false
    }
  }

  /// The address of an `image`, from an attribute, a child or its text.
  var imageAddress: WebAddress? {
    let best = attribute("srcset").flatMap { HTMLPictures.SourceSet($0).best }
    let candidates = [
      attribute("href"), attribute("url"), first("url")?.text, first("href")?.text, best, attribute("resource"),
      isPlain ? text : nil,
    ]
    return candidates.firstNonNil { $0.flatMap { WebAddress(reference: $0, base: base) } }
  }

  fileprivate func length(_ name: String) -> Int? {
    attribute(name).flatMap { Int($0.prefix { $0.isNumber }) }
  }
}
