import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// The content of a pipe or a device, which can be read only once: it stays in memory for further readings.
final class PipeContent: Sendable {
  private let input: Int32
  private let owner: LocalFile?
  private let name: String
  private let content = Mutex(Content())

  private struct Content {
    var bytes: [UInt8] = []
    var isAtEnd = false
  }

  /// - Parameter owner: the file that closes the input.
  init(_ input: Int32, owner: LocalFile?, name: String) { (self.input, self.owner, self.name) = (input, owner, name) }

  /// Waits for the end of the input, or for more bytes than are decoded. Bytes that have arrived before the task is
  /// cancelled are not lost.
  @Sendable func bytes() async throws(FeedFailure) -> [UInt8] {
    let cancelled: WakeUp
    do { cancelled = try WakeUp() } catch { throw FeedFailure(.file(.notRead(error), name: name)) }
    let result = await withTaskCancellationHandler {
      await DetachedThread.run { _ in Result { () throws(FeedFailure) in try self.read(until: cancelled) } }
    } onCancel: {
      cancelled.post()
    }
    guard let result else { throw FeedFailure(.file(.noThread, name: name)) }
    return try result.get()
  }

  private func read(until cancelled: WakeUp) throws(FeedFailure) -> [UInt8] {
    var polled = [input, cancelled.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      if let bytes = content.withLock({ $0.isAtEnd ? $0.bytes : nil }) { return bytes }
      _ = poll(&polled, 2, -1)
      if polled[1].revents != 0 { throw .cancelled }
      let error = content.withLock { content in
        // Another task may have read the input meanwhile: then reading it would block.
        !content.isAtEnd && poll(&polled, 1, 0) > 0 ? readInput(&content) : nil
      }
      if let error { throw FeedFailure(.file(.notRead(error), name: name)) }
    }
  }

  private func readInput(_ content: inout Content) -> SystemError? {
    var piece = [UInt8](repeating: 0, count: 128 << 10)
    let count = Glibc.read(input, &piece, piece.count)
    guard count >= 0 else {
      let error = SystemError()
      return [EAGAIN, EINTR].contains(error.number) ? nil : error
    }
    content.bytes += piece[..<count]
    content.isAtEnd = count == 0 || content.bytes.count > FeedDocumentReader.maximumByteCount
    return nil
  }
}
