import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallRecords

/// Random sessions with any clock, and with servers that refuse changes.
@Suite(.hangLimit) struct MarkSyncPropertyTests: MarkSyncSuite {
  private static let day = 86_400_000
  private static let rightTime = 1_900_000_000_000
  private static let ids = ["1", "2", "3"]
  private static let failure = FeedFailure(.permanent, "not found")

  private struct Place: Hashable {
    var id: String
    var mark: Mark
  }

  /// A server, the log of a device, and a program on it.
  private struct World {
    let test: MarkSyncPropertyTests
    var random: SeededGenerator
    var clocks: [Int]
    var now = MarkSyncPropertyTests.rightTime
    var server: [Place: Bool] = [:]
    var log: [UserEvent] = []
    var data = UserData(device: MarkSyncPropertyTests.device)
    var sync: MarkSync
    /// The last value of each mark, by whomever.
    var expected: [Place: Bool] = [:]
    /// Changes that the server may lack.
    var unsent: Set<Place> = []

    init(_ test: MarkSyncPropertyTests, seed: UInt64, clocks: [Int]) throws {
      (self.test, self.clocks, random) = (test, clocks, SeededGenerator(seed: seed))
      sync = try test.sync()
    }

    mutating func randomPlace() -> Place {
      Place(
        id: MarkSyncPropertyTests.ids.randomElement(using: &random) ?? "1",
        mark: Mark.exchanged.randomElement(using: &random) ?? .watched)
    }

    /// Reads the log as `UserData.read` does: times that are more than a day later count as 0.
    func records() -> UserData {
      var data = UserData(device: MarkSyncPropertyTests.device)
      for var event in log {
        if event.time > now + MarkSyncPropertyTests.day { event.time = 0 }
        data.apply(event)
      }
      return data
    }

    func isSet(_ place: Place, in data: UserData) throws -> Bool {
      let record = try data[test.key(place.id)]
      return place.mark == .watched ? record.watched != nil : record.has(.starred)
    }

    func value(_ mark: Mark, _ isSet: Bool) -> UserValue {
      mark == .watched ? .watched(isSet ? UnixTime(seconds: 9) : nil) : .flag(.starred, isSet)
    }

    /// Changes a mark in this program, or with a command before its next start.
    mutating func change(_ place: Place, byCommand: Bool) throws {
      if byCommand { data = records() }
      let isSet = try !isSet(place, in: data)
      let events = data.change(try test.key(place.id), [value(place.mark, isSet)], at: now)
      log += events
      if byCommand { try restart() } else { sync.handle(events) }
      expected[place] = isSet
      unsent.insert(place)
    }

    mutating func loadPage(_ change: (inout World) -> Void = { _ in }) throws {
      let request = sync.beginRequest()
      let videos = try MarkSyncPropertyTests.ids.map { id in
        try test.marked(Set(Mark.exchanged.filter { server[Place(id: id, mark: $0)] == true }), of: id)
      }
      change(&self)
      let events = sync.merge(videos, of: request, in: data, at: now)
      log += events
      for event in events { data.apply(event) }
    }

    /// Sends one change; returns false if there is none.
    @discardableResult mutating func send(fails: Bool = false) -> Bool {
      guard let change = sync.nextChange() else { return false }
      if fails {
        sync.finish(.failed(FeedFailure(.temporary, "no answer")))
      } else {
        for id in change.ids { server[Place(id: id, mark: change.mark)] = change.isSet }
        sync.finish(.sent)
      }
      return true
    }

    mutating func restart() throws {
      sync = try test.sync(reading: sync.text)
      data = records()
      sync.findUnsent(in: data, at: now)
    }

    mutating func step() throws {
      if random.chance(1, in: 3) {
        now = (clocks.randomElement(using: &random) ?? now) + Int.random(in: 0...1_000_000, using: &random)
      }
      now += Int.random(in: 0...1_000, using: &random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1: try change(randomPlace(), byCommand: random.chance(1, in: 3))
      case 2:
        let place = randomPlace()
        guard !unsent.contains(place) else { return }
        server[place] = server[place] != true
        expected[place] = server[place]
        try loadPage()
      case 3: try loadPage { world in if world.random.chance(1, in: 2) { world.send() } }
      case 4: send(fails: true)
      case 5: try restart()
      default: while send() {}
      }
      if !sync.hasUnsent { unsent = [] }
    }

    mutating func finish() throws {
      now = MarkSyncPropertyTests.rightTime + MarkSyncPropertyTests.day / 2
      for _ in 0..<2 {
        try restart()
        while send() {}
        try loadPage()
      }
      data = records()
    }
  }

  private func run(seed: UInt64, clocks: [Int]) throws -> World {
    var world = try World(self, seed: seed, clocks: clocks)
    world.sync.findUnsent(in: world.data, at: world.now)
    try world.loadPage()
    for _ in 0..<Int.random(in: 1...60, using: &world.random) { try world.step() }
    try world.finish()
    return world
  }

