import FeedfallApp
import FeedfallFeeds
import FeedfallText
import WaterfallEngine

/// A message of mpv: a reply to a command, or an event (mpv's manual, "JSON IPC" and "List of events").
enum MPVMessage: Equatable, Sendable {
  /// The reply to a `loadfile` names the playlist entry.
  case reply(number: Int, entry: Int?)
  case errorReply(number: Int, error: String)
  /// Later events are about this playlist entry.
  case fileStarted(entry: Int)
  /// Picture or sound is there, at first and after each seek.
  case playbackRestarted
  /// mpv seeks, also without an order.
  case seekStarted
  case fileEnded(entry: Int, End)
  case propertyChanged(Property)
  case logged(LogError)

  enum End: Equatable, Sendable {
    case eof
    case stop
    /// The user closed the window.
    case quit
    case error(String)
    /// The file was a playlist, and this entry replaced it.
    case redirect(toEntry: Int)

    fileprivate init(_ object: JSONObject) {
      switch object["reason"]?.string {
      case "eof": self = .eof
      case "quit": self = .quit
      case "error": self = .error(object["file_error"]?.string ?? "")
      case "redirect": self = object["playlist_insert_id"]?.integer.map { .redirect(toEntry: $0) } ?? .error("")
      default: self = .stop
      }
    }
  }

  init?(line: [UInt8]) {
    guard let object = JSONObject(line, 0..<line.count) else { return nil }
    if let event = object["event"]?.string {
      guard let message = Self.message(ofEvent: event, object) else { return nil }
      self = message
    } else if let number = object["request_id"]?.integer, let error = object["error"]?.string {
      self =
        error == "success"
        ? .reply(number: number, entry: object["data"]?.object?["playlist_entry_id"]?.integer)
        : .errorReply(number: number, error: error)
    } else {
      return nil
    }
  }

  private static func message(ofEvent event: String, _ object: JSONObject) -> MPVMessage? {
    switch event {
    case "start-file": object["playlist_entry_id"]?.integer.map { MPVMessage.fileStarted(entry: $0) }
    case "playback-restart": .playbackRestarted
    case "seek": .seekStarted
    case "end-file": object["playlist_entry_id"]?.integer.map { MPVMessage.fileEnded(entry: $0, End(object)) }
    case "property-change": Property(object).map(MPVMessage.propertyChanged)
    case "log-message": LogError(object["text"]?.string ?? "").map(MPVMessage.logged)
    default: nil
    }
  }

  /// A changed property of mpv (mpv's manual, "Property list").
  enum Property: Equatable, Sendable {
    case isPaused(Bool)
    case time(Double?)
    case isStalled(Bool)
    case cache(LengthWatch.Cache)
    case soundOutput(String?)
    case pictureOutput(String?)
    case fileSize(Size?)
    /// The size of the picture after the filter has scaled it.
    case outputSize(Size?)
    case isSeekable(Bool)
    case length(LengthWatch.Fact)
    case tracks([MediaTrack])
    case chapters([Chapter])
    case subtitle(String?)

    /// The properties to observe, in the order of mpv's reports: `LengthWatch` needs the buffer after the other facts.
    static let rows: [(name: String, parse: @Sendable (JSONValue?) -> Property?)] = [
      ("pause", { .isPaused($0?.bool ?? false) }),
      ("time-pos", { .time($0.flatMap(Self.seconds)) }),
      // Unavailable between two files.
      ("seekable", { $0?.bool.map(Property.isSeekable) }),
      ("file-format", { .length(.format($0?.string)) }),
      ("file-size", { .length(.byteCount($0?.integer)) }),
      ("duration", { .length(.duration($0.flatMap(Self.seconds))) }),
      ("demuxer-cache-state", { .cache($0?.object.map(Self.cache) ?? LengthWatch.Cache()) }),
      ("paused-for-cache", { .isStalled($0?.bool ?? false) }),
      ("current-ao", { .soundOutput($0?.string) }),
      ("current-vo", { .pictureOutput($0?.string) }),
      ("video-params", { .fileSize($0?.object.flatMap(Self.size)) }),
      ("video-out-params", { .outputSize($0?.object.flatMap(Self.size)) }),
      ("track-list", { .tracks(($0?.elements() ?? []).compactMap { $0.object.flatMap(Self.track) }) }),
      ("chapter-list", { .chapters(Self.chapters($0)) }),
      ("sub-text", { .subtitle($0?.string.map { cleanedText($0, as: .plain, limit: 500) }) }),
    ]

    fileprivate init?(_ object: JSONObject) {
      guard let name = object["name"]?.string, let row = Self.rows.first(where: { $0.name == name }),
        let property = row.parse(object["data"])
      else { return nil }
      self = property
    }

    /// The longest plausible time, ten years in seconds. A file can declare any duration.
    static let maximumSeconds = 10.0 * 366 * 86_400
    private static let maximumLength = 1 << 20

    /// Returns nil if the time is not plausible; one just before the start counts as the start.
    private static func seconds(_ value: JSONValue) -> Double? {
      guard let seconds = value.double, seconds.magnitude <= maximumSeconds else { return nil }
      return max(0, seconds)
    }

    private static func cache(_ object: JSONObject) -> LengthWatch.Cache {
      LengthWatch.Cache(
        end: object["cache-end"].flatMap(Self.seconds), isAtEnd: object["eof"]?.bool ?? false,
        loadedByteCount: object["total-bytes"]?.integer)
    }

    private static func size(_ object: JSONObject) -> Size? {
      let lengths = 1...maximumLength
      guard let width = object["dw"]?.integer, let height = object["dh"]?.integer, lengths.contains(width),
        lengths.contains(height)
      else { return nil }
      let isTurned = (object["rotate"]?.integer ?? 0) % 180 != 0
      return isTurned ? Size(width: height, height: width) : Size(width: width, height: height)
    }

