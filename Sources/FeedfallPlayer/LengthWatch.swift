import FeedfallApp

/// Decides whether mpv's duration is the length of a file. If the file states none, mpv reports the duration that it
/// has found so far, or FFmpeg's estimate: the size of the file divided by the bit rate of its start.
struct LengthWatch: Equatable, Sendable {
  private(set) var length = MediaLength.unknown
  private var duration: Double?
  private var cache = Cache()
  private var isEstimate = false
  private var connection = Connection.intact
  private var isSeekable = true
  /// The announced size of the file; nil if it is unknown.
  private(set) var byteCount: Int?
  private var isMP4 = false

  private enum Connection {
    case intact
    /// It has ended, possibly too early: the server has not announced how much it sends.
    case unconfirmed
    /// It has ended before the announced end.
    case broken
  }

  /// In seconds: mpv reads the streams of a file up to different positions.
  private static let gap = 3.0

  enum Fact: Equatable, Sendable {
    case duration(Double?)
    case cache(Cache)
    /// mpv's name, such as `mkv` or `mov,mp4,m4a,3gp,3g2,mj2`.
    case format(String?)
    case byteCount(Int?)
    case isSeekable(Bool)
    case isEstimate
    /// The connection ended early. `isAnnounced`: whether the server had announced more data.
    case connectionEnded(isAnnounced: Bool)
  }

  var isCutOff: Bool { connection == .broken && !isSeekable }

  mutating func update(_ fact: Fact) -> Bool {
    let old = length
    switch fact {
    case .duration(let seconds): durationChanged(to: seconds)
    case .cache(let new):
      cache = new
      findStated()
    case .format(let name): isMP4 = name?.contains("mp4") == true
    case .byteCount(let count): byteCount = count
    case .isSeekable(let isSeekable): self.isSeekable = isSeekable
    case .isEstimate: isEstimate = true
    case .connectionEnded(let isAnnounced): connection = isAnnounced ? .broken : .unconfirmed
    }
    measure()
    return length != old
  }

  /// A duration that increases follows the data, except for the last packets of a stated one.
  private mutating func durationChanged(to seconds: Double?) {
    guard let seconds, seconds > 0 else { return }
    defer { duration = seconds }
    switch length {
    case .unknown: if let duration, seconds > duration { length = .growing(seconds) }
    case .growing(let last): if seconds >= last + 1 { length = .growing(seconds) }
    case .stated(let stated):
      if seconds > stated + MediaLength.tolerance(of: stated) { length = .growing(seconds) }
    }
  }

  /// A duration is stated if mpv has not yet found data up to it. mpv reports it before the buffer, so that only a new
  /// state of the buffer can be compared.
  private mutating func findStated() {
    guard length == .unknown, !isEstimate, isHeaderComplete, let duration, let end = cache.end else { return }
    if duration > end + Self.gap { length = .stated(duration) }
  }

  private mutating func measure() {
    guard length.stated == nil, cache.isAtEnd, connection == .intact, let end = cache.end, end > 0 else { return }
    length = .stated(isEstimate ? end : max(duration ?? end, end))
  }

  /// Whether a stated duration covers the whole file. That of a fragmented MP4 file without seeking covers its first
  /// fragment; only a file that is made while it is sent has no size.
  private var isHeaderComplete: Bool { !isMP4 || isSeekable || byteCount != nil }

  struct Cache: Equatable, Sendable {
    /// In seconds from the beginning; nil if it is unknown.
    var end: Double?
    var isAtEnd = false
    var loadedByteCount: Int?
  }
}
