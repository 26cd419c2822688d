import FeedfallApp
import FeedfallSystem
import TestSupport
import Testing

@testable import FeedfallPlayer

@Suite(.hangLimit) struct MediaControlsTests {
  private static let interface = MediaPlayer.Interface.player.rawValue

  private static func name(_ instance: String) -> String { "org.mpris.MediaPlayer2.feedfall.\(instance)" }

  private static func method(_ member: String, _ arguments: BusValue...) -> BusMessage {
    BusMessage(path: MediaPlayer.path, interface: interface, member: member, arguments: arguments)
  }

  private static func get(_ property: String) -> BusMessage {
    BusMessage(
      path: MediaPlayer.path, interface: MediaPlayer.propertiesInterface, member: "Get",
      arguments: [.string(interface), .string(property)])
  }

  @Test func `without a bus, publishing has no effect`() throws {
    let controls = MediaControls(Environment([:]), instance: "one")
    controls.publish(try .playing("one"))
    controls.publish(try .playing("two"))
    #expect(controls.dequeueCommand() == nil)
  }

  @Test(.withBus) func `two programs have two names`() async throws {
    try await withBus { _, environment in
      let all = ["one", "two"].map { MediaControls(environment, instance: $0) }
      let client = try #require(BusConnection(environment))
      for controls in all { controls.publish(try .playing("one")) }
      try blockUntil("both are on the bus") { client.hasOwner(Self.name("one")) && client.hasOwner(Self.name("two")) }
      #expect(client.call(Self.method("Stop"), of: Self.name("two")) == [])
      #expect(all[0].dequeueCommand() == nil)
      #expect(all[1].dequeueCommand() == .stop)
    }
  }

  @Test(.withBus) func `a flood of calls fails beyond a limit`() async throws {
    try await withBus { _, environment in
      let controls = MediaControls(environment, instance: "one")
      controls.publish(try .playing("one"))
      let client = try #require(BusConnection(environment))
      try blockUntil("the player is on the bus") { client.hasOwner(Self.name("one")) }
      let answers = (0..<100).map { _ in client.call(Self.method("PlayPause"), of: Self.name("one")) }
      #expect(answers.count { $0 != nil } == 64)
      #expect(client.call(Self.get("Volume"), of: Self.name("one")) == [.variant(.double(1))])
      var count = 0
      while controls.dequeueCommand() != nil { count += 1 }
      #expect(count == 64)
      #expect(client.call(Self.method("Play"), of: Self.name("one")) == [])
    }
  }

  @Test(.withBus) func `a large message ends the connection, and the next video opens another`() async throws {
    try await withBus { _, environment in
      let controls = MediaControls(environment, instance: "one")
      controls.publish(try .playing("one"))
      let client = try #require(BusConnection(environment))
      try blockUntil("the player is on the bus") { client.hasOwner(Self.name("one")) }
      let text = String(repeating: "x", count: 300_000)
      #expect(client.call(Self.method("OpenUri", .string(text)), of: Self.name("one")) == nil)
      try blockUntil("the player has left the bus") { !client.hasOwner(Self.name("one")) }
      try blockUntil("it is back") {
        controls.publish(try .playing("one"))
        controls.publish(try .playing("two"))
        return client.hasOwner(Self.name("one"))
      }
    }
  }

  @Test(.withBus) func `the next video finds a bus that was restarted`() async throws {
    try await withBus { bus, environment in
      let controls = MediaControls(environment, instance: "one")
      controls.publish(try .playing("one"))
      let first = try #require(BusConnection(environment))
      try blockUntil("the player is on the bus") { first.hasOwner(Self.name("one")) }
      bus.stop()
      controls.publish(try .playing("two"))
      try bus.start()
      let second = try #require(BusConnection(environment))
      try blockUntil("it is on the new one") {
        controls.publish(try .playing("one"))
        controls.publish(try .playing("two"))
        return second.hasOwner(Self.name("one"))
      }
    }
  }
}
