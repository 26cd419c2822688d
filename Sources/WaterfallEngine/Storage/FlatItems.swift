/// The numbers of the items that occupy no row, not even a gap, by column and in order. A search by rows cannot find
/// them. Empty arrays where there are none.
struct FlatItems: Sendable {
  private var numbers: ContiguousArray<ContiguousArray<UInt32>> = []

  var storedByteCount: Int { numbers.reduce(0) { $0 + $1.capacity * MemoryLayout<UInt32>.stride } }

  /// Records the items without height from `first` on, and no others there. O(items from there on + log items).
  mutating func update(from first: Int, _ words: ContiguousArray<ItemWord>) {
    let words = words.span
    for column in numbers.indices { numbers[column].removeSubrange(place(of: first, column)...) }
    for item in first..<max(first, words.count) where words[unchecked: item].height == 0 {
      append(item, column: words[unchecked: item].column)
    }
  }

  private mutating func append(_ item: Int, column: Int) {
    while numbers.count <= column { numbers.append([]) }
    numbers[column].append(UInt32(item))
  }

  /// Records whether an item has no height. O(items without height).
  mutating func setContains(_ item: Int, _ isFlat: Bool, column: Int) {
    while isFlat, numbers.count <= column { numbers.append([]) }
    guard column < numbers.count else { return }
    let place = place(of: item, column)
    let isRecorded = place < numbers[column].count && numbers[column][place] == item
    if isFlat, !isRecorded { numbers[column].insert(UInt32(item), at: place) }
    if !isFlat, isRecorded { numbers[column].remove(at: place) }
  }

  /// O(log items).
  func first(of column: Int, from item: Int) -> Int? {
    guard column < numbers.count else { return nil }
    let place = place(of: item, column)
    return place < numbers[column].count ? Int(numbers[column][place]) : nil
  }

  /// O(log items).
  func last(of column: Int, before item: Int) -> Int? {
    guard column < numbers.count else { return nil }
    let place = place(of: item, column)
    return place > 0 ? Int(numbers[column][place - 1]) : nil
  }

  /// The number of recorded items before one.
  private func place(of item: Int, _ column: Int) -> Int {
    var low = 0
    var high = numbers[column].count
    while low < high {
      let middle = (low + high) / 2
      if numbers[column][middle] < item { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
