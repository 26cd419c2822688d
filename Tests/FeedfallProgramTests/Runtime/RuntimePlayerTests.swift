import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedfallProgram

private final class PlayerRecorder: Sendable {
  let orders = Mutex<[PlayerOrder]>([])
  let values = Mutex<[UserValue]>([])
  /// The number of videos loaded at each dropped frame.
  let droppedFrames = Mutex<[Int]>([])

  var loads: [String] {
    orders.withLock { $0.compactMap { if case .load(let request) = $0 { request.address.text } else { nil } } }
  }
}

/// The player and its remote controls in the main loop.
@Suite(.hangLimit) struct RuntimePlayerTests {
  @Test func `the player receives a load order, and its report is shown`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character(" ")]])
      let (recorder, inbox) = (PlayerRecorder(), Inbox())
      var services = services()
      services.player = { order in
        recorder.orders.withLock { $0.append(order) }
        if case .load = order { inbox.post(.player(.unavailable(.notInstalled))) }
      }
      var port = terminal.port
      port.dropVideoFrame = { recorder.droppedFrames.withLock { $0.append(recorder.loads.count) } }
      let runtime = runtime(port, services, inbox: inbox)
      terminal.isAwaited = { $0.text.contains("Film 0") }
      terminal.isDone = { $0.text.contains("libmpv is") }
      #expect(runtime.run() == .terminalClosed)
      #expect(recorder.loads == ["https://films.example/0.mp4"])
      #expect(recorder.droppedFrames.withLock { $0 } == [0])
    }
  }

  @Test func `playback pauses while the program is suspended, and its position is recorded at the end`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character(" ")], [.control("z")], [.control("c")]])
      terminal.isAwaited = { $0.text.contains("Film 0") }
      let (recorder, inbox) = (PlayerRecorder(), Inbox())
      let isPauseSent = Mutex(false)
      var services = services()
      services.flushPlayer = {
        isPauseSent.withLock { $0 = recorder.orders.withLock { $0.last == .pause } }
      }
      services.addEvents = { events in recorder.values.withLock { $0 += events.map(\.value) } }
      services.player = { order in
        recorder.orders.withLock { $0.append(order) }
        guard case .load(let request) = order else { return }
        for event in [PlayEvent.ready, .length(.stated(100)), .time(seconds: 42)] {
          inbox.post(.player(.event(request.id, event)))
        }
      }
      #expect(runtime(terminal.port, services, inbox: inbox).run() == .quit)
      // The tab of the played videos, which then appears, leaves less room.
      let orders = recorder.orders.withLock { $0 }.filter { if case .configure = $0 { false } else { true } }
      #expect(orders.suffix(2) == [.pause, .resume])
      #expect(isPauseSent.withLock { $0 })
      #expect(recorder.values.withLock { $0.prefix(2) } == [.position(42), .duration(100)])
    }
  }

  /// Plays a video until the terminal closes, and waits for the reports.
  private func play(
    atMost limit: Duration = .seconds(600), reportingTo report: @escaping @Sendable (PlaybackReport) async -> Void
  ) async {
    await onThread {
      let terminal = RecordingTerminal([[.character(" ")]])
      terminal.isAwaited = { $0.text.contains("Film 0") }
      terminal.isDone = { $0.text.contains("0:42") }
      let inbox = Inbox()
      var services = services()
      services.reportPlayback = report
      services.player = { order in
        guard case .load(let request) = order else { return }
        for event in [PlayEvent.ready, .time(seconds: 42)] { inbox.post(.player(.event(request.id, event))) }
      }
      let runtime = runtime(terminal.port, services, inbox: inbox)
      #expect(runtime.run() == .terminalClosed)
      runtime.close(atMost: limit)
    }
  }

  @Test func `the end of playback is reported after the start, before the program ends`() async {
    let moments = Mutex<[PlaybackReport.Moment]>([])
    await play { report in
      await Task.yield()
      moments.withLock { $0.append(report.moment) }
    }
    #expect(moments.withLock { $0.first == .started && $0.last == .stopped })
  }

  @Test func `a server that does not answer, and does not notice a cancellation, does not block the end`() async {
    await play(atMost: .milliseconds(1)) { _ in _ = await neverLoaded() }
  }

  @Test func `the terminal's answer decides how videos are shown`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character("x")], [.character("q")]])
      var port = terminal.port
      var readCount = 0
      let read = port.read
      port.read = {
        readCount += 1
        return read()
      }
      port.videoCapability = { readCount > 0 ? .pixels : .cells }
      let runtime = runtime(port)
      #expect(runtime.run() == .quit)
      #expect(runtime.state.videoOutput == .pixels)
    }
  }
}
