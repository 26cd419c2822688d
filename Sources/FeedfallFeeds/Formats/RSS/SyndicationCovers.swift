import FeedfallText

/// Finds the covers of an item: thumbnails, other pictures of the item, and those in its text.
struct SyndicationCovers {
  private let item: XMLElement
  private let media: SyndicationMedia
  private let poster: WebAddress?

  private static let maximumCount = 6
  /// The maximum count of addresses that are resolved to find them.
  private static let maximumOfferCount = 64

  /// - Parameter poster: the cover of a film in the text.
  init(_ item: XMLElement, media: SyndicationMedia, poster: WebAddress?) {
    (self.item, self.media, self.poster) = (item, media, poster)
  }

  var covers: [Cover] {
    var covers: [Cover] = []
    appendThumbnails(of: item, to: &covers)
    covers += media.pictures.map { Cover(url: $0.url, width: $0.width, height: $0.height) }
    covers += images
    if covers.count > 1 {
      var seen: Set<MediaAddress> = []
      covers = covers.filter { seen.insert($0.url).inserted }
    }
    covers = Array(Self.withYouTubeSizes(covers).prefix(Self.maximumCount))
    if let poster { covers.append(inText: [poster]) }
    covers.append(inText: picturesInText)
    return covers
  }

  private func appendThumbnails(of element: XMLElement, to covers: inout [Cover]) {
    for case .element(let child) in element.nodes
    where child.space == .media && covers.count < Self.maximumOfferCount {
      switch child.name {
      case "thumbnail":
        let text = child.attribute("url") ?? child.attribute("href") ?? child.text
        if let url = WebAddress(reference: text, base: child.base) {
          covers.append(Cover(url: url, width: Self.length(child, "width"), height: Self.length(child, "height")))
        }
      case "group", "content": appendThumbnails(of: child, to: &covers)
      default: continue
      }
    }
  }

  private var images: [Cover] {
    item.children(where: Self.isImage).prefix(Self.maximumOfferCount).compactMap { child in
      if child.name == "link" {
        return child.attribute("href").flatMap { WebAddress(reference: $0, base: child.base) }.map { Cover(url: $0) }
      }
      return Self.address(ofImage: child).map { Cover(url: $0, width: Self.length(child, "width")) }
    }
  }

  private static func isImage(_ element: XMLElement) -> Bool {
    switch element.space {
    case .rss, .atom: element.hasName("image")
    case .podcast: element.hasName("image") || element.hasName("images")
    case .itunes:
      element.hasName("image") || element.hasName("link") && element.attribute("rel")?.lowercased() == "image"
    default: false
    }
  }

  /// Returns the address of an `image`, from an attribute, a child or its text.
  static func address(ofImage element: XMLElement) -> WebAddress? {
    let first = element.attribute("srcset").flatMap { HTMLPictures.SourceSet($0).best }
    let candidates = [
      element.attribute("href"), element.attribute("url"), element.first("url")?.text, element.first("href")?.text,
      first, element.attribute("resource"), element.isPlain ? element.text : nil,
    ]
    return candidates.firstNonNil { $0.flatMap { WebAddress(reference: $0, base: element.base) } }
  }

  private static func length(_ element: XMLElement, _ name: String) -> Int? {
    element.attribute(name).flatMap { Int($0.prefix { $0.isNumber }) }
  }

  /// The pictures in the first text that has any.
  private var picturesInText: [WebAddress] {
    let texts = [
      item.first(.content, "encoded"), item.first("content"), item.first("description"), item.first("summary"),
    ]
    return texts.firstNonNil { text in
      guard let text, SyndicationText.mayHave(.picture, text) else { return nil }
      let pictures = HTMLPictures(in: SyndicationText.html(text), base: text.base).addresses
      return pictures.isEmpty ? nil : pictures
    } ?? []
  }

  /// Adds the cover without black bars, which YouTube's feeds do not contain.
  private static func withYouTubeSizes(_ covers: [Cover]) -> [Cover] {
    guard let first = covers.first?.url.web, first.host.hasSuffix(".ytimg.com"), first.path.hasSuffix("/hqdefault.jpg"),
      let small = WebAddress(resolving: "mqdefault.jpg", against: first)
    else { return covers }
    return [Cover(url: small, width: 320, height: 180)] + covers
  }
}
