import FeedfallFeeds

enum FeedFiles {
  /// Prints the time of decoding each file once, the shortest of several rounds. The paths come from standard input,
  /// one per line; files that are not feeds are included.
  static func run(rounds: Int) -> Int32 {
    let documents = Array(AnyIterator { readLine() }).compactMap { contents(of: $0) }
    let clock = ContinuousClock()
    var videoCount = 0
    let least = (0..<max(rounds, 1)).map { _ in
      videoCount = 0
      return clock.measure {
        for body in documents { videoCount += (try? FeedDecoder.decode(body, from: nil))?.videos.count ?? 0 }
      }
    }.min()
    let milliseconds = (least ?? .zero) / .microseconds(1) / 1_000
    print("\(documents.count) documents, \(videoCount) videos: \(milliseconds) ms")
    return 0
  }
}
