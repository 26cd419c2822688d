import FeedfallPlaying

/// How mpv is started.
struct MPVLaunch: Equatable, Sendable {
  var path: String
  /// Where it may look for films in pages; nil where it must not.
  var ytDlpPath: String?
  var networkTimeoutSeconds: Int
  var soundOutput: String?
  var caCertificates: String?
  /// The windows that there are, in mpv's words: `wayland` or `x11egl`. Of itself it would try the bare console too.
  var windowSystem: String?

  /// What FFmpeg may open that a film, a list or a server names.
  static let webProtocols = ["http", "https", "tls", "tcp", "crypto", "data", "httpproxy"]

  static func protocols(_ names: [String]) -> String { "protocol_whitelist=[\(names.joined(separator: ","))]" }

  /// No address and no other word from outside is among them: a program's arguments can be seen by all.
  var arguments: [String] {
    let web = Self.protocols(Self.webProtocols)
    var arguments = [
      path, "--no-config", "--load-scripts=no", "--no-terminal", "--idle=yes", "--keep-open=no", "--force-window=no",
      "--osc=no", "--input-ipc-client=fd://3", "--profile=sw-fast", "--vo=\(Presentation.cellOutput)",
      "--network-timeout=\(networkTimeoutSeconds)", "--load-unsafe-playlists=no", "--ordered-chapters=no",
      "--demuxer-lavf-o=\(web)", "--stream-lavf-o=\(web)", "--tls-verify=yes",
    ]
    if let caCertificates { arguments.append("--tls-ca-file=\(caCertificates)") }
    if let windowSystem { arguments.append("--gpu-context=\(windowSystem)") }
    if let soundOutput { arguments.append("--ao=\(soundOutput)") }
    guard let ytDlpPath else { return arguments + ["--ytdl=no"] }
    return arguments + [
      "--ytdl=yes", "--script-opts-append=ytdl_hook-ytdl_path=\(ytDlpPath)",
      "--script-opts-append=ytdl_hook-try_ytdl_first=yes", "--ytdl-raw-options-append=ignore-config=",
      "--ytdl-raw-options-append=no-playlist=",
    ]
  }
}
