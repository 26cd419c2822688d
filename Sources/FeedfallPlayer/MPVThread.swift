import FeedfallApp
import FeedfallSystem
import FeedfallText
import Glibc

/// The thread that starts mpv, communicates with it and ends it.
final class MPVThread {
  private let player: MPVPlayer
  private let options: MPVOptions
  private var client: MPVClient
  private var process: MPVProcess?
  /// When mpv closed its socket without ending.
  private var hungUpAt: SuspendingClock.Instant?
  private var library = LibraryHealth() {
    didSet { if let fault = library.fault, oldValue.fault == nil { client.report(.libraryUnusable(fault)) } }
  }
  private var gate = RedirectGate()
  /// The request for the load that the gate holds back.
  private var question: Task<Void, Never>?
  /// The orders that wait until mpv accepts commands and the gate is open.
  private var waiting: [PlayerOrder] = []
  private var screenshotPath: String?

  /// How long mpv has to close its outputs after the user has quit it.
  private static let closeTime = Duration.seconds(2)

  init(_ player: MPVPlayer) {
    (self.player, options) = (player, player.options)
    gate.waitingTime = options.routeTime
    client = MPVClient(
      hasDisplay: options.windowSystem != nil, networkTimeout: .seconds(options.networkTimeoutSeconds),
      userConfiguration: options.userConfiguration, proxies: player.proxies)
  }

  func run() {
    while let (orders, answers) = player.inbox.drain() {
      advanceStart()
      receive()
      orders.forEach(handle)
      // After the orders, because a load or a stop may have arrived before the answer to an earlier load.
      advanceGate(answers)
      client.tick(at: .now)
      if client.isUnresponsive { kill(.notResponding) }
      if let size = client.configuration.frameSize { player.frames.size = size }
      send()
      // The last frame of a file that has ended stays.
      if let entry = client.entry { player.frames.setEntry(entry) }
      player.frames.setProportions(client.letterboxedSize)
      player.inbox.didSend()
      wait()
    }
    exit()
  }

  // MARK: - Orders

  private var isHeld: Bool { process?.startDue != nil || gate.isHolding }

  private func handle(_ order: PlayerOrder) {
    switch order {
    case .load(let request):
      dropWaitingLoad()
      // mpv starts while the server is asked.
      if ask(about: request), process?.startDue == nil, !prepareProcess(for: request) { return closeGate() }
    // A stop does not wait: it ends the video that would be loaded, and one that has paused for it.
    case .stop where isHeld:
      if let id = dropWaitingLoad() { client.report(.event(id, .ended(.stopped))) }
      return client.handle(.stop, at: .now)
    case .stop, .pause, .resume, .seek, .liftLimit, .cycleSubtitles, .cycleSoundTracks, .takeScreenshot, .configure:
      break
    }
    waiting.append(order)
    passOn()
  }

  private func passOn() {
    while !isHeld, !waiting.isEmpty { perform(waiting.removeFirst()) }
  }

  private func perform(_ order: PlayerOrder) {
    switch order {
    case .load(let request):
      guard prepareProcess(for: request) else { return }
      if process?.startDue != nil { return waiting.insert(order, at: 0) }
      player.frames.discard()
    case .takeScreenshot: return takeScreenshot()
    case .configure, .pause, .resume, .seek, .liftLimit, .stop, .cycleSubtitles, .cycleSoundTracks: break
    }
    client.handle(order, at: .now)
  }

  // MARK: - Redirects

  /// The last film pauses meanwhile. Returns whether a server is asked.
  private func ask(about request: PlayRequest) -> Bool {
    guard let routes = player.routes, let address = gate.begin(request, at: .now) else { return false }
    question = routes(address, request.headers) { [inbox = player.inbox] in inbox.enqueue($0, for: request.id) }
    if client.hasFile { client.handle(.pause, at: .now) }
    player.frames.discard()
    return true
  }

  private func closeGate() {
    gate.cancel()
    question?.cancel()
  }

  private func advanceGate(_ answers: [MPVInbox.Answer]) {
    for (id, route) in answers {
      if let failure = gate.handle(route, for: id) { refuse(id, failure) }
    }
    if let expired = gate.expire(at: .now) { refuse(expired.id, expired.failure) }
    if !gate.isHolding { question?.cancel() }
    passOn()
  }

