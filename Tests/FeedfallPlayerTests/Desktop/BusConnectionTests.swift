import FeedfallSystem
import TestSupport
import Testing

@testable import FeedfallPlayer

@Suite(.hangLimit) struct BusConnectionTests {
  @Test func `the address is the variable's, or else the socket in the runtime folder`() {
    func address(_ variables: [String: String]) -> String? { BusConnection.address(in: Environment(variables)) }
    #expect(address([:]) == nil)
    #expect(address(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a"]) == "unix:path=/a")
    #expect(address(["XDG_RUNTIME_DIR": "/run/user/1 ,é"]) == "unix:path=/run/user/1%20%2C%C3%A9/bus")
    #expect(address(["XDG_RUNTIME_DIR": "relative"]) == nil)
    #expect(address(["DBUS_SESSION_BUS_ADDRESS": "autolaunch:", "XDG_RUNTIME_DIR": "/run"]) == nil)
  }

  @Test(arguments: ["unix:path=/no/such/socket", "nonsense", "unix:", ";;;"])
  func `without a bus there is no connection`(address: String) {
    #expect(BusConnection(Environment(["DBUS_SESSION_BUS_ADDRESS": address])) == nil)
  }

  @Test(.withBus) func `values arrive as they were sent`() async throws {
    try await withBus { _, environment in
      let service = try TestService(environment, name: "org.feedfall.Test") { .values($0.arguments) }
      defer { service.end() }
      let client = try #require(BusConnection(environment))
      let values: [BusValue] = [
        .bool(true), .int32(-7), .uint32(7), .int64(-1 << 40), .double(0.1), .path("/a/b"), .strings(["x", "é"]),
        .variant(.string("🎬")),
      ]
      let call = BusMessage(path: "/a", interface: "org.feedfall.Test", member: "Echo", arguments: values)
      #expect(client.call(call, of: "org.feedfall.Test") == values)
      #expect(service.calls == [call])
    }
  }

  @Test(.withBus) func `further arguments, long lists and unknown types are cut off`() async throws {
    try await withBus { _, environment in
      let service = try TestService(environment, name: "org.feedfall.Test") { _ in .values([]) }
      defer { service.end() }
      let client = try #require(BusConnection(environment))
      let arguments: [BusValue] =
        [.properties([]), .strings(Array(repeating: "", count: 5_000)), .strings([])]
        + Array(repeating: .bool(false), count: 100)
      let call = BusMessage(path: "/a", interface: "org.feedfall.Test", member: "Many", arguments: arguments)
      #expect(client.call(call, of: "org.feedfall.Test") == [])
      let received = try #require(service.calls.first?.arguments)
      #expect(received.count == 8)
      #expect(received[1] == .strings(Array(repeating: "", count: 100)))
      #expect(received[2] == .strings([]))
    }
  }

  @Test(.withBus) func `a failed call has no values`() async throws {
    try await withBus { _, environment in
      let service = try TestService(environment, name: "org.feedfall.Test") { _ in
        .failure(.notSupported, "not today")
      }
      defer { service.end() }
      let client = try #require(BusConnection(environment))
      let call = BusMessage(path: "/a", interface: "org.feedfall.Test", member: "Fail")
      #expect(client.call(call, of: "org.feedfall.Test") == nil)
      #expect(client.call(call, of: "org.feedfall.Missing") == nil)
    }
  }

  @Test(.withBus) func `a connection ends with its bus`() async throws {
    try await withBus { bus, environment in
      let client = try #require(BusConnection(environment))
      #expect(!client.hasOwner("org.feedfall.Missing"))
      bus.stop()
      while client.wait() {}
      #expect(!client.wait())
      #expect(!client.hasOwner("org.freedesktop.DBus"))
    }
  }
}
