struct MPVLaunch: Equatable, Sendable {
  let form: MPVForm
  private let path: String
  /// Nil if mpv must not search pages for videos.
  private let ytDlpPath: String?
  private let options: MPVOptions
  /// The environment variables that name proxies, for yt-dlp.
  let variables: [String: String]

  /// - Parameters:
  ///   - path: of mpv, or of the host.
  ///   - variables: the environment variables that differ from those of this process.
  init(
    _ form: MPVForm, path: String, ytDlpPath: String?, _ options: MPVOptions, variables: [String: String] = [:]
  ) {
    self.variables = variables
    self.form = form
    self.path = path
    self.ytDlpPath = ytDlpPath
    self.options = options
  }

  /// All users of the machine can read a process's arguments, so no address and no title is among them.
  var arguments: [String] {
    switch form {
    case .library:
      // By default the library ignores the keys of its windows.
      [path, MPVHost.word] + settings + ["input-default-bindings=yes", "input-vo-keyboard=yes"]
    case .program: [path] + settings.map { "--\($0)" }
    }
  }

  private var settings: [String] {
    let web = FFmpegProtocols.option(FFmpegProtocols.web)
    var settings = [
      "config=no", "load-scripts=no", "terminal=no", "idle=yes", "keep-open=no", "force-window=no", "osc=no",
      "input-ipc-client=fd://3", "profile=sw-fast", "vo=\(form.cellOutput)",
      "network-timeout=\(options.networkTimeoutSeconds)", "load-unsafe-playlists=no", "ordered-chapters=no",
      "demuxer-lavf-o=\(web)", "stream-lavf-o=\(web)", "tls-verify=yes",
    ]
    if let caCertificates = options.caCertificates { settings.append("tls-ca-file=\(caCertificates)") }
    // By default mpv would also try the bare console.
    if let windowSystem = options.windowSystem { settings.append("gpu-context=\(windowSystem)") }
    if let soundOutput = options.soundOutput { settings.append("ao=\(soundOutput)") }
    guard let ytDlpPath else { return settings + ["ytdl=no"] }
    // The length protects a path with commas.
    return settings + [
      "ytdl=yes",
      "script-opts=ytdl_hook-ytdl_path=%\(ytDlpPath.utf8.count)%\(ytDlpPath),ytdl_hook-try_ytdl_first=yes",
      "ytdl-raw-options=\(MPVCommand.ytDlpOptions)",
    ]
  }
}
