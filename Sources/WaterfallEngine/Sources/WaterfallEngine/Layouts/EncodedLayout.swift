/// A layout as it is encoded: its configuration, and the sizes and places of its items.
private struct EncodedLayout: Codable {
  var breadth: Int
  var orientation: Orientation
  var viewportLength: Int?
  /// Nil for none.
  var header: GlobalHeader?
  var sections: [EncodedSection]
}

private struct EncodedSection: Codable {
  var metrics: SectionMetrics
  var items: [ItemSize]
  var places: LanePlacement?
}

/// The places in columns, which items hold when other heights change: sizes do not determine them.
struct LanePlacement: Codable, Sendable {
  /// The first column of each item, by number.
  var columns: [Int]
  /// The items' numbers by rank, from top to bottom in the columns; nil while each rank is the item's number.
  var numbersByRank: [Int]?
}

extension StackedLayout {
  public func encode(to encoder: any Encoder) throws {
    let sections = stack.sections.map { section in
      EncodedSection(
        metrics: section.metrics, items: (0..<section.itemCount).map(section.body.size), places: section.body.placement)
    }
    let encoded = EncodedLayout(
      breadth: breadth, orientation: orientation, viewportLength: encodedViewportLength,
      header: globalHeader == GlobalHeader(height: 0) ? nil : globalHeader, sections: sections)
    try encoded.encode(to: encoder)
  }

  /// Measures, sizes and places are checked: invalid ones are a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let encoded = try EncodedLayout(from: decoder)
    self.init(breadth: encoded.breadth, orientation: encoded.orientation)
    setViewportLength(encoded.viewportLength ?? 0)
    var part = "global header"
    do {
      if let header = encoded.header { try setGlobalHeader(header) }
      for (number, section) in encoded.sections.enumerated() {
        part = "section \(number)"
        guard try stack.restore(section.metrics, section.items, section.places) else {
          throw Self.corrupted("\(part): items lie outside of the columns", decoder)
        }
      }
    } catch let error as LayoutError {
      throw Self.corrupted("\(part): \(error)", decoder)
    }
    itemsChanged()
  }

  private static func corrupted(_ fault: String, _ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: decoder.codingPath, debugDescription: fault))
  }
}
