import WaterfallEngine

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
