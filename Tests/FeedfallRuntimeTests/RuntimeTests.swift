import CFeedfallGuard
import FeedfallCore
import FeedfallFeeds
import FeedfallPlaying
import FeedfallRuntime
import FeedfallScreen
import FeedfallText
import Foundation
import Synchronization
import TestSupport
import Testing
import WaterfallEngine

/// A terminal that plays keys back and remembers what was painted.
private final class RecordingTerminal {
  let descriptor = guard_eventfd()
  var frames: [Canvas] = []
  var typed: [[Key]]
  var copied: [String] = []
  var suspended = 0
  var repainted = 0
  var size = Size(width: 80, height: 24)
  /// What the terminal will be found to measure.
  var newSize: Size?
  var isClosedWhenIdle = false
  /// The keys are typed from the first such frame on.
  var isAwaited: (Canvas) -> Bool = { _ in true }
  /// Closes when a frame is such.
  var isDone: (Canvas) -> Bool = { _ in false }

  /// Each group of keys is there at once; the next comes after a paint.
  init(_ typed: [[Key]]) { self.typed = typed }

  deinit { close(descriptor) }

  var port: TerminalPort {
    var port = TerminalPort(size: Size(width: 80, height: 24))
    port.inputDescriptor = descriptor
    port.read = { [self] in
      guard_eventfd_drain(descriptor)
      let isClosed = typed.isEmpty && isClosedWhenIdle
      let keys = typed.isEmpty ? [] : typed.removeFirst()
      return TerminalInput(events: keys.map { .key($0) }, isClosed: isClosed)
    }
    port.paint = { [self] canvas in
      frames.append(canvas)
      if isDone(canvas) { isClosedWhenIdle = true }
      guard isAwaited(canvas) else { return }
      if !typed.isEmpty || isClosedWhenIdle { guard_eventfd_post(descriptor) }
    }
    port.copy = { [self] in copied.append($0) }
    port.suspend = { [self] in suspended += 1 }
    port.repaintAll = { [self] in repainted += 1 }
    port.size = { [self] in size }
    port.updateSize = { [self] in size = newSize ?? size }
    return port
  }
}

/// What a player was told, and what was to be kept.
private final class Told: Sendable {
  let orders = Mutex<[PlayerOrder]>([])
  let records = Mutex<[String]>([])
  /// How many films had been loaded whenever a picture was forgotten.
  let forgotten = Mutex<[Int]>([])

  var loads: [String] {
    orders.withLock { $0.compactMap { if case .load(let request) = $0 { request.address.text } else { nil } } }
  }
}

private func film(_ number: Int) -> Video {
  let address = WebAddress("https://films.example/\(number).mp4")
  return Video(
    id: "\(number)", title: "Film \(number)",
    playback: address.map { .direct([MediaFile(url: $0)]) } ?? .unknown)
}

private let page = FeedPage(videos: (0..<200).map(film))

private let films = SourceSettings(name: "films.example", isLocal: true)

private func services(
  page: @escaping @Sendable (FeedCursor) async -> Result<FeedPage, FeedFailure>
) -> Services {
  Services(page: { _, cursor, _ in await page(cursor) }, details: { .success($1) }, openInBrowser: { _ in })
}

/// A program that shows `page`, or what else `load` answers.
private func runtime(
  _ terminal: RecordingTerminal, signals: PolledSource<Int32> = .none,
  page load: @escaping @Sendable (FeedCursor) async -> Result<FeedPage, FeedFailure> = { _ in .success(page) }
) -> Runtime {
  Runtime(
    state: AppState(settings: AppSettings(sources: [films])), terminal: terminal.port, signals: signals,
    services: services(page: load))
}

private func next(_ counter: borrowing Mutex<Int>) -> Int {
  counter.withLock {
    $0 += 1
    return $0
  }
}

@Suite(.hangLimit) struct RuntimeTests {
  @Test func `q ends it`() async {
    await onThread {
      #expect(runtime(RecordingTerminal([[.character("q")]])).run() == .quit)
    }
  }

