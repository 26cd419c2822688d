import CFeedfall
import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import Foundation
import Synchronization
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallProgram

@Suite(.hangLimit) struct RuntimeTests {
  @Test(arguments: [false, true]) func `frames have the widths that their own terminal has reported`(isWide: Bool) async
  {
    await onThread {
      let terminal = RecordingTerminal([[.character("q")]])
      var (port, widths) = (terminal.port, TextWidths())
      widths.ambiguousIsWide = isWide
      port.textWidths = { [widths] in widths }
      #expect(runtime(port).run() == .quit)
      #expect(!terminal.frames.isEmpty && terminal.frames.allSatisfy { $0.widths == widths })
    }
  }

  @Test func `with a first-paint time-out, a page that loads at once is in the first frame`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character("q")]])
      #expect(runtime(terminal.port, firstPaintTimeout: .seconds(10)).run() == .quit)
      #expect(terminal.frames.first?.text.contains("Film 0") == true)
    }
  }

  /// Returns the screen after these keys, in a program whose first page was prefetched under this rule for the cache.
  /// Each page is named by the number of its request.
  private func screen(afterBeginning use: CacheUse, typing keys: [Key]) -> String {
    let requestCount = Mutex(0)
    let services = services { _ in .success(FeedPage(videos: [film(next(requestCount))])) }
    let worker = Worker()
    var prefetch = Runtime.Prefetch()
    prefetch.begin(SourceID(0), use, by: services, on: worker)
    let runtime = Runtime(
      state: AppState(settings: AppSettings(sources: [films])), terminal: RecordingTerminal([]).port,
      services: services, worker: worker, prefetch: prefetch)
    #expect(runtime.run(typing: keys) == .idle)
    return runtime.state.draw().text
  }

  @Test func `a prefetched page answers only the first request`() async {
    await onThread {
      #expect(screen(afterBeginning: .revalidated, typing: []).contains("Film 1"))
      #expect(screen(afterBeginning: .revalidated, typing: [.character("r")]).contains("Film 2"))
    }
  }

  @Test func `a prefetched page is dequeued once, and not for another page`() {
    let (services, worker) = (services { _ in .success(page) }, Worker())
    var prefetch = Runtime.Prefetch()
    prefetch.begin(SourceID(0), .revalidated, by: services, on: worker)
    #expect(prefetch.dequeue(SourceID(0), .page(2), .revalidated) == nil)
    #expect(prefetch.dequeue(SourceID(0), .start, .revalidated) != nil)
    #expect(prefetch.dequeue(SourceID(0), .start, .revalidated) == nil)
  }

  @Test func `a prefetched page does not answer a request with another rule for the cache`() async {
    await onThread { #expect(screen(afterBeginning: .onlyIfCached, typing: []).contains("Film 2")) }
  }

  @Test func `a source that blocks its thread does not delay the other sources`() async {
    await onThread {
      let gate = Gate()
      let loaded = Mutex<[Int]>([])
      let services = Services(
        page: { source, _, _ in
          if source.number == 0 { gate.pass() } else if source.number == 2 { gate.open() }
          loaded.withLock { $0.append(source.number) }
          return .success(FeedPage(videos: [film(source.number)]))
        }, details: { .success($1) }, openInBrowser: { _ in })
      let sources = (0..<4).map { SourceSettings(name: "\($0).example", isLocal: true) }
      #expect(runtime(RecordingTerminal([]).port, services, sources: sources).run(typing: []) == .idle)
      #expect(Set(loaded.withLock { $0 }) == [0, 1, 2, 3])
    }
  }

  @Test func `keys that arrive together paint one frame`() async {
    await onThread {
      let terminal = RecordingTerminal([Array(repeating: .character("?"), count: 500), [.character("q")]])
      _ = runtime(terminal) { _ in await neverLoaded() }.run()
      #expect(terminal.frames.count == 2)
    }
  }

  @Test func `run(typing:) returns once the program is idle`() async {
    await onThread {
      let terminal = RecordingTerminal([])
      let runtime = runtime(terminal)
      #expect(runtime.run(typing: [.character("y")]) == .idle)
      #expect(terminal.copied == ["https://films.example/0.mp4"])
      #expect(runtime.state.draw().text.contains("Copied the playback address"))
    }
  }

  @Test(arguments: [SIGWINCH, SIGCONT]) func `a new size is painted after its signal`(signal: Int32) async {
    await onThread {
      let descriptor = guard_eventfd()
      defer { close(descriptor) }
      guard_eventfd_post(descriptor)
      var pending = [SIGTERM, signal]
      var isOver = false
      // The second signal comes after the first was dealt with.
      let signals = Runtime.PolledSource<Int32>(descriptor: descriptor) {
        isOver.toggle()
        return isOver ? pending.popLast() : nil
      }
      let terminal = RecordingTerminal([])
      terminal.newSize = Size(width: 60, height: 20)
      #expect(runtime(terminal, signals: signals).run() == .signal(SIGTERM))
      #expect(terminal.frames.last?.size == Size(width: 60, height: 20))
    }
  }

  @Test func `cached videos are in the first frame while the network is slow`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character("q")]])
      let services = Services(
        page: { _, _, use in
          guard use == .onlyIfCached else { return await neverLoaded() }
          var cached = page
          cached.savedAt = UnixTime(seconds: 0)
          return .success(cached)
        }, details: { .success($1) }, openInBrowser: { _ in })
      let web = SourceSettings(name: "films.example", isLocal: false)
      let runtime = runtime(terminal.port, services, sources: [web], firstPaintTimeout: .seconds(10))
      #expect(runtime.run() == .quit)
      #expect(terminal.frames.first?.text.contains("Film 0") == true)
      #expect(terminal.frames.first?.text.contains("days ago · refreshing") == true)
    }
  }

  @Test func `without cached videos the first frame does not wait for the network`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character("q")]])
      let services = Services(
        page: { _, _, use in
          use == .onlyIfCached
            ? .failure(FeedFailure(.permanent, "there is no cached answer")) : await neverLoaded()
        }, details: { .success($1) }, openInBrowser: { _ in })
      let web = SourceSettings(name: "films.example", isLocal: false)
      let runtime = runtime(terminal.port, services, sources: [web], firstPaintTimeout: .seconds(600))
      #expect(runtime.run() == .quit)
      #expect(terminal.frames.first?.text.contains("Loading…") == true)
    }
  }

  @Test func `y claims no copy once the terminal has reported that it has no clipboard`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character("k")], [.character("y")], [.character("q")]])
      terminal.isAwaited = { $0.text.contains("Film 0") }
      var port = terminal.port
      // The answer arrives with the first key.
      port.hasClipboard = { terminal.typed.count == 3 }
      #expect(runtime(port).run() == .quit)
      #expect(terminal.copied == [] && !terminal.frames.contains { $0.text.contains("Copied") })
      #expect(terminal.frames.contains { $0.text.contains("no clipboard support") })
    }
  }

  @Test func `delayed output ends a slide of the cards after its first frame`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character("X")]])
      terminal.isAwaited = { $0.text.contains("of 30") }
      var port = terminal.port
      port.canSlide = { true }
      port.isOutputPending = { true }
      let services = services { _ in .success(FeedPage(videos: (0..<30).map(film))) }
      let runtime = runtime(
        port, services, settings: { ($0.layoutOptions.animates, $0.layout) = (true, .grid) },
        idleReport: { inputCount in
          guard inputCount == 1 else { return }
          terminal.isClosedWhenIdle = true
          guard_eventfd_post(terminal.descriptor)
        })
      #expect(runtime.run() == .terminalClosed)
      let hidden = terminal.frames.map(\.text).drop { !$0.contains("of 29") }
      #expect(hidden.first != hidden.last)
      #expect(hidden.dropFirst().allSatisfy { $0 == hidden.last })
    }
  }

  @Test func `a change that fails while the program ends is left to be reported`() async {
    await onThread {
      var services = services()
      services.changeSubscription = { request, _ in
        let outcome = SubscriptionRequest.Outcome.failed("another program is changing it. Try again.")
        return .subscriptionChanged(request.change == .add ? outcome : .notConfigured, request)
      }
      let commands = ":subscribe\r:unsubscribe\r:layout grid\rq".map { $0 == "\r" ? Key.enter : .character($0) }
      let runtime = runtime(
        RecordingTerminal([commands]).port, services,
        settings: { settings in
          settings.sources[0].address = "films.example"
          settings.options = [LiveOptions.Word(name: "layout", valueName: "layout", help: "the layout of the cards")]
        })
      #expect(runtime.run() == .quit)
      #expect(
        runtime.unseenFailures == [
          "Could not subscribe to “films.example”: another program is changing it. Try again.",
          "Could not set layout: the options cannot change.",
        ])
    }
  }

  @Test func `pages do not wait for covers`() async {
    await onThread {
      let terminal = RecordingTerminal([])
      var port = terminal.port
      port.coverStyle = { .pictures(.halves, wantsPixels: false) }
      let isDecoding = Gate()
      var first = FeedPage(videos: [film(0)], next: .page(1))
      first.videos[0].covers = WebAddress("https://films.example/0.jpg").map { [Cover(url: $0)] } ?? []
      let hasCover = Gate()
      var services = services { [first] cursor in
        guard case .page = cursor else { return .success(first) }
        hasCover.pass()
        return .success(FeedPage(videos: [film(1)]))
      }
      services.cover = { _, _ in
        hasCover.open()
        isDecoding.pass()
        return .failure(FeedFailure(.temporary, "no answer in 20 s"))
      }
      port.paint = { canvas in
        guard canvas.text.contains("Film 1") else { return }
        isDecoding.open()
        terminal.typed = [[.character("q")]]
        guard_eventfd_post(terminal.descriptor)
      }
      #expect(runtime(port, services).run() == .quit)
    }
  }

  @Test func `a wait requested by the server is shown, and the request repeated after it`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character("q")]])
      let requestCount = Mutex(0)
      let runtime = runtime(terminal) { _ in
        next(requestCount) == 1 ? .failure(FeedFailure(.wait(seconds: 1), "the server is busy")) : .success(page)
      }
      terminal.isAwaited = { $0.text.contains("Film 0") }
      #expect(runtime.run() == .quit)
      #expect(terminal.frames.contains { $0.text.contains("waiting 1 s for the server") })
    }
  }

  @Test func `requests still running at the end are cancelled`() async {
    let first = FeedPage(videos: (0..<200).map(film), next: .page(1))
    await withCheckedContinuation { (cancelled: CheckedContinuation<Void, Never>) in
      Thread.detachNewThread {
        let runtime = runtime(RecordingTerminal([])) { cursor in
          guard case .page = cursor else { return .success(first) }
          let isCancelled = Gate()
          await withTaskCancellationHandler {
            isCancelled.pass()
          } onCancel: {
            isCancelled.open()
            cancelled.resume()
          }
          return .success(first)
        }
        _ = runtime.run(typing: [.character("m"), .character("q")])
      }
    }
  }
}
