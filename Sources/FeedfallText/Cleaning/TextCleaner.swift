/// Returns a text from outside the program in a form that is safe to show on one line. Control, bidirectional,
/// invisible and private characters and noncharacters are removed, white space and line breaks are folded to single
/// blanks, and a character has at most eight marks. Text beyond `limit` characters is replaced by `…`. Of HTML and
/// Markdown the markup is removed, and entities are decoded once. O(n); a text that is clean already is not copied.
public func cleanedLine(_ text: String, as kind: TextKind = .plain, limit: Int = 500) -> String {
  if TextCleaner.isCleanLine(text, as: kind, limit: limit) { return text }
  var cleaner = TextCleaner(keepsLines: false, limit: limit)
  cleaner.append(kind.plainText(Array(text.utf8).bounded(to: limit * 32)))
  return cleaner.finished()
}

/// Returns a longer text from outside the program in a form that is safe to show: like `cleanedLine`, but with its
/// paragraphs.
public func cleanedText(_ text: String, as kind: TextKind, limit: Int = 20_000) -> String {
  cleanedText(Array(text.utf8), as: kind, limit: limit)
}

/// The same for text in valid UTF-8.
package func cleanedText(_ text: [UInt8], as kind: TextKind, limit: Int = 20_000) -> String {
  var cleaner = TextCleaner(keepsLines: true, limit: limit)
  let text = text.bounded(to: limit * 8)
  guard case .html = kind else {
    cleaner.append(kind.plainText(text))
    return cleaner.finished()
  }
  let rest = Markup.textOfHTML(text) { part in
    cleaner.append(part)
    part.removeAll(keepingCapacity: true)
    return !cleaner.isCut
  }
  cleaner.append(rest)
  return cleaner.finished()
}

struct TextCleaner {
  private let keepsLines: Bool
  private let limit: Int
  private var result: [UInt8] = []
  private var count = 0
  private var marks = 0
  private var pendingBlank = false
  private var pendingBreaks = 0
  private var lastWasReturn = false
  private var lastWasJoiner = false
  private(set) var isCut = false

  private static let maximumMarks = 8

  init(keepsLines: Bool, limit: Int) { (self.keepsLines, self.limit) = (keepsLines, limit) }

  /// Whether the text is clean already, which is the usual case; nothing is allocated.
  static func isCleanLine(_ text: String, as kind: TextKind, limit: Int) -> Bool {
    guard text.utf8.count <= limit else { return false }
    var text = text
    return text.withUTF8 { isCleanLine($0, as: kind) }
      ?? text.unicodeScalars.allSatisfy { $0.value < 0x7F || CharacterClass($0) == .printable }
  }

  /// Nil if it depends on the characters that are not ASCII.
  private static func isCleanLine(_ text: UnsafeBufferPointer<UInt8>, as kind: TextKind) -> Bool? {
    var isASCII = true
    var last = UInt8.space
    for byte in text {
      if byte == .space {
        if last == .space { return false }
      } else if byte < 0x21 || byte == 0x7F || kind.isMark(byte) {
        return false
      }
      isASCII = isASCII && byte < 0x80
      last = byte
    }
    guard last != .space || text.isEmpty else { return false }
    return isASCII ? true : nil
  }

