/// A few keys in registers, sorted: a replaced key goes down a chain of compares without branches, and the next one
/// can set out while it is still under way.
struct SortedKeys<let count: Int>: SmallestKey {
  private var keys = InlineArray<count, Int>(repeating: .max)

  init(_ key: (Int) -> Int) {
    for number in keys.indices {
      var slot = number
      let key = key(number)
      while slot > 0, key < keys[slot - 1] {
        keys[slot] = keys[slot - 1]
        slot -= 1
      }
      keys[slot] = key
    }
  }

  @inline(__always)
  func visitKeys(_ body: (Int) -> Void) {
    for slot in keys.indices where keys[slot] != .max { body(keys[slot]) }
  }

  @inline(__always)
  var smallest: Int { keys[0] }

  @inline(__always)
  mutating func replaceSmallest(with key: Int) {
    var key = key
    var slot = 1
    while slot < count {
      let next = keys[slot]
      keys[slot &- 1] = min(key, next)
      key = max(key, next)
      slot &+= 1
    }
    keys[count - 1] = key
  }
}