  private var places: [Place] { Self.ids.flatMap { id in Mark.exchanged.map { Place(id: id, mark: $0) } } }

  @Test func `both sides agree in the end, whatever the clock was`() throws {
    let clocks = [0, 5, 1_000_000, Self.rightTime, Self.rightTime + 300 * Self.day, Self.rightTime + 3_650 * Self.day]
    for seed in 0..<300 as Range<UInt64> {
      let world = try run(seed: seed, clocks: clocks)
      for place in places {
        let isSet = try world.isSet(place, in: world.data)
        try #require(isSet == (world.server[place] == true), "seed \(seed), \(place)")
      }
    }
  }

  @Test func `the last change of either side wins, although the clock jumps back and forth by hours`() throws {
    let clocks = (-6...6).map { Self.rightTime + $0 * Self.day / 24 }
    for seed in 0..<300 as Range<UInt64> {
      let world = try run(seed: seed, clocks: clocks)
      for place in places {
        let expected = world.expected[place] == true
        try #require((world.server[place] == true) == expected, "seed \(seed), \(place)")
        try #require(try world.isSet(place, in: world.data) == expected, "seed \(seed), \(place)")
      }
    }
  }

  // MARK: - Files of sessions with another clock

  /// A file whose session had a clock that was ahead, or behind.
  private func shifted(_ text: String, by milliseconds: Int) -> String {
    text.split(separator: "\n").map { line in
      line.split(separator: " ").map { word in
        word.count == 13 || word == "0" && line.hasPrefix("contact")
          ? Int(word).map { "\(max(0, $0 + milliseconds))" } ?? String(word) : String(word)
      }.joined(separator: " ") + "\n"
    }.joined()
  }

  @Test(arguments: [0, 86_400_000, 3_650 * 86_400_000])
  func `a session with a clock that was ahead hides no changes of either side`(lead: Int) throws {
    let now = Self.rightTime
    let text = shifted("contact \(now)\nread 0 \(now) 7\nread 0 \(now) 8\nstarred 0 \(now) 7\n", by: lead)
    var data = UserData(device: Self.device)
    _ = data.change(try key("8"), [.watched(UnixTime(seconds: 1))], at: now + 1_000)
    var sync = try sync(reading: text)
    sync.findUnsent(in: data, at: now + 2_000)
    #expect(sync.nextChange() == MarkChange(.watched, true, ids: ["8"]))
    sync.finish(.sent)
    for event in try sync.merge([marked([.watched])], at: now + 3_000) { data.apply(event) }
    #expect(try data[key()].watched != nil && !sync.hasUnsent)
  }

  // MARK: - Refusals

  /// Sends all changes to a server that refuses those with a faulty video. Returns the number of requests and the IDs.
  private func send(
    _ sync: inout MarkSync, faults: Set<String>, _ restart: (inout MarkSync) throws -> Void
  ) throws -> (count: Int, sent: Set<String>) {
    var (count, sent) = (0, Set<String>())
    while let change = sync.nextChange() {
      count += 1
      let isRefused = !faults.isDisjoint(with: change.ids)
      if !isRefused { sent.formUnion(change.ids) }
      sync.finish(isRefused ? .refused(Self.failure) : .sent)
      try restart(&sync)
    }
    return (count, sent)
  }

  private func changed(_ ids: [String]) throws -> (UserData, MarkSync) {
    var data = UserData(device: Self.device)
    var sync = try sync()
    sync.findUnsent(in: data)
    _ = sync.merge(try ids.map { try marked([], of: $0) }, at: 1_000)
    for id in ids { sync.handle(data.change(try key(id), [.flag(.starred, true)], at: 2_000)) }
    return (data, sync)
  }

  @Test func `one fault among a hundred is found with about seven requests`() throws {
    let ids = (100..<200).map(String.init)
    for fault in ids {
      var sync = try changed(ids).1
      let (count, sent) = try send(&sync, faults: [fault]) { _ in }
      #expect(count <= 10 && sent.count == 99 && !sync.hasUnsent)
    }
  }

