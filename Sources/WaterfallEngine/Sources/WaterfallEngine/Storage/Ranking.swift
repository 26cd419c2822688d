/// The ranks of items, their order from top to bottom in the columns. Without memory while each is the item's number.
struct Ranking: Equatable, Sendable {
  private var numbersByRank: ContiguousArray<UInt32> = []
  private var ranksByNumber: ContiguousArray<UInt32> = []
  private var count = 0
  /// Whether each rank is the item's number.
  private(set) var isByNumber = true

  @inline(__always)
  func rank(of number: Int) -> Int { isByNumber ? number : Int(ranksByNumber[number]) }

  @inline(__always)
  func number(at rank: Int) -> Int { isByNumber ? rank : Int(numbersByRank[rank]) }

  /// O(numbers).
  func lowestRank(of numbers: Range<Int>) -> Int {
    isByNumber ? numbers.lowerBound : Int(ranksByNumber[numbers].min() ?? UInt32(count))
  }

  /// The first rank behind those of all lower numbers. O(number).
  func rank(behindAllBefore number: Int) -> Int {
    isByNumber ? number : ranksByNumber[..<number].max().map { Int($0) + 1 } ?? 0
  }

  /// Appends items whose ranks are their numbers. O(number added).
  mutating func append(_ added: Int) {
    if !isByNumber {
      numbersByRank.append(contentsOf: (count..<count + added).lazy.map { UInt32($0) })
      ranksByNumber.append(contentsOf: (count..<count + added).lazy.map { UInt32($0) })
    }
    count += added
  }

  /// Appends items by rank. O(number added), the first time O(items).
  mutating func append(_ numbers: [Int]) {
    storeAll()
    append(numbers.count)
    for (place, number) in numbers.enumerated() { setNumber(number, at: count - numbers.count + place) }
  }

  /// Moves the items from a rank on, given by their old ranks. O(items from there on).
  mutating func reorder(from rank: Int, _ oldRanks: [Int]) {
    storeAll()
    let numbers = oldRanks.map { number(at: $0) }
    for (place, number) in numbers.enumerated() { setNumber(number, at: rank + place) }
  }

  /// Inserts items at a rank. O(items).
  mutating func insert(_ other: Ranking, count added: Int, at rank: Int, number first: Int) {
    guard !isByNumber || !other.isByNumber else {
      count += added
      return
    }
    storeAll()
    for rank in numbersByRank.indices where numbersByRank[rank] >= first { numbersByRank[rank] += UInt32(added) }
    numbersByRank.insert(contentsOf: (0..<added).lazy.map { UInt32(first + other.number(at: $0)) }, at: rank)
    count += added
    storeRanks()
  }

  /// O(items).
  mutating func remove(_ range: Range<Int>) {
    count -= range.count
    guard !isByNumber else { return }
    numbersByRank.removeAll { range.contains(Int($0)) }
    for rank in numbersByRank.indices where numbersByRank[rank] >= range.upperBound {
      numbersByRank[rank] -= UInt32(range.count)
    }
    storeRanks()
  }

  private mutating func storeAll() {
    guard isByNumber else { return }
    isByNumber = false
    numbersByRank = ContiguousArray((0..<count).lazy.map { UInt32($0) })
    ranksByNumber = numbersByRank
  }

  private mutating func storeRanks() {
    ranksByNumber = ContiguousArray(repeating: 0, count: count)
    for rank in numbersByRank.indices { ranksByNumber[Int(numbersByRank[rank])] = UInt32(rank) }
  }

  private mutating func setNumber(_ number: Int, at rank: Int) {
    numbersByRank[rank] = UInt32(number)
    ranksByNumber[number] = UInt32(rank)
  }
}
