import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallSystem
import FeedfallText
import Synchronization

/// A player that uses mpv, as a process that starts with the first video and stays for the next ones. One thread
/// communicates with it, a second one reads its frames.
public final class MPVPlayer: Sendable {
  private let options: MPVOptions
  private let proxies: @Sendable (WebAddress) -> Proxies
  private let ytDlp: @Sendable (WebAddress) -> YtDlp
  private let routes: RouteRequest?
  private let report: @Sendable (PlayerReport) -> Void
  private let frames = FrameBox()
  private let inbox = MPVInbox()
  private let hasCheckedRuntime = Atomic(false)

  /// Calls `report` on the player's thread, in the order of events; `lacksRuntime` comes from another one.
  /// - Parameter routes: where films lead; nil to let all leave https.
  public init(
    _ options: MPVOptions = MPVOptions(), proxies: @escaping @Sendable (WebAddress) -> Proxies = { _ in Proxies() },
    ytDlp: @escaping @Sendable (WebAddress) -> YtDlp = { _ in YtDlp() },
    routes: RouteRequest? = nil, report: @escaping @Sendable (PlayerReport) -> Void
  ) {
    self.options = options
    (self.proxies, self.ytDlp, self.routes) = (proxies, ytDlp, routes)
    self.report = report
  }

  /// Readable while a frame waits.
  public var frameDescriptor: Int32 { frames.descriptor }

  /// Returns and removes the newest frame, two rows of pixels for each row of cells; nil if there is no new one.
  public func dequeueFrame() -> PixelBuffer? { frames.dequeue() }

  /// Carries out an order; never blocks.
  public func perform(_ order: PlayerOrder) {
    if case .load(let request) = order { checkRuntime(for: request) }
    guard inbox.enqueue(order) else { return }
    let isStarted = DetachedThread.start { [options, proxies, ytDlp, routes, report, frames, inbox] in
      MPVThread(options, proxies, ytDlp, routes, frames, inbox, report).run()
      inbox.close()
    }
    if !isStarted {
      inbox.close()
      report(.unavailable(.notStarted(reason: "no thread could be created")))
    }
  }

  /// Reports once if videos of YouTube may lack formats. A failure of a preview or of the film has its own cure.
  private func checkRuntime(for request: PlayRequest) {
    guard request.isPage, request.byteLimit == nil, let page = request.address.web, KnownSite.isYouTubeVideo(page),
      !hasCheckedRuntime.exchange(true, ordering: .relaxed)
    else { return }
    let ytDlp = ytDlp(page)
    _ = DetachedThread.start { [report] in
      if let cure = ytDlp.lackOfRuntime { report(.lacksRuntime(advice: cure.advice)) }
    }
  }

  /// Waits until all orders have been sent to mpv, at most 50 ms.
  public func flush() { inbox.waitUntilSent(milliseconds: 50) }

  /// Ends mpv; waits at most 500 ms for that.
  public func shutDown() { inbox.shutDown(milliseconds: 500) }
}

/// The options of an `MPVPlayer`, with defaults from the environment.
public struct MPVOptions: Equatable, Sendable {
  /// The path of the program that runs `MPVHost`; nil to use no library.
  public var hostPath: String?
  var mpvPath = InstalledPrograms.path(of: "mpv")
  /// The path of a program that calls `PageHelper`; nil if it is unknown.
  var ownPath = Files.absolutePath(InstalledPrograms.ownPath)
  /// The name of mpv's audio output; nil for its default.
  public var soundOutput: String?
  /// The path of the user's mpv configuration, which applies to windows; nil to ignore it.
  public var userConfiguration: String?
  var screenshotFolder = ScreenshotFile.defaultFolder
  /// mpv's name of the window system, `wayland` or `x11egl`; nil if there is no display.
  var windowSystem: String?
  var networkTimeoutSeconds = shortestNetworkTimeout
  /// How long a film waits for its server to answer where it leads.
  var routeTime = RedirectGate().waitingTime
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
