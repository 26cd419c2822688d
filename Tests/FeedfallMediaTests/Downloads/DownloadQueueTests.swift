import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import TestSupport
import Testing

@testable import FeedfallMedia

@Suite(.hangLimit) struct DownloadQueueTests {
  private static func entry(_ number: Int, host: String = "a.example") throws -> DownloadEntry {
    let request = try DownloadRequest.of("http://\(host)/\(number)", id: "films.example \(number)")
    return DownloadEntry(request: request, folder: "/videos", stem: "\(number)")
  }

  private static func busy(_ host: String) -> DownloadFailure { .web(.status(503, retryAfter: nil), host: host) }
  private static let offline = DownloadFailure.web(.unreachable(.noRoute, host: "a.example"), host: "a.example")

  private func numbers(_ starts: [DownloadQueue.Start]) -> [String] { starts.map(\.entry.stem) }

  @Test func `a server that fails blocks its downloads, and one of them probes it after the pause`() throws {
    var queue = DownloadQueue()
    for number in 1...4 { queue.add(try Self.entry(number)) }
    queue.add(try Self.entry(5, host: "b.example"))
    let first = queue.start(at: 0)
    #expect(numbers(first) == ["1", "2"] && !first[0].isProbe)
    for start in first { queue.stalled(start.entry.key, Self.busy("a.example"), .host("a.example"), at: 0) }
    let (other, changes) = (numbers(queue.start(at: 0)), queue.changes())
    #expect(other == ["5"] && changes.count == 4 && queue.nextStart() == 2)
    let probe = queue.start(at: 2)
    #expect(numbers(probe) == ["3"] && probe[0].isProbe)
    queue.progressed(probe[0].entry.key, isLarge: false)
    let unblocked = queue.changes().map(\.0.text)
    #expect(unblocked.contains("films.example 4"))
    _ = queue.ended(probe[0].entry.key)
    _ = queue.ended(try Self.entry(5).key)
    let rest = numbers(queue.start(at: 2))
    #expect(rest == ["4", "1"])
  }

