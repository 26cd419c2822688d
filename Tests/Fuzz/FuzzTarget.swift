@testable import FeedfallFeeds
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
