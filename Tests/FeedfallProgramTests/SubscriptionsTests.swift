import FeedfallApp
import FeedfallSources
import FeedfallSystem
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct SubscriptionsTests {
  private func withFile(_ body: (Subscriptions, ConfigurationFile) throws -> Void) throws {
    try withConfiguration(nil) { file, _ in
      let sources = RunningSources([], configured: [], options: SourceOptions())
      try body(Subscriptions(file: file, sources: sources), file)
    }
  }

  /// Adds a source as `:subscribe` does, with or without a name.
  private func add(
    _ address: String, _ name: String? = nil, in tab: String = "Tab", isUndo: Bool = false,
    to subscriptions: Subscriptions
  ) -> SubscriptionRequest.Outcome {
    var request = SubscriptionRequest(.add, name: isUndo ? name ?? tab : tab, address: address)
    (request.typedName, request.isUndo) = (isUndo ? nil : name, isUndo)
    return subscriptions.change(request, until: .now)
  }

  private func remove(
    _ address: String, _ name: String, isUndo: Bool = false, isNameConfigured: Bool = false,
    from subscriptions: Subscriptions
  ) -> SubscriptionRequest.Outcome {
    var request = SubscriptionRequest(.remove, name: name, address: address)
    (request.isUndo, request.isNameConfigured) = (isUndo, isNameConfigured)
    return subscriptions.change(request, until: .now)
  }

  private func text(_ file: ConfigurationFile) throws -> String {
    try String(contentsOfFile: file.path, encoding: .utf8)
  }

  private static let text = """
    # all

    [[source]] # the first
    name = "One"
    address = "~/one.json" # best
    where = ">1h"

    [[source]]
    name = "Two"
    address = "two.example"

    """

  @Test func `an address with a login is not stored`() throws {
    try withFile { subscriptions, file in
      guard case .failed(let reason) = add("https://anna:secret@feeds.example/", to: subscriptions) else {
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
      let two = Subscription(name: "Two", address: "/two.json")
      #expect(add("/two.json", "Two", to: subscriptions) == .added(two))
      let second = Subscription(name: "Two 2", address: "/home/anna/two.json")
      #expect(add("~/two.json", "Two", to: subscriptions) == .added(second))
      #expect(add("/home/anna/two.json", "Two", to: subscriptions) == .alreadyConfigured)
      #expect(remove("/home/anna/two.json", "Two", from: subscriptions) == .removed(name: "Two 2"))
      #expect(remove("~/two.json", "Two", from: subscriptions) == .notConfigured)
      let names = try file.read().sources.map(\.name)
      #expect(names == ["Two"])
    }
  }

  @Test(arguments: [false, true])
  func `subscribing again, or undo, restores the keys, the comments and the place of a source`(isUndo: Bool) throws {
    try withFile { subscriptions, file in
      try file.write(Self.text)
      #expect(remove("/home/anna/one.json", "Tab", from: subscriptions) == .removed(name: "One"))
      #expect(try text(file) == "# all\n\n[[source]]\nname = \"Two\"\naddress = \"two.example\"\n")
      guard case .added(let added) = add("~/one.json", isUndo ? "One" : nil, isUndo: isUndo, to: subscriptions)
      else {
        Issue.record("not added")
        return
      }
      #expect(added.name == "One" && added.address == "/home/anna/one.json" && !added.query.filter.isEmpty)
      #expect(try text(file) == Self.text)
      #expect(remove("~/one.json", "One", isUndo: true, from: subscriptions) == .removed(name: "One"))
    }
  }

  @Test func `a source is restored under the name that the user types`() throws {
    try withFile { subscriptions, file in
      try file.write(Self.text)
      _ = remove("~/one.json", "One", from: subscriptions)
      _ = add("~/one.json", "Best", to: subscriptions)
      #expect(try text(file) == Self.text.replacing("\"One\"", with: "\"Best\""))
    }
  }

  @Test func `a source that the user has added again by hand is not restored`() throws {
    try withFile { subscriptions, file in
      try file.write(Self.text)
      _ = remove("~/one.json", "One", from: subscriptions)
      let edited = "[[source]]\nname = \"Mine\"\naddress = \"/home/anna/one.json\"\n"
      try file.write(edited)
      #expect(add("~/one.json", "One", isUndo: true, to: subscriptions) == .alreadyConfigured)
      #expect(try text(file) == edited)
    }
  }

  @Test func `undo of a restoration under another name, and of the removal before it, restores the text`() throws {
    try withFile { subscriptions, file in
      let address = "https://one.example/"
      let text = Self.text.replacing("~/one.json", with: address)
        .replacing("where = ", with: "user = \"anna\" # mine\npassword-command = \"pass\"\nwhere = ")
      try file.write(text)
      #expect(remove(address, "One", from: subscriptions) == .removed(name: "One"))
      _ = add(address, "Best", in: "One", to: subscriptions)
      #expect(remove(address, "Best", isUndo: true, from: subscriptions) == .removed(name: "Best"))
      _ = add(address, "One", isUndo: true, to: subscriptions)
      #expect(try self.text(file) == text)
    }
  }

  @Test func `an undo that finds nothing to restore adds nothing`() throws {
    try withFile { subscriptions, file in
      try file.write(Self.text)
      #expect(add("/three.json", "Three", isUndo: true, to: subscriptions) == .notConfigured)
      #expect(try text(file) == Self.text)
    }
  }

  @Test func `a tab unsubscribes its source under the name with which it was restored`() throws {
    try withFile { subscriptions, file in
      try file.write(Self.text)
      _ = remove("~/one.json", "One", isNameConfigured: true, from: subscriptions)
      _ = add("~/one.json", "Best", in: "One", to: subscriptions)
      let outcome = remove("~/one.json", "One", isNameConfigured: true, from: subscriptions)
      #expect(outcome == .removed(name: "Best"))
    }
  }

  @Test func `a tab removes and restores only its own source of two with one address`() throws {
    try withFile { subscriptions, file in
      let both = Self.text.replacing("two.example", with: "~/one.json")
      try file.write(both)
      _ = remove("~/one.json", "One", isNameConfigured: true, from: subscriptions)
      #expect(remove("~/one.json", "One", isNameConfigured: true, from: subscriptions) == .notConfigured)
      #expect(remove("~/one.json", "Two", isNameConfigured: true, from: subscriptions) == .removed(name: "Two"))
      guard case .added(let added) = add("~/one.json", in: "One", to: subscriptions) else {
        Issue.record("not added")
        return
      }
      #expect(added.name == "One" && !added.query.filter.isEmpty)
      #expect(try file.read().sources.map(\.name) == ["One"])
    }
  }

  @Test func `of two sources with one address, undo restores both`() throws {
    try withFile { subscriptions, file in
      let both = Self.text.replacing("two.example", with: "~/one.json")
      try file.write(both)
      #expect(remove("~/one.json", "Two", from: subscriptions) == .removed(name: "Two"))
      #expect(remove("~/one.json", "Two", from: subscriptions) == .removed(name: "One"))
      _ = add("~/one.json", "One", isUndo: true, to: subscriptions)
      _ = add("~/one.json", "Two", isUndo: true, to: subscriptions)
      #expect(try text(file) == both)
    }
  }

  @Test func `undo of an addition does not remove what the user has added to the table since`() throws {
    try withFile { subscriptions, file in
      _ = add("/two.json", "Two", to: subscriptions)
      let edited = try text(file) + "where = \"new\"\n"
      try file.write(edited)
      guard case .failedForGood(let reason) = remove("/two.json", "Two", isUndo: true, from: subscriptions) else {
        Issue.record("the table was removed")
        return
      }
      #expect(
        reason.hasSuffix("the table of \"Two\" has been edited. Enter :unsubscribe in its tab to remove it anyway."))
      #expect(try text(file) == edited)
      #expect(remove("/two.json", "Two", from: subscriptions) == .removed(name: "Two"))
    }
  }

  @Test func `a change waits for a lock until its deadline, and never after it`() throws {
    try withFile { subscriptions, file in
      try file.write(Self.text)
      let lock = try Files.lock(file.path)
      let request = SubscriptionRequest(.add, name: "Three", address: "/three.json")
      for _ in 0..<1_000 {
        guard case .failed(let reason) = subscriptions.change(request, until: .now) else {
          Issue.record("the file was changed while it was locked")
          break
        }
        #expect(reason.hasSuffix("another program is changing it. Try again."))
      }
      let unlocking = Thread { Files.unlock(lock) }
      unlocking.start()
      let three = Subscription(name: "Three", address: "/three.json")
      #expect(subscriptions.change(request, until: .now + .seconds(3_600)) == .added(three))
    }
  }

  @Test func `undo of an addition removes the table as it was written`() throws {
    try withFile { subscriptions, file in
      try file.write(Self.text)
      _ = add("/two.json", "Three", to: subscriptions)
      #expect(remove("/two.json", "Three", isUndo: true, from: subscriptions) == .removed(name: "Three"))
      #expect(try text(file) == Self.text)
      #expect(remove("/two.json", "Three", isUndo: true, from: subscriptions) == .notConfigured)
    }
  }
}
