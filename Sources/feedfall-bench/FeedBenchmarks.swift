import VideoFeed

/// Decoding of pages and of whole documents.
enum FeedBenchmarks {
  static func run(_ report: (_ name: String, _ value: Double, _ unit: String) -> Void) {
    for count in [20, 2_000] {
      let body = document(of: count)
      var decoded = 0
      let seconds = median(of: count > 1000 ? 5 : 51) {
        decoded = (try? FeedDecoder.decode(body, from: nil))?.videos.count ?? 0
      }
      guard decoded == count else { return report("feeds.decode.\(count).wrong", Double(decoded), "items") }
      report("feeds.decode.\(count)", seconds * 1e6, "us")
      report("feeds.decode.\(count).rate", Double(body.count) / seconds / 1e6, "MB/s")
    }
    let body = document(of: 2_000)
    let seconds = median(of: 21) {
      var reader = FeedDocumentReader(address: nil)
      reader.push(body[..<65_536])
      _ = try? reader.takeVideos(60)
    }
    report("feeds.first-60-of-2000", seconds * 1e6, "us")
  }

  /// A document in the articles' form, its items as long as real ones.
  private static func document(of count: Int) -> [UInt8] {
    let items = (0..<count).map { number in
      """
      {"cover":"https://films.example/covers/\(number)/large.jpg","title":"\(number) A film with a title of usual length",
       "flv":"https://films.example/videos/\(number)/film.flv?token=abcdef0123456789","duration":"\(number % 60):\(10 + number % 50)",
       "width":1280,"height":\(number % 2 == 0 ? 720 : 960),"channel":"Channel \(number % 40)","end":0}
      """
    }
    return Array("{\"data\":{\"info_list\":[\(items.joined(separator: ","))],\"end\":0}}".utf8)
  }

  private static func median(of runs: Int, _ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    let times = (0..<runs).map { _ in clock.measure(body) }.sorted()
    let parts = times[runs / 2].components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }
}
