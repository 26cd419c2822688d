import FeedfallRecords

/// An order of videos that a seed determines, without repeats until each video has been played.
struct ShuffledOrder: Equatable, Sendable {
  private let seed: UInt64
  /// Each round has an order of its own.
  private var round: UInt64 = 0
  /// The videos played in this round, in order.
  private var played: [VideoKey] = []

  init(seed: UInt64) {
    self.seed = seed
  }

  /// Returns the video after the current one among those that can be played; nil if all were played and the order does
  /// not start over.
  /// - Complexity: O(n) in the number of videos.
  mutating func next(after current: VideoKey, among videos: [VideoKey], startsOver: Bool) -> VideoKey? {
    let (place, known) = (place(of: current), Set(videos))
    if let later = played[(place + 1)...].first(where: known.contains) { return later }
    if let next = first(of: videos) { return next }
    guard startsOver else { return nil }
    (round, played) = (round &+ 1, [current])
    return first(of: videos) ?? videos.first
  }

  /// Returns the video that was played before the current one; nil if there is none.
  mutating func previous(before current: VideoKey, among videos: [VideoKey]) -> VideoKey? {
    let (place, known) = (place(of: current), Set(videos))
    return played[..<place].last(where: known.contains)
  }

  /// Counts a video as played.
  mutating func add(_ video: VideoKey) { _ = place(of: video) }

  /// The index of a video among those played; one that is not there was played last.
  private mutating func place(of video: VideoKey) -> Int {
    if let place = played.lastIndex(of: video) { return place }
    played.append(video)
    return played.count - 1
  }

  private func first(of videos: [VideoKey]) -> VideoKey? {
    let played = Set(played)
    return videos.lazy.filter { !played.contains($0) }.map { (rank: rank(of: $0), video: $0) }.min {
      $0.rank < $1.rank
    }?
    .video
  }

  /// FNV-1a with the finalizer of SplitMix64.
  private func rank(of video: VideoKey) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed ^ (round &* 0x9E37_79B9_7F4A_7C15)
    for byte in video.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash >> 31)
  }
}
