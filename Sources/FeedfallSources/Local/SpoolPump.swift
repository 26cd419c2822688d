import FeedfallFeeds
import FeedfallSystem
import Glibc
import Synchronization

/// The thread that fills a spool, and those who wait for it.
final class SpoolPump: Sendable {
  private let input: Int32
  private let isInputOwned: Bool
  private let name: String
  private let store: Int32
  private let bell: Bell
  private let state = Mutex(State())

  private struct State {
    var byteCount = 0
    /// How the input ended, once it has.
    var end: DocumentPiece?
    var waiters: [Int: Waiter] = [:]
    var cancelled: Set<Int> = []
    var lastTicket = 0
    var isStarted = false
    var isStopped = false
  }

  private struct Waiter {
    var offset: Int
    var patienceMilliseconds: Int?
    var continuation: CheckedContinuation<Wake, Never>
  }

  private enum Wake: Sendable {
    case somethingNew
    case patienceOver
    case cancelled
  }

  init(input: Int32, isInputOwned: Bool, name: String) throws(FeedFailure) {
    self.input = input
    self.isInputOwned = isInputOwned
    self.name = name
    guard let bell = Bell() else {
      throw FeedFailure(.temporary, "\(name) could not be watched: \(SystemError().message)")
    }
    self.bell = bell
    store = try Self.makeStore()
  }

  deinit {
    close(store)
    if isInputOwned { close(input) }
  }

  /// A file without a name, which goes when the program does.
  private static func makeStore() throws(FeedFailure) -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let path = "\(folder)/feedfall-\(getpid())-\(UInt64.random(in: .min ... .max))"
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw FeedFailure(
        .temporary, "\(cleanedLine(folder, limit: 80)) takes no temporary file: \(SystemError().message)",
        advice: "set TMPDIR to a folder that does")
    }
    unlink(path)
    return descriptor
  }

  // MARK: those who wait

  var isGrowing: Bool { state.withLock { $0.end == nil } }

  func waitForBytes(at offset: Int, patienceMilliseconds: Int?) async -> DocumentPiece {
    while true {
      if Task.isCancelled { return .cancelled }
      let (count, end) = state.withLock { ($0.byteCount, $0.end) }
      if offset < count { return piece(at: offset) }
      if let end { return end }
      switch await nextWake(at: offset, patienceMilliseconds: patienceMilliseconds) {
      case .somethingNew: continue
      case .patienceOver: return .nothingYet
      case .cancelled: return .cancelled
      }
    }
  }

  private func piece(at offset: Int) -> DocumentPiece {
    let (bytes, error) = readPiece(of: store, at: offset)
    guard error == 0, !bytes.isEmpty else {
      return .failed(FeedFailure(.temporary, "what was kept of \(name) could not be read"))
    }
    return .bytes(bytes)
  }

  private func nextWake(at offset: Int, patienceMilliseconds: Int?) async -> Wake {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    defer { state.withLock { _ = $0.cancelled.remove(ticket) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        add(
          Waiter(offset: offset, patienceMilliseconds: patienceMilliseconds, continuation: continuation),
          ticket)
      }
    } onCancel: {
      cancel(ticket)
    }
  }

  private func add(_ waiter: Waiter, _ ticket: Int) {
    let (wake, needsThread) = state.withLock { state -> (Wake?, Bool) in
      if state.cancelled.contains(ticket) { return (.cancelled, false) }
      if waiter.offset < state.byteCount || state.end != nil { return (.somethingNew, false) }
      state.waiters[ticket] = waiter
      defer { state.isStarted = true }
      return (nil, !state.isStarted)
    }
    if let wake {
      waiter.continuation.resume(returning: wake)
    } else if !needsThread {
      bell.ring()
    } else if !DetachedThread.start({ self.run() }) {
      finish(.failed(FeedFailure(.temporary, "there is no thread to read \(name) with")))
    }
  }

  private func cancel(_ ticket: Int) {
    let waiter = state.withLock { state in
      state.cancelled.insert(ticket)
      return state.waiters.removeValue(forKey: ticket)
    }
    waiter?.continuation.resume(returning: .cancelled)
  }

  /// Ends the thread; nobody waits any more then.
  func stop() {
    state.withLock { $0.isStopped = true }
    bell.ring()
  }

  // MARK: the thread

  private enum Demand {
    case stop
    case nothing
    case bytes(patience: Int32)
  }

  private func run() {
    var buffer = [UInt8](repeating: 0, count: DocumentLimits.pieceByteCount)
    while true {
      switch demand() {
      case .stop: return
      case .nothing: watch(for: nil, &buffer)
      case .bytes(let patience): watch(for: patience, &buffer)
      }
    }
  }

  private func demand() -> Demand {
    state.withLock { state in
      if state.isStopped || state.end != nil { return .stop }
      if state.waiters.isEmpty { return .nothing }
      let patience = state.waiters.values.compactMap(\.patienceMilliseconds).min()
      return .bytes(patience: patience.map { Int32(clamping: $0) } ?? -1)
    }
  }

  /// Waits for the bell, and for the input where somebody wants it.
  private func watch(for patience: Int32?, _ buffer: inout [UInt8]) {
    var watched = [
      pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: input, events: Int16(POLLIN), revents: 0),
    ]
    let readyCount = poll(&watched, patience == nil ? 1 : 2, patience ?? -1)
    if readyCount == 0 { return impatientWaitersGoOn() }
    guard readyCount > 0 else { return }
    if watched[0].revents != 0 { bell.silence() }
    if patience != nil, watched[1].revents != 0 { takeIn(&buffer) }
  }

  private func takeIn(_ buffer: inout [UInt8]) {
    let count = Glibc.read(input, &buffer, buffer.count)
    if count < 0 {
      let error = errno
      guard error != EAGAIN, error != EINTR else { return }
      return finish(.failed(FeedFailure(.permanent, "\(name) could not be read: \(SystemError(error).message)")))
    }
    if count == 0 { return finish(.end) }
    guard state.withLock({ $0.byteCount }) + count <= DocumentLimits.maximumByteCount else {
      return finish(.failed(FeedFailure(.permanent, "\(name) is longer than 1 GB, which no feed is")))
    }
    guard keep(buffer[..<count]) else {
      return finish(
        .failed(
          FeedFailure(.permanent, "there is no room to keep \(name)", advice: "set TMPDIR to a larger disk")))
    }
    wakeAll { $0.byteCount += count }
  }

  private func keep(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(store, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  private func finish(_ end: DocumentPiece) {
    wakeAll { $0.end = end }
  }

  private func wakeAll(after change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.continuation.resume(returning: .somethingNew) }
  }

  private func impatientWaitersGoOn() {
    let waiters = state.withLock { state in
      let impatient = state.waiters.filter { $0.value.patienceMilliseconds != nil }
      for ticket in impatient.keys { state.waiters[ticket] = nil }
      return impatient
    }
    for waiter in waiters.values { waiter.continuation.resume(returning: .patienceOver) }
  }
}
