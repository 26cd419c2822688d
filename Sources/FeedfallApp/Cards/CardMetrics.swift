import FeedfallFeeds
import FeedfallScreen
import WaterfallEngine

func coverSize(aspect: Double, within room: Size, cellSize: Size) -> Size {
  let height = pictureHeight(forWidth: room.width, aspect: aspect, cellSize: cellSize)
  let width = height <= room.height ? room.width : max(1, room.width * room.height / height)
  return Size(width: width, height: min(height, room.height))
}

extension Rect {
  func center(_ size: Size) -> Rect {
    Rect(
      x: minX + (width - size.width) / 2, y: minY + (height - size.height) / 2, width: size.width, height: size.height)
  }
}

struct CardMetrics: Equatable, Sendable {
  var axis: LayoutTraits.Axis
  var cover: LayoutTraits.CoverPlace
  var columnWidth: Int
  /// In pixels.
  var cellSize: Size
  private var spans: LayoutTraits.Spans
  private var columnSpacing: Int
  private var medianAspect: Double
  /// In rows.
  private var coverRoom: Int

  static let titleLines = 2
  /// The least width of a card in the carousel, in rows before these fill the width, and of the room between insets.
  static let leastWidth = 16
  /// Classic cells are 0.8 times as high as wide.
  private static let cellAspect = 1 / 0.8
  private static let medianAspects = 0.75...2.4
  /// The ends of the picture and of the gap below it, as shares of a classic cell's height.
  private static let cellShares = (picture: 0.85, gap: 0.89)
  static let usualAspect = 16.0 / 9.0
  private static let aspects = 9.0 / 21.0...21.0 / 9.0
  /// Wider than any feature film.
  private static let panoramaAspect = 2.8
  private static let maximumRows = 200

  /// `height` is in rows; `medianAspect` is that of the first page.
  init(
    _ traits: LayoutTraits, columnWidth: Int, cellSize: Size, columnSpacing: Int = LayoutOptions().spacing.width,
    height: Int = .max, medianAspect: Double? = nil
  ) {
    (axis, cover, spans) = (traits.axis, traits.cover, traits.spans)
    self.columnSpacing = columnSpacing
    self.medianAspect = medianAspect ?? Self.usualAspect
    coverRoom = max(1, height - Self.titleLines - 1)
    (self.columnWidth, self.cellSize) = (columnWidth, cellSize)
  }

  static func textWidth(in width: Int) -> Int { max(1, width - 1) }

  /// That of the narrowest column, so that cards in columns whose widths differ by one cell look alike.
  func contentWidth(ofFrame width: Int) -> Int {
    guard axis == .vertical, cover != .row, cover != .above(.inRows) else { return width }
    let columns = max(1, (width + columnSpacing) / (columnWidth + columnSpacing))
    return columns * columnWidth + (columns - 1) * columnSpacing
  }

  func length(of shape: CardShape, width: Int) -> Int {
    if axis == .horizontal { return columnWidth }
    if shape.rows > 0, cover != .row, cover != .above(.inRows) { return min(Int(shape.rows), Self.maximumRows) }
    switch cover {
    case .row: return 1
    case .whole: return coverHeight(aspect: Self.usualAspect, width: width)
    case .inCell: return cellHeight(width: width)
    case .above(let aspect): return coverHeight(aspect, of: shape, width: width) + textRows(of: shape, width: width)
    }
  }

  /// Nil if any card is not one column wide.
  func heights(of shapes: ArraySlice<CardShape>, columns: Int) -> [Int]? {
    if cover == .above(.inRows) { return nil }
    var heights: [Int] = []
    heights.reserveCapacity(shapes.count)
    for shape in shapes {
      if columns > 1, span(of: shape) > 1 { return nil }
      heights.append(length(of: shape, width: columnWidth))
    }
    return heights
  }

  private func textRows(of shape: CardShape, width: Int) -> Int {
    let isShort = cover == .above(.own) && shape.titleWidth <= Self.textWidth(in: width)
    return (isShort ? 1 : Self.titleLines) + 1
  }

  private func coverHeight(_ aspect: LayoutTraits.CoverAspect, of shape: CardShape, width: Int) -> Int {
    switch aspect {
    case .own: coverHeight(aspect: shape.aspect, width: width)
    case .median: min(coverHeight(aspect: medianAspect, width: width), coverRoom)
    // As many cards of the usual aspect fill a row as there are columns.
    case .inRows: min(coverHeight(aspect: Self.usualAspect, width: columnWidth), coverRoom)
    }
  }

  /// Nil if the feed states the card's height.
  func freeCoverHeight(of shape: CardShape, frameWidth: Int) -> CoverRequest.FreeHeight? {
    guard shape.rows == 0 else { return nil }
    let width = contentWidth(ofFrame: frameWidth)
    let least = coverHeight(aspect: Self.aspects.upperBound, width: width)
    return CoverRequest.FreeHeight(
      width: width, limits: least...coverHeight(aspect: Self.aspects.lowerBound, width: width))
  }

  /// Nil unless widths are independent of the columns.
  func ownWidth(of shape: CardShape) -> Int? {
    guard cover == .above(.inRows) else { return nil }
    let width = Double(columnWidth) * shape.aspect / Self.usualAspect
    return max(Self.leastWidth, Int(width.rounded()))
  }

  /// There must be a card. The result is within the limits of a grid.
  static func medianAspect(of shapes: ArraySlice<CardShape>) -> Double {
    let sorted = shapes.map(\.aspect).sorted()
    return min(max(sorted[sorted.count / 2], medianAspects.lowerBound), medianAspects.upperBound)
  }