    private static func track(_ object: JSONObject) -> MediaTrack? {
      guard let number = object["id"]?.integer, let type = object["type"]?.string, let kind = kinds[type]
      else { return nil }
      var track = MediaTrack(
        kind: kind, number: number, title: text(object["title"]), language: text(object["lang"]),
        isSelected: object["selected"]?.bool ?? false)
      track.isStill = object["albumart"]?.bool == true || object["image"]?.bool == true
      return track
    }

    private static func chapters(_ value: JSONValue?) -> [Chapter] {
      let chapters = value?.elements(limit: Chapter.maximumCount) ?? []
      return Chapter.list(chapters.lazy.compactMap(\.object).map { ($0["time"]?.double, $0["title"]?.string) })
    }

    private static let kinds: [String: MediaTrack.Kind] = ["video": .picture, "audio": .sound, "sub": .subtitles]

    /// Text from the file, which may contain anything.
    private static func text(_ value: JSONValue?) -> String? {
      guard let text = value?.string.map({ cleanedLine($0, limit: 100) }), !text.isEmpty else { return nil }
      return text
    }
  }

  /// A log message that says why a file cannot be played, or how much of it there is. mpv's events do not say it.
  enum LogError: Equatable, Sendable {
    case source(PlayFailure)
    case noPictureOutput
    /// A server without support for ranges cannot send an earlier part of the file again.
    case notSeekable
    case noFile, noAccess
    case length(LengthWatch.Fact)

    init?(_ text: String) {
      let bytes = Array(text.utf8)
      if let failure = PageFailure(line: text) {
        self = .source(.page(reason: failure.reason, advice: failure.advice))
      } else if let status = Self.status(bytes) {
        self = .source(.http(status: status))
      } else if bytes.contains(sequence: "Stream ends prematurely".utf8) {
        // Without an announced length, FFmpeg names the greatest number of 64 bits.
        let announced = bytes.split(whereSeparator: { $0 <= UInt8(ascii: " ") }).last ?? []
        self = .length(.connectionEnded(isAnnounced: Int(String(decoding: announced, as: UTF8.self)) != nil))
      } else if let row = Self.known.first(where: { bytes.contains(sequence: $0.text.utf8) }) {
        self = row.error
      } else {
        return nil
      }
    }

    /// Whether later messages say less.
    var isExact: Bool {
      switch self {
      case .noPictureOutput, .source(.page): true
      case .source, .notSeekable, .noFile, .noAccess, .length: false
      }
    }

    /// Messages of mpv, of FFmpeg, and of the system as passed on by FFmpeg.
    private static let known: [(text: String, error: LogError)] = [
      ("selected video_out", .noPictureOutput),
      ("Cannot seek backward in linear streams", .notSeekable),
      ("timed out", .source(.timedOut)),
      ("Failed to resolve hostname", .source(.nameNotFound)),
      ("Connection refused", .source(.refused)),
      ("Connection to tcp://", .source(.unreachable)),
      ("Network is unreachable", .source(.unreachable)),
      ("No route to host", .source(.unreachable)),
      ("certificate", .source(.unreachable)),
      ("youtube-dl failed", .source(.noMedia)),
      ("Estimating duration from bitrate", .length(.isEstimate)),
      ("No such file or directory", .noFile),
      ("Permission denied", .noAccess),
    ]

    /// As in `http: HTTP error 404 Not Found`.
    private static func status(_ bytes: [UInt8]) -> Int? {
      let start = ["http: HTTP error ", "https: HTTP error "].first { bytes.starts(with: $0.utf8) }
      guard let start else { return nil }
      let status = Int(String(decoding: bytes.dropFirst(start.utf8.count).prefix(3), as: UTF8.self))
      return status.flatMap { (400...599).contains($0) ? $0 : nil }
    }
  }

  /// Why the page of a video could not be opened: a line that this program, in yt-dlp's place, writes to mpv's log.
  struct PageFailure: Error, Equatable {
    var reason: String
    var advice: String?

    private static let start = "Could not open the page: "
    private static let separator: Character = "\u{1F}"
    private static let maximumLength = 300

    var line: String { "\(Self.start)\(reason)\(Self.separator)\(advice ?? "")" }

    init(reason: String, advice: String? = nil) {
      self.reason = reason
      self.advice = advice
    }

    init?(line: String) {
      guard line.hasPrefix(Self.start) else { return nil }
      let parts = line.dropFirst(Self.start.count)
        .split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        .map { cleanedLine(String($0), limit: Self.maximumLength) }
      reason = parts[0]
      advice = parts.dropFirst().first.flatMap { $0.isEmpty ? nil : $0 }
    }
  }
}

extension PlayFailure {
  /// The failure that mpv's error and its log mean together: mpv reports the same error for a silent server and for one
  /// that does not exist.
  /// - Parameter file: the name of a file on this machine; nil for one on a server.
  init(fileError error: String, logError: MPVMessage.LogError?, file: String?, hasTimedOut: Bool) {
    switch (logError, error) {
    case (.source(let failure), _): self = failure
    case (.noPictureOutput, _): self = .outputFailed
    case (.notSeekable, "no audio or video data played"): self = .notSeekable
    case (_, "unrecognized file format"): self = .unrecognizedFormat
    case (_, "no audio or video data played"): self = .noStreams
    case (.noFile, "loading failed"): self = file.map { .missingFile(name: $0) } ?? .unreachable
    case (_, "loading failed"):
      self = file.map { .unreadableFile(name: $0) } ?? (hasTimedOut ? .timedOut : .unreachable)
    case (_, _): self = .outputFailed
    }
  }
}
