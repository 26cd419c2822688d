import FeedfallFeeds
import FeedfallPlaying

/// What mpv says in its log of why something cannot be played; nowhere else does it say as much.
enum MPVComplaint: Equatable, Sendable {
  case source(PlayFailure)
  /// No picture can be put out in the way that was wanted.
  case noPictureOutput

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    if let status = Self.status(bytes) {
      self = .source(.http(status: status))
    } else if let row = Self.known.first(where: { bytes.contains(sequence: $0.words.utf8) }) {
      self = row.meaning
    } else {
      return nil
    }
  }

  /// The words of mpv and of FFmpeg, and of the system's messages that FFmpeg passes on.
  private static let known: [(words: String, meaning: MPVComplaint)] = [
    ("selected video_out", .noPictureOutput),
    ("timed out", .source(.timedOut)),
    ("Failed to resolve hostname", .source(.unreachable)),
    ("Connection refused", .source(.unreachable)),
    ("Connection to tcp://", .source(.unreachable)),
    ("Network is unreachable", .source(.unreachable)),
    ("No route to host", .source(.unreachable)),
    ("certificate", .source(.unreachable)),
    ("youtube-dl failed", .source(.noMedia)),
  ]

  /// As in `http: HTTP error 404 Not Found`.
  private static func status(_ bytes: [UInt8]) -> Int? {
    let start = ["http: HTTP error ", "https: HTTP error "].first { bytes.starts(with: $0.utf8) }
    guard let start else { return nil }
    let status = Int(String(decoding: bytes.dropFirst(start.utf8.count).prefix(3), as: UTF8.self))
    return status.flatMap { (400...599).contains($0) ? $0 : nil }
  }
}
