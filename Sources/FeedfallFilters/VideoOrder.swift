import FeedfallFeeds
import FeedfallText
import FeedfallUserData

/// The orders of videos that the user can choose.
public enum VideoOrder: String, CaseIterable, Sendable {
  /// The order of the feed.
  case feed
  case newest, oldest, shortest, longest, title
  /// The most viewed first.
  case views
  /// The last watched first.
  case watched
  /// The order of the queue.
  case queue
  /// Random; different in each run of the program.
  case random

  /// Whether the user's records determine the order.
  public var dependsOnRecord: Bool { self == .watched || self == .queue }

  /// The value of a video in ascending order; nil if it has none.
  public func value(of video: Video, _ record: UserRecord = UserRecord()) -> SortValue? {
    switch self {
    case .feed: nil
    case .newest: SortValue.published(video).map(\.reversed)
    case .oldest: SortValue.published(video)
    case .shortest: video.duration?.seconds.map(SortValue.number)
    case .longest: video.duration?.seconds.map { .number(-$0) }
    case .title: SortValue(text: video.title)
    case .views: video.views.map { .number(-$0) }
    case .watched: record.watched.map { .number(-$0.seconds) }
    case .queue: record.queued.map { .number($0.orderedBits) }
    case .random: .number(video.id.hashValue)
    }
  }
}

extension Double {
  /// An integer for each number, in the same order.
  fileprivate var orderedBits: Int {
    let bits = Int(truncatingIfNeeded: (self + 0.0).bitPattern)
    return bits < 0 ? bits ^ .max : bits
  }
}

/// A value by which videos are sorted.
public enum SortValue: Sendable {
  case number(Int)
  /// Bytes in lexicographic order.
  case text([UInt8])

  /// A text whose order disregards case and diacritics and follows the values of numbers: each is preceded by its count
  /// of digits.
  public init(text: String) {
    let text = folded(text)
    guard var index = text.firstIndex(where: Self.isDigit) else {
      self = .text(text)
      return
    }
    var key: [UInt8] = []
    key.reserveCapacity(text.count + 8)
    key += text[..<index]
    while index < text.count {
      guard Self.isDigit(text[index]) else {
        key.append(text[index])
        index += 1
        continue
      }
      while index < text.count, text[index] == Self.zero { index += 1 }
      let start = index
      while index < text.count, Self.isDigit(text[index]) { index += 1 }
      key.append(Self.zero)
      key.append(UInt8(min(index - start, Self.maximumDigits)))
      key += text[start..<index]
    }
    self = .text(key)
  }

  private static let zero = UInt8(ascii: "0")

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

  /// Longer numbers are ordered as text.
  private static let maximumDigits = 100

  /// The date, or the start of the year if only that is known; nil for neither.
  public static func published(_ video: Video) -> SortValue? { video.knownTime.map { .number($0.seconds) } }

  /// The number with the opposite sign.
  public var reversed: SortValue {
    if case .number(let number) = self { .number(number == .min ? .max : -number) } else { self }
  }

  /// Returns the indices of values in their order; those without a value come last, and equal ones keep their order.
  ///
  /// - Complexity: O(n log n); texts are compared eight bytes at a time.
  public static func sortedIndices(_ values: [SortValue?], isDescending: Bool = false) -> [Int] {
    var known: [SortItem] = []
    known.reserveCapacity(values.count)
    var unknown: [Int] = []
    for (index, value) in values.enumerated() {
      if let value { known.append(SortItem(value, index, isDescending)) } else { unknown.append(index) }
    }
    known.sort { $0.isBefore($1) }
    var runs = SortItem.runs(of: known, known.indices, length: SortItem.length)
    while let (run, length) = runs.popLast() {
      let shared = sharedLength(of: known[run].lazy.map { values[$0.index] }, from: length)
      for place in run {
        let index = known[place].index
        if let value = values[index] { known[place] = SortItem(value, index, isDescending, from: shared) }
      }
      known[run].sort { $0.isBefore($1) }
      runs += SortItem.runs(of: known, run, length: shared + SortItem.length)
    }
    return known.map(\.index) + unknown
  }
}

extension SortValue {
  /// The number of bytes that texts have in common, if they have this number at least.
  private static func sharedLength(of values: some Sequence<SortValue?>, from length: Int) -> Int {
    var first: [UInt8]?
    var shared = length
    for case .text(let bytes)? in values {
      guard let first else {
        (first, shared) = (bytes, bytes.count)
        continue
      }
      let end = min(shared, bytes.count)
      var place = length
      while place < end, bytes[place] == first[place] { place += 1 }
      shared = place
    }
    return shared
  }
}

/// Eight bytes of a value by which it is sorted.
private struct SortItem {
  /// Unequal for unequal bytes, in their order.
  private let bits: UInt64
  /// The number of bytes before the end of a text, at most eight; of a number 0.
  private let count: UInt8
  private let isDescending: Bool
  let index: Int

  static let length = 8

  init(_ value: SortValue, _ index: Int, _ isDescending: Bool, from start: Int = 0) {
    (self.index, self.isDescending) = (index, isDescending)
    switch value {
    case .number(let number): (bits, count) = (UInt64(bitPattern: Int64(number)) ^ (1 << 63), 0)
    case .text(let bytes):
      let end = min(start + Self.length, bytes.count)
      count = UInt8(end - start)
      var bits: UInt64 = 0
      for place in start..<end { bits = bits << 8 | UInt64(bytes[place]) }
      self.bits = count == 0 ? 0 : bits << UInt64(8 * (Self.length - (end - start)))
    }
  }

  func isBefore(_ other: SortItem) -> Bool {
    if bits != other.bits { return (bits < other.bits) != isDescending }
    if count != other.count { return (count < other.count) != isDescending }
    return index < other.index
  }

  /// The runs of items whose texts have this length in common and may differ behind it, among sorted ones.
  static func runs(of items: [SortItem], _ range: Range<Int>, length: Int) -> [(run: Range<Int>, length: Int)] {
    var runs: [(run: Range<Int>, length: Int)] = []
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, items[end].isSimilar(to: items[start]) { end += 1 }
      if end - start > 1 { runs.append((start..<end, length)) }
      start = end
    }
    return runs
  }

  private func isSimilar(to other: SortItem) -> Bool {
    bits == other.bits && Int(count) == Self.length && count == other.count
  }
}

extension Video {
  /// The date, or the start of the year if only that is known.
  var knownTime: UnixTime? {
    published
      ?? year.flatMap { CivilDate(year: $0, month: 1, day: 1) }.map { UnixTime(seconds: $0.daysSince1970 * 86_400) }
  }
}
