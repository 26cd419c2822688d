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
  case durations
  case sizes
  case entries
  case archives
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
    case .durations: Self.durations
    case .sizes: Self.sizes
    case .entries: Self.entries
    case .archives: Self.archives
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
    let context = Filter.Context(now: UnixTime(seconds: 1_700_000_000), zone: .utc)
    var budget = Filter.Budget()
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
      var search = Pattern.Search(try Pattern(expression, ignoresCase: ignoresCase))
      var budget = Filter.Budget()
      _ = search.matches(in: sample, at: 0, .any, &budget)
      guard parts.count > 1 else { return }
      var text = String(decoding: parts[1], as: UTF8.self)
      let isMatch = text.withUTF8 { search.matches($0, &budget) }
      expect(text.withUTF8 { search.matches($0, &budget) } == isMatch, "a second search differs")
    } catch {
      expect((0...expression.unicodeScalars.count).contains(error.offset), "offset \(error.offset)")
    }
  }
}

// MARK: - Values

extension FuzzTarget {
  private static func text(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for kind in [TextKind.plain, .html, .markdown] {
      let line = cleanedLine(text, as: kind, limit: 80)
      checkLine(line)
      expect(line.count <= 81, "a line of \(line.count) characters, including the ellipsis")
    }
    let line = cleanedLine(text, limit: 80)
    if TextCleaner.isCleanLine(text, as: .plain, limit: 80) {
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
      expect(date.civilDate.year >= 999, "a date in the year \(date.civilDate.year)")
      // A zone may move a date out of the range of valid years.
      let isRead = (1_000...9_998).contains(date.civilDate.year)
      expect(!isRead || UnixTime(feedDate: date.description) == date, "a date that changes when parsed again: \(date)")
      expect(UnixTime(feedDate: " \(text)\n") == date, "a date that depends on blanks: \(text.debugDescription)")
    }
    _ = UnixTime(rfc3339: text)
  }

  private static func durations(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    switch VideoDuration(text: text) {
    case .seconds(let seconds):
      expect((1...366 * 86_400).contains(seconds), "a duration of \(seconds) s")
      expect(VideoDuration(feedText: text) == .seconds(seconds), "a duration that differs in feeds")
      let again = VideoDuration.seconds(seconds).description
      expect(VideoDuration(feedText: again) == .seconds(seconds), "a duration that changes when parsed again: \(again)")
    case .text(let words):
      checkLine(words)
      expect(VideoDuration(feedText: text) == nil, "words that are a duration in feeds: \(words)")
    case nil: expect(VideoDuration(feedText: text) == nil, "no duration, but one in feeds")
    }
  }

  private static func sizes(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let (count, size) = (WrittenCount.count(text), WrittenCount.byteCount(text))
    expect(count ?? 0 >= 0 && size ?? 0 >= 0, "a negative count")
    if let count { expect(size == count, "a count of \(count) is a size of \(String(describing: size))") }
    if let size { expect(WrittenCount.byteCount("\(size)") == size, "a size that changes when parsed again: \(size)") }
  }

  /// The rest of `#EXTINF:`.
  private static func entries(_ bytes: [UInt8]) {
    let information = M3UPlaylist.Information(bytes[...])
    checkLine(information.title)
    if let seconds = information.duration?.seconds { expect(seconds > 0, "a duration of \(seconds) s") }
    expect(information["TVG-NAME"] == nil, "a name in capital letters")
    for name in ["tvg-name", "group-title"] {
      if let value = information[name] { expect(value.utf8.count <= bytes.count * 3, "a value longer than its line") }
    }
  }

  private static func archives(_ bytes: [UInt8]) {
    _ = try? Gzip.inflated(bytes, limit: 1 << 20)
    guard let content = try? Gzip.unpacked(bytes, limit: 1 << 20).bytes else { return }
    expect(content.count <= 1 << 20, "\(content.count) bytes are more than the limit")
  }

  private static func addresses(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for address in [WebAddress(text), WebAddress(typed: text), WebAddress(resolving: text, against: base)] {
      guard let address else { continue }
      checkAddress(address)
      checkAddress(PeerTubeEndpoint(address: address)?.address(start: 0, count: 20))
      for count in [nil, 20] {
        checkAddress(KnownSite.request(for: address, count: count))
        // On any host.
        for site in Site.all { checkAddress(site.meaning(of: address, count: count)?.list) }
      }
      _ = address.queryItems
    }
  }
}
