import FeedfallApp
import WaterfallEngine

extension MPVClient {
  struct Process: Sendable {
    /// The configuration that it has.
    var configuration: MPVConfiguration?
    /// The playlist entry that its events are about.
    var entry: Int?
    var soundOutput: String?
    var pictureOutput: String?
    /// The size of the file's picture.
    var fileSize: Size?
    /// The size of the picture after the filter has scaled it.
    var outputSize: Size?
    var reportedPresentation: PresentationKind?
    var isPaused = false
    /// Whether it waits for the network.
    var isStalled = false
    var hasResponded = false
    /// Whether the user has closed its window, so that it ends.
    var isQuitting = false
  }

  struct File: Sendable {
    let request: PlayRequest
    /// The number of the command that loads it.
    let loadNumber: Int
    let loadedAt: Instant
    /// Whether the whole file stays in memory, because its index is at its end.
    var isWhole = false
    /// mpv's number for it, once known.
    var entry: Int?
    /// Whether the first picture or sound was there.
    var isReady = false
    /// The position to seek to when it is ready.
    var pendingSeek: Double?
    /// The number of the seek in progress.
    var seekNumber: Int?
    var logError: MPVLogError?
    /// mpv's error, the number of the command whose reply comes after all log messages, and the size of the file, which
    /// mpv forgets at its end.
    var failure: (error: String, number: Int, byteCount: Int?)?
    var tracks: [MediaTrack] = []
    var picture = PictureWatch()
    var sound = SoundWatch()
    var length = LengthWatch()

    var isSoundOnly: Bool { !tracks.isEmpty && tracks.allSatisfy { $0.kind != .picture || $0.isStill } }
  }
}
