import FeedfallSystem
import Glibc

/// What a player made of mpv is given by its surroundings.
public struct MPVOptions: Sendable {
  /// Nil where mpv is not installed.
  public var mpvPath = InstalledPrograms.path(of: "mpv")
  /// Nil where yt-dlp is not installed.
  public var ytDlpPath = InstalledPrograms.path(of: "yt-dlp")
  /// What sound goes to, in mpv's words; nil for its own choice.
  public var soundOutput: String?
  /// A file with the person's own configuration of mpv, for its window; nil where that is not wanted.
  public var userConfiguration: String?
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
    windowSystem =
      Self.variable("WAYLAND_DISPLAY") != nil ? "wayland" : Self.variable("DISPLAY") != nil ? "x11egl" : nil
    caCertificates = Self.variable("SSL_CERT_FILE")
  }

  /// Where mpv itself looks for its configuration; nil where the environment names no folder.
  public static var defaultConfiguration: String? {
    let folder =
      variable("MPV_HOME") ?? variable("XDG_CONFIG_HOME").map { $0 + "/mpv" }
      ?? variable("HOME").map { $0 + "/.config/mpv" }
    return folder.map { $0 + "/mpv.conf" }
  }

  static func variable(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    return value
  }
}
