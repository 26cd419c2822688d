import FeedfallFeeds
import FeedfallRecords
import FeedfallText

/// The keys by which videos are sorted: for each a number, a text or none. Numbers come before texts.
public struct SortKeys: Sendable {
  private var numbers: [(key: Int, index: Int)] = []
  private var texts: [(key: [UInt8], index: Int)] = []
  private var unknown: [Int] = []
  @usableFromInline let seed: UInt64

  private var count: Int { numbers.count + texts.count + unknown.count }

  /// - Parameter seed: determines the random order.
  public init(seed: UInt64 = 0) { self.seed = seed }

  /// Appends a number; nil comes last.
  public mutating func append(_ number: Int?) {
    if let number { numbers.append((number, count)) } else { unknown.append(count) }
  }

  /// Appends a text whose order disregards case and diacritics and follows the values of numbers; nil comes last. O(n).
  public mutating func append(text: String?) {
    guard let text else { return append(nil) }
    var key: [UInt8] = []
    key.appendNumbered(folded(text))
    texts.append((key, count))
  }

  /// Returns the indices of keys in their order; those without a key come last. Stable, O(n log n).
  public func sortedIndices(isDescending: Bool = false) -> [Int] {
    let numbers = numbers.sorted { isDescending ? $0.key > $1.key : $0.key < $1.key }
    let texts = texts.sorted { one, other in
      isDescending ? other.key.precedes(one.key) : one.key.precedes(other.key)
    }
    return numbers.map(\.index) + texts.map(\.index) + unknown
  }

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
    case .played: append(record.played.map { ~$0.seconds })
    case .queue: append(record.queued.map(Self.number))
    case .downloaded: append(record.download.map { ~$0 })
    case .random: append(Int(truncatingIfNeeded: Self.shuffledRank(of: video.id, seed: seed)))
    }
  }

  /// The rank of a text in the order that a seed determines: FNV-1a with the finalizer of SplitMix64. O(n).
  public static func shuffledRank(of text: String, seed: UInt64) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash >> 31)
  }

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
  fileprivate func precedes(_ other: [UInt8]) -> Bool {
    let length = Swift.min(count, other.count)
    var index = 0
    withUnsafeBytes { bytes in
      other.withUnsafeBytes { otherBytes in
        // Equal starts, such as the name of a series, are skipped by words.
        while index + 8 <= length,
          bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            == otherBytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        { index += 8 }
      }
    }
    while index < length, self[index] == other[index] { index += 1 }
    return index < length ? self[index] < other[index] : count < other.count
  }

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

/// The orders of videos that the user can choose.
public enum VideoOrder: String, CaseIterable, Sendable {
  case feed
  case newest, oldest, shortest, longest, title
  /// The most viewed first.
  case views
  /// The last watched first.
  case watched
  /// The last played first.
  case played
  case queue
  /// The last requested download first.
  case downloaded
  /// Random, as the seed determines it.
  case random

  /// Whether the user's records determine the order.
  public var dependsOnRecord: Bool {
    switch self {
    case .watched, .played, .queue, .downloaded: true
    case .feed, .newest, .oldest, .shortest, .longest, .title, .views, .random: false
    }
  }
}
