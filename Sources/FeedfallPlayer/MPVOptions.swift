import FeedfallSystem

/// The options of an `MPVPlayer`, with defaults from the environment.
public struct MPVOptions: Equatable, Sendable {
  /// The path of the program that runs `MPVHost`; nil to use no library.
  public var hostPath: String?
  /// Nil if mpv is not installed.
  var mpvPath = InstalledPrograms.path(of: "mpv")
  /// Nil if yt-dlp is not installed.
  var ytDlpPath = InstalledPrograms.path(of: "yt-dlp")
  /// The path of a program that calls `PageHelper`; nil if it is unknown.
  var ownPath = Files.absolutePath(InstalledPrograms.ownPath)
  /// The name of mpv's audio output; nil for its default.
  public var soundOutput: String?
  /// The path of the user's mpv configuration, which applies to windows; nil to ignore it.
  public var userConfiguration: String?
  var screenshotFolder = ScreenshotFile.defaultFolder
  /// mpv's name of the window system, `wayland` or `x11egl`; nil if there is no display.
  var windowSystem: String?
  /// How long mpv waits for data from a server.
  var networkTimeoutSeconds = shortestNetworkTimeout
  /// How long a film waits for its server to answer where it leads.
  var routeTime = RedirectGate().waitingTime
  /// The path of a certificate file to use instead of the system's.
  var caCertificates: String?

  public init() {
    let environment = Environment.process
    windowSystem =
      environment["WAYLAND_DISPLAY"] != nil ? "wayland" : environment["DISPLAY"] != nil ? "x11egl" : nil
    caCertificates = environment["SSL_CERT_FILE"]
  }

  private static let shortestNetworkTimeout = 10

  /// Lets mpv wait for a server as long as feeds do, and at least as long as by default.
  public mutating func setNetworkTimeout(seconds: Double) {
    networkTimeoutSeconds = max(Int(min(seconds, 3_600).rounded(.up)), Self.shortestNetworkTimeout)
  }

  /// The path where mpv looks for the user's configuration; nil if the environment names no folder.
  public static var defaultConfiguration: String? {
    let environment = Environment.process
    let folder = environment["MPV_HOME"] ?? environment.configurationFolder.map { $0 + "/mpv" }
    return folder.map { $0 + "/mpv.conf" }
  }
}
