import CFeedfallGuard
import FeedfallCore
import Glibc
import Synchronization

/// Where tasks put what they have to say; the main loop polls its descriptor and takes everything at once.
public final class Inbox: Sendable {
  /// Readable while there is something to take.
  public let descriptor = guard_eventfd()
  private let events = Mutex<[AppEvent]>([])

  public init() {}

  deinit { close(descriptor) }

  /// Adds an event, from any thread.
  public func post(_ event: AppEvent) {
    let wasEmpty = events.withLock { events in
      defer { events.append(event) }
      return events.isEmpty
    }
    if wasEmpty { guard_eventfd_post(descriptor) }
  }

  /// Takes all events in the order in which they came.
  public func drain() -> [AppEvent] {
    guard_eventfd_drain(descriptor)
    return events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
