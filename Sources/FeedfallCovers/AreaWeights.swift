/// How much of each old pixel along one side lies under each new one: exact to a 65,536th, so that a picture keeps its
/// brightness and none of its lines gets lost, whatever the two sizes are.
struct AreaWeights {
  /// The old pixels under one new one; of the first and the last mostly a part.
  struct Span {
    var first: Int
    /// Where its weights begin, among those of all.
    var start: Int
    var count: Int
  }

  /// What the weights of each new pixel add up to.
  static let unit: UInt32 = 65_536

  private(set) var spans: [Span] = []
  private(set) var weights: [UInt32] = []

  /// For `count` new pixels over a range of `length` old ones, neither of them 0.
  init(_ range: ClosedRange<Double>, of length: Int, to count: Int) {
    let step = (range.upperBound - range.lowerBound) / Double(count)
    spans.reserveCapacity(count)
    for number in 0..<count {
      let start = range.lowerBound + Double(number) * step
      append(from: start, to: min(start + step, Double(length)), length)
    }
  }

  private mutating func append(from start: Double, to end: Double, _ length: Int) {
    let first = max(0, min(Int(start), length - 1))
    let last = max(first, min(Int(end.rounded(.up)), length) - 1)
    spans.append(Span(first: first, start: weights.count, count: last - first + 1))
    // Rounding where the parts end, not their lengths, makes them add up.
    var before: UInt32 = 0
    for pixel in first...last {
      let share = max(0, min(1, (Double(pixel + 1) - start) / (end - start)))
      let covered = pixel == last ? Self.unit : UInt32(share * Double(Self.unit))
      weights.append(covered - before)
      before = covered
    }
  }
}
