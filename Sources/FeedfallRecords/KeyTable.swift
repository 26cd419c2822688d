extension UserData {
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

    /// Depends on all fetched slots, because the compiler removes a read without a use.
    private var fetched: UInt32 = 0

    private struct Slot {
      /// Of the key's hash: most other keys are rejected without reading them.
      var hash: UInt32 = 0
      /// The number of the key plus 1, or 0.
      var number: UInt32 = 0
    }

    var count: Int { ends.count }

    /// - Complexity: O(n) in the key's length.
    func text(at number: Int) -> String { String(decoding: bytes[range(of: number)], as: UTF8.self) }

    func number(of key: UnsafeBufferPointer<UInt8>) -> Int? {
      guard !slots.isEmpty, key.count <= VideoKey.maximumLength else { return nil }
      let number = slots[place(of: key, Self.hash(key))].number
      return number == 0 ? nil : Int(number) - 1
    }

    /// Returns the number of a key, which is added if it is unknown; nil if the table is full or the key too long.
    mutating func insert(_ key: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Int? {
      guard key.count <= VideoKey.maximumLength else { return nil }
      if 4 * (count + 1) > 3 * slots.count { grow(to: max(16, 2 * slots.count)) }
      let place = place(of: key, hash)
      if slots[place].number == 0 {
        guard let end = UInt32(exactly: bytes.count + key.count) else { return nil }
        bytes.append(contentsOf: key)
        ends.append(end)
        slots[place] = Slot(hash: hash, number: UInt32(count))
      }
      return Int(slots[place].number) - 1
    }

    /// Fetches the slot for a hash, so that a later `insert` does not wait for it.
    mutating func prefetch(_ hash: UInt32) {
      if !slots.isEmpty { fetched &+= slots[Int(hash) & (slots.count - 1)].number }
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
      return range.count == key.count
        && bytes.withUnsafeBytes {
          haveSameBytes(UnsafeRawBufferPointer(rebasing: $0[range]), UnsafeRawBufferPointer(key))
        }
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
}

/// Whether two texts of the same length are equal. Compares words from the end, because keys of one host differ there.
func haveSameBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
  var end = left.count
  while end >= 8 {
    end &-= 8
    guard word(left, at: end) == word(right, at: end) else { return false }
  }
  if left.count >= 8 { return word(left, at: 0) == word(right, at: 0) }
  return left[..<end].elementsEqual(right[..<end])
}

@inline(__always)
private func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
  bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
}

/// Hashes keys with random numbers of this process, so that no feed can choose IDs that collide: each 32-bit
/// word is added to a random number, the sums are multiplied in pairs, and the products are added. Two keys have the
/// same hash with a probability of about 2^-32.
///
/// Source: Lemire and Kaser, Strongly universal string hashing is fast, 2014, “Multilinear-HM”.
extension UserData.KeyTable {
  /// Two for each eight bytes, and two for the length.
  private static let factors = (0..<VideoKey.maximumLength / 4 + 2).map { number in
    var hasher = Hasher()
    hasher.combine(number)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  /// The key has at most `VideoKey.maximumLength` bytes.
  static func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let bytes = UnsafeRawBufferPointer(key)
    return factors.withUnsafeBufferPointer { factors in
      var sum = factors[0] &+ factors[1] &* UInt64(bytes.count)
      var (offset, index) = (0, 2)
      while offset &+ 8 <= bytes.count {
        add(word(bytes, at: offset), &sum, factors, index)
        offset &+= 8
        index &+= 2
      }
      if offset < bytes.count { add(lastWord(bytes, from: offset), &sum, factors, index) }
      // The high half is the hash. It is multiplied by the golden ratio, because sums of similar keys are regular.
      return UInt32(truncatingIfNeeded: ((sum >> 32) &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
  }

  @inline(__always)
  private static func add(_ word: UInt64, _ sum: inout UInt64, _ factors: UnsafeBufferPointer<UInt64>, _ index: Int) {
    sum &+= (factors[index] &+ (word & 0xFFFF_FFFF)) &* (factors[index + 1] &+ word >> 32)
  }

  /// The last eight bytes, which overlap the word before, or all bytes of a shorter key.
  private static func lastWord(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
    if bytes.count >= 8 { return word(bytes, at: bytes.count - 8) }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension UserData {
  /// Texts in one array, because a string of its own for each of 10,000 texts would take more memory.
  struct TextTable: Sendable {
    private var bytes: [UInt8] = []

    var byteCount: Int { bytes.count }

    /// The text at a place that `append` has returned.
    subscript(place: Int) -> ArraySlice<UInt8> { bytes[place >> 16..<place >> 16 + place & 0xFFFF] }

    /// Returns the place of the text, which has less than 65,536 bytes.
    mutating func append(_ text: some Collection<UInt8>) -> Int {
      let place = bytes.count << 16 | text.count
      bytes.append(contentsOf: text)
      return place
    }

    mutating func reserveCapacity(_ byteCount: Int) { bytes.reserveCapacity(byteCount) }

    /// Removes the texts from a byte on.
    mutating func removeLast(from byteCount: Int) { bytes.removeLast(bytes.count - byteCount) }
  }
}
