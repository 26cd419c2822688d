import FeedfallFeeds
import FeedfallText
import Glibc

// The properties that all results of decoders must have.

extension FuzzTarget {
  /// A video from the web is clean and does not refer to files.
  static func check(_ video: Video) {
    expect(!video.id.isEmpty, "a video without an id")
    expect(!video.title.isEmpty, "a video without a title")
    for line in [video.id, video.title, video.author, video.channel, video.group, video.licence] { checkLine(line) }
    for address in [video.pageURL, video.channelURL, video.detailsURL, video.licenceURL] + video.players {
      checkAddress(address)
    }
    let media = video.files.map(\.url) + video.covers.map(\.url) + [video.playbackURL].compactMap { $0 }
    for address in media {
      expect(address.file == nil, "a reference from the web to a file: \(address)")
      checkAddress(address.web)
    }
    if let summary = video.summary {
      expect(summary.unicodeScalars.allSatisfy { $0 == "\n" || isHarmless($0) }, "an unclean summary")
    }
    if let ratio = video.aspectRatio { expect(ratio.isFinite && ratio > 0, "an aspect ratio of \(ratio)") }
    if let seconds = video.duration?.seconds { expect(seconds > 0, "a duration of \(seconds) s") }
    if case .direct(let files) = video.playback { expect(!files.isEmpty, "no file to play") }
    _ = PixelSize(width: 640, height: 360).flatMap { video.cover(fitting: $0) }
  }

  static func check(_ document: DecodedDocument) {
    document.videos.forEach(check)
    checkLine(document.title)
    checkAddress(document.nextAddress)
    document.parts.forEach(checkAddress)
    expect(document.skippedCount >= 0 && document.total ?? 0 >= 0, "a negative count")
  }

  static func checkLine(_ text: String?) {
    guard let text else { return }
    expect(text.unicodeScalars.allSatisfy(isHarmless), "an unclean line: \(text.debugDescription)")
  }

  static func check(_ failure: FeedFailure) {
    checkLine(failure.reason)
    checkLine(failure.advice)
  }

  /// Whether the character is neither a control nor a bidirectional character.
  static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069, 0x061c, 0x2028, 0x2029: false
    default: true
    }
  }

  static func checkAddress(_ address: WebAddress?) {
    guard let address else { return }
    let isWeb = address.text.hasPrefix("https://") || address.text.hasPrefix("http://")
    expect(isWeb && !address.host.isEmpty, "an invalid address: \(address.text)")
    let isClean = address.text.unicodeScalars.allSatisfy { $0.value > 0x20 && isHarmless($0) }
    expect(isClean, "an unclean address: \(address.text.debugDescription)")
    expect(WebAddress(address.text) == address, "an address that changes when parsed again: \(address.text)")
  }

  /// libFuzzer stores the input that aborts here. A precondition has no message in optimized code.
  static func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
    guard !holds else { return }
    print("Fatal: \(message())")
    fflush(nil)
    abort()
  }
}

extension Video {
  fileprivate var files: [MediaFile] {
    if case .direct(let files) = playback { files } else { [] }
  }
}
