import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// The bytes of a pipe or a device, stored in an unnamed temporary file so that they can be read again.
///
/// The input is read only while a page waits for bytes, so that an endless producer does not fill the disk.
final class Spool: DocumentBytes {
  private let pump: Pump

  /// - Parameter isOwned: whether to close the input together with the spool.
  init(input: Int32, isOwned: Bool, name: String) throws(FeedFailure) {
    do {
      pump = try Pump(input: input, isInputOwned: isOwned, name: name)
    } catch {
      if isOwned { close(input) }
      throw error
    }
  }

  deinit {
    pump.stop()
  }

  var isGrowing: Bool { pump.isGrowing }

  func read(at offset: Int, timeoutMilliseconds: Int?) async -> DocumentPiece {
    await pump.waitForBytes(at: offset, timeoutMilliseconds: timeoutMilliseconds)
  }
}

extension Spool {
  /// The thread that fills a spool, and the tasks that wait for it.
  private final class Pump: Sendable {
    private let input: Int32
    private let isInputOwned: Bool
    private let name: String
    private let store: Int32
    private let wakeUp: WakeUp
    private let state = Mutex(State())

    private struct State {
      var byteCount = 0
      /// The end of the input or the failure to read it; nil before.
      var end: DocumentPiece?
      var waiters: [Waiter] = []
      var isStarted = false
      var isStopped = false
    }

    private struct Waiter {
      var timeoutMilliseconds: Int?
      var outcome: Promise<WaitOutcome>
    }

    private enum WaitOutcome: Sendable {
      case moreBytes
      case timedOut
      case cancelled
    }

    init(input: Int32, isInputOwned: Bool, name: String) throws(FeedFailure) {
      (self.input, self.isInputOwned, self.name) = (input, isInputOwned, name)
      do { wakeUp = try WakeUp() } catch { throw FeedFailure(.file(.notRead(error), name: name)) }
      store = try Self.makeStore()
    }

    deinit {
      close(store)
      if isInputOwned { close(input) }
    }

    /// Unnamed, so that it disappears with the process.
    private static func makeStore() throws(FeedFailure) -> Int32 {
      let folder = Environment.process.temporaryFolder
      let path = "\(folder)/feedfall-\(getpid())-\(UInt64.random(in: .min ... .max))"
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw FeedFailure(.temporaryFile(SystemError(), folder: folder)) }
      unlink(path)
      return descriptor
    }

    // MARK: - Waiting tasks

    var isGrowing: Bool { state.withLock { $0.end == nil } }

    func waitForBytes(at offset: Int, timeoutMilliseconds: Int?) async -> DocumentPiece {
      while true {
        if Task.isCancelled { return .failed(.cancelled) }
        let (count, end) = state.withLock { ($0.byteCount, $0.end) }
        if offset < count { return piece(at: offset) }
        if let end { return end }
        switch await outcome(at: offset, timeoutMilliseconds: timeoutMilliseconds) {
        case .moreBytes: continue
        case .timedOut: return .nothingYet
        case .cancelled: return .failed(.cancelled)
        }
      }
    }

    private func piece(at offset: Int) -> DocumentPiece {
      do {
        let bytes = try Files.read(descriptor: store, at: offset, count: LocalDocument.pieceByteCount)
        return bytes.isEmpty ? .end : .bytes(bytes)
      } catch {
        return .failed(FeedFailure(.file(.notRead(error), name: name)))
      }
    }

    private func outcome(at offset: Int, timeoutMilliseconds: Int?) async -> WaitOutcome {
      let outcome = Promise<WaitOutcome>()
      let needsThread = state.withLock { state -> Bool in
        guard offset >= state.byteCount, state.end == nil else {
          outcome.fulfill(.moreBytes)
          return false
        }
        state.waiters.append(Waiter(timeoutMilliseconds: timeoutMilliseconds, outcome: outcome))
        defer { state.isStarted = true }
        return !state.isStarted
      }
      if !needsThread {
        wakeUp.post()
      } else if !DetachedThread.start({ self.run() }) {
        finish(.failed(FeedFailure(.file(.noThread, name: name))))
      }
      let result = await outcome.value(whenCancelled: .cancelled)
      if result == .cancelled { state.withLock { state in state.waiters.removeAll { $0.outcome === outcome } } }
      return result
    }

    /// No task may be waiting.
    func stop() {
      state.withLock { $0.isStopped = true }
      wakeUp.post()
    }

    private func send(_ outcome: WaitOutcome, to isMeant: (Waiter) -> Bool, _ change: (inout State) -> Void = { _ in })
    {
      let waiters = state.withLock { state in
        change(&state)
        defer { state.waiters.removeAll(where: isMeant) }
        return state.waiters.filter(isMeant)
      }
      for waiter in waiters { waiter.outcome.fulfill(outcome) }
    }

    private func finish(_ end: DocumentPiece) {
      send(.moreBytes, to: { _ in true }, { $0.end = end })
    }

    // MARK: - The thread

    private enum Demand {
      case stop
      case nothing
      case bytes(timeout: Int32)
    }

    private func run() {
      var buffer = [UInt8](repeating: 0, count: LocalDocument.pieceByteCount)
      while true {
        switch demand() {
        case .stop: return
        case .nothing: wait(for: nil, &buffer)
        case .bytes(let timeout): wait(for: timeout, &buffer)
        }
      }
    }

    private func demand() -> Demand {
      state.withLock { state in
        if state.isStopped || state.end != nil { return .stop }
        if state.waiters.isEmpty { return .nothing }
        let timeout = state.waiters.compactMap(\.timeoutMilliseconds).min()
        return .bytes(timeout: timeout.map { Int32(clamping: $0) } ?? -1)
      }
    }

    /// Waits for a wake-up, and for the input unless `timeout` is nil.
    private func wait(for timeout: Int32?, _ buffer: inout [UInt8]) {
      var polled = [
        pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
      ]
      let readyCount = poll(&polled, timeout == nil ? 1 : 2, timeout ?? -1)
      if readyCount == 0 { return send(.timedOut, to: { $0.timeoutMilliseconds != nil }) }
      guard readyCount > 0 else { return }
      if polled[0].revents != 0 { wakeUp.drain() }
      if timeout != nil, polled[1].revents != 0 { copyInput(&buffer) }
    }

    private func copyInput(_ buffer: inout [UInt8]) {
      let count = Glibc.read(input, &buffer, buffer.count)
      if count < 0 {
        let error = SystemError()
        guard ![EAGAIN, EINTR].contains(error.number) else { return }
        return finish(.failed(FeedFailure(.file(.notRead(error), name: name))))
      }
      if count == 0 { return finish(.end) }
      guard state.withLock({ $0.byteCount }) + count <= LocalDocument.maximumByteCount else {
        return finish(.failed(FeedFailure(.file(.tooLarge, name: name))))
      }
      do {
        try Files.write(buffer[..<count], to: store)
      } catch {
        return finish(.failed(FeedFailure(.file(.notStored(error), name: name))))
      }
      send(.moreBytes, to: { _ in true }, { $0.byteCount += count })
    }
  }
}
