import FeedfallSystem

/// What a player made of mpv is given by its surroundings.
public struct MPVOptions: Sendable {
  /// Nil where mpv is not installed.
  public var mpvPath = InstalledPrograms.path(of: "mpv")
  /// Nil where yt-dlp is not installed.
  public var ytDlpPath = InstalledPrograms.path(of: "yt-dlp")
  /// What sound goes to, in mpv's words; nil for its own choice.
  public var soundOutput: String?
  /// A file with the person's own configuration of mpv, for its window; nil where that is not wanted.
  public var ownConfiguration: String?
  /// The folder for pictures that are kept.
  public var pictureFolder = PictureFile.usualFolder
  /// A window of its own needs one, in mpv's words; nil where there is no display.
  var windowSystem: String?
  /// How long mpv waits for a server.
  var networkTimeoutSeconds = 10
  /// A file of certificates to trust instead of the system's.
  var caCertificates: String?

  /// What the machine has and the environment says.
  public init() {
    let environment = Environment.process
    windowSystem =
      environment["WAYLAND_DISPLAY"] != nil ? "wayland" : environment["DISPLAY"] != nil ? "x11egl" : nil
    caCertificates = environment["SSL_CERT_FILE"]
  }

  /// Where mpv itself looks for its configuration; nil where the environment names no folder.
  public static var usualConfiguration: String? {
    let environment = Environment.process
    let folder = environment["MPV_HOME"] ?? environment.configurationFolder.map { $0 + "/mpv" }
    return folder.map { $0 + "/mpv.conf" }
  }
}