  private func refuse(_ id: PlayID, _ failure: PlayFailure) {
    dropWaitingLoad()
    client.handle(.stop, at: .now)
    client.report(.event(id, .ended(.failed(failure))))
  }

  private var waitingLoad: PlayRequest? {
    waiting.lazy.compactMap { if case .load(let request) = $0 { request } else { nil } }.first
  }

  @discardableResult private func dropWaitingLoad() -> PlayID? {
    let id = waitingLoad?.id
    closeGate()
    waiting.removeAll { if case .configure = $0 { false } else { true } }
    return id
  }

  private func takeScreenshot() {
    guard client.canTakeScreenshot else { return client.report(.screenshotFailed(reason: "there is no picture")) }
    do {
      let path = try ScreenshotFile.create(in: options.screenshotFolder)
      screenshotPath = path
      client.takeScreenshot(to: path, at: .now)
    } catch {
      client.report(.screenshotFailed(reason: error.reason))
    }
  }

  // MARK: - Process

  private func prepareProcess(for request: PlayRequest) -> Bool {
    guard let launch = launch(for: request) else { return false }
    if let process {
      if process.launch == launch, process.socket >= 0, !client.isQuitting { return true }
      _ = process.end()
      processEnded(nil)
    }
    do throws(MPVProcess.StartFailure) {
      let process = try MPVProcess(launch, player.frames)
      self.process = process
      if process.startDue == nil { client.processStarted(launch.form) }
      return true
    } catch {
      guard startFailed(error, launch.form, for: request) else { return false }
      return prepareProcess(for: request)
    }
  }

  /// Passes the waiting orders on once mpv accepts commands. If it cannot be started, they start the program.
  private func advanceStart() {
    guard let process, process.startDue != nil else { return }
    do throws(MPVProcess.StartFailure) {
      guard try process.advanceStart() else { return }
      client.processStarted(process.launch.form)
    } catch {
      self.process = nil
      _ = startFailed(error, process.launch.form, for: waitingLoad)
    }
    passOn()
  }

  /// A nil request is one that was stopped meanwhile. Returns whether to start again: libmpv once more, then the
  /// program; else the failure is reported. A preview has no picture without libmpv.
  private func startFailed(_ failure: MPVProcess.StartFailure, _ form: MPVConfiguration.Form, for request: PlayRequest?)
    -> Bool
  {
    let isRepeated = form == .library && options.mpvPath != nil && request.map { $0.byteLimit == nil } == true
    if form == .library, failure == .noLibrary { library.recordMissing() }
    if !isRepeated { processEnded(failure.reason) }
    // Without the program there is no alternative.
    if form == .library, options.mpvPath != nil { library.recordFailedStart() }
    return isRepeated
  }

  private func launch(for request: PlayRequest) -> MPVLaunch? {
    if let web = request.address.web, let proxy = player.proxies(web).proxy(for: web), !proxy.isPlainHTTP {
      return refuse(request, .unsupportedProxy(proxy.description))
    }
    guard request.isPage, let page = request.address.web else { return launch() }
    var ytDlp = player.ytDlp(page)
    ytDlp.proxy = player.proxies(page).chosen(for: page)
    guard let path = options.ownPath, ytDlp.isInstalled else { return refuse(request, .helperNotInstalled) }
    var variables = player.proxies(page).variables(for: page)
    if let proxy = ytDlp.ownProxy {
      guard proxy.isPlainHTTP else { return refuse(request, .unsupportedProxy(proxy.description)) }
      // mpv requests the film itself.
      for name in ["http_proxy", "https_proxy"] { variables[name] = proxy.text }
    }
    let settings = PageHelper.variables(ytDlp, secretPage: request.secretPage?.text)
    return launch(pageHelper: path, variables: variables.merging(settings) { $1 })
  }

  private func refuse(_ request: PlayRequest, _ failure: PlayFailure) -> MPVLaunch? {
    client.handle(.stop, at: .now)
    client.report(.event(request.id, .ended(.failed(failure))))
    return nil
  }

