/// An array in chunks. Neither growing nor changing a copy copies all elements, which takes long and twice the memory
/// for 90,000 large ones.
struct ChunkedArray<Element: Equatable & Sendable>: Equatable, Sendable, RandomAccessCollection, MutableCollection {
  private static var bits: Int { 8 }

  private var chunks: [[Element]] = []
  private(set) var count = 0

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Element {
    _read { yield chunks[index >> Self.bits][index & (1 << Self.bits - 1)] }
    _modify { yield &chunks[index >> Self.bits][index & (1 << Self.bits - 1)] }
  }

  mutating func append(_ element: Element) {
    if count == chunks.count << Self.bits {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(count == 0 ? 0 : 1 << Self.bits)
    }
    chunks[chunks.count - 1].append(element)
    count += 1
  }
}
