import CFeedfallGuard
import FeedfallPlaying
import Glibc
import WaterfallEngine

/// The thread that starts mpv, speaks with it and ends it.
final class MPVConversation {
  private let options: MPVOptions
  private let box: FrameBox
  private let inbox: MPVInbox
  private let report: (PlayerReport) -> Void
  private var dialogue: MPVDialogue
  private var program: MPVProcess?
  /// When mpv has closed its end of the conversation though it still runs.
  private var silentSince: ContinuousClock.Instant?
  /// A file for the picture that is just being kept.
  private var pictureFile: String?

  /// How long mpv has to end by itself.
  private static let farewell = Duration.milliseconds(300)

  init(_ options: MPVOptions, _ box: FrameBox, _ inbox: MPVInbox, _ report: @escaping (PlayerReport) -> Void) {
    self.options = options
    self.box = box
    self.inbox = inbox
    self.report = report
    dialogue = MPVDialogue(
      hasDisplay: options.windowSystem != nil, networkTimeout: .seconds(options.networkTimeoutSeconds),
      userConfiguration: options.userConfiguration)
  }

  /// Goes on until the inbox is shut down.
  func run() {
    while let orders = inbox.take() {
      hear()
      orders.forEach(obey)
      dialogue.tick(at: .now)
      deliver()
      inbox.notePassedOn()
      wait()
    }
    endInOrder()
  }

  // MARK: - Orders

  private func obey(_ order: PlayerOrder) {
    switch order {
    case .load(let request):
      guard makeReady(for: request) else { return }
      box.empty()
    case .takeScreenshot: return takeScreenshot()
    case .configure(let configuration): if case .cells(let size, _, _) = configuration.presentation { box.size = size }
    case .pause, .resume, .seek, .stop, .cycleSubtitles, .cycleSoundTracks: break
    }
    dialogue.obey(order, at: .now)
  }

  private func takeScreenshot() {
    guard dialogue.canTakeScreenshot else {
      return dialogue.report(.screenshotFailed(reason: "there is no picture to keep"))
    }
    switch PictureFile.make(in: options.pictureFolder) {
    case .success(let path):
      pictureFile = path
      dialogue.takeScreenshot(at: path, at: .now)
    case .failure(let error): dialogue.report(.screenshotFailed(reason: error.reason))
    }
  }

  // MARK: - The program

  /// Sees to it that an mpv runs which can play this; false where there is none.
  private func makeReady(for request: PlayRequest) -> Bool {
    guard let launch = launch(for: request) else { return false }
    if let program {
      if program.launch == launch, program.socket >= 0 { return true }
      _ = program.end()
      programHasEnded(nil)
    }
    do {
      program = try MPVProcess(launch, picturesTo: box)
      dialogue.programStarted()
      return true
    } catch {
      programHasEnded(error)
      return false
    }
  }

  private func launch(for request: PlayRequest) -> MPVLaunch? {
    guard let path = options.mpvPath else {
      programHasEnded(.notInstalled)
      return nil
    }
    if request.isPage, options.ytDlpPath == nil {
      dialogue.obey(.stop, at: .now)
      dialogue.report(.event(request.id, .ended(.failed(.helperNotInstalled))))
      return nil
    }
    var launch = MPVLaunch(path: path, networkTimeoutSeconds: options.networkTimeoutSeconds)
    launch.ytDlpPath = request.isPage ? options.ytDlpPath : nil
    launch.soundOutput = options.soundOutput
    launch.windowSystem = options.windowSystem
    launch.caCertificates = options.caCertificates
    return launch
  }

  private func programHasEnded(_ failure: PlayFailure?) {
    program = nil
    silentSince = nil
    box.empty()
    dialogue.programEnded(failure)
  }

  private func endInOrder() {
    guard let program else { return }
    program.hangUp()
    var end = pollfd(fd: program.lifeline, events: Int16(POLLIN), revents: 0)
    poll(&end, 1, Int32(Self.farewell / .milliseconds(1)))
    _ = program.end()
    programHasEnded(nil)
    deliver()
  }

  // MARK: - What is said

  private func hear() {
    guard let program else { return }
    let hasEnded = program.hasEnded
    for message in program.receive() { dialogue.hear(message, at: .now) }
    if hasEnded {
      let failure = program.takeEnd()
      programHasEnded(failure ?? (dialogue.play == nil ? nil : .crashed))
    } else if program.socket < 0 {
      silentSince = silentSince ?? .now
      if let silentSince, .now - silentSince >= Self.farewell { endSilent() }
    }
  }

  private func endSilent() {
    _ = program?.end()
    programHasEnded(dialogue.play == nil ? nil : .crashed)
  }

  private func deliver() {
    if let program, !program.send(dialogue.takeCommands()) { endSilent() }
    for next in dialogue.takeReports() {
      switch next {
      case .screenshotSaved: pictureFile = nil
      case .screenshotFailed:
        if let pictureFile { PictureFile.discard(pictureFile) }
        pictureFile = nil
      case .event, .presentationChanged, .unavailable: break
      }
      report(next)
    }
  }

  private func wait() {
    var watched = [inbox.descriptor, program?.socket ?? -1, program?.lifeline ?? -1].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    if program?.hasOutgoing == true { watched[1].events |= Int16(POLLOUT) }
    let due = [dialogue.due, silentSince.map { $0 + Self.farewell }].compactMap { $0 }.min()
    let milliseconds = due.map { Int32(clamping: Int(max(.zero, $0 - .now) / .milliseconds(1)) + 1) }
    poll(&watched, nfds_t(watched.count), milliseconds ?? -1)
  }
}
