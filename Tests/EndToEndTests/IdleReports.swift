import Foundation
import Synchronization
import TestSupport

/// The idle reports of a program that runs with `FEEDFALL_IDLE` set, received through a FIFO.
final class IdleReports: Sendable {
  let path: String
  private let descriptor: Int32
  private let state = Mutex(State())

  private struct State {
    /// The bytes of a line that is not complete.
    var rest: [UInt8] = []
    /// The number of input events that the last report names; nil before the first.
    var last: Int?
  }

  init(path: String) throws {
    self.path = path
    guard mkfifo(path, 0o600) == 0 else { throw TestFailure("mkfifo: \(String(cString: strerror(errno)))") }
    // Open for writing too, so that the FIFO stays open between two programs.
    descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw TestFailure("\(path): \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  /// Drops the reports of a program that has ended.
  func reset() {
    receive()
    state.withLock { $0 = State() }
  }

  /// Waits for a report after at least this many input events.
  func wait(for inputCount: Int, _ description: @autoclosure () -> String) throws {
    let limit = ContinuousClock.now + .seconds(hangLimitSeconds)
    while state.withLock({ $0.last.map { $0 < inputCount } ?? true }) {
      let milliseconds = (limit - .now) / .milliseconds(1)
      guard milliseconds > 0 else { throw TestFailure("not idle after \(inputCount) keys: \(description())") }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, Int32(milliseconds.rounded(.up)))
      receive()
    }
  }

  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      state.withLock { state in
        state.rest += buffer[..<count]
        while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
          state.last = Int(String(decoding: state.rest[..<end], as: UTF8.self))
          state.rest.removeSubrange(...end)
        }
      }
    }
  }
}