  private func coverHeight(aspect: Double, width: Int) -> Int {
    pictureHeight(forWidth: width, aspect: aspect, cellSize: cellSize)
  }

  private func cellHeight(width: Int) -> Int { max(2, coverHeight(aspect: Self.cellAspect, width: width)) }

  func titleLines(in width: Int) -> Int {
    switch cover {
    case .inCell:
      let height = cellHeight(width: width)
      return height - Self.row(at: Self.cellShares.gap, of: height)
    case .above, .whole: return Self.titleLines
    case .row: return 1
    }
  }

  /// The last row is always the title's.
  private static func row(at share: Double, of height: Int) -> Int {
    min(Int((share * Double(height)).rounded()), height - 1)
  }

  func textFrame(in frame: Rect, below coverFrame: Rect?) -> Rect {
    switch cover {
    case .row, .whole: frame
    case .above: frame.inset(by: Insets(top: coverFrame?.height ?? 0))
    case .inCell: frame.inset(by: Insets(top: Self.row(at: Self.cellShares.gap, of: frame.height)))
    }
  }

  /// Nil if there is no room for the cover.
  func coverFrame(in frame: Rect, of shape: CardShape) -> Rect? {
    let height: Int
    switch cover {
    case .row: return nil
    case .whole: return frame.isEmpty ? nil : frame
    case .inCell: height = Self.row(at: Self.cellShares.picture, of: frame.height)
    case .above(let aspect) where shape.rows > 0 || aspect == .inRows:
      height = frame.height - textRows(of: shape, width: contentWidth(ofFrame: frame.width))
    case .above(let aspect): height = coverHeight(aspect, of: shape, width: contentWidth(ofFrame: frame.width))
    }
    guard height > 0 else { return nil }
    return Rect(x: frame.minX, y: frame.minY, width: frame.width, height: min(height, frame.height))
  }

  /// 0 if there is no room for the cover.
  func coverWidth(of shape: CardShape, cardWidth: Int) -> Int {
    let card = Rect(x: 0, y: 0, width: cardWidth, height: length(of: shape, width: cardWidth))
    return coverFrame(in: card, of: shape)?.width ?? 0
  }

  func span(of shape: CardShape) -> Int {
    switch spans {
    case .none: 1
    case .widths: max(1, Int(shape.span))
    case .columns: shape.span > 0 ? Int(shape.span) : shape.isPanorama ? 2 : 1
    }
  }

  static func aspect(of video: Video) -> Double { proportions(ofAspect: video.aspect).aspect }

  /// The width divided by the height, 9:21 to 21:9, and whether it is wider than any feature film.
  static func proportions(ofAspect aspect: Double) -> (aspect: Double, isPanorama: Bool) {
    (min(max(aspect, aspects.lowerBound), aspects.upperBound), aspect >= panoramaAspect)
  }
}

struct LayoutTraits: Equatable, Sendable {
  enum Axis: Equatable, Sendable { case vertical, horizontal }

  enum CoverPlace: Equatable, Sendable {
    case above(CoverAspect)
    /// In the upper part of a classic cell, above a centered title.
    case inCell
    /// All of the card: the text of the selected one is below it.
    case whole
    /// There is none: the card is a row of a table.
    case row
  }

  /// The width of covers above the text, divided by their height.
  enum CoverAspect: Equatable, Sendable {
    /// That of each video.
    case own
    /// The median of the first page, for covers of one height.
    case median
    /// That of each video, in rows that fill the width, each with covers of one height.
    case inRows
  }

  let axis: Axis
  let cover: CoverPlace
  /// The meaning of the columns that a feed asks for.
  enum Spans: Equatable, Sendable {
    case none
    /// Cards that are as wide as several columns and the spacing between them.
    case widths
    /// Cards that occupy several columns; a panorama occupies two.
    case columns
  }
  let spans: Spans

  var isTable: Bool { cover == .row }
  var forward: Direction { axis == .horizontal ? .right : .down }
  var backward: Direction { axis == .horizontal ? .left : .up }
  var pullMove: CardMove { axis == .horizontal ? .left : .up }
}

extension LayoutKind {
  func traits(_ card: LayoutOptions.CardStyle) -> LayoutTraits {
    let isClassic = card == .classic
    return switch self {
    case .waterfall: LayoutTraits(axis: .vertical, cover: isClassic ? .inCell : .above(.own), spans: .columns)
    case .grid: LayoutTraits(axis: .vertical, cover: isClassic ? .inCell : .above(.median), spans: .widths)
    case .list: LayoutTraits(axis: .vertical, cover: .row, spans: .none)
    case .carousel: LayoutTraits(axis: .horizontal, cover: .whole, spans: .none)
    case .justified: LayoutTraits(axis: .vertical, cover: .above(.inRows), spans: .none)
    }
  }

  func makeEngine(_ viewport: Size) -> any CollectionLayout & Equatable {
    switch self {
    case .waterfall: WaterfallLayout(width: viewport.width)
    case .grid: RowGridLayout(width: viewport.width)
    case .list: ListLayout(width: viewport.width)
    case .carousel: CarouselLayout(viewport: viewport)
    // The title's lines and the one below it do not grow with the row.
    case .justified: ArrangedLayout<JustifiedRows<3, 50, 200>>(width: viewport.width)
    }
  }
}

extension Direction {
  var opposite: Direction {
    switch self {
    case .left: .right
    case .right: .left
    case .up: .down
    case .down: .up
    }
  }
}
