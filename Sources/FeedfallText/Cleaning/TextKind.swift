/// The markup of a text from outside. Each format declares it for each of its texts: guessing it from the text would remove
/// a title such as `<template>`.
///
/// | source | plain | HTML | Markdown |
/// |---|---|---|---|
/// | RSS, iTunes, Dublin Core | | all: the specification does not say, and most are HTML | |
/// | Atom (RFC 4287, 3.1.1; 0.3, 3.1) | by `type`, which is `text` if absent | by `type` or `mode` | `text/markdown` |
/// | Media RSS 1.5 | by `type`, which is `plain` if absent | by `type` | |
/// | Podlove Simple Chapters 1.2, Podcasting 2.0 | titles of chapters | | |
/// | JSON Feed 1.1 | all others | `content_html` | |
/// | articles, catalogue | all | | |
/// | OPML 2.0 | | names: "may contain encoded HTML markup" | |
/// | XSPF 1 ("not HTML"), ASX, M3U, PLS, WebDAV, folders | all | | |
/// | yt-dlp, ffprobe | all | | |
/// | Invidious (`html_to_content`), Piped (`shortDescription`) | all | | |
/// | PeerTube (`TEXT_RULES`, `html: false`) | all others | | `description` |
/// | Jellyfin (its web client renders HTML) | all others | `Overview` | |
/// | voctoweb (`simple_format`) | all others | `description` | |
/// | broadcasts of media.ccc.de | all | | |
/// | Archive (its pages show HTML) | all others | `description` | |
/// | MediaWiki (`extmetadata` is parsed wikitext) | `title`, `user` | `extmetadata` | |
/// | Google Reader (FreshRSS and The Old Reader escape titles) | | all | |
/// | problem details (RFC 9457), errors of servers | | all: some contain tags | |
public enum TextKind: Sendable {
  case plain
  case html
  case markdown

  /// Converts a text to plain text, which is not cleaned yet.
  func plainText(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .plain: bytes
    case .html: Markup.textOfHTML(bytes)
    case .markdown: Markdown.text(bytes)
    }
  }

  @inline(__always)
  func isMark(_ byte: UInt8) -> Bool {
    switch self {
    case .plain: false
    case .html: Markup.isHTMLMark(byte)
    case .markdown: Markdown.isMark(byte)
    }
  }
}