  @Test func `all changes but the faulty ones are sent, with few requests, also across restarts`() throws {
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let ids = (0..<Int.random(in: 1...250, using: &random)).map(String.init)
      let faults = Set(ids.filter { _ in random.chance(1, in: 40) })
      var (data, sync) = try changed(ids)
      var restartCount = 0
      let (count, sent) = try send(&sync, faults: faults) { sync in
        guard random.chance(1, in: 8) else { return }
        restartCount += 1
        sync = try restarted(sync, data)
      }
      #expect(sent == Set(ids).subtracting(faults), "seed \(seed)")
      #expect(count <= 10 * (faults.count + restartCount) + 6, "seed \(seed)")
      var next = try restarted(sync, data)
      #expect(!next.hasUnsent)
      guard let fault = faults.first else { continue }
      next.handle(data.change(try key(fault), [.flag(.starred, false)], at: 3_000))
      #expect(!next.hasUnsent, "the server never had it")
    }
  }

  @Test func `a server that accepts nothing gets fewer and fewer requests, also from the next program`() throws {
    let (data, changedSync) = try changed((0..<100).map(String.init))
    var sync = changedSync
    var pauses: [Duration] = []
    for _ in 0..<30 where sync.nextChange() != nil {
      sync.finish(.refused(Self.failure))
      pauses.append(sync.pauseAfterRefusal)
    }
    #expect(pauses.prefix(8).allSatisfy { $0 == .seconds(1) } && pauses.prefix(12).last == .seconds(16))
    #expect(pauses.last == .seconds(1_800) && pauses == pauses.sorted())
    let next = try restarted(sync, data)
    #expect(next.pauseAfterRefusal == pauses.last)
    var answered = next
    _ = answered.nextChange()
    answered.finish(.sent)
    #expect(answered.pauseAfterRefusal == .seconds(1))
  }

  /// A random session with a server that accepts, refuses and fails; returns its records after the server has changed
  /// each mark.
  private func runRefusing(seed: UInt64) throws -> (data: UserData, server: [Place: Bool]) {
    var random = SeededGenerator(seed: seed)
    var (data, server, now) = (UserData(device: Self.device), [Place: Bool](), Self.rightTime)
    func program(reading text: String) throws -> MarkSync {
      var sync = MarkSync(scope: try scope(), device: Self.device, maximumCount: Self.maximumCount)
      sync.read(text)
      sync.findUnsent(in: data)
      return sync
    }
    var sync = try program(reading: "")
    var request = sync.beginRequest()
    func load() throws {
      let videos = try Self.ids.map { id in
        try marked(Set(Mark.exchanged.filter { server[Place(id: id, mark: $0)] == true }), of: id)
      }
      for event in sync.merge(videos, of: request, in: data, at: now) { data.apply(event) }
      request = sync.beginRequest()
    }
    for _ in 0..<Int.random(in: 5...60, using: &random) {
      now += 1_000
      let place = try #require(places.randomElement(using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let record = try data[key(place.id)]
        let value: UserValue =
          place.mark == .watched
          ? .watched(record.watched == nil ? UnixTime(seconds: 9) : nil) : .flag(.starred, !record.has(.starred))
        sync.handle(data.change(try key(place.id), [value], at: now))
      case 2: server[place] = server[place] != true
      case 3: try load()
      case 4:
        guard let change = sync.nextChange() else { break }
        if random.chance(1, in: 3) { try load() }
        let results: [MarkResult] = [.sent, .refused(Self.failure), .failed(Self.failure)]
        let result = try #require(results.randomElement(using: &random))
        if result == .sent { for id in change.ids { server[Place(id: id, mark: change.mark)] = change.isSet } }
        sync.finish(result)
      default:
        sync = try program(reading: sync.text)
        request = sync.beginRequest()
      }
    }
    for _ in 0..<100 where sync.nextChange() != nil { sync.finish(.refused(Self.failure)) }
    let next = try program(reading: sync.text)
    #expect(!sync.hasUnsent && !next.hasUnsent, "seed \(seed)")
    request = sync.beginRequest()
    try load()
    for place in places { server[place] = server[place] != true }
    now += 1_000
    try load()
    return (data, server)
  }

  @Test func `nothing stays unsent whatever a server refuses, and its later changes are adopted`() throws {
    for seed in 0..<200 as Range<UInt64> {
      let (data, server) = try runRefusing(seed: seed)
      for place in places {
        let record = try data[key(place.id)]
        let isSet = place.mark == .watched ? record.watched != nil : record.has(.starred)
        try #require(isSet == (server[place] == true), "seed \(seed), \(place)")
      }
    }
  }

  // MARK: - Lines

  @Test func `lines of a later version stay in the file`() throws {
    let lines = ["liked 1 5 7", "read 1 5 7 more", "version 9", "half a li"]
    var sync = try sync()
    let isRead = sync.read("contact 1\nread 1 5 8\n" + lines.joined(separator: "\n"))
    #expect(isRead)
    let text = try self.sync(reading: sync.text).text
    #expect(text == sync.text && lines.allSatisfy { text.contains("\($0)\n") })
  }

  @Test func `a text without a known line is damaged, an empty one is not`() throws {
    var sync = try sync()
    let damaged = [sync.read("\0\0\0\0"), sync.read("half a line\nlines")]
    let readable = [sync.read(""), sync.read("contact 4\n")]
    #expect(damaged == [false, false] && readable == [true, true])
  }
}
