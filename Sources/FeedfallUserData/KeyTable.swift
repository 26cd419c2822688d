/// The keys of records, numbered from 0 in the order of their arrival.
///
/// The texts are in one array, because a string of its own for each of 100,000 keys would take twice the memory.
struct KeyTable: Sendable {
  /// The UTF-8 of all keys.
  private var bytes: [UInt8] = []
  /// The end of each key in `bytes`.
  private var ends: [UInt32] = []
  /// A hash table with open addressing. Its size is a power of two.
  private var slots: [Slot] = []
  /// The number of the key that was inserted or found last by `insert`: the lines of a log often repeat it.
  private var last = 0

  private struct Slot {
    /// Of the key's hash: most other keys are rejected without reading them.
    var hash: UInt32 = 0
    /// The number of the key plus 1, or 0.
    var number: UInt32 = 0
  }

  var count: Int { ends.count }

  /// - Complexity: O(n) in the key's length.
  func text(at number: Int) -> String { String(decoding: bytes[range(of: number)], as: UTF8.self) }

  /// Returns the number of a key; nil if it is unknown.
  func number(of key: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !slots.isEmpty else { return nil }
    let number = slots[place(of: key, Self.hash(key))].number
    return number == 0 ? nil : Int(number) - 1
  }

  /// Returns the number of a key, which is added if it is unknown; nil if the table is full.
  mutating func insert(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
    if last < count, isEqual(last, key) { return last }
    if 4 * (count + 1) > 3 * slots.count { grow(to: max(16, 2 * slots.count)) }
    let hash = Self.hash(key)
    let place = place(of: key, hash)
    if slots[place].number == 0 {
      guard let end = UInt32(exactly: bytes.count + key.count) else { return nil }
      bytes.append(contentsOf: key)
      ends.append(end)
      slots[place] = Slot(hash: hash, number: UInt32(count))
    }
    last = Int(slots[place].number) - 1
    return last
  }

  /// Prepares for a number of keys with this total length in bytes.
  mutating func reserveCapacity(_ count: Int, byteCount: Int) {
    bytes.reserveCapacity(byteCount)
    ends.reserveCapacity(count)
    var size = max(16, slots.count)
    while 3 * size < 4 * (count + 1) { size *= 2 }
    if size > slots.count { grow(to: size) }
  }

  private func range(of number: Int) -> Range<Int> {
    (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
  }

  /// The place of a key in `slots`, or the free one for it.
  private func place(of key: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Int {
    let mask = slots.count - 1
    var place = Int(hash) & mask
    while slots[place].number != 0, slots[place].hash != hash || !isEqual(Int(slots[place].number) - 1, key) {
      place = (place + 1) & mask
    }
    return place
  }

  private func isEqual(_ number: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    let range = range(of: number)
    guard range.count == key.count else { return false }
    // From the end, because keys of one host differ there.
    for offset in stride(from: key.count - 1, through: 0, by: -1)
    where bytes[range.lowerBound + offset] != key[offset] {
      return false
    }
    return true
  }

  /// Seeded for each process, so that no feed can choose IDs that collide.
  private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(key))
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  private mutating func grow(to size: Int) {
    let old = slots
    slots = [Slot](repeating: Slot(), count: size)
    for slot in old where slot.number != 0 {
      var place = Int(slot.hash) & (size - 1)
      while slots[place].number != 0 { place = (place + 1) & (size - 1) }
      slots[place] = slot
    }
  }
}
