/// What a section's items are packed by, without what would have to be counted when it is copied.
struct PackingRules: Hashable, Sendable {
  let lineSpacing: Int
  let order: ItemOrder
  let spanPacking: SpanPacking

  init(_ metrics: SectionMetrics) {
    lineSpacing = metrics.lineSpacing
    order = metrics.order
    spanPacking = metrics.spanPacking
  }
}
