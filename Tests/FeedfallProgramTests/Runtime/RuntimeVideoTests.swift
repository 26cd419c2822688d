import CFeedfall
import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import Foundation
import Synchronization
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallProgram

/// A terminal that closes after a number of frames, and a player that always has a frame.
private final class VideoTerminal {
  let size = Size(width: 80, height: 24)
  private let frameCount: Int
  private let closing = guard_eventfd()
  private let frames = guard_eventfd()
  private(set) var canvasCount = 0
  private(set) var shown: [UInt8] = []
  /// The number of frames requested while the terminal was not ready.
  private(set) var faultCount = 0
  private(set) var continuationCount = 0
  private var delays: [Int]
  private var isWaitingForRoom = false

  init(frameCount: Int, delays: [Int] = []) {
    self.frameCount = frameCount
    self.delays = delays
    guard_eventfd_post(frames)
  }

  deinit {
    close(closing)
    close(frames)
  }

  var port: TerminalPort {
    var port = TerminalPort(size: size)
    port.inputDescriptor = closing
    port.read = { [self] in TerminalInput(isClosed: shown.count == frameCount) }
    port.paint = { [self] _ in canvasCount += 1 }
    port.paintVideo = { [self] frame in
      shown.append(frame.bytes[0])
      isWaitingForRoom = shown.count == 2
      if shown.count == frameCount { guard_eventfd_post(closing) }
    }
    // An eventfd is always writable.
    port.videoOutput = { [self] in isWaitingForRoom ? frames : nil }
    port.continueVideo = { [self] in
      continuationCount += 1
      isWaitingForRoom = false
    }
    port.videoDelay = { [self] in delays.first }
    return port
  }

  var video: Runtime.PolledSource<PixelBuffer> {
    Runtime.PolledSource<PixelBuffer>(descriptor: frames) { [self] in
      if isWaitingForRoom || !delays.isEmpty { faultCount += 1 }
      return PixelBuffer(size: Size(width: 1, height: 1), bytes: [UInt8(shown.count), 0, 0])
    }
  }

  func passDelay() {
    if !delays.isEmpty { delays.removeFirst() }
  }
}

@Suite(.hangLimit) struct `A video in the main loop` {
  private func run(_ terminal: VideoTerminal) -> Runtime.Ending {
    var port = terminal.port
    let delay = port.videoDelay
    // Each iteration of the loop reads the delay twice: for the descriptors and for the time-out of its poll.
    var readingCount = 0
    port.videoDelay = {
      readingCount += 1
      defer { if readingCount.isMultiple(of: 2) { terminal.passDelay() } }
      return delay()
    }
    return Runtime(
      state: AppState(settings: AppSettings(sources: [films])), terminal: port, video: terminal.video,
      services: services { _ in .success(FeedPage(videos: [])) }
    ).run()
  }

  @Test func `frames are shown as they arrive, without drawing a canvas`() async {
    await onThread {
      let terminal = VideoTerminal(frameCount: 50)
      #expect(run(terminal) == .terminalClosed)
      #expect(terminal.shown == Array(0..<50))
      #expect(terminal.canvasCount < 10)
      #expect(terminal.faultCount == 0)
    }
  }

  @Test func `no frame is requested before the terminal is ready`() async {
    await onThread {
      let terminal = VideoTerminal(frameCount: 5, delays: [1, 1, 2])
      #expect(run(terminal) == .terminalClosed)
      #expect(terminal.shown == Array(0..<5))
      #expect(terminal.faultCount == 0)
      #expect(terminal.continuationCount == 1)
    }
  }

  @Test func `loading a video drops the picture of the previous one`() async {
    await onThread {
      let steps = Mutex<[String]>([])
      @Sendable func record(_ step: String) { steps.withLock { $0.append(step) } }
      var services = services()
      services.player = { if case .load = $0 { record("load") } }
      var port = TerminalPort(size: Size(width: 80, height: 24))
      port.dropVideoFrame = { record("drop") }
      let frames = Runtime.PolledSource<PixelBuffer>(descriptor: nil) {
        record("dequeue")
        return nil
      }
      let runtime = Runtime(
        state: AppState(settings: AppSettings(sources: [films])), terminal: port, video: frames, services: services)
      _ = runtime.run(typing: [.enter, .character(" ")])
      #expect(steps.withLock { $0 } == ["dequeue", "drop", "load"])
    }
  }
}
