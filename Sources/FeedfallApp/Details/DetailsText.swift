import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The title, the length and the addresses come first. A description precedes the addresses only if both are visible
/// without scrolling.
struct DetailsText: Equatable, Sendable {
  struct Action: Equatable, Sendable {
    var key: String
    var verb: String

    static let gap = 2

    func width(_ widths: TextWidths) -> Int { Self.gap + widths.width(of: key) + 1 + widths.width(of: verb) }
  }

  struct Line: Equatable, Sendable {
    var text: String
    var role = Role.plain
    var indent = 0
    /// Drawn in the indent.
    var label = ""
    /// Drawn behind the text.
    var action: Action?
    /// The whole address, if the text is one.
    var link: String?
  }

  var video: Video
  /// That of the source, if the title is another one.
  var originalTitle: String?
  /// The chapters that the description does not list.
  var chapters: [Chapter]
  /// Nil in a tab of one source.
  var sourceName: String?
  var failure: String?
  var notes: [String]
  /// 0 for none.
  var stopSeconds: Int
  var record = UserRecord()
  var download: String?
  /// The path of the downloaded file, which plays instead of the address.
  var copy: String?
  /// Shown alone while the user chooses one.
  var links: TextLinks?
  var words: Words
  var now: UnixTime?
  var zone: LocalZone
  /// The columns, and the rows that are visible without scrolling.
  var size: Size
  var widths: TextWidths

  private static let labelWidth = 10
  /// Below this width of the values, labels have rows of their own.
  private static let leastValueWidth = 16
  /// From this number of rows on, a long title is cut off so that the addresses are visible.
  private static let rowsForAddresses = 6

  var lines: [Line] {
    if let links {
      let title = wrap(video.title, role: .heading, maximumLines: 2)
      return title + [Line(text: "")] + links.lines.flatMap { wrap($0) }
    }
    let (head, addresses, summary) = (head, addresses, summary)
    let (chapters, links) = (chapterLines, linkLines)
    let isShort =
      head.count + summary.count + chapters.count + addresses.count + (chapters.isEmpty ? 2 : 3) <= size.height
    let sections =
      isShort ? [summary, chapters, addresses + facts + links] : [addresses + facts, chapters, summary, links]
    let isTight = head.count + Self.mainAddressCount + 1 > size.height
    return sections.filter { !$0.isEmpty }.enumerated().reduce(into: head) { lines, section in
      if section.offset > 0 || !isTight { lines.append(Line(text: "")) }
      lines += section.element
    }
  }

  private var head: [Line] {
    let rows = size.height < Self.rowsForAddresses ? Int.max : max(2, size.height - Self.mainAddressCount - 2)
    var lines = wrap(video.title, role: .heading, maximumLines: min(rows, Self.maximumLines))
    if let originalTitle { lines += wrap(Words.originalTitle(originalTitle), role: .dim, maximumLines: 2) }
    if let origin = origin.joined(separator: " · ").nonEmpty { lines += wrap(origin) }
    if let state = Words.recordState(record, download: download, position: position, at: now) {
      lines += wrap(state, role: .progress)
    }
    if let failure { lines += wrap(failure, role: .error) }
    lines += notes.flatMap { wrap($0, role: .dim) }
    if !warnings.isEmpty { lines += wrap(Words.sentence(warnings.joined(separator: "; ")), role: .warning) }
    return lines
  }

  private static let mainAddressCount = 2

  /// `link` is the address in the value.
  func row(_ label: String, _ value: String, link: String?, _ action: Action? = nil) -> [Line] {
    let (role, room) = (link == nil ? Role.plain : .link, size.width - Self.labelWidth - (action?.width(widths) ?? 0))
    guard room >= Self.leastValueWidth else {
      return [
        Line(text: label, role: .dim, action: action),
        Line(text: widths.truncatedInMiddle(value, width: max(1, size.width)), role: role, link: link),
      ]
    }
    let text = widths.truncatedInMiddle(value, width: room)
    return [Line(text: text, role: role, indent: Self.labelWidth, label: label, action: action, link: link)]
  }

  func lines(_ label: String, _ value: String) -> [Line] {
    let valueWidth = size.width - Self.labelWidth
    guard valueWidth >= Self.leastValueWidth else { return [Line(text: label, role: .dim)] + wrap(value) }
    return widths.wrapped(value, width: valueWidth, maximumLines: Self.maximumLines).enumerated().map { index, value in
      Line(text: value, indent: Self.labelWidth, label: index == 0 ? label : "")
    }
  }

  private var chapterLines: [Line] {
    let times = chapters.map { VideoDuration(seconds: $0.start)?.description ?? "0:00" }
    let indent = (times.last.map { widths.width(of: $0) } ?? 0) + 2
    return zip(chapters, times).map { chapter, time in
      let title = widths.truncated(chapter.title, width: max(1, size.width - indent))
      return Line(text: title, indent: indent, label: time)
    }
  }

  private var summary: [Line] {
    guard let summary = video.summary else { return [] }
    return summary.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrap(String($0)) }
  }

  private static let maximumLines = 1_000

  private func wrap(_ text: String, role: Role = .plain, maximumLines: Int = maximumLines) -> [Line] {
    let lines = widths.wrapped(text, width: max(1, size.width), maximumLines: maximumLines)
    return (text.isEmpty ? [""] : lines).map { Line(text: $0, role: role) }
  }

  struct LineCache: Equatable, Sendable {
    private var text: DetailsText?
    private var lines: [Line] = []

    mutating func prepare(_ text: DetailsText?) {
      guard text != self.text else { return }
      (self.text, lines) = (text, text?.lines ?? [])
    }

    func isPrepared(for text: DetailsText) -> Bool { text == self.text }

    func lines(of text: DetailsText) -> [Line] { isPrepared(for: text) ? lines : text.lines }
  }
}

extension VideoExtras.Transcript {
  private static let extensions = ["vtt", "srt"]

  /// The type alone is not enough: many feeds declare plain text.
  var hasTimes: Bool {
    isCaptions || (Self.extensions + ["subrip"]).contains { type?.contains($0) == true }
      || Self.extensions.contains { url.path.lowercased().hasSuffix("." + $0) }
  }
}
