import FeedfallSystem
import Foundation
import TestSupport
import Testing

@testable import FeedfallPlayer

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

  /// Runs `feedfall check --notify` for a feed with these titles; returns its messages.
  private static func check(_ titles: [String], _ folder: String, _ bus: TestBus) throws -> String {
    let videos = titles.map { #"{"id": "\#($0)", "title": "\#($0)", "url": "https://v.example/\#($0).mp4"}"# }
    try Data("[\(videos.joined(separator: ","))]".utf8).write(to: URL(fileURLWithPath: folder + "/feed.json"))
    let (process, errors) = (Process(), folder + "/errors")
    process.executableURL = URL(fileURLWithPath: builtProgram("feedfall"))
    process.arguments = ["check", "--notify", folder + "/feed.json"]
    process.environment = [
      "DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_STATE_HOME": folder + "/state", "XDG_CACHE_HOME": folder + "/cache",
      "XDG_CONFIG_HOME": folder + "/config",
    ]
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    try blockUntil("the check has ended") { !isRunning(process.processIdentifier) }
    return String(decoding: try fileBytes(of: errors), as: UTF8.self)
  }

  @Test(.withBus) func `feedfall check --notify shows new videos, and reports a desktop that does not answer`()
    async throws
  {
    try await withFolder { folder in
      try await onThread {
        let bus = try TestBus(in: folder)
        let desktop = try Self.desktop(Environment(["DBUS_SESSION_BUS_ADDRESS": bus.address]), capabilities: ["body"])
        defer { desktop.end() }
        #expect(try Self.check(["A"], folder, bus) == "" && desktop.calls.isEmpty)
        #expect(try Self.check(["A", "B"], folder, bus) == "")
        #expect(try Self.check(["A", "B"], folder, bus) == "")
        #expect(try Self.check(["A", "B", "C", "D"], folder, bus) == "")
        let shown = desktop.calls.filter { $0.member == "Notify" }.map { Array($0.arguments[3...4]) }
        #expect(
          shown == [
            [.string("1 new video"), .string("feed.json: B")], [.string("2 new videos"), .string("feed.json: 2 new")],
          ])
        bus.stop()
        let failure = try Self.check(["A", "B", "C", "D", "E"], folder, bus)
        #expect(
          failure.hasPrefix("feedfall: Could not show a notification: no desktop session answers.")
            && failure.count { $0 == "\n" } == 1)
      }
    }
  }
}
