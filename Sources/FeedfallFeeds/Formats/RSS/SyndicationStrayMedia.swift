import FeedfallText

extension EmbeddedMedia {
  /// The film of an item that names no medium, at the first of these places: the page, which may be a file itself; the
  /// content of an Atom entry; the first `video` or `audio` in a text. Nil if none of them has a film.
  init?(inPlaceOfMediaOf item: XMLElement, page: WebAddress?) {
    if let file = OfferedFile(page: page) ?? Self.content(of: item) {
      self.init(file)
      return
    }
    let texts = [
      item.first(.content, "encoded"), item.first("content"), item.first("description"), item.first("summary"),
    ]
    let media = texts.firstNonNil { text in
      guard let text, SyndicationText.mayHave(.media, text) else { return nil as EmbeddedMedia? }
      return EmbeddedMedia(firstIn: SyndicationText.html(text), base: text.base ?? page)
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
