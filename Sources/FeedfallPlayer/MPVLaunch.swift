/// The arguments with which mpv is started.
struct MPVLaunch: Equatable, Sendable {
  private let path: String
  /// Nil if mpv must not search pages for videos.
  private let ytDlpPath: String?
  private let options: MPVOptions

  init(path: String, ytDlpPath: String?, _ options: MPVOptions) {
    self.path = path
    self.ytDlpPath = ytDlpPath
    self.options = options
  }

  /// All users of the machine can read a process's arguments, so no address and no title is among them.
  var arguments: [String] {
    let web = FFmpegProtocols.option(FFmpegProtocols.web)
    var arguments = [
      path, "--no-config", "--load-scripts=no", "--no-terminal", "--idle=yes", "--keep-open=no", "--force-window=no",
      "--osc=no", "--input-ipc-client=fd://3", "--profile=sw-fast", "--vo=\(MPVConfiguration.cellOutput)",
      "--network-timeout=\(options.networkTimeoutSeconds)", "--load-unsafe-playlists=no", "--ordered-chapters=no",
      "--demuxer-lavf-o=\(web)", "--stream-lavf-o=\(web)", "--tls-verify=yes",
    ]
    if let caCertificates = options.caCertificates { arguments.append("--tls-ca-file=\(caCertificates)") }
    // By default mpv would also try the bare console.
    if let windowSystem = options.windowSystem { arguments.append("--gpu-context=\(windowSystem)") }
    if let soundOutput = options.soundOutput { arguments.append("--ao=\(soundOutput)") }
    guard let ytDlpPath else { return arguments + ["--ytdl=no"] }
    return arguments + [
      "--ytdl=yes", "--script-opts-append=ytdl_hook-ytdl_path=\(ytDlpPath)",
      "--script-opts-append=ytdl_hook-try_ytdl_first=yes", "--ytdl-raw-options-append=ignore-config=",
      "--ytdl-raw-options-append=no-playlist=",
    ]
  }
}
