import FeedfallText

/// The keys of records, numbered from 0 in the order of their arrival.
///
/// The texts are in one array: a dictionary of strings would take three times the memory and double the time of a
/// start with 100,000 records.
struct KeyTable: Equatable, Sendable {
  private var bytes: [UInt8] = []
  /// The end of each key in `bytes`.
  private var ends: [UInt32] = []
  /// A hash table with linear probing: the number of a key plus 1 below 32 bits of its hash, or 0. At most half of it
  /// is used; its size is a power of two.
  private var slots: [UInt64] = []

  private static let usualLength = 48
  /// Random in each process, so that no feed can choose IDs that collide.
  private static let (seed, factor) = (UInt64(UInt(bitPattern: 1.hashValue)), UInt64(UInt(bitPattern: 2.hashValue)) | 1)

  var count: Int { ends.count }

  func key(at number: Int) -> VideoKey {
    VideoKey(unchecked: String(decoding: bytes[range(of: number)], as: UTF8.self))
  }

  func number(of key: VideoKey) -> Int? {
    guard count > 0 else { return nil }
    var text = key.text
    return text.withUTF8 { number(of: $0) }
  }

  func number(of key: UnsafeBufferPointer<UInt8>) -> Int? {
    guard count > 0 else { return nil }
    let slot = slots[place(of: key, hash(of: key))]
    return slot == 0 ? nil : Self.number(in: slot)
  }

  /// Returns the number of a key, which is added if it is unknown; nil if the table is full.
  mutating func insert(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
    if 2 * (count + 1) > slots.count { reserveCapacity(max(8, 2 * count)) }
    let hash = hash(of: key)
    let place = place(of: key, hash)
    if slots[place] == 0 {
      guard let end = UInt32(exactly: bytes.count + key.count) else { return nil }
      bytes.append(contentsOf: key)
      ends.append(end)
      slots[place] = UInt64(hash) << 32 | UInt64(count)
    }
    return Self.number(in: slots[place])
  }

  mutating func reserveCapacity(_ count: Int) {
    bytes.reserveCapacity(count * Self.usualLength)
    ends.reserveCapacity(count)
    var size = max(16, slots.count)
    while size < 2 * count { size *= 2 }
    guard size > slots.count else { return }
    let old = slots
    slots = [UInt64](repeating: 0, count: size)
    for slot in old where slot != 0 {
      var place = Int(slot >> 32) & (size - 1)
      while slots[place] != 0 { place = (place + 1) & (size - 1) }
      slots[place] = slot
    }
  }

  private static func number(in slot: UInt64) -> Int { Int(slot & 0xFFFF_FFFF) - 1 }

  /// A product of all words of eight bytes: `Hasher` takes several times as long.
  private func hash(of key: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let bytes = UnsafeRawBufferPointer(key)
    var (hash, index) = (Self.seed ^ UInt64(key.count), 0)
    while index < key.count {
      let isWord = index + 8 <= key.count
      let word = isWord ? bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) : UInt64(bytes[index])
      let product = (hash ^ word).multipliedFullWidth(by: Self.factor)
      hash = product.high ^ product.low
      index += isWord ? 8 : 1
    }
    return UInt32(truncatingIfNeeded: hash)
  }

  /// The place of a key in `slots`, or the free one for it. Only keys with its hash are compared: their texts are rarely
  /// in the cache of the processor.
  private func place(of key: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Int {
    slots.withUnsafeBufferPointer { slots in
      var place = Int(hash) & (slots.count - 1)
      while slots[place] != 0, slots[place] >> 32 != hash || !isKey(key, at: Self.number(in: slots[place])) {
        place = (place + 1) & (slots.count - 1)
      }
      return place
    }
  }

  private func isKey(_ key: UnsafeBufferPointer<UInt8>, at number: Int) -> Bool {
    bytes.withUnsafeBytes {
      UnsafeRawBufferPointer(rebasing: $0[range(of: number)]).hasSameBytes(as: UnsafeRawBufferPointer(key))
    }
  }

  private func range(of number: Int) -> Range<Int> {
    (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
  }
}
