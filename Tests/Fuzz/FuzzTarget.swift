@testable import FeedfallFeeds
@testable import FeedfallFilters
@testable import FeedfallText

/// The fuzzed functions; `FuzzTarget+Checks` checks the properties of all results.
enum FuzzTarget: String, CaseIterable {
  case feed
  case details
  case answers
  case pieces
  case references
  case programs
  case subscriptions
  case links
  case html
  case text
  case dates
  case addresses
  case encodings
  case filters
  case patterns

  var run: ([UInt8]) -> Void {
    switch self {
    case .feed: Self.feed
    case .details: Self.details
    case .answers: Self.answers
    case .pieces: Self.pieces
    case .references: Self.references
    case .programs: Self.programs
    case .subscriptions: Self.subscriptions
    case .links: Self.links
    case .html: Self.html
    case .text: Self.text
    case .dates: Self.dates
    case .addresses: Self.addresses
    case .encodings: Self.encodings
    case .filters: Self.filters
    case .patterns: Self.patterns
    }
  }

  static let base = WebAddress(unchecked: "https://feeds.example/list/feed.xml")

  /// Addresses of answers, on which the decoders of services depend.
  static let services = [
    "https://archive.org/metadata/films#rows=20", "https://archive.org/advancedsearch.php?q=x&rows=30&page=1",
    "https://commons.wikimedia.org/w/api.php?action=query&titles=File:A.webm",
    "https://api.media.ccc.de/public/conferences#congress/2019",
    "https://sepiasearch.org/api/v1/search/videos?search=x",
  ].map { WebAddress(unchecked: $0) }
}

// MARK: - Filters

extension FuzzTarget {
  private static let sample: VideoFacts = {
    var video = Video(id: "1", title: "Café crème, part 2", playback: .unknown)
    (video.channel, video.summary) = ("Blender", "An open movie\nabout coffee")
    video.duration = .seconds(700)
    return VideoFacts(video)
  }()

  private static func filters(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let context = FilterContext(now: UnixTime(seconds: 1_700_000_000), zone: .utc)
    var budget = PatternBudget()
    do {
      let query = try FilterQuery(text)
      let isIncluded = query.filter.includes(sample, context, &budget)
      expect(query.filter.isNarrower(than: query.filter), "a filter is wider than itself: \(text.debugDescription)")
      expect(
        query.filter.isNarrower(than: .everything) || query.filter.states.contains(.hidden), "a filter adds videos")
      guard let again = try? FilterQuery(query.text) else { return expect(false, "a trimmed filter has a fault") }
      expect(again == query, "a trimmed filter differs: \(text.debugDescription)")
      let both = query.filter.and(query.filter)
      expect(both.includes(sample, context, &budget) == isIncluded, "a filter joined with itself differs")
    } catch {
      expect((1...max(1, text.count + 1)).contains(error.column), "column \(error.column) of \(text.count)")
      checkLine(error.text)
    }
  }

  /// The first byte selects the case; the text follows a line break.
  private static func patterns(_ bytes: [UInt8]) {
    let parts = bytes.dropFirst().split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = bytes.first, let source = parts.first else { return }
    let (expression, ignoresCase) = (String(decoding: source, as: UTF8.self), first & 1 == 1)
    do {
      let pattern = try Pattern(expression, ignoresCase: ignoresCase)
      var budget = PatternBudget()
      _ = pattern.matches(in: sample, at: 0, .any, &budget)
      guard parts.count > 1 else { return }
      var text = String(decoding: parts[1], as: UTF8.self)
      let isMatch = text.withUTF8 { pattern.matches($0, &budget) }
      expect(text.withUTF8 { pattern.matches($0, &budget) } == isMatch, "a second search differs")
    } catch {
      expect((0...expression.unicodeScalars.count).contains(error.offset), "offset \(error.offset)")
    }
  }
}

// MARK: - Values

extension FuzzTarget {
  private static func text(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for isHTML in [false, true] {
      let line = cleanedLine(text, isHTML: isHTML, limit: 80)
      checkLine(line)
      expect(line.count <= 81, "a line of \(line.count) characters, including the ellipsis")
    }
    let line = cleanedLine(text, limit: 80)
    if TextCleaner.isCleanLine(text, isHTML: false, limit: 80) {
      var cleaner = TextCleaner(keepsLines: false, limit: 80)
      cleaner.append(Array(text.utf8))
      expect(cleaner.finished() == text, "a clean text would be changed: \(text.debugDescription)")
    } else if !line.hasSuffix("…") {
      expect(cleanedLine(line, limit: 80) == line, "a clean line changes: \(line.debugDescription)")
    }
  }

  private static func dates(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let date = UnixTime(feedDate: text) {
      _ = date.civilDate.description
    }
    _ = UnixTime(rfc3339: text)
    for duration in [VideoDuration(text: text), VideoDuration(iso8601: text)] {
      switch duration {
      case .seconds(let seconds): expect(seconds > 0, "a duration of \(seconds) s")
      case .text(let text): checkLine(text)
      case nil: break
      }
    }
  }

  private static func addresses(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for address in [WebAddress(text), WebAddress(typed: text), WebAddress(resolving: text, against: base)] {
      guard let address else { continue }
      checkAddress(address)
      checkAddress(PeerTubeEndpoint(address: address)?.address(start: 0, count: 20))
      for count in [nil, 20] { checkAddress(KnownSite.request(for: address, count: count)) }
      _ = address.queryItems
    }
  }
}
