import FeedfallFeeds
import FeedfallFilters
import FeedfallScreen
import FeedfallText
import WaterfallEngine

extension VideoStates {
  private static let signed = Mark.allCases.filter { $0.row.sign != nil }
  private static let signs =
    [(begun, "▶")] + signed.map { (VideoStates($0), $0.row.sign ?? "") } + [(live, "((·))"), (new, "●")]
  /// Those of a record that a card shows.
  static let signedMarks = signed.reduce(into: VideoStates()) { $0.formUnion(VideoStates($1)) }

  var signText: String? { isEmpty ? nil : Self.signs.filter { contains($0.0) }.map(\.1).joined(separator: " ") }

  /// Marks that exclude each other share a column.
  private static let places: [[VideoStates]] =
    [[.begun, .watched, .new]] + signed.filter { $0 != .watched }.map { [VideoStates($0)] }

  /// Nil for an empty column.
  var rowSigns: [String?] {
    Self.places.map { place in
      place.first(where: contains).flatMap { mark in Self.signs.first { $0.0 == mark }?.1 }
    }
  }
}

/// A card's text, split into glyphs once for a width, so that drawing only copies them.
struct CardFace: Equatable, Sendable {
  struct Line: Equatable, Sendable {
    var text: String
    var glyphs: GlyphRun

    init(_ text: String, _ widths: TextWidths) {
      self.text = text
      glyphs = GlyphRun(text, widths: widths)
    }
  }

  let width: Int
  let title: [Line]
  let isCentered: Bool
  let isWatched: Bool
  /// Channel, age and marks; nil on a classic card.
  let meta: GlyphRun?
  let badge: GlyphRun?
  /// The group that begins with the card, cut to the width of the cover.
  let label: GlyphRun?
  let fields: [Field]

  struct Field: Equatable, Sendable {
    /// The distance from the row's start.
    var x: Int
    var text: GlyphRun
  }
  let initial: TitleInitial

  var rowCount: Int { title.count + (meta == nil ? 0 : 1) }

  /// `sourceName` replaces the channel in a tab of several sources. Without a cover, `label` replaces both.
  init(
    _ video: Video, _ shape: CardShape, width: Int, _ metrics: CardMetrics, label: String? = nil,
    sourceName: String? = nil, marks: VideoStates = [], download: DownloadStates.Mark? = nil, at now: UnixTime? = nil,
    in zone: LocalZone = .utc, _ widths: TextWidths
  ) {
    self.width = width
    let textWidth = CardMetrics.textWidth(in: width)
    title = widths.wrapped(video.title, width: textWidth, maximumLines: metrics.titleLines(in: width))
      .map { Line($0, widths) }
    (isCentered, isWatched) = (metrics.cover == .inCell, marks.contains(.watched))
    // Without a line below the title, the cover shows the marks.
    let hasMarks = metrics.cover == .inCell || metrics.cover == .whole
    let badge = Self.badge(of: video, hasMarks ? marks : [], widths)
    let coverWidth = metrics.coverWidth(of: shape, cardWidth: width)
    let length = badge.flatMap { CoverView.fits($0, width: coverWidth) ? nil : Self.badgeText(of: video) }
    self.label =
      coverWidth == 0
      ? nil : label.map { GlyphRun(widths.truncated($0, width: CoverView.labelWidth(in: coverWidth)), widths: widths) }
    let channel = video.channel ?? video.author
    let name = (coverWidth == 0 ? label : nil) ?? sourceName ?? (channel == video.title ? nil : channel)
    let age = Self.age(of: video, at: now, in: zone, saysAgo: true)
    let signs = (video.live == .live ? marks.union(.live) : marks).signText
    let counts = video.list.map { list in
      [list.followerCount.map { Words.subscribers(TextFormat.shortCount($0)) }, list.videoCount.map(Words.videos)]
    }
    let facts = ([length] + (counts ?? []) + [age, signs, download?.text]).compactMap(\.self)
    meta = isCentered ? nil : GlyphRun(Self.line(name, facts, width: textWidth, widths), widths: widths)
    (self.badge, fields, initial) = (badge, [], TitleInitial(of: video.title, widths))
  }

  init(
    rowOf video: Video, in table: CardTable, sourceName: String?, marks: VideoStates,
    download: DownloadStates.Mark? = nil, at now: UnixTime?, in zone: LocalZone = .utc, _ widths: TextWidths
  ) {
    width = table.width
    let state = download.map { GlyphRun($0.text, widths: widths) }
    let room = table.titleWidth - (state.map { $0.width + 1 } ?? 0)
    let hasRoom = room >= CardTable.leastTitleWidth
    title = [Line(widths.truncated(video.title, width: hasRoom ? room : table.titleWidth), widths)]
    (isCentered, isWatched, meta, badge, label) = (false, marks.contains(.watched), nil, nil, nil)
    initial = TitleInitial(of: video.title, widths)
    let age = Self.age(of: video, at: now, in: zone) ?? video.year.map { String($0) }
    let shown = download == nil || hasRoom ? marks : marks.union(VideoStates(.downloaded))
    // Each column of marks is one cell wide in any terminal.
    let signs = shown.rowSigns.enumerated().compactMap { place, sign in
      sign.map { Field(x: CardTable.markColumn + place, text: GlyphRun($0, widths: TextWidths())) }
    }
    let end = hasRoom ? state.map { [Field(x: table.titleEnd - $0.width, text: $0)] } ?? [] : []
    fields =
      signs + end
      + table.fields(widths) { column in
        switch column {
        case .title: nil
        case .channel: sourceName ?? video.channel ?? video.author
        case .length: Self.badgeText(of: video)
        case .age: age
        }
      }
  }

