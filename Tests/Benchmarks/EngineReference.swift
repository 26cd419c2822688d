/// The minimal work of a waterfall of four columns: finding the shortest column, without storing anything.
func limitProbe(_ heights: [Int]) -> Int {
  var first = 0
  var second = 1
  var third = 2
  var fourth = 3
  for height in heights {
    // The columns sorted by their ends, each with its number in the low bits.
    let raised = first &+ (height &+ 1) << 12
    first = min(second, raised)
    let rest = max(second, raised)
    second = min(third, rest)
    let last = max(third, rest)
    third = min(fourth, last)
    fourth = max(fourth, last)
  }
  return fourth >> 12
}

/// The simplest waterfall of four columns: arrays of every item's top and height, and of each column's items.
struct PlainArrays {
  private(set) var tops: [Int] = []
  private(set) var heights: [UInt16] = []
  private(set) var lanes: [[Int32]] = [[], [], [], []]
  private var ends = [0, 0, 0, 0]

  init(_ heights: [Int]) {
    tops.reserveCapacity(heights.count)
    self.heights.reserveCapacity(heights.count)
    append(heights)
  }

  mutating func append(_ added: [Int]) {
    for height in added {
      var shortest = 0
      for column in 1..<4 where ends[column] < ends[shortest] { shortest = column }
      lanes[shortest].append(Int32(tops.count))
      tops.append(ends[shortest])
      heights.append(UInt16(height))
      ends[shortest] += height + 1
    }
  }
}
