import CFeedfallGuard
import FeedfallCore
import FeedfallLoading
import Glibc
import Synchronization

/// A thread-safe queue of messages to the main loop, which polls its descriptor and drains it.
public final class Inbox: Sendable {
  /// A message to the main loop.
  enum Message: Sendable {
    case event(AppEvent)
    /// A task has finished. The ticket is the one that it was started with, if any.
    case taskEnded(Ticket?, AppEvent?)
  }

  /// Readable while the inbox is not empty.
  public let descriptor = guard_eventfd()
  private let messages = Mutex<[Message]>([])

  public init() {}

  deinit { close(descriptor) }

  /// Adds an event, from any thread.
  public func post(_ event: AppEvent) { post(.event(event)) }

  func post(_ message: Message) {
    let wasEmpty = messages.withLock { messages in
      defer { messages.append(message) }
      return messages.isEmpty
    }
    if wasEmpty { guard_eventfd_post(descriptor) }
  }

  var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  /// Removes all messages and returns them in order of arrival.
  func drain() -> [Message] {
    guard_eventfd_drain(descriptor)
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
