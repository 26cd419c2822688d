import Dispatch
import Synchronization

/// Blocks threads until it is opened.
public final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let state = Mutex(false)

  public init() {}

  public var isOpen: Bool { state.withLock { $0 } }

  public func open() {
    state.withLock { $0 = true }
    semaphore.signal()
  }

  /// Returns once the gate is open. Blocks the calling thread, also in asynchronous code.
  public func pass() {
    semaphore.wait()
    // Lets the next thread pass.
    semaphore.signal()
  }
}
