import FeedfallApp
import FeedfallSystem
import Synchronization

/// A thread-safe queue of messages to the main loop, which polls its descriptor and drains it.
final class Inbox: Sendable {
  enum Message: Sendable {
    case event(AppEvent)
    /// A task has finished. The ticket is the one that it was started with, if any.
    case taskEnded(Ticket?, AppEvent?)

    var event: AppEvent? {
      switch self {
      case .event(let event): event
      case .taskEnded(_, let event): event
      }
    }
  }

  private let wakeUp = WakeUp.required()
  private let messages = Mutex<[Message]>([])

  init() {}

  /// Readable while the inbox is not empty.
  var descriptor: Int32 { wakeUp.descriptor }

  /// Adds an event, from any thread.
  func post(_ event: AppEvent) { post(.event(event)) }

  func post(_ message: Message) {
    let wasEmpty = messages.withLock { messages in
      defer { messages.append(message) }
      return messages.isEmpty
    }
    if wasEmpty { wakeUp.post() }
  }

  var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  /// Removes all messages and returns them in order of arrival.
  func drain() -> [Message] {
    wakeUp.drain()
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
