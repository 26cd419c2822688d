import FeedfallFeeds
import FeedfallPlaying
import FeedfallScreen
import FeedfallText
import FeedfallUserData
import TestSupport
import Testing

@testable import FeedfallCore

/// A fault of a kind that users of such programs report, as a check that the program does not have it.
struct Case: Sendable, CustomTestStringConvertible {
  let name: String
  let check: @Sendable () async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable () async throws -> Void) {
    (self.name, self.check) = (name, check)
  }

  var testDescription: String { name }
}

/// All cases by name. Their helpers are in `…Cases.swift`.
@Suite(.hangLimit) struct CaseTable {
  @Test(arguments: walks) func `walks from an address to videos end`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: keys) func `keys and pastes`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: terminals) func `unusual terminals`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: screens) func `what stays on the screen`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: attacks) func `attacks and surroundings`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: configurations) func `configuration files`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: downloads) func `downloads, queue and marks`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: hours) func `a first hour`(_ row: Case) async throws { try await row.check() }

  static let walks: [Case] = []

  static let keys: [Case] = []

  static let terminals: [Case] = []

  static let screens: [Case] = []

  static let attacks: [Case] = []

  static let configurations: [Case] = []

  static let downloads: [Case] = []

  static let hours: [Case] = [
    Case("held down, q stops at the question and not in the shell after the film") {
      var hour = try Hour().typing("<Enter> f")
      for _ in 0..<3 { try hour.type("q") }
      #expect(!hour.hasQuit && !hour.state.playback.screen.isActive)
      try hour.type("q")
      #expect(!hour.hasQuit && hour.shows("Press q again to quit."))
    },
    Case("a question that another key has answered is asked again") {
      let hour = try Hour().typing(" <Enter>qjqlq")
      #expect(!hour.hasQuit && hour.shows("A video is playing."))
    },
    Case("a film that fails after its address was looked up leads back to the cards") {
      var hour = try Hour(unresolved: [0]).typing(" ")
      for case .requestDetails(_, _, let ticket) in hour.effects { hour.handle(.detailsArrived(ticket, Hour.film(0))) }
      hour.report(.ended(.failed(.http(status: 403))))
      #expect(try hour.shows("403") && hour.typing("q").state.details == nil)
    },
    Case("play next holds although the list is shuffled") {
      var hour = try Hour().typing(" SN<Enter>GA")
      hour.playToEnd()
      #expect(hour.played == ["Film 0", "Film 5"])
    },
    Case("play next twice plays the film once") {
      var hour = try Hour().typing(" <Enter>lAhlA")
      for _ in 0..<3 { hour.playToEnd() }
      #expect(hour.played == ["Film 0", "Film 1"])
    },
    Case("the playing film can be put first in the queue without being played again") {
      var hour = try Hour().typing(" <Enter>A")
      hour.playToEnd()
      #expect(hour.played == ["Film 0"])
    },
    Case("a speed that was changed while paused holds for the next film, and is shown") {
      var hour = try Hour().typing(" ")
      hour.report(.ready, .length(.stated(100)), .time(seconds: 5))
      try hour.type(",]],n")
      hour.report(.ready)
      #expect(hour.settings.rate == 1.5 && hour.shows("1.5x"))
      #expect(try hour.typing("<Enter>").shows("1.5x"))
    },
    Case("volume keys during a wait for the next address are no silent loss") {
      var hour = try Hour(unresolved: [1]).typing(" N")
      hour.playToEnd()
      #expect(try hour.typing("<Enter>,").shows("Loading more videos…") && hour.played == ["Film 0"])
    },
    Case("an error of a film is gone once another one plays") {
      var hour = try Hour().typing(" ")
      hour.report(.ended(.failed(.unrecognizedFormat)))
      try hour.type("<Enter>l ")
      hour.report(.ready, .time(seconds: 1))
      #expect(!hour.shows("Could not play") && hour.played == ["Film 0", "Film 1"])
    },
    Case("a key that is pasted does not control the film") {
      var hour = try Hour().typing(" <Enter>")
      hour.report(.ready, .length(.stated(100)), .time(seconds: 50))
      let count = hour.effects.count
      hour.handle(.input(.paste("q,<>-=")))
      #expect(!hour.effects.dropFirst(count).contains { if case .player = $0 { true } else { false } })
      #expect(!hour.hasQuit)
    },
    Case("offline, the hints stay beside the sign in a window of 80 columns") {
      var hour = try Hour(width: 80, height: 24, isCatalogue: true)
      hour.failCovers(Hour.offline)
      hour.now += 300_000
      try hour.type("jk")
      #expect(hour.shows("· offline for 5 min") && hour.shows(": open") && hour.shows("q quit  ? help"))
      #expect(!hour.shows("⚠"))
    },
    Case("a server that answers with an error is not called offline") {
      var hour = try Hour().typing("r")
      try hour.fail(FeedFailure(.temporary, "the server answered 503"))
      hour.failCovers(FeedFailure(.permanent, "the server answered 404"))
      #expect(!hour.shows("offline") && hour.shows("503"))
    },
    Case("the network that comes back takes the sign away") {
      var hour = try Hour().typing("r")
      try hour.fail(Hour.offline)
      #expect(hour.shows("· offline"))
      try hour.type("r")
      try hour.answer(FeedPage(videos: [Hour.film(1)]))
      #expect(!hour.shows("offline"))
    },
    Case("a clock that is set back by a year neither traps the user nor counts below zero") {
      var hour = try Hour().typing("r")
      try hour.fail(Hour.offline)
      try hour.type("<Enter>q")
      hour.now -= 31_536_000_000
      try hour.type("jq")
      #expect(hour.shows("· offline ·") || hour.shows("· offline  "))
      #expect(try hour.typing("q").hasQuit)
    },
    Case("a queue of one that plays next is empty after it, and the question names downloads in the plural") {
      var hour = try Hour().typing(" <Enter>lA")
      for _ in 0..<2 { hour.playToEnd() }
      #expect(hour.state.library.store.userData.queuedKeys.isEmpty)
      for number in 0..<2 { hour.handle(.downloadChanged(VideoKey(Hour.film(number)), .waiting)) }
      #expect(try hour.typing("q").shows("2 downloads are running, which continue at the next start."))
    },
    Case("the first screen says how to open something of one's own, and s how to find it") {
      #expect(try await render("").contains(": open  q quit  ? help"))
      let found = try await render("s")
      #expect(found.contains("has no search") && found.contains("Command: find"))
    },
  ]
}
