import FeedfallText

/// The media in a text in HTML: the files of `video` and `audio` elements, and the players in `iframe` elements.
struct EmbeddedMedia {
  private(set) var files: [OfferedFile] = []
  private(set) var players: [WebAddress] = []
  private(set) var poster: WebAddress?

  private static let maximumByteCount = 256 << 10
  private static let maximumCount = 16
  private static let maximumPlayerCount = 4

  init(_ file: OfferedFile) { files = [file] }

  /// The first `video` or `audio`, whose files are copies of one film; nil without a playable one.
  init?(firstIn html: [UInt8], base: WebAddress?) {
    // Few texts have any, and searching for the names is much faster than parsing all tags.
    guard HTMLPage.mayHave(.media, html, in: html.indices) else { return nil }
    self.init(html, base: base, onlyFirst: true)
    guard files.contains(where: \.isPlayable) else { return nil }
  }

  init(_ html: [UInt8], base: WebAddress?, onlyFirst isFirst: Bool = false) {
    let page = html.count > Self.maximumByteCount ? Array(html.prefix(Self.maximumByteCount)) : html
    var index = 0
    while files.count + players.count < Self.maximumCount,
      let start = page.firstIndex(of: UInt8(ascii: "<"), in: index..<page.count)
    {
      if isFirst, !files.isEmpty, Self.endsMedium(page[start...]) { break }
      guard let tag = HTMLTag(in: page, at: start) else {
        index = start + 1
        continue
      }
      index = max(tag.end, start + 1)
      append(tag, base)
    }
  }

  private mutating func append(_ tag: HTMLTag, _ base: WebAddress?) {
    func address(_ name: String) -> WebAddress? { tag[name].flatMap { WebAddress(reference: $0, base: base) } }
    guard ["video", "audio", "source", "iframe"].contains(tag.name) else { return }
    if tag.name == "video" { poster = poster ?? address("poster") }
    guard let source = address("src") else { return }
    if tag.name == "iframe" {
      if players.count < Self.maximumPlayerCount { players.append(source) }
    } else {
      var file = OfferedFile(source, type: tag["type"], medium: tag.name == "source" ? nil : tag.name)
      if tag.name == "audio" { file.kind = .audio }
      files.append(file)
    }
  }

  private static func endsMedium(_ rest: ArraySlice<UInt8>) -> Bool {
    let name = rest.prefix(7).map(\.lowercased)
    return ["</video", "</audio", "<video", "<audio"].contains { name.starts(with: $0.utf8) }
  }
}
