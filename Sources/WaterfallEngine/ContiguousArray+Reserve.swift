extension ContiguousArray {
  /// Reserves room for `count` more elements and an eighth: less unused memory than doubling, still O(1) an element.
  mutating func growReserve(for count: Int) {
    let needed = self.count + count
    if needed > capacity { reserveCapacity(Swift.max(needed, self.count + self.count / 8)) }
  }
}
