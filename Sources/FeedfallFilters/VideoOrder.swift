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
    var key: [UInt8] = []
    key.reserveCapacity(text.count + 4)
    var index = 0
    while index < text.count {
      let end = text[index...].firstIndex { !Self.digits.contains($0) } ?? text.count
      guard end > index else {
        key.append(text[index])
        index += 1
        continue
      }
      let number = text[index..<end].drop { $0 == Self.digits.lowerBound }
      key.append(Self.digits.lowerBound)
      key.append(UInt8(min(number.count, Self.maximumDigits)))
      key += number
      index = end
    }
    self = .text(key)
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  /// Longer numbers are ordered as text.
  private static let maximumDigits = 100

  /// The date, or the start of the year if only that is known; nil for neither.
  public static func published(_ video: Video) -> SortValue? { video.knownTime.map { .number($0.seconds) } }

  /// The number with the opposite sign.
  public var reversed: SortValue {
    if case .number(let number) = self { .number(number == .min ? .max : -number) } else { self }
  }

  /// Eight bytes that decide most comparisons.
  fileprivate var prefix: UInt64 {
    switch self {
    case .number(let number): UInt64(bitPattern: Int64(number)) ^ (1 << 63)
    case .text(let bytes):
      (0..<8).reduce(0) { prefix, index in prefix << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
    }
  }

  fileprivate func isLess(than other: SortValue) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let two)): one < two
    case (.text(let one), .text(let two)): one.lexicographicallyPrecedes(two)
    case (.number, .text): true
    case (.text, .number): false
    }
  }

  /// Returns the indices of values in their order; those without a value come last, and equal ones keep their order.
  ///
  /// - Complexity: O(n log n).
  public static func sortedIndices(_ values: [SortValue?], isDescending: Bool = false) -> [Int] {
    var known: [(prefix: UInt64, index: Int)] = []
    known.reserveCapacity(values.count)
    var unknown: [Int] = []
    for (index, value) in values.enumerated() {
      if let value { known.append((value.prefix, index)) } else { unknown.append(index) }
    }
    known.sort { one, other in
      if one.prefix != other.prefix { return (one.prefix < other.prefix) != isDescending }
      guard case .text? = values[one.index], let first = values[one.index], let second = values[other.index] else {
        return one.index < other.index
      }
      if first.isLess(than: second) { return !isDescending }
      return second.isLess(than: first) ? isDescending : one.index < other.index
    }
    return known.map(\.index) + unknown
  }
}

extension Video {
  /// The date, or the start of the year if only that is known.
  var knownTime: UnixTime? {
    published
      ?? year.flatMap { CivilDate(year: $0, month: 1, day: 1) }.map { UnixTime(seconds: $0.daysSince1970 * 86_400) }
  }
}
