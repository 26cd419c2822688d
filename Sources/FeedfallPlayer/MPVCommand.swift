import CFeedfall
import FeedfallApp
import FeedfallText
import WaterfallEngine

/// A command for mpv (mpv's manual, "JSON IPC").
struct MPVCommand: Equatable, Sendable {
  static let ytDlpOptions = "no-playlist="

  let value: Value
  /// Identifies the reply; 0 for commands whose reply is ignored.
  let number: Int

  private init(value: Value, number: Int = 0) { (self.value, self.number) = (value, number) }

  init(_ words: Value..., number: Int = 0) { self.init(value: .list(words), number: number) }

  static func set(_ property: String, _ value: Value) -> MPVCommand {
    MPVCommand("set_property", .text(property), value)
  }

  static func setFrameSize(_ size: Size) -> MPVCommand {
    MPVCommand(
      "script-message-to", "main", .text(MPV_FRAME_SIZE_MESSAGE), .text(String(size.width)), .text(String(size.height)))
  }

  /// The order of positional arguments differs between versions of mpv, so they are named.
  /// - Parameter proxy: nil for that of the environment.
  /// - Parameter isWhole: keeps the whole file in memory, up to `maximumWholeByteCount`.
  static func load(_ request: PlayRequest, proxy: String? = nil, isWhole: Bool = false, number: Int) -> MPVCommand {
    var options = request.fileOptions
    // mpv reserves half of the buffer for seeking back (manual, "stream-buffer-size").
    if isWhole { options["stream-buffer-size"] = "\(2 * maximumWholeByteCount)" }
    options["http-proxy"] = proxy
    let value = Value.object([
      "name": "loadfile", "url": .text(request.playedAddress), "flags": "replace",
      "options": .object(options.mapValues { .text($0) }),
    ])
    return MPVCommand(value: value, number: number)
  }

  static let maximumWholeByteCount = 8 << 20

  var line: [UInt8] {
    Array((Value.object(["command": value, "request_id": .number(Double(number))]).json + "\n").utf8)
  }

  enum Value: Equatable, Sendable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([Value])
    case object([String: Value])

    /// As JSON (RFC 8259), with sorted names.
    fileprivate var json: String {
      switch self {
      case .text(let text): return text.quoted
      case .number(let number): return Int(exactly: number).map { "\($0)" } ?? (number.isFinite ? "\(number)" : "0")
      case .flag(let flag): return "\(flag)"
      case .list(let values): return "[\(values.map(\.json).joined(separator: ","))]"
      case .object(let members):
        let members = members.sorted { $0.key < $1.key }.map { "\($0.key.quoted):\($0.value.json)" }
        return "{\(members.joined(separator: ","))}"
      }
    }
  }
}

/// The protocols that FFmpeg may open when a video, a playlist or a server names an address.
enum FFmpegProtocols {
  static let web = ["http", "https", "tls", "tcp", "crypto", "data", "httpproxy"]

  /// The protocols for a live stream: its own, and those that carry it.
  static func of(_ scheme: StreamAddress.Scheme) -> [String] {
    switch scheme {
    case .rtsp: ["rtsp", "rtp", "udp", "tcp"]
    case .rtsps: ["rtsps", "rtsp", "rtp", "srtp", "udp", "tcp", "tls"]
    case .rtmp: ["rtmp", "tcp"]
    case .rtmps: ["rtmps", "rtmp", "tls", "tcp"]
    case .rtmpt: ["rtmpt", "ffrtmphttp", "http", "tcp"]
    case .rtmpts: ["rtmpts", "ffrtmphttp", "https", "tls", "tcp"]
    case .rtmpe: ["rtmpe", "ffrtmpcrypt", "tcp"]
    case .rtmpte: ["rtmpte", "ffrtmpcrypt", "ffrtmphttp", "http", "tcp"]
    case .srt: ["srt"]
    case .rist: ["rist"]
    case .udp: ["udp"]
    case .rtp: ["rtp", "udp"]
    // mpv opens it as mmsh.
    case .mms: ["mmsh", "mmst", "http", "tcp"]
    case .mmsh: ["mmsh", "http", "tcp"]
    case .mmst: ["mmst", "tcp"]
    }
  }

  static func option(_ names: [String]) -> String { "protocol_whitelist=[\(names.joined(separator: ","))]" }
}

extension PlayRequest {
  /// The address for mpv. FFmpeg drops a user name and a password at a redirect and in the addresses of other servers, but
  /// no header: so a password is a part of the address, which only mpv receives.
  fileprivate var playedAddress: String { secretPage?.forStorage.text ?? wholeAddress.text }
  var secretPage: WebAddress? { isPage ? wholeAddress.web.flatMap { $0.hasSecret ? $0 : nil } : nil }
  private var pageItem: (page: WebAddress, number: Int)? { isPage ? address.web?.item : nil }

  private var wholeAddress: MediaAddress {
    let address = pageItem.map { .web($0.page) } ?? self.address
    guard case .basic(let user, let password)? = headers?.authorization, let web = address.web else { return address }
    return .web(web.naming(user: user, password: password))
  }

  fileprivate var fileOptions: [String: String] {
    var options = ["force-media-title": title]
    if startSeconds > 0 { options["start"] = Self.decimal(startSeconds) }
    switch address {
    case .web: break
    // A local playlist may name files; one from a server may not.
    case .file, .frame: options["demuxer-lavf-o"] = FFmpegProtocols.option(["file"] + FFmpegProtocols.web)
    case .stream(let stream):
      let protocols = FFmpegProtocols.option(FFmpegProtocols.of(stream.scheme))
      (options["demuxer-lavf-o"], options["stream-lavf-o"]) = (protocols, protocols)
    }
    if let pageItem { options["ytdl-raw-options"] = "\(MPVCommand.ytDlpOptions),playlist-items=\(pageItem.number)" }
    if let userAgent = headers?.userAgent { options["user-agent"] = userAgent }
    if let referrer = headers?.referrer { options["referrer"] = referrer.text }
    if let value = headers?.authorization?.header { options["http-header-fields"] = "Authorization: \(value.text)" }
    if let byteLimit {
      // All data stays in memory, so that mpv counts all of it. Without a sound track it opens no sound device.
      let limit = "\(byteLimit)"
      options.merge(["demuxer-max-bytes": limit, "demuxer-max-back-bytes": limit, "cache-secs": "5", "aid": "no"]) {
        $1
      }
    }
    if let maximumHeight {
      options["hls-bitrate"] = String(Self.bitRate(forHeight: maximumHeight))
      options["ytdl-format"] =
        "bestvideo[height<=?\(maximumHeight)]+bestaudio/best[height<=?\(maximumHeight)]/best"
    }
    return options
  }

  /// With three decimals and without an exponent; nil for numbers that mpv cannot use.
  private static func decimal(_ seconds: Double) -> String? {
    guard let thousandths = Int(exactly: (seconds * 1000).rounded(.down)) else { return nil }
    return "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
  }

  /// The usual maximum in bits per second. HLS streams can only be selected by bit rate.
  private static func bitRate(forHeight height: Int) -> Int {
    bitRates.first { height <= $0.height }?.bitRate ?? 50_000_000
  }

  private static let bitRates: [(height: Int, bitRate: Int)] = [
    (240, 700_000), (360, 1_200_000), (480, 2_500_000), (720, 5_000_000), (1080, 9_000_000), (1440, 18_000_000),
  ]
}

extension MPVCommand.Value: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
  init(stringLiteral value: String) { self = .text(value) }
  init(booleanLiteral value: Bool) { self = .flag(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }
}
