import FeedfallFeeds
import FeedfallText

/// Decoding of pages and of whole documents.
enum FeedBenchmarks {
  static func run(_ report: (_ name: String, _ value: Double, _ unit: String) -> Void) {
    for sample in FeedSample.allCases {
      for count in [20, 2_000] { decode(sample, count, report) }
    }
    let body = FeedSample.articles.document(of: 2_000)
    let seconds = median(of: 21) {
      var reader = FeedDocumentReader(address: nil)
      reader.push(body[..<65_536])
      _ = try? reader.nextVideos(60)
    }
    report("feeds.first-60-of-2000", seconds * 1e6, "us")
  }

  /// Prints the time of decoding each file once, the shortest of several rounds. The paths come from standard input, one
  /// per line; files that are not feeds are included.
  static func runFiles(rounds: Int) -> Int32 {
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

  private static func decode(
    _ sample: FeedSample, _ count: Int, _ report: (_ name: String, _ value: Double, _ unit: String) -> Void
  ) {
    let name = "feeds.decode.\(sample.rawValue).\(count)"
    let body = sample.document(of: count)
    var decoded = 0
    let seconds = median(of: count > 1000 ? 5 : 51) {
      decoded = (try? FeedDecoder.decode(body, from: nil))?.videos.count ?? 0
    }
    guard decoded == count else { return report("\(name).wrong", Double(decoded), "items") }
    report(name, seconds * 1e6, "us")
    report("\(name).rate", Double(body.count) / seconds / 1e6, "MB/s")
  }

  private static func median(of runs: Int, _ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    let times = (0..<runs).map { _ in clock.measure(body) }.sorted()
    let parts = times[runs / 2].components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }
}