  /// Appends a text in valid UTF-8.
  mutating func append(_ text: [UInt8]) {
    result.reserveCapacity(min(text.count, limit * 4))
    text.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count, !isCut {
        let end = Self.endOfWords(bytes, from: index)
        if end > index {
          appendWords(bytes[index..<end])
          index = end
        } else {
          let scalar = Unicode.Scalar(leading: bytes[index...])
          appendByClass(scalar)
          index += UTF8.width(scalar)
        }
      }
    }
  }

  /// The index after words of printable ASCII characters with single blanks between them; `start` if there are none.
  private static func endOfWords(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      if isPrintableASCII(bytes[index]) {
        index += 1
      } else if bytes[index] == .space, index > start, index + 1 < bytes.count, isPrintableASCII(bytes[index + 1]) {
        index += 2
      } else {
        break
      }
    }
    return index
  }

  private mutating func appendWords(_ words: Slice<UnsafeBufferPointer<UInt8>>) {
    guard let first = words.first else { return }
    // A gap has at most two characters.
    guard words.count + 2 < limit - count else {
      for word in words.split(separator: .space) where !isCut {
        appendWord(word)
        pendingBlank = word.endIndex < words.endIndex
      }
      return
    }
    appendBase(Unicode.Scalar(first))
    let rest = UnsafeBufferPointer(rebasing: words.dropFirst())
    result.append(contentsOf: rest)
    count += rest.count
    lastWasReturn = false
  }

  private static func isPrintableASCII(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

  private mutating func appendWord(_ word: Slice<UnsafeBufferPointer<UInt8>>) {
    var rest = word
    while let first = rest.popFirst(), !isCut {
      appendBase(Unicode.Scalar(first))
      guard !isCut else { return }
      let fitting = rest.prefix(max(0, limit - count))
      result += fitting
      count += fitting.count
      rest = rest[fitting.endIndex...]
    }
    lastWasReturn = false
  }

  private mutating func appendByClass(_ scalar: Unicode.Scalar) {
    switch CharacterClass(scalar) {
    case .printable: appendBase(scalar)
    case .mark:
      guard count > 0, !pendingBlank, pendingBreaks == 0, marks < Self.maximumMarks else { break }
      marks += 1
      append(scalar)
    case .joiner:
      guard count > 0, !pendingBlank, pendingBreaks == 0, !lastWasJoiner else { break }
      append(scalar)
    case .blank: pendingBlank = true
    case .lineBreak: appendBreak(scalar)
    case .unsafe: break
    }
    lastWasReturn = scalar == "\r"
  }

  private mutating func appendBreak(_ scalar: Unicode.Scalar) {
    guard keepsLines else {
      pendingBlank = true
      return
    }
    if scalar == "\n", lastWasReturn { return }
    pendingBreaks += scalar.value == 0x2029 ? 2 : 1
    pendingBlank = false
  }

  private mutating func appendBase(_ scalar: Unicode.Scalar) {
    let gap = count == 0 ? 0 : pendingBreaks > 0 ? min(pendingBreaks, 2) : pendingBlank ? 1 : 0
    guard count + gap < limit else {
      result += Array("…".utf8)
      isCut = true
      return
    }
    for _ in 0..<gap { result.append(pendingBreaks > 0 ? 0x0A : .space) }
    count += gap
    pendingBreaks = 0
    pendingBlank = false
    marks = 0
    append(scalar)
    count += 1
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    lastWasJoiner = scalar.value == 0x200C || scalar.value == 0x200D
    if scalar.isASCII {
      result.append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  func finished() -> String { String(decoding: result, as: UTF8.self) }

  enum CharacterClass {
    case printable
    /// A mark on the preceding character, of which only a few are allowed.
    case mark
    case joiner
    case blank
    case lineBreak
    /// A control or bidirectional character, an invisible or private one, or a noncharacter; it is removed.
    case unsafe

    init(_ scalar: Unicode.Scalar) { self = Self.of(scalar) }

    private static func of(_ scalar: Unicode.Scalar) -> CharacterClass {
      let value = scalar.value
      if value < 0x7F { return value >= 0x20 ? (value == 0x20 ? .blank : .printable) : control(value) }
      if value < 0xA0 { return value == 0x85 ? .lineBreak : .unsafe }
      if value < 0x300 { return value == 0xA0 ? .blank : value == 0xAD ? .unsafe : .printable }
      if (0x3400...0x9FFF).contains(value) || (0xAC00...0xD7A3).contains(value) { return .printable }
      if isPlain(value) { return .printable }
      if isInvisible(value) { return .unsafe }
      switch value {
      case 0x2028, 0x2029: return .lineBreak
      case 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: return .blank
      case 0x200C, 0x200D: return .joiner
      case 0x0300...0x036F, 0xFE00...0xFE0F, 0xE0020...0xE007F: return .mark
      default: break
      }
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .spacingMark: return .mark
      case .privateUse, .surrogate, .control: return .unsafe
      // Those of Arabic and Syriac are visible; later ones only control the display of other characters.
      case .format: return value <= 0x8E2 ? .printable : .unsafe
      default: return .printable
      }
    }

    /// Common blocks of printable characters only: the Unicode category is expensive to look up.
    private static func isPlain(_ value: UInt32) -> Bool {
      switch value {
      case 0x0370...0x0482, 0x048A...0x052F, 0x2010...0x2027, 0x2030...0x205E, 0x2100...0x2BFF, 0x3001...0x3029,
        0x3041...0x3096, 0x30A0...0x30FF, 0xFF01...0xFF9F, 0x1F300...0x1FAFF:
        true
      default: false
      }
    }

    private static func control(_ value: UInt32) -> CharacterClass {
      switch value {
      case 0x09, 0x0B, 0x0C: .blank
      case 0x0A, 0x0D: .lineBreak
      default: .unsafe
      }
    }

    private static func isInvisible(_ value: UInt32) -> Bool {
      switch value {
      case 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E,
        0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFC, 0xFDD0...0xFDEF, 0xE0000...0xE001F,
        0xE0080...0xE00FF, 0xE01F0...0xE0FFF:
        true
      default: value & 0xFFFE == 0xFFFE
      }
    }
  }
}

extension Unicode.Scalar {
  /// Decodes the first character of a nonempty text in valid UTF-8.
  fileprivate init(leading text: Slice<UnsafeBufferPointer<UInt8>>) {
    let first = text[text.startIndex]
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let head = length == 1 ? UInt32(first) : UInt32(first & (0xFF >> UInt8(length + 1)))
    let value = text.dropFirst().prefix(length - 1).reduce(head) { $0 << 6 | UInt32($1 & 0x3F) }
    self = Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  package var isHarmless: Bool {
    if value < 0x20 || (0x7F..<0xA0).contains(value) { return self == "\n" || self == "\t" }
    switch TextCleaner.CharacterClass(self) {
    case .printable, .mark, .joiner, .blank: return true
    case .lineBreak, .unsafe: return false
    }
  }
}

extension [UInt8] {
  /// Returns the text in UTF-8, cut to `byteCount` bytes if it is longer; half a character becomes U+FFFD.
  fileprivate func bounded(to byteCount: Int) -> [UInt8] {
    count <= byteCount ? self : Array(String(decoding: prefix(byteCount), as: UTF8.self).utf8)
  }
}

/// Returns text that may be written to a terminal: without control, bidirectional and invisible characters, which could
/// change its state or the order of what it shows. Line feeds and tabs stay.
package func harmlessText(_ text: String) -> String {
  var text = text
  return text.withUTF8(harmlessBytes).map { String(decoding: $0, as: UTF8.self) } ?? text
}

/// Returns the harmless characters; nil if all are, which is the usual case.
private func harmlessBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
  var result: [UInt8] = []
  var start = 0
  var index = 0
  while index < bytes.count {
    if (0x20..<0x7F).contains(bytes[index]) {
      index += 1
      continue
    }
    let scalar = Unicode.Scalar(leading: bytes[index...])
    let end = index + UTF8.width(scalar)
    if !scalar.isHarmless {
      result += bytes[start..<index]
      start = end
    }
    index = end
  }
  return start == 0 ? nil : result + bytes[start...]
}

/// The markup of a text from outside. Each format declares it for each of its texts: guessing it from the text would
/// remove a title such as `<template>`.
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
