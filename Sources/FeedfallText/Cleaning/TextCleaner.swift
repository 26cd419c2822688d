/// Makes a text from outside fit to be shown on one line.
///
/// Control, bidirectional, invisible, private characters and noncharacters are removed, white space and line
/// breaks folded to single blanks, at most eight marks left on a character. Of more than `limit` characters
/// the rest is cut off and shown as `…`. Where `isHTML` is true, tags are removed and entities decoded once.
/// - Complexity: O(n); a text that is clean already is only looked through.
public func cleanedLine(_ text: String, isHTML: Bool = false, limit: Int = 500) -> String {
  if TextCleaner.isCleanLine(text, isHTML: isHTML, limit: limit) { return text }
  var cleaner = TextCleaner(keepsLines: false, limit: limit)
  cleaner.append(isHTML ? Markup.textOfHTML(text.bounded(to: limit * 32)) : text.bounded(to: limit * 32))
  return cleaner.finished()
}

/// Makes a longer text from outside fit to be shown: as `cleanedLine`, but with its paragraphs, and with HTML
/// and the commonest Markdown turned into plain text where `isMarkup` is true.
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
  private var result: [UInt8] = []
  private var count = 0
  private var marks = 0
  private var pendingBlank = false
  private var pendingBreaks = 0
  private var lastWasReturn = false
  private var lastWasJoiner = false
  private var isCut = false

  private static let maximumMarks = 8

  init(keepsLines: Bool, limit: Int) {
    self.keepsLines = keepsLines
    self.limit = limit
  }

  /// Whether nothing needs to be done, which is the usual case and costs no memory.
  static func isCleanLine(_ text: String, isHTML: Bool, limit: Int) -> Bool {
    guard text.utf8.count <= limit else { return false }
    var isASCII = true
    var last = UInt8.space
    for byte in text.utf8 {
      if byte == .space {
        if last == .space { return false }
      } else if byte < 0x21 || byte == 0x7F
        || (isHTML && (byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<")))
      {
        return false
      }
      isASCII = isASCII && byte < 0x80
      last = byte
    }
    guard last != .space || text.isEmpty else { return false }
    return isASCII || text.unicodeScalars.allSatisfy { $0.value < 0x7F || TextRules.fate(of: $0) == .keep }
  }

  mutating func append(_ text: String) {
    result.reserveCapacity(min(text.utf8.count, limit * 4))
    var text = text
    text.withUTF8 { bytes in
      var rest = bytes[...]
      while let first = rest.first, !isCut {
        if Self.isOfWord(first) {
          let word = rest.prefix(while: Self.isOfWord)
          appendWord(word)
          rest = rest[word.endIndex...]
        } else {
          let scalar = Unicode.Scalar(leading: rest)
          take(scalar)
          rest = rest.dropFirst(UTF8.width(scalar))
        }
      }
    }
  }

  /// Whether it is a character that is always kept and always one byte, as nearly all are.
  private static func isOfWord(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

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

  private mutating func take(_ scalar: Unicode.Scalar) {
    switch TextRules.fate(of: scalar) {
    case .keep:
      appendBase(scalar)
    case .mark:
      guard count > 0, !pendingBlank, pendingBreaks == 0, marks < Self.maximumMarks else { break }
      marks += 1
      append(scalar)
    case .joiner:
      guard count > 0, !pendingBlank, pendingBreaks == 0, !lastWasJoiner else { break }
      append(scalar)
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
}

extension Unicode.Scalar {
  /// The first character of a text in valid UTF-8 that is not empty.
  fileprivate init(leading text: Slice<UnsafeBufferPointer<UInt8>>) {
    let first = text[text.startIndex]
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let head = length == 1 ? UInt32(first) : UInt32(first & (0xFF >> UInt8(length + 1)))
    let value = text.dropFirst().prefix(length - 1).reduce(head) { $0 << 6 | UInt32($1 & 0x3F) }
    self = Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}

extension String {
  /// The text, or as much of it as fits in so many bytes.
  func bounded(to byteCount: Int) -> String {
    utf8.count <= byteCount ? self : String(decoding: utf8.prefix(byteCount), as: UTF8.self)
  }
}
