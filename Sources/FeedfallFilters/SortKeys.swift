import FeedfallFeeds
import FeedfallRecords
import FeedfallText

/// The keys by which videos are sorted: for each a number, a text or none. Numbers come before texts.
///
/// A number occupies 16 bytes, a text 12 and its length. Sorting copies them.
public struct SortKeys: Sendable {
  /// A number, or seven bytes of a text, by which a video is sorted.
  private struct Item {
    var bits: UInt64
    var index: UInt32
  }

  private var count = 0
  private var numbers: [Item] = []
  private var texts: [UInt32] = []
  /// The end of each text in `bytes`.
  private var ends: [Int] = []
  private var bytes: [UInt8] = []
  private var unknown: [Int] = []
  private var folded: [UInt8] = []

  /// - Parameter count: the expected number of keys.
  public init(capacity count: Int = 0) { numbers.reserveCapacity(count) }

  /// Appends a number; nil comes last.
  public mutating func append(_ number: Int?) {
    if let number {
      numbers.append(Item(bits: UInt64(bitPattern: Int64(number)) ^ (1 << 63), index: UInt32(count)))
    } else {
      unknown.append(count)
    }
    count += 1
  }

  /// Appends a text whose order disregards case and diacritics and follows the values of numbers; nil comes last.
  ///
  /// - Complexity: O(n) in the length of the text.
  public mutating func append(text: String?) {
    guard let text else { return append(nil) }
    folded.removeAll(keepingCapacity: true)
    folded.appendFolded(text)
    append { bytes, folded in bytes.appendNumbered(folded) }
  }

  /// Appends a text that is ordered by its bytes.
  mutating func append(bytes added: [UInt8]) {
    folded = added
    append { bytes, folded in bytes += folded }
  }

  private mutating func append(_ write: (_ bytes: inout [UInt8], _ folded: [UInt8]) -> Void) {
    write(&bytes, folded)
    ends.append(bytes.count)
    texts.append(UInt32(count))
    count += 1
  }
}

// MARK: - Orders

extension SortKeys {
  /// Appends the key of a video in an order.
  // Inlined, so that only the wanted field of a stored video is copied.
  @inlinable @inline(__always)
  public mutating func append(_ video: Video, _ record: UserRecord = UserRecord(), by order: VideoOrder) {
    switch order {
    case .feed: append(nil)
    // The complement reverses the order.
    case .newest: append(Self.published(video).map { ~$0 })
    case .oldest: append(Self.published(video))
    case .shortest: append(video.duration?.seconds)
    case .longest: append(video.duration?.seconds.map { ~$0 })
    case .title: append(text: video.title)
    case .views: append(video.views.map { ~$0 })
    case .watched: append(record.watched.map { ~$0.seconds })
    case .queue: append(record.queued.map(Self.number))
    case .downloaded: append(record.download.map { ~$0 })
    case .random: append(video.id.hashValue)
    }
  }

  /// The date, or the start of the year if only that is known.
  @inlinable @inline(__always)
  static func published(_ video: Video) -> Int? { video.published?.seconds ?? video.year.flatMap(start) }

  @usableFromInline
  static func start(ofYear year: Int) -> Int? {
    CivilDate(year: year, month: 1, day: 1).map { $0.daysSince1970 * 86_400 }
  }

  /// An integer for each number, in the same order.
  @usableFromInline
  static func number(for place: Double) -> Int {
    let bits = Int(truncatingIfNeeded: (place + 0.0).bitPattern)
    return bits < 0 ? bits ^ .max : bits
  }
}

extension [UInt8] {
  /// Appends a folded text in which the count of digits precedes each number, without its zeros at the start.
  fileprivate mutating func appendNumbered(_ text: [UInt8]) {
    text.withUnsafeBufferPointer { text in
      var index = 0
      while index < text.count {
        var start = index
        while index < text.count, !Self.isDigit(text[index]) { index += 1 }
        append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
        guard index < text.count else { return }
        while index < text.count, text[index] == Self.zero { index += 1 }
        start = index
        while index < text.count, Self.isDigit(text[index]) { index += 1 }
        append(Self.zero)
        append(UInt8(Swift.min(index - start, Self.maximumDigits)))
        append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
      }
    }
  }

  private static let zero = UInt8(ascii: "0")

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

  /// Longer numbers are ordered as text.
  private static let maximumDigits = 100
}

// MARK: - Sorting

