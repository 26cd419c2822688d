import Glibc

// Compiled into the module VideoFeed itself, so that each decoder can be reached.

/// What is fed with bytes that nobody would write, and what must hold of all that comes out.
enum FuzzTarget: String, CaseIterable {
  case feed
  case details
  case pieces
  case html
  case text
  case dates
  case addresses
  case encodings

  var run: ([UInt8]) -> Void {
    switch self {
    case .feed: Self.feed
    case .details: Self.details
    case .pieces: Self.pieces
    case .html: Self.html
    case .text: Self.text
    case .dates: Self.dates
    case .addresses: Self.addresses
    case .encodings: Self.encodings
    }
  }

  static let base = WebAddress(unchecked: "https://feeds.example/list/feed.xml")
}

// MARK: - Documents

extension FuzzTarget {
  /// A document of any kind: what is made of it is clean, whatever it was.
  private static func feed(_ bytes: [UInt8]) {
    guard let document = try? FeedDecoder.decode(bytes, from: base) else { return }
    document.videos.forEach(check)
    checkLine(document.title)
    checkAddress(document.nextAddress)
  }

  private static func details(_ bytes: [UInt8]) {
    var video = Video(id: "1", title: "One", playback: .details(base, page: nil))
    video.pageURL = base
    if let completed = try? FeedDecoder.decodeDetails(bytes, completing: video, from: base) {
      check(completed)
      expect(completed.id == video.id, "details changed the id")
    }
    checkLine(FeedDecoder.problemDetail(bytes))
    _ = FeedDecoder.isPeerTubeConfig(bytes)
  }

  /// A document that comes in pieces, as long as its first byte says, is what it is as a whole.
  private static func pieces(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let body = Array(bytes.dropFirst())
    var reader = FeedDocumentReader(address: base)
    var videos: [Video] = []
    var isBroken = false
    func take() {
      do {
        while case let more = try reader.takeVideos(7), !more.isEmpty { videos += more }
      } catch { isBroken = true }
    }
    var rest = body[...]
    while !rest.isEmpty, !isBroken {
      let piece = rest.prefix(Int(first) + 1)
      rest = rest.dropFirst(piece.count)
      reader.push(piece)
      take()
    }
    if !isBroken {
      reader.finish()
      take()
    }
    var whole = FeedDocumentReader(address: base, bytes: body)
    whole.finish()
    var all: [Video] = []
    while let more = try? whole.takeVideos(1000), !more.isEmpty { all += more }
    expect(videos == all, "\(videos.count) videos in pieces, \(all.count) as a whole")
  }

  private static func html(_ bytes: [UInt8]) {
    for address in FeedLinks.alternates(inHTML: bytes, from: base) { checkAddress(address) }
    _ = FeedDecoder.looksLikeHTML(bytes)
  }

  private static func encodings(_ bytes: [UInt8]) {
    let text = DocumentText.utf8Bytes(bytes, charset: nil)
    expect(String(validating: text, as: UTF8.self) != nil, "what was transcoded is no UTF-8")
  }
}

// MARK: - Values

extension FuzzTarget {
  private static func text(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for isHTML in [false, true] {
      let line = cleanedLine(text, isHTML: isHTML, limit: 80)
      checkLine(line)
      expect(line.count <= 81, "a line of \(line.count) characters, the mark of the cut among them")
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
      case .seconds(let seconds): expect(seconds > 0, "a duration of nothing")
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
      _ = PeerTubeEndpoint(address: address)?.address(start: 0, count: 20)
      checkAddress(KnownSite.feedAddress(for: address))
      _ = address.queryItems
    }
  }
}

// MARK: - What must hold

extension FuzzTarget {
  private static func check(_ video: Video) {
    expect(!video.id.isEmpty, "a video without an id")
    expect(!video.title.isEmpty, "a video without a title")
    for line in [video.title, video.author, video.channel, video.group, video.licence] { checkLine(line) }
    for address in [video.pageURL, video.playbackURL, video.detailsURL, video.licenceURL] { checkAddress(address) }
    for cover in video.covers { checkAddress(cover.url) }
    if let summary = video.summary {
      expect(summary.unicodeScalars.allSatisfy { $0 == "\n" || isHarmless($0) }, "an unclean summary")
    }
    if let ratio = video.aspectRatio { expect(ratio.isFinite && ratio > 0, "an aspect ratio of \(ratio)") }
  }

  private static func checkLine(_ text: String?) {
    guard let text else { return }
    expect(text.unicodeScalars.allSatisfy(isHarmless), "an unclean line: \(text.debugDescription)")
  }

  /// Neither a control character nor one that turns the direction of writing.
  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069, 0x061c, 0x2028, 0x2029: false
    default: true
    }
  }

  private static func checkAddress(_ address: WebAddress?) {
    guard let address else { return }
    let isWeb = address.text.hasPrefix("https://") || address.text.hasPrefix("http://")
    expect(isWeb && !address.host.isEmpty, "an address that is none: \(address.text)")
    let isClean = address.text.unicodeScalars.allSatisfy { $0.value > 0x20 && isHarmless($0) }
    expect(isClean, "an unclean address: \(address.text.debugDescription)")
    expect(WebAddress(address.text) == address, "an address that changes when it is read again: \(address.text)")
  }

  /// libFuzzer keeps the input that ends here; a precondition's words don't come out of optimized code.
  private static func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
    guard !holds else { return }
    print("Fatal: \(message())")
    fflush(nil)
    abort()
  }
}
