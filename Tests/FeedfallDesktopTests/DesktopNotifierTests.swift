import FeedfallSystem
import TestSupport
import Testing

@testable import FeedfallDesktop

@Suite(.hangLimit) struct DesktopNotifierTests {
  private static let name = "org.freedesktop.Notifications"

  private static func desktop(_ environment: Environment, capabilities: [String]) throws -> TestService {
    try TestService(environment, name: name) { call in
      switch call.member {
      case "GetCapabilities": .values([.strings(capabilities)])
      case "Notify": .values([.uint32(1)])
      default: .failure(.unknownMethod, "there is no such method")
      }
    }
  }

  @Test func `without a bus there is no notification`() {
    #expect(!DesktopNotifier.notify(title: "News", body: "3 new videos", in: Environment([:])))
  }

  @Test(.withBus, arguments: [([], "<b>1 & 2</b>"), (["body", "body-markup"], "&lt;b&gt;1 &amp; 2&lt;/b&gt;")])
  func `a notification shows its text as it is`(capabilities: [String], shown: String) async throws {
    try await withBus { _, environment in
      let desktop = try Self.desktop(environment, capabilities: capabilities)
      defer { desktop.end() }
      #expect(DesktopNotifier.notify(title: "News", body: "<b>1 & 2</b>", in: environment))
      let arguments = try #require(desktop.calls.last { $0.member == "Notify" }?.arguments)
      try #require(arguments.count == 8)
      #expect(arguments[0] == .string("feedfall"))
      #expect(arguments[3] == .string("News"))
      #expect(arguments[4] == .string(shown))
      #expect(arguments[7] == .int32(-1))
    }
  }

  @Test(.withBus) func `long texts are cut off`() async throws {
    try await withBus { _, environment in
      let desktop = try Self.desktop(environment, capabilities: [])
      defer { desktop.end() }
      let long = String(repeating: "é", count: 100_000)
      #expect(DesktopNotifier.notify(title: long, body: long, in: environment))
      let arguments = try #require(desktop.calls.last { $0.member == "Notify" }?.arguments)
      #expect(arguments[3] == .string(String(repeating: "é", count: 200)))
      #expect(arguments[4] == .string(String(repeating: "é", count: 2_000)))
    }
  }

  @Test(.withBus) func `a desktop without notifications is no success`() async throws {
    try await withBus { _, environment in
      #expect(!DesktopNotifier.notify(title: "News", body: "", in: environment))
    }
  }
}
