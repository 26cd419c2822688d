import FeedfallPlaying
import Glibc
import WaterfallEngine

/// The thread that starts mpv, communicates with it and ends it.
final class MPVThread {
  private let options: MPVOptions
  private let frames: FrameBox
  private let inbox: MPVInbox
  private let report: (PlayerReport) -> Void
  private var client: MPVClient
  private var process: MPVProcess?
  /// When mpv closed its socket without ending.
  private var hungUpAt: ContinuousClock.Instant?
  /// Whether the library could not be started, so that the program is used.
  private var isLibraryMissing = false
  /// The file for the screenshot in progress.
  private var screenshotPath: String?

  /// How long mpv has to end by itself.
  private static let exitTime = Duration.milliseconds(300)

  init(_ options: MPVOptions, _ frames: FrameBox, _ inbox: MPVInbox, _ report: @escaping (PlayerReport) -> Void) {
    self.options = options
    self.frames = frames
    self.inbox = inbox
    self.report = report
    client = MPVClient(
      hasDisplay: options.windowSystem != nil, networkTimeout: .seconds(options.networkTimeoutSeconds),
      userConfiguration: options.userConfiguration)
  }

  /// Runs until the inbox is shut down.
  func run() {
    while let orders = inbox.drain() {
      receive()
      orders.forEach(handle)
      client.tick(at: .now)
      if client.isUnresponsive { kill(.notResponding) }
      send()
      frames.setEntry(client.entry)
      frames.setProportions(client.letterboxedSize)
      inbox.didSend()
      wait()
    }
    exit()
  }

  // MARK: - Orders

  private func handle(_ order: PlayerOrder) {
    switch order {
    case .load(let request):
      guard prepareProcess(for: request) else { return }
      frames.discard()
    case .takeScreenshot: return takeScreenshot()
    case .configure(let configuration):
      if let size = configuration.presentation.frameSize { frames.size = size }
    case .pause, .resume, .seek, .stop, .cycleSubtitles, .cycleSoundTracks: break
    }
    client.handle(order, at: .now)
  }

  private func takeScreenshot() {
    guard client.canTakeScreenshot else {
      return client.report(.screenshotFailed(reason: "there is no picture"))
    }
    do {
      let path = try ScreenshotFile.create(in: options.screenshotFolder)
      screenshotPath = path
      client.takeScreenshot(to: path, at: .now)
    } catch {
      client.report(.screenshotFailed(reason: error.reason))
    }
  }

  // MARK: - Process

  /// Starts mpv if none runs that can play this; returns whether one runs.
  private func prepareProcess(for request: PlayRequest) -> Bool {
    guard let launch = launch(for: request) else { return false }
    if let process {
      if process.launch == launch, process.socket >= 0 { return true }
      _ = process.end()
      processEnded(nil)
    }
    do {
      process = try MPVProcess(launch, frames)
      client.processStarted(launch.form)
      return true
    } catch {
      guard launch.form == .program else {
        isLibraryMissing = true
        client.report(.libraryMissing)
        return prepareProcess(for: request)
      }
      processEnded(error)
      return false
    }
  }

  private func launch(for request: PlayRequest) -> MPVLaunch? {
    guard request.isPage else { return launch(ytDlpPath: nil) }
    guard let ytDlpPath = options.ytDlpPath else {
      client.handle(.stop, at: .now)
      client.report(.event(request.id, .ended(.failed(.helperNotInstalled))))
      return nil
    }
    return launch(ytDlpPath: ytDlpPath)
  }

  private func launch(ytDlpPath: String?) -> MPVLaunch? {
    if !isLibraryMissing, let path = options.hostPath {
      return MPVLaunch(.library, path: path, ytDlpPath: ytDlpPath, options)
    }
    guard let path = options.mpvPath else {
      processEnded(.notInstalled)
      return nil
    }
    return MPVLaunch(.program, path: path, ytDlpPath: ytDlpPath, options)
  }

  private func processEnded(_ failure: PlayFailure?) {
    process = nil
    hungUpAt = nil
    frames.discard()
    client.processEnded(failure)
  }

  /// Ends an mpv that misbehaves.
  private func kill(_ failure: PlayFailure) {
    _ = process?.end()
    processEnded(client.hasFile ? failure : nil)
  }

  private func exit() {
    guard let process else { return }
    process.closeSocket()
    var end = pollfd(fd: process.lifeline, events: Int16(POLLIN), revents: 0)
    poll(&end, 1, Int32(Self.exitTime / .milliseconds(1)))
    _ = process.end()
    processEnded(nil)
    send()
  }

  // MARK: - Communication

  private func receive() {
    guard let process else { return }
    let hasEnded = process.hasEnded
    for message in process.receive() { client.handle(message, at: .now) }
    if hasEnded {
      let failure = process.waitForEnd()
      // The end of the reading may have ended it.
      processEnded(process.isFlooding ? .tooMuchOutput : failure ?? (client.hasFile ? .crashed : nil))
    } else if process.isFlooding {
      kill(.tooMuchOutput)
    } else if process.socket < 0 {
      let hungUpAt = hungUpAt ?? .now
      self.hungUpAt = hungUpAt
      if .now - hungUpAt >= Self.exitTime { kill(.crashed) }
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
      case .event, .presentationChanged, .libraryMissing, .unavailable: break
      }
      report(next)
    }
  }

  private func wait() {
    var descriptors = [
      inbox.descriptor, process?.socket ?? -1, process?.lifeline ?? -1, process?.floodDescriptor ?? -1,
    ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    if process?.hasOutput == true { descriptors[1].events |= Int16(POLLOUT) }
    let due = [client.due, hungUpAt.map { $0 + Self.exitTime }].compactMap { $0 }.min()
    let milliseconds = due.map { Int32(clamping: Int(max(.zero, $0 - .now) / .milliseconds(1)) + 1) }
    poll(&descriptors, nfds_t(descriptors.count), milliseconds ?? -1)
  }
}
