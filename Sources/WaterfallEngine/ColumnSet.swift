/// A set of columns, without memory of its own.
struct ColumnSet: Sendable {
  private var bits = InlineArray<16, UInt64>(repeating: 0)

  init() {}

  subscript(column: Int) -> Bool { bits[column / 64] >> UInt64(column % 64) & 1 != 0 }

  mutating func insert(_ column: Int) { bits[column / 64] |= 1 << UInt64(column % 64) }
}