  @Test func `a download runs while one of its servers works, and waits once both fail`() throws {
    var queue = DownloadQueue()
    var both = try Self.entry(1)
    both.request.addresses.append(DownloadAddress(.file, try #require(WebAddress("http://b.example/1"))))
    queue.add(try Self.entry(2))
    _ = queue.start(at: 0)
    queue.stalled(try Self.entry(2).key, Self.busy("a.example"), .host("a.example"), at: 0)
    queue.add(both)
    let first = queue.start(at: 1)
    #expect(numbers(first) == ["1"] && !first[0].isProbe)
    queue.progressed(both.key, isLarge: true)
    // The data may have come from the other server.
    #expect(queue.start(at: 1).isEmpty)
    queue.stalled(both.key, Self.busy("b.example"), .host("b.example"), at: 1)
    #expect(queue.start(at: 1).isEmpty && queue.nextStart() == 2)
    // Each server has a probe.
    let probes = queue.start(at: 1_000)
    #expect(numbers(probes) == ["2", "1"] && probes.allSatisfy(\.isProbe))
  }

  @Test func `a failed probe doubles the pause up to ten minutes, and another download probes next`() throws {
    var queue = DownloadQueue()
    for number in 1...2 { queue.add(try Self.entry(number, host: "\(number).example")) }
    var (now, pauses, probes) = (0, [Int](), [String]())
    for start in queue.start(at: now) { queue.stalled(start.entry.key, Self.offline, .machine, at: now) }
    for _ in 0..<12 {
      let next = try #require(queue.nextStart())
      pauses.append(next - now)
      now = next
      let starts = queue.start(at: now)
      #expect(starts.count == 1)
      probes += numbers(starts)
      for start in starts { queue.stalled(start.entry.key, Self.offline, .machine, at: now) }
    }
    #expect(pauses == [2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600])
    #expect(Set(probes.prefix(2)) == ["1", "2"])
  }

  @Test func `the pause that a server requests is respected`() throws {
    var queue = DownloadQueue()
    queue.add(try Self.entry(1))
    let start = queue.start(at: 5)[0]
    let failure = DownloadFailure.web(.status(429, retryAfter: 3_000), host: "a.example")
    queue.stalled(start.entry.key, failure, try #require(failure.obstacle), at: 5)
    #expect(queue.nextStart() == 3_005 && !queue.isActive(within: 60, at: 5) && queue.isActive(within: 60, at: 2_960))
    queue.add(try Self.entry(1))
    let retry = queue.start(at: 6)
    #expect(retry.count == 1)
  }

  @Test func `a request that comes during a removal is kept for its end`() throws {
    var queue = DownloadQueue()
    let entry = try Self.entry(1)
    queue.add(entry)
    _ = queue.start(at: 0)
    let removals = [queue.remove(entry.key)]
    let isKept = queue.isRunning(entry.request)
    #expect(removals == [true] && isKept && queue.isBeingRemoved(entry.key))
    let next = queue.ended(entry.key)
    let removal = queue.remove(entry.key)
    #expect(next == entry.request && !removal)
  }

  @Test func `only a download that waits is suspended`() throws {
    var queue = DownloadQueue()
    for number in 1...3 { queue.add(try Self.entry(number)) }
    _ = queue.start(at: 0)
    for number in 1...3 { queue.suspend(try Self.entry(number).key) }
    let first = try Self.entry(1).key
    #expect(queue.unfinished.map(\.stem) == ["1", "2"] && !queue.isBeingRemoved(first))
  }

  @Test func `the release of a lock never delays a download`() throws {
    var queue = DownloadQueue()
    let entry = try Self.entry(1)
    queue.add(entry)
    for round in 0..<15 {
      let now = try #require(queue.nextStart())
      _ = queue.start(at: now)
      queue.stalled(entry.key, .busy, .lock, at: now)
      let before = try #require(queue.nextStart())
      queue.released(entry.key, at: now)
      #expect(queue.nextStart().map { $0 <= before } == true, "round \(round)")
    }
  }

  @Test func `a download waits for the lock of another program for a minute, or until it is released`() throws {
    var queue = DownloadQueue()
    let entry = try Self.entry(1)
    queue.add(entry)
    for round in 1...3 {
      let now = round * 1_000
      let starts = queue.start(at: now)
      #expect(starts.count == 1)
      queue.stalled(entry.key, .busy, .lock, at: now)
      #expect(queue.nextStart() == now + 60 && queue.isActive(within: 60, at: now))
      queue.released(entry.key, at: now + 1)
      // Whatever releases it again and again causes no endless loop.
      #expect(queue.nextStart() == [1: now + 1, 2: now + 5, 3: now + 9][round])
    }
  }

  private static let failures: [DownloadFailure] = [
    busy("a.example"), offline, .busy, .noLogin(source: "S"), .list(SystemError(28)),
    .web(.status(429, retryAfter: .max), host: "b.example"),
    .noSpace(neededByteCount: 5, freeByteCount: 0, folder: "/"),
  ]

  /// Checks what holds after any sequence of requests, ends, failures, removals and times.
  @Test(arguments: 0..<200) func `no download is lost, and none runs twice or against a block`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (queue, now) = (DownloadQueue(), Int.random(in: -1_000...1_000, using: &random))
    var (running, live): (Set<String>, Set<String>) = ([], [])
    for _ in 0..<150 {
      let number = Int.random(in: 1...6, using: &random)
      let entry = try Self.entry(number, host: number % 2 == 0 ? "a.example" : "b.example")
      let name = entry.stem
      switch Int.random(in: 0..<7, using: &random) {
      case 0 where !queue.isRunning(entry.request):
        queue.add(entry)
        live.insert(name)
      case 1 where running.contains(name):
        let next = queue.ended(entry.key)
        running.remove(name)
        if next == nil { live.remove(name) } else { queue.add(entry) }
      case 2 where running.contains(name) && !queue.isBeingRemoved(entry.key):
        let failure = Self.failures.randomElement(using: &random) ?? .busy
        queue.stalled(entry.key, failure, try #require(failure.obstacle), at: now)
        running.remove(name)
      case 3:
        if !queue.remove(entry.key) { live.remove(name) }
      case 4: queue.progressed(entry.key, isLarge: random.chance(1, in: 2))
      case 5: queue.released(entry.key, at: now)
      default: now += random.chance(1, in: 9) ? 100_000 : Int.random(in: 0...700, using: &random)
      }
      for start in queue.start(at: now) {
        let isNew = running.insert(start.entry.stem).inserted
        #expect(isNew && live.contains(start.entry.stem))
      }
      _ = queue.changes()
      #expect(running.count <= DownloadQueue.maximumRunningCount)
    }
    // When all runs succeed, each download comes to its end.
    for _ in 0..<100 where !live.isEmpty {
      for name in running {
        let entry = try Self.entry(try #require(Int(name)))
        if queue.ended(entry.key) == nil { live.remove(name) } else { queue.add(entry) }
      }
      now = max(now, queue.nextStart() ?? now)
      running = Set(numbers(queue.start(at: now)))
    }
    #expect(live.isEmpty, "\(live) never ran")
  }
}
