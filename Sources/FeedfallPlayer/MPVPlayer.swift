import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// A player that uses mpv, as a process that starts with the first video and stays for the next ones. One thread
/// communicates with it, a second one reads its frames.
public final class MPVPlayer: Sendable {
  let options: MPVOptions
  let proxies: @Sendable (WebAddress) -> Proxies
  let ytDlp: @Sendable (WebAddress) -> YtDlp
  let routes: RouteRequest?
  let report: @Sendable (PlayerReport) -> Void
  let frames = FrameBox()
  let inbox = MPVInbox()
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
    let isStarted = DetachedThread.start { [self] in
      MPVThread(self).run()
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
  var windowSystem: String? =
    Environment.process["WAYLAND_DISPLAY"] != nil ? "wayland" : Environment.process["DISPLAY"] != nil ? "x11egl" : nil
  var networkTimeoutSeconds = shortestNetworkTimeout
  /// How long a film waits for its server to answer where it leads.
  var routeTime = RedirectGate().waitingTime
  var caCertificates = Environment.process["SSL_CERT_FILE"]

  public init() {}

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

enum ScreenshotFile {
  struct Failure: Error, Equatable { var reason: String }

  /// The user's folder for pictures (xdg-user-dirs), or else the home folder.
  static var defaultFolder: String? {
    let environment = Environment.process
    guard let home = environment.home else { return nil }
    let configured = environment.userFolder("XDG_PICTURES_DIR")
    return [configured, "\(home)/Pictures"].compactMap { $0 }.first(where: isWritableFolder) ?? home
  }

  /// Creates an empty file named after the time, and numbered if there is one of the same second.
  static func create(in folder: String?, at time: time_t = time(nil)) throws(Failure) -> String {
    guard let folder else { throw Failure(reason: "HOME is not set") }
    let name = "\(folder)/feedfall \(timestamp(time))"
    for number in 1...100 {
      let path = number == 1 ? "\(name).png" : "\(name) \(number).png"
      let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
      if descriptor >= 0 {
        close(descriptor)
        return path
      }
      guard errno == EEXIST else { throw Failure(reason: SystemError().message) }
    }
    throw Failure(reason: "too many in one second")
  }

  static func remove(_ path: String) { unlink(path) }

  /// As in `2026-11-21 13.37.05`, in local time.
  private static func timestamp(_ time: time_t) -> String {
    var time = time
    var parts = tm()
    localtime_r(&time, &parts)
    func two(_ number: Int32) -> String { String(String(100 + Int(number) % 100).dropFirst()) }
    let day = "\(1900 + Int(parts.tm_year))-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(day) \(two(parts.tm_hour)).\(two(parts.tm_min)).\(two(parts.tm_sec))"
  }

  private static func isWritableFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR && access(path, W_OK) == 0
  }
}

/// Asks a server where a film leads, because mpv follows redirects from https to http by itself: requests only the
/// headers, and follows redirects as long as they stay on https. A cancelled task answers nothing.
public typealias RouteRequest =
  @Sendable (WebAddress, RequestHeaders?, _ answer: @escaping @Sendable (FileRoute) -> Void) -> Task<Void, Never>

/// Holds a load back until its server has answered where the film leads, as a value without clock or network.
/// A server that sends a film itself is not asked again. One that redirects is, because its films may lead elsewhere.
struct RedirectGate {
  typealias Instant = SuspendingClock.Instant

  private var question: (request: PlayRequest, due: Instant)?
  /// The servers that send films themselves, the newest at the end.
  private var direct: [WebAddress] = []

  /// How long a load waits; then mpv plays it as it is. One with a password waits longer, and then fails.
  var waitingTime = Duration.seconds(2)
  private static let waitingTimeOfLogin = Duration.seconds(10)
  static let maximumServerCount = 100

  var isHolding: Bool { question != nil }
  /// When `expire` must be called at the latest; nil if no load is held back.
  var due: Instant? { question?.due }

  /// Begins with a new load. Returns the address to ask for; nil if the load may be sent at once.
  mutating func begin(_ request: PlayRequest, at now: Instant) -> WebAddress? {
    question = nil
    guard !request.isPage, let address = request.address.web, address.scheme == "https",
      !request.allowsHTTP || request.hasLogin, request.hasLogin || !direct.contains(where: address.hasSameOrigin)
    else { return nil }
    question = (request, now + (request.hasLogin ? Self.waitingTimeOfLogin : waitingTime))
    return address
  }

  mutating func cancel() { question = nil }

  mutating func handle(_ route: FileRoute, for id: PlayID) -> PlayFailure? {
    guard let request = question?.request, request.id == id else { return nil }
    question = nil
    switch route {
    case .direct:
      if let address = request.address.web { direct = direct.suffix(Self.maximumServerCount - 1) + [address] }
      return nil
    case .leavesHTTPS(let redirect): return request.hasLogin ? .loginLeavesHTTPS(redirect) : .leavesHTTPS(redirect)
    case .other: return nil
    }
  }

  mutating func expire(at now: Instant) -> (id: PlayID, failure: PlayFailure)? {
    guard let expired = question, expired.due <= now else { return nil }
    question = nil
    return expired.request.hasLogin ? (expired.request.id, .timedOut) : nil
  }
}
