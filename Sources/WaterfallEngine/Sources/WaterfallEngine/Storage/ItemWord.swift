/// An item in 32 bits: 20 for its height, 1 for whether that is an estimate, 1 for whether it spans columns, 10 for its
/// first column.
struct ItemWord: BitwiseCopyable, Equatable, Sendable {
  var bits: UInt32

  static let heightShift: UInt32 = 12
  static let estimateBit: UInt32 = 1 << 11
  static let wideBit: UInt32 = 1 << 10
  static let columnMask: UInt32 = 1 << 10 - 1

  @inline(__always)
  init(bits: UInt32) { self.bits = bits }

  @inline(__always)
  init(height: Int, column: Int) { bits = UInt32(truncatingIfNeeded: height << Int(ItemWord.heightShift) | column) }

  @inline(__always)
  init(_ item: LaneItem, column: Int, isWide: Bool) {
    self.init(height: item.height, column: column)
    if isWide { bits |= ItemWord.wideBit }
    if item.isEstimate { bits |= ItemWord.estimateBit }
  }

  @inline(__always)
  var height: Int { Int(bits >> ItemWord.heightShift) }

  @inline(__always)
  var column: Int { Int(bits & ItemWord.columnMask) }

  @inline(__always)
  var isWide: Bool { bits & ItemWord.wideBit != 0 }

  var isEstimate: Bool {
    get { bits & ItemWord.estimateBit != 0 }
    set { bits = newValue ? bits | ItemWord.estimateBit : bits & ~ItemWord.estimateBit }
  }

  mutating func setHeight(_ height: Int, isEstimate: Bool) {
    bits = bits & (1 << ItemWord.heightShift - 1) | UInt32(height) << ItemWord.heightShift
    self.isEstimate = isEstimate
  }
}

struct LaneItem: Sendable {
  protocol Convertible {
    var laneItem: LaneItem { get }
  }

  static let fullSpan = UInt16.max

  var height: Int
  /// The number of columns that the host requested.
  var span: UInt16 = 1
  var isEstimate = false

  @inline(__always)
  func span(among columnCount: Int) -> Int { min(Int(span), columnCount) }
}

extension Int: LaneItem.Convertible {
  @inline(__always)
  var laneItem: LaneItem { LaneItem(height: self) }
}

extension ItemWord: LaneItem.Convertible {
  @inline(__always)
  var laneItem: LaneItem { LaneItem(height: height, isEstimate: isEstimate) }
}

extension ItemSize: LaneItem.Convertible {
  @inline(__always)
  var laneItem: LaneItem {
    let span =
      if case .columns(let count) = span { UInt16(truncatingIfNeeded: min(count, LayoutLimits.columnCount)) } else {
        LaneItem.fullSpan
      }
    return LaneItem(height: height, span: span, isEstimate: isEstimate)
  }
}

extension ContiguousArray {
  /// Reserves room for `count` more elements and an eighth: less unused memory than doubling, still O(1) an element.
  mutating func reserveGrowth(_ count: Int) {
    let needed = self.count + count
    if needed > capacity { reserveCapacity(Swift.max(needed, self.count + self.count / 8)) }
  }
}

extension Range<Int> {
  /// The first number for which the condition is true, if it is also true for all later ones; else the upper bound.
  /// O(log count).
  @inline(__always)
  func partitioningIndex(where isBehind: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