  private func launch(pageHelper: String? = nil, variables: [String: String] = [:]) -> MPVLaunch? {
    if usesLibrary {
      if let path = options.hostPath {
        return MPVLaunch(form: .library, path: path, pageHelper: pageHelper, options: options, variables: variables)
      }
      library.recordMissing()
    }
    guard let path = options.mpvPath else {
      processEnded(.notInstalled)
      return nil
    }
    return MPVLaunch(form: .program, path: path, pageHelper: pageHelper, options: options, variables: variables)
  }

  /// Without the mpv program there is no fallback, so libmpv is used even after failures.
  private var usesLibrary: Bool { options.mpvPath == nil ? library.fault != .missing : library.fault == nil }

  private func processEnded(_ failure: PlayFailure?) {
    // Without the program there is no alternative. A failing preview leaves the user's videos as they are.
    let counts = failure != nil && process?.launch.form == .library && options.mpvPath != nil && !client.isPreviewing
    process = nil
    hungUpAt = nil
    player.frames.discard()
    // The failure is that of the last load, also while it waits.
    if failure != nil { dropWaitingLoad() }
    client.processEnded(failure)
    if counts { library.recordFailure(at: .now) }
  }

  private func kill(_ failure: PlayFailure) {
    _ = process?.end()
    processEnded(client.hasFile ? failure : nil)
  }

  private func exit() {
    closeGate()
    guard let process else { return }
    process.closeSocket()
    _ = process.hasEnded(within: MPVProcess.exitTime)
    _ = process.end()
    processEnded(nil)
    send()
  }

  // MARK: - Communication

  private func receive() {
    guard let process, process.startDue == nil else { return }
    let hasEnded = process.hasEnded(within: .zero)
    for message in process.receive() { client.handle(message, at: .now) }
    if hasEnded {
      let failure = process.waitForEnd()
      if failure == nil, !process.isFlooding, client.mayQuit { client.processQuit() }
      // The end of the reading may have ended it.
      processEnded(process.isFlooding ? .tooMuchOutput : failure ?? (client.hasFile ? .crashed : nil))
    } else if process.isFlooding {
      kill(.tooMuchOutput)
    } else if process.socket < 0 {
      let hungUpAt = hungUpAt ?? .now
      self.hungUpAt = hungUpAt
      if .now - hungUpAt >= Self.closeTime { kill(.crashed) }
    }
  }

  private func send() {
    if let process, !process.send(client.drainCommands()) { kill(.notResponding) }
    for next in client.drainReports() {
      switch next {
      case .screenshotSaved: screenshotPath = nil
      case .screenshotFailed:
        if let screenshotPath { ScreenshotFile.remove(screenshotPath) }
        screenshotPath = nil
      case .event, .presentationChanged, .libraryUnusable, .unavailable, .lacksRuntime: break
      }
      player.report(next)
    }
  }

  private func wait() {
    var descriptors = [
      player.inbox.descriptor, process?.startDue == nil ? process?.socket ?? -1 : -1, process?.lifeline ?? -1,
      process?.floodDescriptor ?? -1,
      process?.startDescriptor ?? -1,
    ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    if process?.hasOutput == true { descriptors[1].events |= Int16(POLLOUT) }
    let due = [client.due, process?.startDue, gate.due, hungUpAt.map { $0 + Self.closeTime }].compactMap { $0 }.min()
    let milliseconds = due.map { Int32(clamping: Int(max(.zero, $0 - .now) / .milliseconds(1)) + 1) }
    poll(&descriptors, nfds_t(descriptors.count), milliseconds ?? -1)
  }

  struct LibraryHealth: Equatable, Sendable {
    private(set) var fault: PlayerReport.LibraryFault?
    private var lastFailure: SuspendingClock.Instant?
    private var failedStartCount = 0

    /// Two failures within this time are too many.
    static let interval = Duration.seconds(60)
    static let maximumFailedStarts = 2

    mutating func recordMissing() { fault = fault ?? .missing }

    mutating func recordFailedStart() {
      failedStartCount += 1
      if failedStartCount >= Self.maximumFailedStarts { fault = fault ?? .failing }
    }

    /// Records a crash or a hang.
    mutating func recordFailure(at now: SuspendingClock.Instant) {
      if let lastFailure, now - lastFailure <= Self.interval { fault = fault ?? .failing }
      lastFailure = now
    }
  }
}
