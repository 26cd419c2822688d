import FeedfallFeeds

/// The segments of the current video, and which of them are skipped.
public struct SessionSegments: Equatable, Sendable {
  /// In ascending order of their starts.
  public let all: [VideoSegment]
  /// The segments whose skip the user has taken back, and those that the user has sought.
  private var played: [VideoSegment] = []
  /// The last skip, until the user takes it back.
  private var last: SegmentSkip?
  /// Whether the position has not left the last skip yet. Before a seek has an effect, and in a file without seeking, it
  /// would be skipped again and again.
  private var isLeaving = false

  init(_ segments: [VideoSegment] = []) {
    all = segments
  }

  private func segments(at seconds: Double) -> [VideoSegment] { all.filter { $0.contains(seconds) } }

  private mutating func play(_ segments: [VideoSegment]) { played += segments.filter { !played.contains($0) } }

  /// Handles a seek by the user: segments at the target are played, not skipped.
  mutating func sought(_ seconds: Double) { play(segments(at: seconds)) }

  /// Returns the skip of the segments at a position that playback has reached; nil if there are none.
  mutating func skip(at seconds: Double) -> SegmentSkip? {
    guard !all.isEmpty else { return nil }
    isLeaving = isLeaving && last.map { $0.start <= seconds && seconds < $0.end } ?? false
    guard !isLeaving, let first = segments(at: seconds).first(where: { !played.contains($0) }) else { return nil }
    last = SegmentSkip(category: first.category, start: first.start, end: end(after: first))
    isLeaving = true
    return last
  }

  /// The end of the segments that follow one another without a gap.
  private func end(after first: VideoSegment) -> Double {
    all.lazy.filter { !played.contains($0) }.reduce(first.end) { $1.start <= $0 ? max($0, $1.end) : $0 }
  }

  /// Undoes the last skip; returns its start, nil if there is none.
  mutating func takeBackSkip() -> Double? {
    guard let skip = last else { return nil }
    play(all.filter { $0.start < skip.end && $0.end > skip.start })
    (last, isLeaving) = (nil, false)
    return skip.start
  }
}

/// A skip of one segment or several adjacent ones.
public struct SegmentSkip: Equatable, Sendable {
  /// Of the first segment.
  public let category: VideoSegment.Category
  /// In seconds from the beginning.
  public let start: Double
  /// In seconds from the beginning.
  public let end: Double
}
