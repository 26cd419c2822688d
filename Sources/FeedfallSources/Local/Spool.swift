import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// The bytes of a pipe or a device, stored in an unnamed temporary file so that they can be read again.
///
/// The input is read only while a page waits for bytes, so that an endless producer does not fill the disk.
final class Spool: DocumentBytes {
  private let input: Int32
  private let isOwned: Bool
  private let name: String
  private let store: Int32
  private let state = Mutex(State())
  /// Held while the input is copied, by one waiting read at a time.
  private let turn = Mutex(())

  private struct State {
    var byteCount = 0
    /// The end of the input or the failure to read it; nil before.
    var end: DocumentPiece?
  }

  /// - Parameter isOwned: whether to close the input together with the spool.
  init(input: Int32, isOwned: Bool, name: String) throws(FeedFailure) {
    (self.input, self.isOwned, self.name) = (input, isOwned, name)
    do { store = try Self.makeStore() } catch {
      if isOwned { close(input) }
      throw error
    }
  }

  deinit {
    close(store)
    if isOwned { close(input) }
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

  var isGrowing: Bool { state.withLock { $0.end == nil } }

  func read(at offset: Int, timeoutMilliseconds: Int?) async -> DocumentPiece {
    while true {
      if Task.isCancelled { return .failed(.cancelled) }
      let (count, end) = state.withLock { ($0.byteCount, $0.end) }
      if offset < count { return piece(at: offset) }
      if let end { return end }
      let cancelled: WakeUp
      do { cancelled = try WakeUp() } catch { return .failed(FeedFailure(.file(.notRead(error), name: name))) }
      let timeout = timeoutMilliseconds.map { Int32(clamping: $0) } ?? -1
      let isInTime = await withTaskCancellationHandler {
        await DetachedThread.run { _ in self.waitAndCopy(for: offset, cancelled, timeout) }
      } onCancel: {
        cancelled.post()
      }
      guard let isInTime else { return .failed(FeedFailure(.file(.noThread, name: name))) }
      if !isInTime { return .nothingYet }
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

  /// Blocks the thread until there is input, which it copies, or until the read is cancelled; returns false after the
  /// time-out.
  private func waitAndCopy(for offset: Int, _ cancelled: WakeUp, _ timeout: Int32) -> Bool {
    var polled = [input, cancelled.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let readyCount = poll(&polled, 2, timeout)
    if readyCount == 0 { return false }
    guard readyCount > 0, polled[0].revents != 0 else { return true }
    turn.withLock { _ in
      // Another read may have copied the input meanwhile: then reading it would block.
      guard state.withLock({ offset >= $0.byteCount && $0.end == nil }), poll(&polled, 1, 0) > 0 else { return }
      copyInput()
    }
    return true
  }

  private func copyInput() {
    var buffer = [UInt8](repeating: 0, count: LocalDocument.pieceByteCount)
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
    state.withLock { $0.byteCount += count }
  }

  private func finish(_ end: DocumentPiece) { state.withLock { $0.end = end } }
}
