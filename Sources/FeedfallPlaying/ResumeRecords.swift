/// Where videos were left off, by their ids; the oldest are forgotten.
public struct ResumeRecords: Equatable, Sendable {
  public static let maximumCount = 2_000
  /// Longer ids are not kept, in bytes.
  public static let maximumIDLength = 2_048
  /// What began only just begins anew, in seconds.
  private static let shortest = 5.0
  /// Beyond this share a video has been seen.
  private static let seenShare = 0.95

  private var places: [String: Place] = [:]
  private var age = 0

  private struct Place: Equatable, Sendable {
    var seconds: Int
    var age: Int
  }

  public init() {}

  /// The whole second at which a video is to go on.
  public subscript(id: String) -> Int? { places[id]?.seconds }

  public var count: Int { places.count }

  /// Keeps where a video is; forgets it at its beginning and near its end. Complexity: O(1), O(`maximumCount`) when the
  /// oldest goes.
  mutating func note(_ id: String, seconds: Double, of duration: Double) {
    guard seconds >= Self.shortest, seconds <= duration * Self.seenShare else { return forget(id) }
    keep(id, Int(seconds))
  }

  mutating func forget(_ id: String) { places[id] = nil }

  private mutating func keep(_ id: String, _ seconds: Int) {
    guard !id.isEmpty, id.utf8.count <= Self.maximumIDLength, !id.utf8.contains(where: { $0 < 0x20 }) else { return }
    age += 1
    places[id] = Place(seconds: seconds, age: age)
    guard count > Self.maximumCount, let oldest = places.min(by: { $0.value.age < $1.value.age }) else { return }
    forget(oldest.key)
  }
}

extension ResumeRecords {
  /// Takes over what has changed from one state of records to a later one, so that what others have kept stays.
  public mutating func takeChanges(from old: ResumeRecords, to new: ResumeRecords) {
    for id in Set(old.places.keys).subtracting(new.places.keys) { forget(id) }
    for (id, place) in new.places.sorted(by: { $0.value.age < $1.value.age }) where old[id] != place.seconds {
      keep(id, place.seconds)
    }
  }
}

extension ResumeRecords {
  /// A line for each video, the oldest first: the second, a blank, the id.
  public var lines: String {
    places.sorted { $0.value.age < $1.value.age }.map { "\($0.value.seconds) \($0.key)\n" }.joined()
  }

  /// Reads lines; what is no such line is passed over, and of too many the last count.
  public init(lines: String) {
    for line in lines.split(separator: "\n").suffix(Self.maximumCount) {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let seconds = Int(parts[0]), (1...Self.longest).contains(seconds) else { continue }
      keep(String(parts[1]), seconds)
    }
  }

  /// A year, in seconds.
  private static let longest = 366 * 86_400
}
