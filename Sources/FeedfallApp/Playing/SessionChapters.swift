import FeedfallFeeds

/// The chapters of the current video.
public struct SessionChapters: Equatable, Sendable {
  /// The chapters of the feed, or else of the file, or else of the description, in ascending order.
  public private(set) var all: [Chapter] = []

  /// In seconds; closer to a chapter's start, going back leads to the chapter before it.
  private static let startLength = 3.0

  init() {}

  /// The index of the chapter at a position in seconds; nil before the first one.
  func index(at seconds: Double) -> Int? { all.lastIndex { $0.start <= seconds } }

  /// Chooses the chapters that start before the end of the video.
  mutating func update(_ item: PlayItem?, _ file: OpenedFile) {
    let stated = item.flatMap { $0.chapters.isEmpty ? nil : $0.chapters } ?? file.chapters
    let best = stated.isEmpty ? item?.describedChapters ?? [] : stated
    all = best.filter { $0.start < file.length.stated ?? .infinity }
  }

  /// Returns the start of another chapter, relative to the one at a position; nil after the last one. Going back from
  /// within a chapter leads to its start, and before the first chapter to the beginning.
  func start(from seconds: Double, by step: Int) -> Double? {
    let current = index(at: seconds) ?? -1
    let isWithin = current >= 0 && seconds - all[current].start > Self.startLength
    let target = step < 0 && isWithin ? current + step + 1 : current + step
    return target < all.count ? target < 0 ? 0 : all[target].start : nil
  }
}