  private static func age(of video: Video, at now: UnixTime?, in zone: LocalZone, saysAgo: Bool = false) -> String? {
    guard let now, let published = video.published else { return nil }
    return TextFormat.age(of: published, at: now, in: zone, saysAgo: saysAgo)
  }

  private static let separator = " · "
  /// A name with fewer columns says nothing.
  private static let leastNameWidth = 3

  private static func line(_ name: String?, _ facts: [String], width: Int, _ widths: TextWidths) -> String {
    let end = facts.joined(separator: separator)
    let room = width - (end.isEmpty ? 0 : widths.width(of: separator + end))
    guard let name, room >= leastNameWidth else { return widths.truncated(end, width: width) }
    return widths.truncated(name, width: room) + (end.isEmpty ? "" : separator + end)
  }

  private static func badgeText(of video: Video) -> String? {
    switch video.live {
    case .live: Words.live
    case .upcoming: Words.upcoming
    case .ended, nil: video.list.map(Words.kind(of:)) ?? video.duration?.description
    }
  }

  static func badge(of video: Video, _ marks: VideoStates, _ widths: TextWidths) -> GlyphRun? {
    let parts = [marks.signText, badgeText(of: video)].compactMap(\.self)
    return parts.isEmpty ? nil : GlyphRun(parts.joined(separator: " "), widths: widths)
  }

  struct Cache: Equatable, Sendable {
    struct Key: Hashable {
      var card: Int
      var width: Int
      var isLabeled = false
      var marks: VideoStates = []
      var download: DownloadStates.Mark?
    }

    private static let spareCount = 128
    private var faces: [Key: CardFace] = [:]

    subscript(key: Key) -> CardFace? { faces[key] }

    mutating func prepare(_ keys: [Key], make: (Key) -> CardFace) {
      for key in keys where faces[key] == nil { faces[key] = make(key) }
      guard faces.count > keys.count + Self.spareCount else { return }
      let seen = Set(keys)
      faces = faces.filter { seen.contains($0.key) }
    }

    mutating func remove(_ card: Int) { faces = faces.filter { $0.key.card != card } }

    mutating func removeAll() { faces = [:] }
  }

  func drawRow(in frame: Rect, _ sign: CardSign?, search: TitleSearch?, on canvas: inout Canvas) {
    let x = frame.minX + CardTable.titleOffset
    let isSelected = sign?.isSelected == true
    if isSelected { canvas.fill(frame, style: Style(.selectedRow)) }
    let role: Role = isSelected ? .selectedRow : sign != nil ? .selection : isWatched ? .dim : .title
    sign?.draw(at: frame.origin, role, on: &canvas)
    for line in title {
      canvas.write(line.glyphs, at: Point(x: x, y: frame.minY), style: Style(role))
      search?.drawMatches(in: line.text, at: Point(x: x, y: frame.minY), maxWidth: frame.maxX - x, on: &canvas)
    }
    for field in fields {
      let start = Point(x: frame.minX + field.x, y: frame.minY)
      canvas.write(field.text, at: start, style: Style(isSelected ? .selectedRow : .dim))
    }
  }
}

struct CardTable: Equatable, Sendable {
  private struct Place: Equatable {
    var column: CardOrder.Column
    var x: Int
    var width: Int
    var end: Int { x + width }
  }
  /// In cells.
  let width: Int
  private let places: [Place]

  static let markColumn = 1
  /// Each of the four marks has a column.
  fileprivate static let titleOffset = 6
  private static let gap = 2
  static let leastTitleWidth = 20

  init(width: Int, hasChannel: Bool = true) {
    self.width = width
    // A blank at the end.
    var titleWidth = max(1, width - Self.titleOffset - 1)
    var columns: [(CardOrder.Column, width: Int)] = []
    // In a narrow table, the last ones are omitted.
    let wishes: [(CardOrder.Column, Int)] = [(.channel, min(max(width / 4, 10), 24)), (.length, 8), (.age, 8)]
    for (column, wanted) in wishes where hasChannel || column != .channel {
      guard titleWidth - wanted - Self.gap >= Self.leastTitleWidth else { break }
      titleWidth -= wanted + Self.gap
      columns.append((column, wanted))
    }
    var places = [Place(column: .title, x: Self.titleOffset, width: titleWidth)]
    for (column, width) in columns {
      places.append(Place(column: column, x: places[places.count - 1].end + Self.gap, width: width))
    }
    self.places = places
  }

  var titleWidth: Int { places[0].width }
  var titleEnd: Int { places[0].end }

  func fields(_ widths: TextWidths, _ text: (CardOrder.Column) -> String?) -> [CardFace.Field] {
    places.compactMap { place in
      text(place.column).map { text in
        let run = GlyphRun(widths.truncated(text, width: place.width), widths: widths)
        return CardFace.Field(x: place.x + (place.column.isNumeric ? place.width - run.width : 0), text: run)
      }
    }
  }

  /// `hasSources`: whether the channel is a source.
  func drawHeading(in row: Rect, order: CardOrder, hasSources: Bool, on canvas: inout Canvas) {
    let headings = fields(canvas.widths) { column in
      column.name(isSource: hasSources) + (order.column == column ? " " + order.sign : "")
    }
    for (place, field) in zip(places, headings) {
      let style = Style(order.column == place.column ? .selection : .dim)
      canvas.write(field.text, at: Point(x: row.minX + field.x, y: row.minY), style: style)
    }
  }

  /// `x` is the distance from the heading's start; the gap behind a column belongs to it.
  func column(at x: Int) -> CardOrder.Column? { places.first { $0.x <= x && x < $0.end + Self.gap }?.column }
}
