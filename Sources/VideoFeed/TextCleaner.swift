/// Makes a text from outside fit to be shown on one line.
///
/// Control, bidirectional, invisible, private characters and noncharacters are removed, white space and line breaks
/// folded to single blanks, at most eight marks left on a character. Of more than `limit` characters the rest is
/// cut off and shown as `…`. Where `isHTML` is true, tags are removed and entities decoded once.
/// - Complexity: O(n); plain ASCII is only looked through.
public func cleanedLine(_ text: String, isHTML: Bool = false, limit: Int = 500) -> String {
  if TextCleaner.isCleanLine(text, isHTML: isHTML, limit: limit) { return text }
  var cleaner = TextCleaner(keepsLines: false, limit: limit)
  cleaner.append(isHTML ? Markup.textOfHTML(text.bounded(to: limit * 32)) : text.bounded(to: limit * 32))
  return cleaner.finished()
}

/// Makes a longer text from outside fit to be shown: as `cleanedLine`, but with its paragraphs, and with HTML and the
/// commonest Markdown turned into plain text where `isMarkup` is true.
public func cleanedText(_ text: String, isMarkup: Bool = true, limit: Int = 20_000) -> String {
  let bounded = text.bounded(to: limit * 8)
  var cleaner = TextCleaner(keepsLines: true, limit: limit)
  cleaner.append(isMarkup ? Markup.textOfMarkdown(Markup.textOfHTML(bounded)) : bounded)
  return cleaner.finished()
}

/// Takes characters in and keeps what may be shown.
struct TextCleaner {
  private let keepsLines: Bool
  private let limit: Int
  private var result = String.UnicodeScalarView()
  private var count = 0
  private var marks = 0
  private var pendingBlank = false
  private var pendingBreaks = 0
  private var lastWasReturn = false
  private var isCut = false

  private static let maximumMarks = 8

  init(keepsLines: Bool, limit: Int) {
    self.keepsLines = keepsLines
    self.limit = limit
  }

  static func isCleanLine(_ text: String, isHTML: Bool, limit: Int) -> Bool {
    var last = UInt8.space
    var count = 0
    for byte in text.utf8 {
      guard byte >= 0x20, byte < 0x7F, byte != .space || last != .space else { return false }
      if isHTML, byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") { return false }
      last = byte
      count += 1
    }
    return count <= limit && (last != .space || count == 0)
  }

  mutating func append(_ text: String) {
    for scalar in text.unicodeScalars {
      guard !isCut else { return }
      take(scalar)
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar) {
    switch TextRules.fate(of: scalar) {
    case .keep:
      appendBase(scalar)
    case .mark:
      guard count > 0, !pendingBlank, pendingBreaks == 0, marks < Self.maximumMarks else { break }
      marks += 1
      result.append(scalar)
    case .joiner:
      guard count > 0, !pendingBlank, pendingBreaks == 0, result.last != scalar else { break }
      result.append(scalar)
    case .blank:
      pendingBlank = true
    case .lineBreak:
      takeBreak(scalar)
    case .drop:
      break
    }
    lastWasReturn = scalar == "\r"
  }

  private mutating func takeBreak(_ scalar: Unicode.Scalar) {
    guard keepsLines else {
      pendingBlank = true
      return
    }
    if scalar == "\n", lastWasReturn { return }
    pendingBreaks += scalar.value == 0x2029 ? 2 : 1
    pendingBlank = false
  }

  private mutating func appendBase(_ scalar: Unicode.Scalar) {
    guard count < limit else {
      result.append("…")
      isCut = true
      return
    }
    if count > 0, pendingBreaks > 0 {
      result.append(contentsOf: repeatElement("\n", count: min(pendingBreaks, 2)))
      count += 1
    } else if count > 0, pendingBlank {
      result.append(" ")
      count += 1
    }
    pendingBreaks = 0
    pendingBlank = false
    marks = 0
    result.append(scalar)
    count += 1
  }

  func finished() -> String { String(result) }
}

extension String {
  /// The text, or as much of it as fits in so many bytes.
  func bounded(to byteCount: Int) -> String {
    utf8.count <= byteCount ? self : String(decoding: utf8.prefix(byteCount), as: UTF8.self)
  }
}
