import FeedfallApp
import FeedfallSources
import FeedfallSystem
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct SubscriptionsTests {
  /// Checks that `config.toml` stays as it is.
  private func withFile(_ toml: String? = nil, _ body: (Subscriptions, ConfigurationFile) throws -> Void) throws {
    try withConfiguration(toml) { file, _ in
      let sources = RunningSources([], configured: [], options: SourceOptions())
      try body(Subscriptions(file: file, sources: sources), file)
      #expect(try toml.map { try file.text == $0 } ?? !file.exists)
    }
  }

  /// Adds a source as `:subscribe` does, with or without a name.
  private func add(
    _ address: String, _ name: String? = nil, in tab: String = "Tab", isUndo: Bool = false,
    to subscriptions: Subscriptions
  ) -> SubscriptionRequest.Outcome {
    var request = SubscriptionRequest(.add, name: isUndo ? name ?? tab : tab, address: address)
    (request.typedName, request.isUndo) = (isUndo ? nil : name, isUndo)
    return subscriptions.change(request, until: .now).outcome
  }

  private func remove(
    _ address: String, _ name: String, isUndo: Bool = false, isNameConfigured: Bool = false,
    from subscriptions: Subscriptions
  ) -> SubscriptionRequest.Outcome {
    var request = SubscriptionRequest(.remove, name: name, address: address)
    (request.isUndo, request.isNameConfigured) = (isUndo, isNameConfigured)
    return subscriptions.change(request, until: .now).outcome
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
      #expect(reason.contains("password-command") && !reason.contains("secret") && !file.own.exists)
    }
  }

  @Test func `the outcome has the name that was written`() throws {
    try withFile { subscriptions, file in
      let two = Subscription(name: "Two", address: "/two.json")
      #expect(add("/two.json", "Two", to: subscriptions) == .added(two))
      let second = Subscription(name: "Two 2", address: "/home/anna/two.json")
      #expect(add("~/two.json", "Two", to: subscriptions) == .added(second))
      #expect(add("/home/anna/two.json", "Two", to: subscriptions) == .alreadyConfigured(name: "Two 2"))
      #expect(remove("/home/anna/two.json", "Two", from: subscriptions) == .removed(name: "Two 2"))
      #expect(remove("~/two.json", "Two", from: subscriptions) == .notConfigured)
      #expect(file.names == ["Two"])
    }
  }

  private func change(
    _ change: SubscriptionRequest.Change, _ name: String, _ address: String, in subscriptions: Subscriptions
  ) -> SubscriptionRequest.Outcome {
    subscriptions.change(SubscriptionRequest(change, name: name, address: address), until: .now).outcome
  }

  @Test func `tags are written into own.toml, and the other keys stay`() throws {
    try withFile(Self.text) { subscriptions, file in
      let before = change(.tag(["news", "a \"b\""]), "One", "~/one.json", in: subscriptions)
      guard case .changed(let before, let after) = before else {
        Issue.record("not changed: \(before)")
        return
      }
      #expect(before.tags.isEmpty && after.tags == ["news", "a \"b\""] && after.query == before.query)
      #expect(file.names == ["One", "Two"])
      let sources = UserConfiguration(file: file).sources
      #expect(sources[0].tags == ["news", "a \"b\""] && !sources[0].query.filter.isEmpty)
      #expect(change(.tag([]), "One", "~/one.json", in: subscriptions) == .changed(before: after, after: before))
      #expect(UserConfiguration(file: file).sources[0].tags.isEmpty)
    }
  }

  @Test func `a renamed source of config.toml is hidden, and undo shows it again`() throws {
    try withFile(Self.text) { subscriptions, file in
      guard case .changed(_, let after) = change(.rename("First"), "One", "~/one.json", in: subscriptions) else {
        Issue.record("not renamed")
        return
      }
      #expect(after.name == "First" && file.names == ["Two", "First"])
      #expect(!UserConfiguration(file: file).sources[1].query.filter.isEmpty)
      _ = change(.rename("Other"), "First", "~/one.json", in: subscriptions)
      #expect(file.names == ["Two", "Other"])
      _ = change(.rename("One"), "Other", "~/one.json", in: subscriptions)
      #expect(file.names == ["One", "Two"])
    }
  }

  @Test func `a name that is in use and a source that is not configured are refused`() throws {
    try withFile(Self.text) { subscriptions, file in
      let refused = change(.rename("Two"), "One", "~/one.json", in: subscriptions)
      #expect(refused == .nameInUse)
      #expect(change(.tag(["a"]), "Three", "~/one.json", in: subscriptions) == .notConfigured)
      #expect(change(.tag(["a"]), "One", "~/other.json", in: subscriptions) == .notConfigured)
      #expect(!file.own.exists)
    }
  }

  @Test(arguments: [false, true])
  func `a source of config.toml is hidden, and comes back with subscribe or undo`(isUndo: Bool) throws {
    try withFile(Self.text) { subscriptions, file in
      #expect(remove("/home/anna/one.json", "Tab", from: subscriptions) == .removed(name: "One", isHidden: true))
      #expect(file.names == ["Two"])
      guard case .added(let added) = add("~/one.json", isUndo ? "One" : nil, isUndo: isUndo, to: subscriptions)
      else {
        Issue.record("not added")
        return
      }
      #expect(added.name == "One" && added.address == "/home/anna/one.json" && !added.query.filter.isEmpty)
      #expect(file.names == ["One", "Two"])
      #expect(
        remove("~/one.json", "One", isUndo: true, from: subscriptions) == .removed(name: "One", isHidden: true))
      #expect(file.names == ["Two"])
    }
  }

  @Test func `a hidden source comes back in a later session`() throws {
    try withFile(Self.text) { subscriptions, file in
      _ = remove("~/one.json", "One", from: subscriptions)
      let later = Subscriptions(
        file: file, sources: RunningSources([], configured: [], options: SourceOptions()))
      #expect(remove("~/one.json", "One", from: later) == .notConfigured)
      guard case .added(let added) = add("~/one.json", in: "one.json", to: later) else {
        Issue.record("not added")
        return
      }
      #expect(added.name == "One" && file.names == ["One", "Two"])
    }
  }

  @Test func `an entry hides no other source that takes the name or the address`() throws {
    try withConfiguration(Self.text) { file, _ in
      let subscriptions = Subscriptions(
        file: file, sources: RunningSources([], configured: [], options: SourceOptions()))
      _ = remove("~/one.json", "One", from: subscriptions)
      try file.write(Self.text.replacing("one.json", with: "other.json"))
      #expect(file.names == ["One", "Two"])
      try file.write(Self.text.replacing("\"One\"", with: "\"Mine\""))
      #expect(file.names == ["Mine", "Two"])
      try file.write("")
      #expect(file.names == [] && UserConfiguration(file: file).ownFaults == nil)
    }
  }

  @Test func `a hidden source is copied with its keys under a typed name, and undo reverts both`() throws {
    let address = "https://one.example/"
    let text = Self.text.replacing("~/one.json", with: address)
      .replacing("where = ", with: "user = \"anna\" # mine\npassword-command = \"pass\"\nwhere = ")
    try withFile(text) { subscriptions, file in
      #expect(remove(address, "One", from: subscriptions) == .removed(name: "One", isHidden: true))
      _ = add(address, "Best", in: "One", to: subscriptions)
      #expect(file.names == ["Two", "Best"])
      let copy = try file.own.read().sources.first
      #expect(copy?.passwordCommand == "pass")
      #expect(remove(address, "Best", isUndo: true, from: subscriptions) == .removed(name: "Best"))
      _ = add(address, "One", isUndo: true, to: subscriptions)
      #expect(file.names == ["One", "Two"])
    }
  }

  @Test func `undo restores a source of own.toml with its keys and its place`() throws {
    try withFile { subscriptions, file in
      let text = Self.text.replacing("~/", with: "/home/anna/").replacing("two.example", with: "https://two.example")
      try file.own.write(text)
      let old = try file.own.read()
      #expect(remove("~/one.json", "One", from: subscriptions) == .removed(name: "One"))
      #expect(file.names == ["Two"])
      _ = add("~/one.json", "One", isUndo: true, to: subscriptions)
      #expect(try file.own.read() == old)
    }
  }

  @Test func `an undo that finds nothing to restore adds nothing`() throws {
    try withFile(Self.text) { subscriptions, file in
      #expect(add("/three.json", "Three", isUndo: true, to: subscriptions) == .notConfigured)
      #expect(!file.own.exists)
    }
  }

  @Test func `a tab unsubscribes its source under the name with which it was restored`() throws {
    try withFile(Self.text) { subscriptions, _ in
      _ = remove("~/one.json", "One", isNameConfigured: true, from: subscriptions)
      _ = add("~/one.json", "Best", in: "One", to: subscriptions)
      let outcome = remove("~/one.json", "One", isNameConfigured: true, from: subscriptions)
      #expect(outcome == .removed(name: "Best"))
    }
  }

  private static let both = text.replacing("two.example", with: "~/one.json")

  @Test func `a tab removes and restores only its own source of two with one address`() throws {
    try withFile(Self.both) { subscriptions, file in
      _ = remove("~/one.json", "One", isNameConfigured: true, from: subscriptions)
      #expect(remove("~/one.json", "One", isNameConfigured: true, from: subscriptions) == .notConfigured)
      #expect(
        remove("~/one.json", "Two", isNameConfigured: true, from: subscriptions)
          == .removed(name: "Two", isHidden: true))
      guard case .added(let added) = add("~/one.json", in: "One", to: subscriptions) else {
        Issue.record("not added")
        return
      }
      #expect(added.name == "One" && !added.query.filter.isEmpty && file.names == ["One"])
    }
  }

  @Test func `of two sources with one address, undo restores both`() throws {
    try withFile(Self.both) { subscriptions, file in
      guard case .failed(let reason) = remove("~/one.json", "Three", from: subscriptions) else {
        Issue.record("one of two was removed")
        return
      }
      #expect(reason.hasSuffix("2 sources have this address. Open one of them by its name."))
      #expect(remove("~/one.json", "Two", from: subscriptions) == .removed(name: "Two", isHidden: true))
      #expect(remove("~/one.json", "Two", from: subscriptions) == .removed(name: "One", isHidden: true))
      _ = add("~/one.json", "One", isUndo: true, to: subscriptions)
      _ = add("~/one.json", "Two", isUndo: true, to: subscriptions)
      #expect(file.names == ["One", "Two"])
    }
  }

  @Test func `a removed source that replaced one of config.toml does not reveal it`() throws {
    try withFile(Self.text) { subscriptions, file in
      try file.own.write("[[source]]\nname = \"Two\"\naddress = \"other.example\"\n")
      #expect(remove("other.example", "Two", from: subscriptions) == .removed(name: "Two"))
      #expect(file.names == ["One"])
      _ = add("other.example", "Two", isUndo: true, to: subscriptions)
      #expect(UserConfiguration(file: file).sources.map(\.argument).contains("https://other.example"))
    }
  }

  @Test(arguments: ["https://other.example", "https://two.example"])
  func `undo restores a source of own.toml that replaces one of config.toml`(address: String) throws {
    try withFile(Self.text.replacing("two.example", with: "https://two.example")) { subscriptions, file in
      try file.own.write("[[source]]\nname = \"Two\"\naddress = \"\(address)\"\nwhere = \">2h\"\n")
      let old = try file.own.read()
      #expect(remove(address, "Two", from: subscriptions) == .removed(name: "Two"))
      #expect(file.names == ["One"])
      _ = add(address, "Two", isUndo: true, to: subscriptions)
      #expect(try file.own.read() == old)
    }
  }

  @Test func `a source of an unreadable config.toml is neither shadowed nor said to be unknown`() throws {
    try withConfiguration(nil) { file, _ in
      try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: true)
      let subscriptions = Subscriptions(
        file: file, sources: RunningSources([], configured: [], options: SourceOptions()))
      for outcome in [add("/one.json", to: subscriptions), remove("/one.json", "One", from: subscriptions)] {
        guard case .failed(let reason) = outcome else {
          Issue.record("\(outcome)")
          continue
        }
        #expect(reason.hasSuffix("not all sources are known (config.toml: it is not a file). Put a file in its place."))
      }
      #expect(!file.own.exists)
    }
  }

  @Test func `the report names the copy of a damaged file`() throws {
    try withFile { subscriptions, file in
      try file.own.write("[[source]")
      let report = subscriptions.change(
        SubscriptionRequest(.add, name: "Three", address: "/three.json"), until: .now)
      #expect(report.damagedCopy == file.own.path + ".damaged")
    }
  }

  @Test func `a change waits for a lock until its deadline, and never after it`() throws {
    try withFile(Self.text) { subscriptions, file in
      let lock = try Files.lock(file.own.path)
      let request = SubscriptionRequest(.add, name: "Three", address: "/three.json")
      for _ in 0..<1_000 {
        guard case .failed(let reason) = subscriptions.change(request, until: .now).outcome else {
          Issue.record("the file was changed while it was locked")
          break
        }
        #expect(reason.hasSuffix("another program is changing it. Try again."))
      }
      let unlocking = Thread { Files.unlock(lock) }
      unlocking.start()
      let three = Subscription(name: "Three", address: "/three.json")
      #expect(subscriptions.change(request, until: .now + .seconds(3_600)).outcome == .added(three))
    }
  }
}
