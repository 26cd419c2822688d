import WaterfallEngine

extension ArrangementArguments {
  /// The cards laid out, a section each; a carousel needs to know how much of it is seen.
  func layout(of sections: [[Card]], viewportLength: Int?) throws -> any Layout {
    var layout = emptyLayout(viewportLength: viewportLength)
    for (section, cards) in sections.enumerated() {
      try layout.appendSection(metrics)
      try layout.append(items(for: cards, in: layout, section: section), toSection: section)
    }
    return layout
  }

  private func emptyLayout(viewportLength: Int?) -> any Layout {
    switch layout {
    case .waterfall: WaterfallLayout(breadth: width, orientation: orientation)
    case .grid: GridLayout(breadth: width, orientation: orientation)
    case .list: ListLayout(breadth: width, orientation: orientation)
    case .carousel:
      CarouselLayout(
        viewport: Size(width: viewportLength ?? width * 3, height: width), orientation: orientation)
    }
  }

  /// A host is asked for sizes when the columns' widths are known.
  private func items(
    for cards: [Card], in layout: any Layout, section: Int
  ) throws(InputError) -> [ItemSize] {
    let columnWidth = layout.columnWidth(inSection: section)
    let columnCount = layout.columnCount(inSection: section)
    return try cards.map { card throws(InputError) in
      let span = self.layout == .waterfall ? card.span : .columns(1)
      let columns =
        switch span {
        case .columns(let count): min(count, columnCount)
        case .full: columnCount
        }
      let breadth = columns * columnWidth + (columns - 1) * spacing
      let length = card.length(breadth: breadth, scrollsSideways: orientation.axis == .horizontal)
      guard length <= LayoutLimits.length else {
        throw .line(
          card.line,
          "\(card.width) × \(card.height) scaled to its column is longer than \(LayoutLimits.length); narrow the column"
        )
      }
      return ItemSize(height: length, span: span)
    }
  }
}