  @Test func `the first paint does not wait for the feed`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character("q")]])
      _ = runtime(terminal) { _ in
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
        return .success(page)
      }.run()
      #expect(terminal.frames.first?.text.contains("refreshing") == true)
    }
  }

  @Test func `with patience what is there at once is painted once`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character("q")]])
      let runtime = Runtime(
        state: AppState(settings: AppSettings(sources: [films])), terminal: terminal.port,
        services: services { _ in .success(page) }, firstPaintTimeout: .seconds(10))
      #expect(runtime.run() == .quit)
      #expect(terminal.frames.first?.text.contains("Film 0") == true)
    }
  }

  /// The screen of a program whose first page has begun to load under a rule for the cache, after these keys; each page
  /// has the number of its request.
  private func screen(afterBeginning use: CacheUse, typing keys: [Key]) -> String {
    let asked = Mutex(0)
    let services = services { _ in .success(FeedPage(videos: [film(next(asked))])) }
    let worker = Worker()
    var prefetch = PagePrefetch()
    prefetch.begin(SourceID(0), use, by: services, on: worker)
    let runtime = Runtime(
      state: AppState(settings: AppSettings(sources: [films])), terminal: RecordingTerminal([]).port,
      services: services, worker: worker, prefetch: prefetch)
    #expect(runtime.run(typing: keys) == .idle)
    return runtime.state.draw().text
  }

  @Test func `a prefetched page answers the first request, and no later one`() async {
    await onThread {
      #expect(screen(afterBeginning: .whileFresh, typing: []).contains("Film 1"))
      #expect(screen(afterBeginning: .whileFresh, typing: [.character("r")]).contains("Film 2"))
    }
  }

  @Test func `another request is not answered with a prefetched page`() async {
    await onThread { #expect(screen(afterBeginning: .onlyIfCached, typing: []).contains("Film 2")) }
  }

  @Test func `keys that wait together make one frame`() async {
    await onThread {
      let terminal = RecordingTerminal([Array(repeating: .character("?"), count: 500), [.character("q")]])
      _ = runtime(terminal) { _ in
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
        return .success(page)
      }.run()
      #expect(terminal.frames.count == 2)
    }
  }

  @Test func `it runs on without anybody until all rests`() async {
    await onThread {
      let terminal = RecordingTerminal([])
      let runtime = runtime(terminal)
      #expect(runtime.run(typing: [.character("y")]) == .idle)
      #expect(terminal.copied == ["https://films.example/0.mp4"])
      #expect(runtime.state.draw().text.contains("1/200"))
    }
  }

  @Test func `a failure settles too`() async {
    await onThread {
      let runtime = runtime(RecordingTerminal([])) { _ in .failure(FeedFailure(.temporary, "the network is down")) }
      #expect(runtime.run(typing: []) == .idle)
      #expect(runtime.state.draw().text.contains("the network is down"))
    }
  }

  @Test func `a signal ends it and is told`() async {
    await onThread {
      let descriptor = guard_eventfd()
      defer { close(descriptor) }
      guard_eventfd_post(descriptor)
      var pending = [SIGTERM]
      let signals = PolledSource<Int32>(descriptor: descriptor) { pending.popLast() }
      #expect(runtime(RecordingTerminal([]), signals: signals).run() == .signal(SIGTERM))
    }
  }

  @Test func `a terminal that is gone ends it`() async {
    await onThread {
      let terminal = RecordingTerminal([])
      terminal.isClosedWhenIdle = true
      #expect(runtime(terminal).run() == .terminalClosed)
    }
  }

  @Test func `another size is painted when its signal comes`() async {
    await onThread {
      let descriptor = guard_eventfd()
      defer { close(descriptor) }
      guard_eventfd_post(descriptor)
      var pending = [SIGTERM, SIGWINCH]
      var isOver = false
      // The second signal comes after the first was dealt with.
      let signals = PolledSource<Int32>(descriptor: descriptor) {
        isOver.toggle()
        return isOver ? pending.popLast() : nil
      }
      let terminal = RecordingTerminal([])
      terminal.newSize = Size(width: 60, height: 20)
      #expect(runtime(terminal, signals: signals).run() == .signal(SIGTERM))
      #expect(terminal.frames.last?.size == Size(width: 60, height: 20))
    }
  }

  @Test func `^Z suspends, and goes on where it was`() async {
    await onThread {
      let terminal = RecordingTerminal([[.control("z")], [.character("q")]])
      #expect(runtime(terminal).run() == .quit)
      #expect(terminal.suspended == 1)
    }
  }

  @Test func `the player is told what to play, and what it tells is shown`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character(" ")]])
      let (told, inbox) = (Told(), Inbox())
      var services = services { _ in .success(page) }
      services.player = { order in
        told.orders.withLock { $0.append(order) }
        if case .load = order { inbox.post(.player(.unavailable(.notInstalled))) }
      }
      var port = terminal.port
      port.dropVideoFrame = { told.forgotten.withLock { $0.append(told.loads.count) } }
      let runtime = Runtime(
        state: AppState(settings: AppSettings(sources: [films])), terminal: port, services: services,
        inbox: inbox)
      terminal.isAwaited = { $0.text.contains("Film 0") }
      terminal.isDone = { $0.text.contains("mpv is not installed") }
      #expect(runtime.run() == .terminalClosed)
      #expect(told.loads == ["https://films.example/0.mp4"])
      #expect(told.forgotten.withLock { $0 } == [0])
    }
  }

  @Test func `what plays is paused while the program stands still, and its place kept at the end`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character(" ")], [.control("z")], [.control("c")]])
      terminal.isAwaited = { $0.text.contains("Film 0") }
      let (told, inbox) = (Told(), Inbox())
      var services = services { _ in .success(page) }
      services.updateRecords = { records in told.records.withLock { $0.append(records.lines) } }
      services.player = { order in
        told.orders.withLock { $0.append(order) }
        guard case .load(let request) = order else { return }
        for news in [PlayEvent.ready, .duration(seconds: 100), .time(seconds: 42)] {
          inbox.post(.player(.event(request.id, news)))
        }
      }
      let state = AppState(settings: AppSettings(sources: [films]))
      #expect(Runtime(state: state, terminal: terminal.port, services: services, inbox: inbox).run() == .quit)
      #expect(Array(told.orders.withLock { $0 }.suffix(2)) == [.pause, .resume])
      #expect(told.records.withLock { $0 } == ["42 films.example 0\n"])
    }
  }

  @Test func `what is known from earlier is in the first paint, though the network is slow`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character("q")]])
      let services = Services(
        page: { _, _, use in
          guard use == .onlyIfCached else {
            await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
            return .success(page)
          }
          var known = page
          known.savedAt = UnixTime(seconds: 0)
          return .success(known)
        }, details: { .success($1) }, openInBrowser: { _ in })
      let web = SourceSettings(name: "films.example", isLocal: false)
      let runtime = Runtime(
        state: AppState(settings: AppSettings(sources: [web])), terminal: terminal.port, services: services,
        firstPaintTimeout: .seconds(10))
      #expect(runtime.run() == .quit)
      #expect(terminal.frames.first?.text.contains("Film 0") == true)
      #expect(terminal.frames.first?.text.contains("days old · refreshing") == true)
    }
  }

  @Test func `where nothing is known nobody waits for the network`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character("q")]])
      let services = Services(
        page: { _, _, use in
          if use == .onlyIfCached { return .failure(FeedFailure(.permanent, "nothing is kept")) }
          await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
          return .success(page)
        }, details: { .success($1) }, openInBrowser: { _ in })
      let web = SourceSettings(name: "films.example", isLocal: false)
      let runtime = Runtime(
        state: AppState(settings: AppSettings(sources: [web])), terminal: terminal.port, services: services,
        firstPaintTimeout: .seconds(600))
      #expect(runtime.run() == .quit)
      #expect(terminal.frames.first?.text.contains("refreshing") == true)
    }
  }

  @Test func `each source is asked by itself, and one that fails keeps none from its films`() async {
    await onThread {
      let services = Services(
        page: { source, _, _ in
          source.number == 1
            ? .failure(FeedFailure(.temporary, "the network is down"))
            : .success(FeedPage(videos: [film(source.number)]))
        }, details: { .success($1) }, openInBrowser: { _ in })
      let sources = ["a", "b", "c"].map { SourceSettings(name: $0, isLocal: false) }
      let runtime = Runtime(
        state: AppState(settings: AppSettings(sources: sources)), terminal: RecordingTerminal([]).port,
        services: services)
      #expect(runtime.run(typing: []) == .idle)
      let screen = runtime.state.draw().text
      #expect(screen.contains("Film 0") && screen.contains("Film 2"))
      #expect(screen.contains("b: Could not load the first page: the network is down"))
    }
  }

  @Test func `covers come in their own time, and the screen comes to rest with them`() async {
    await onThread {
      let terminal = RecordingTerminal([])
      var port = terminal.port
      port.coverStyle = { .pictures(.halves, wantsPixels: false) }
      // Whoever sees a picture on a screen at rest has seen enough.
      port.paint = { canvas in
        terminal.frames.append(canvas)
        guard canvas.isAtRest, canvas.cells.contains(where: { $0.style.background == .white }) else { return }
        terminal.typed = [[.character("q")]]
        guard_eventfd_post(terminal.descriptor)
      }
      var covered = page
      for number in covered.videos.indices {
        covered.videos[number].covers = WebAddress("https://films.example/\(number).jpg").map { [Cover(url: $0)] } ?? []
      }
      var services = services { [covered] _ in .success(covered) }
      services.cover = { request in
        let failure = FeedFailure(.permanent, "the server answered 403 Forbidden")
        guard request.addresses.first?.text.hasSuffix("/0.jpg") == true else { return .failure(failure) }
        let size = Size(width: request.size.width, height: 2 * request.size.height)
        let pixels = PixelBuffer(size: size, bytes: Array(repeating: 255, count: size.width * size.height * 3))
        let cells = pixels.map { CellPicture($0, glyphs: .halves) }
        return cells.map { .success(CoverPicture(cells: $0, average: .white)) } ?? .failure(failure)
      }
      let runtime = Runtime(
        state: AppState(settings: AppSettings(sources: [films])), terminal: port, services: services)
      #expect(runtime.run() == .quit)
      #expect(terminal.frames.first?.isAtRest == false)
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
      services.cover = { _ in
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
      let runtime = Runtime(
        state: AppState(settings: AppSettings(sources: [films])), terminal: port, services: services)
      #expect(runtime.run() == .quit)
    }
  }

  @Test func `pulling past the top says when to let go, and refreshes then`() async {
    await onThread {
      let terminal = RecordingTerminal([Array(repeating: .character("k"), count: 3), [.character("q")]])
      let asked = Mutex(0)
      let runtime = runtime(terminal) { _ in
        .success(next(asked) == 1 ? page : FeedPage(videos: [film(1000)]))
      }
      terminal.isAwaited = { [unowned terminal] in $0.text.contains(terminal.typed.count == 2 ? "Film 0" : "Film 1000")
      }
      #expect(runtime.run() == .quit)
      #expect(terminal.frames.contains { $0.text.contains("release to refresh") })
    }
  }

  @Test func `while the server asks to wait the screen says so, and then it is asked again`() async {
    await onThread {
      let terminal = RecordingTerminal([[.character("q")]])
      let asked = Mutex(0)
      let runtime = runtime(terminal) { _ in
        next(asked) == 1 ? .failure(FeedFailure(.wait(seconds: 1), "the server is busy")) : .success(page)
      }
      terminal.isAwaited = { $0.text.contains("Film 0") }
      #expect(runtime.run() == .quit)
      #expect(terminal.frames.contains { $0.text.contains("waiting 1 s for the server") })
    }
  }

  @Test func `what is no longer wanted is cancelled`() async {
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
