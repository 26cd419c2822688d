import FeedfallSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedfallPlayer

extension Trait where Self == ConditionTrait {
  static var withBus: Self { .enabled(if: TestBus.path != nil, "dbus-daemon is not installed") }
}

/// Runs a blocking test with a session bus of its own.
func withBus(_ body: @escaping @Sendable (TestBus, Environment) throws -> Void) async throws {
  try await withFolder { folder in
    try await onThread {
      let bus = try TestBus(in: folder)
      try body(bus, Environment(["DBUS_SESSION_BUS_ADDRESS": bus.address]))
    }
  }
}

extension BusConnection {
  /// Calls a method and waits for its answer; nil if it fails.
  func call(_ call: BusMessage, of name: String) -> [BusValue]? {
    self.call(call, of: name, milliseconds: Int(hangLimitSeconds) * 1_000)
  }

  func hasOwner(_ name: String) -> Bool {
    let call = BusMessage(
      path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameHasOwner",
      arguments: [.string(name)])
    return self.call(call, of: "org.freedesktop.DBus") == [.bool(true)]
  }
}

/// A program on the bus that answers calls on a thread of its own, until it is released.
final class TestService: Sendable {
  private let isEnded = Atomic(false)
  private let received = Mutex<[BusMessage]>([])

  /// Returns once the service has its name.
  init(
    _ environment: Environment, name: String, reply: @escaping @Sendable (BusMessage) -> BusReply
  ) throws {
    let isStarted = DetachedThread.start { [self] in
      guard let connection = BusConnection(environment) else { return }
      connection.requestName(name)
      while !isEnded.load(ordering: .relaxed), connection.wait(milliseconds: 100) {
        while connection.handleNext({ answer($0, reply) }) {}
      }
    }
    try #require(isStarted)
    let client = try #require(BusConnection(environment))
    try blockUntil("the service has its name") { client.hasOwner(name) }
  }

  var calls: [BusMessage] { received.withLock { $0 } }

  func end() { isEnded.store(true, ordering: .relaxed) }

  private func answer(_ message: BusConnection.Received, _ reply: (BusMessage) -> BusReply) -> BusReply? {
    guard case .call(let call) = message else { return nil }
    received.withLock { $0.append(call) }
    return reply(call)
  }
}