extension SortKeys {
  /// Returns the indices of keys in their order; those without a key come last, and equal ones keep their order.
  ///
  /// - Complexity: O(n) for numbers; for texts O(n) for each seven bytes in which some of them differ.
  public func sortedIndices(isDescending: Bool = false) -> [Int] {
    var numbers = numbers
    if isDescending { for place in numbers.indices { numbers[place].bits = ~numbers[place].bits } }
    Self.sort(&numbers, numbers.indices)
    return numbers.map { Int($0.index) } + sortedTexts(isDescending: isDescending) + unknown
  }

  private static let length = 7

  private func sortedTexts(isDescending: Bool) -> [Int] {
    guard !texts.isEmpty else { return [] }
    // Every part of a text can be read as a word.
    let bytes = bytes + [UInt8](repeating: 0, count: 8)
    var items = texts.indices.map { Item(bits: 0, index: UInt32($0)) }
    var runs = [(run: items.indices, start: 0)]
    while let (run, start) = runs.popLast() {
      let start = sharedLength(of: items[run], from: start, bytes)
      for place in run {
        let bits = part(of: Int(items[place].index), from: start, bytes)
        items[place].bits = isDescending ? ~bits : bits
      }
      Self.sort(&items, run)
      let full = UInt64(isDescending ? UInt8(~Self.length & 0xFF) : UInt8(Self.length))
      var first = run.lowerBound
      while first < run.upperBound {
        var end = first + 1
        while end < run.upperBound, items[end].bits == items[first].bits { end += 1 }
        if end - first > 1, items[first].bits & 0xFF == full { runs.append((first..<end, start + Self.length)) }
        first = end
      }
    }
    return items.map { Int(texts[Int($0.index)]) }
  }

  private func range(ofText number: Int) -> Range<Int> { (number > 0 ? ends[number - 1] : 0)..<ends[number] }

  /// Seven bytes of a text and, in the low bits, how many there are: greater for later texts.
  private func part(of number: Int, from start: Int, _ bytes: [UInt8]) -> UInt64 {
    let range = range(ofText: number)
    let count = min(Self.length, range.count - start)
    return Self.word(in: bytes, at: range.lowerBound + start) & ~(UInt64.max >> UInt64(8 * count)) | UInt64(count)
  }

  private static func word(in bytes: [UInt8], at place: Int) -> UInt64 {
    bytes.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt64.self)) }
  }

  /// The number of bytes that texts have in common, if they have this number at least.
  private func sharedLength(of items: ArraySlice<Item>, from start: Int, _ bytes: [UInt8]) -> Int {
    guard let first = items.first.map({ range(ofText: Int($0.index)) }) else { return start }
    var shared = first.count
    for item in items.dropFirst() {
      let other = range(ofText: Int(item.index))
      let end = min(shared, other.count)
      var place = start
      while place < end {
        let difference =
          Self.word(in: bytes, at: first.lowerBound + place) ^ Self.word(in: bytes, at: other.lowerBound + place)
        place += difference.leadingZeroBitCount / 8
        if difference != 0 { break }
      }
      shared = min(end, place)
    }
    return shared
  }

  private static let leastCountForDigits = 1_000

  /// Sorts items by their bits; equal ones keep their order.
  private static func sort(_ items: inout [Item], _ range: Range<Int>) {
    if range.count < leastCountForDigits {
      items[range].sort { $0.bits == $1.bits ? $0.index < $1.index : $0.bits < $1.bits }
    } else {
      sortByDigits(&items, range)
    }
  }

  /// Distributes items by one byte after the other, from the lowest on, except those that all have in common.
  private static func sortByDigits(_ items: inout [Item], _ range: Range<Int>) {
    let common = items[range].reduce(into: (all: UInt64.max, any: UInt64(0))) { common, item in
      common.all &= item.bits
      common.any |= item.bits
    }
    var source = Array(items[range])
    var target = source
    for shift in stride(from: UInt64(0), to: 64, by: 8) where (common.all ^ common.any) >> shift & 0xFF != 0 {
      var places = [Int](repeating: 0, count: 257)
      for item in source { places[Int(item.bits >> shift & 0xFF) + 1] += 1 }
      for digit in 1...256 { places[digit] += places[digit - 1] }
      for item in source {
        let digit = Int(item.bits >> shift & 0xFF)
        target[places[digit]] = item
        places[digit] += 1
      }
      swap(&source, &target)
    }
    items.replaceSubrange(range, with: source)
  }
}
