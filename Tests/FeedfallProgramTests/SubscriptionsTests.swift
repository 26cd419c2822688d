import FeedfallConfiguration
import FeedfallCore
import FeedfallSources
import FeedfallSystem
import Foundation
import TestSupport
import Testing

@testable import feedfall

@Suite(.hangLimit) struct SubscriptionsTests {
  private func withFile(_ body: (Subscriptions, ConfigurationFile) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try #require(ConfigurationFile(Environment(["XDG_CONFIG_HOME": folder.path, "HOME": "/home/anna"])))
    let sources = RunningSources([], configured: [], options: SourceOptions())
    try body(Subscriptions(file: file, sources: sources), file)
  }

  @Test func `an address with a login is not stored`() throws {
    try withFile { subscriptions, file in
      guard case .failed(let reason) = subscriptions.add("One", "https://anna:secret@feeds.example/") else {
        Issue.record("the address was stored")
        return
      }
      #expect(reason.contains("password-command") && !reason.contains("secret"))
      let names = try file.read().sources.map(\.name)
      #expect(names == [])
    }
  }

  @Test func `the outcome has the name that was written`() throws {
    try withFile { subscriptions, file in
      #expect(
        subscriptions.add("Two", "/two.json") == .added(Subscription(name: "Two", address: "/two.json")))
      #expect(
        subscriptions.add("Two", "~/two.json")
          == .added(Subscription(name: "Two 2", address: "/home/anna/two.json")))
      #expect(subscriptions.add("Two", "/home/anna/two.json") == .alreadyConfigured)
      #expect(subscriptions.remove("Two", "/home/anna/two.json") == .removed(name: "Two 2"))
      #expect(subscriptions.remove("Two", "/home/anna/two.json") == .notConfigured)
      let names = try file.read().sources.map(\.name)
      #expect(names == ["Two"])
    }
  }
}
