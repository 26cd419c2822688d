import FeedfallText

/// A chapter of a video.
public struct Chapter: Equatable, Sendable {
  /// In seconds from the beginning.
  public let start: Double
  /// One line, never empty.
  public let title: String

  /// The start in seconds and the title, as far as a feed or a file states them.
  public typealias Mark = (start: Double?, title: String?)

  /// Further chapters of a video are ignored.
  public static let maximumCount = 500
  /// A description lists chapters only if the first one starts at most this many seconds after the beginning.
  private static let latestFirstStart = 5.0
  private static let maximumSeconds = 10.0 * 366 * 86_400

  private init(_ start: Double, _ title: String) { (self.start, self.title) = (start, title) }

  /// Returns cleaned chapters in ascending order, at most `maximumCount` of them. A mark without a plausible start is
  /// dropped, one without a title is numbered. Fewer than two chapters count as none.
  public static func list(_ marks: some Sequence<Mark>) -> [Chapter] {
    let known = marks.lazy.compactMap { mark in plausible(mark.start).map { (start: $0, title: mark.title) } }
      .prefix(maximumCount).sorted { $0.start < $1.start }
    var chapters: [Chapter] = []
    for mark in known where chapters.last?.start != mark.start {
      let title = mark.title.map { cleanedLine($0, limit: 200) }.nonEmpty
      chapters.append(Chapter(mark.start, title ?? "Chapter \(chapters.count + 1)"))
    }
    return chapters.count < 2 ? [] : chapters
  }

  private static func plausible(_ start: Double?) -> Double? {
    start.flatMap { (0...maximumSeconds).contains($0) ? $0 : nil }
  }

  /// Returns the chapters that a description lists in lines such as `1:05 Intro`: at least two ascending times, the
  /// first near the beginning. Times that follow a descent are no chapters. O(n).
  public static func listed(in description: String) -> [Chapter] {
    var marks: [(start: Double?, title: String?)] = []
    var last = -Double.infinity
    for line in description.utf8.split(separator: UInt8(ascii: "\n")) {
      guard let mark = mark(in: Substring(line)) else { continue }
      if marks.isEmpty, mark.start > latestFirstStart { continue }
      guard mark.start > last, marks.count < maximumCount else { break }
      last = mark.start
      marks.append((mark.start, mark.title))
    }
    return list(marks)
  }

  private static func mark(in line: Substring) -> (start: Double, title: String)? {
    let bullet = line.utf8.prefix { !$0.isASCIIDigit && !$0.isASCIILetter }
    guard bullet.count <= 12, let (start, rest) = time(at: line.dropFirstUTF8(bullet.count)) else { return nil }
    // As in `0:00 - 1:05 Intro`.
    let words = withoutSeparators(rest)
    let title = time(at: words).map { withoutSeparators($0.rest) } ?? words
    return title.isEmpty ? nil : (start, String(title))
  }

  private static func withoutSeparators(_ text: Substring) -> Substring {
    text.drop { " \t-–—:|.,)]>»".contains($0) }
  }

  /// Parses a time with at least one colon at the start of a text.
  private static func time(at text: Substring) -> (seconds: Double, rest: Substring)? {
    let stamp = text.utf8.prefix { $0.isASCIIDigit || $0 == .colon }
    let trimmed = stamp.last == .colon ? stamp.dropLast() : stamp
    guard trimmed.count <= 9, trimmed.contains(.colon), let seconds = seconds(String(Substring(trimmed))) else {
      return nil
    }
    return (seconds, text.dropFirstUTF8(stamp.count))
  }

  /// Parses `5`, `1:05`, `1:02:05` or `01:02:05.250`; nil for anything else.
  static func seconds(_ text: String) -> Double? {
    let parts = text.utf8.split(separator: .colon, omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard let number = Double(String(Substring(part))), part.first?.isASCIIDigit == true, part.count <= 9,
        part.allSatisfy({ $0.isASCIIDigit || isLast && $0 == UInt8(ascii: ".") }),
        index == 0 || number < 60 && part.prefix(while: \.isASCIIDigit).count == 2
      else { return nil }
      seconds = seconds * 60 + number
    }
    return seconds
  }

  /// Decodes `psc:chapters` (Podlove Simple Chapters 1.2).
  static func list(podlove element: XMLElement) -> [Chapter] {
    list(
      element.children(.podlove, "chapter").lazy.map {
        ($0.attribute("start").flatMap(seconds), $0.attribute("title"))
      })
  }

  static func address(in element: XMLElement) -> WebAddress? {
    guard element.attribute("type")?.lowercased().contains("json") != false else { return nil }
    return element.attribute("url").flatMap { WebAddress(reference: $0, base: element.base) }
  }
}

extension Substring {
  fileprivate func dropFirstUTF8(_ count: Int) -> Substring { self[utf8.index(startIndex, offsetBy: count)...] }
}

extension FeedDecoder {
  /// Completes a video with the answer of PeerTube to `/api/v1/videos/{id}/chapters`, or with the JSON chapters of
  /// Podcasting 2.0. Chapters outside the table of contents are dropped. An answer without chapters completes it, too.
  public static func decodeChapters(_ body: [UInt8], completing video: Video) -> Video {
    let chapters = JSONObject(document: body)?.objects("chapters", limit: Chapter.maximumCount) ?? []
    var video = video
    video.chapters = Chapter.list(
      chapters.lazy.filter { $0["toc"]?.bool != false }.map { chapter in
        ((chapter["startTime"] ?? chapter["timecode"])?.double, chapter["title"]?.text)
      })
    video.chaptersURL = nil
    return video
  }
}
