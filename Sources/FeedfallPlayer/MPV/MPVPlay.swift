import FeedfallPlaying

/// What mpv plays, or is about to.
struct MPVPlay: Sendable {
  let request: PlayRequest
  /// The number of the command that loads it.
  var loadNumber = 0
  let orderedAt: ContinuousClock.Instant
  /// mpv's own number for it, once that is known.
  var entry: Int?
  /// When there was something to see or hear for the first time.
  var readyAt: ContinuousClock.Instant?
  /// Where it is to be once it is ready.
  var waitingSeek: Double?
  /// The number of the last command that seeks, while the place is not there.
  var seekNumber: Int?
  /// What was said of why it cannot be played.
  var complaint: MPVComplaint?
  /// mpv's words at its end, and the number of the command after whose answer all complaints are there.
  var failure: Failure?
  var tracks: [MediaTrack] = []
  /// How often its picture was asked for again since it was last said where it is to be.
  var revivals = 0
  /// A picture that goes away again and again cannot be shown.
  static let mostRevivals = 3
  /// Whether there was something to hear it from, as far as was told.
  var hasSoundDevice = true

  struct Failure: Sendable {
    var words: String
    var number: Int
  }

  var isReady: Bool { readyAt != nil }

  init(_ request: PlayRequest, at now: ContinuousClock.Instant) {
    self.request = request
    orderedAt = now
  }

  /// Why it cannot be played, by all that was said; of a server that is silent mpv says no more than of one that is not
  /// there.
  func cause(_ words: String, hasWaited: Bool) -> PlayFailure {
    switch complaint {
    case .source(let failure): return failure
    case .noPictureOutput: return .outputFailed
    case nil: break
    }
    switch words {
    case "unrecognized file format": return .unrecognizedFormat
    case "no audio or video data played": return .noStreams
    case "loading failed":
      if request.address.file != nil { return .noMedia }
      return hasWaited ? .timedOut : .unreachable
    default: return .outputFailed
    }
  }

  /// Options for this file alone.
  var options: [String: String] {
    var options = ["force-media-title": request.title]
    if request.startSeconds > 0, request.startSeconds < 1e9 {
      options["start"] = Self.decimal(request.startSeconds)
    }
    if request.address.file != nil {
      // A list that is a file may name files; one from a server may not.
      options["demuxer-lavf-o"] = MPVLaunch.protocols(["file"] + MPVLaunch.webProtocols)
    }
    if let height = request.maximumHeight {
      options["hls-bitrate"] = String(Self.bitRate(forHeight: height))
      options["ytdl-format"] =
        "bestvideo[height<=?\(height)]+bestaudio/best[height<=?\(height)]/best"
    }
    return options
  }

  /// Thousandths of a second, and no exponent.
  private static func decimal(_ seconds: Double) -> String {
    let thousandths = Int(seconds * 1000)
    return "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
  }

  /// Streams are offered by their bits a second alone; these are what such a height takes at most.
  private static func bitRate(forHeight height: Int) -> Int {
    switch height {
    case ...240: 700_000
    case ...360: 1_200_000
    case ...480: 2_500_000
    case ...720: 5_000_000
    case ...1080: 9_000_000
    case ...1440: 18_000_000
    default: 50_000_000
    }
  }
}
