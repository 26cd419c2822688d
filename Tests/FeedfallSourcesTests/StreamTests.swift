import FeedfallFeeds
import FeedfallText
import Glibc
import TestSupport
import Testing

@testable import FeedfallSources

/// A pipe; the test writes to one end, a document reads the other.
private final class Producer: Sendable {
  let source: LocalDocument
  private let descriptor: Int32

  init(pageSize: Int? = nil) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    descriptor = ends[1]
    source = try .stream(ends[0], isOwned: true, name: "standard input", pageSize: pageSize)
  }

  func send(_ text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends blanks until the pipe is full or the limit is reached; returns the number of bytes.
  func countOfBytesTaken(atMost limit: Int) -> Int {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let blanks = [UInt8](repeating: 0x20, count: 65_536)
    var (count, refusals) = (0, 0)
    while count < limit, refusals < 10_000 {
      let written = write(descriptor, blanks, blanks.count)
      count += max(0, written)
      refusals = written > 0 ? 0 : refusals + 1
      if written < 0 { sched_yield() }
    }
    return count
  }

  func end() {
    close(descriptor)
  }

  func page(_ cursor: FeedCursor) async -> Result<FeedPage, FeedFailure> {
    await Result.of { () throws(FeedFailure) in try await source.page(cursor) }
  }
}

@Suite(.hangLimit) struct StreamTests {
  @Test func `a stream is read to its end and can be read again`() async throws {
    let producer = try Producer(pageSize: 4)
    producer.send(articles(0..<10))
    producer.end()
    for _ in 0..<2 {
      var titles: [String] = []
      var cursor: FeedCursor? = .start
      while let place = cursor {
        let page = try await producer.page(place).get()
        titles += page.videos.map(\.title)
        cursor = page.next
      }
      #expect(titles == (0..<10).map { "Film \($0)" })
    }
  }

  @Test func `a slow producer's first videos are shown before the others arrive`() async throws {
    let producer = try Producer()
    let text = articles(0..<10)
    let half = text.index(text.startIndex, offsetBy: text.count / 2)
    producer.send(text[..<half])
    let first = try await producer.page(.start).get()
    #expect((1...5).contains(first.videos.count))
    producer.send(text[half...])
    producer.end()
    let rest = try await producer.page(try #require(first.next)).get()
    #expect((first.videos + rest.videos).map(\.title) == (0..<10).map { "Film \($0)" })
  }

  @Test func `a task that waits for a silent producer ends at once when cancelled, and loses nothing`()
    async throws
  {
    let producer = try Producer()
    let task = Task { await producer.page(.start) }
    await Task.yield()
    task.cancel()
    #expect(await task.value.failure == .cancelled)
    producer.send(articles(0..<3))
    producer.end()
    #expect(await producer.page(.start).titles?.count == 3)
  }

  @Test func `a stream without a feed is reported as standard input`() async throws {
    let producer = try Producer()
    producer.end()
    #expect(await producer.page(.start).failure?.reason == "standard input is empty")
  }

  @Test func `an endless producer is read only as far as its videos are requested`() async throws {
    let producer = try Producer(pageSize: 2)
    producer.send("[" + String(repeating: #"{"title":"A","flv":"https://m.example/v"},"#, count: 4))
    #expect(await producer.page(.start).titles?.count == 2)
    #expect(producer.countOfBytesTaken(atMost: 4 << 20) < 1 << 20)
  }

  @Test func `a named pipe waits for its writer`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/feed.fifo"
      try #require(mkfifo(path, 0o600) == 0)
      let source = try open(path)
      let task = Task { await source.page(.start) }
      try writeFile(articles(0..<3), to: path)
      #expect(await task.value.titles?.count == 3)
    }
  }

  @Test func `a device without bytes is an empty feed`() async throws {
    let failure = try await open("/dev/null").page(.start).failure
    #expect(
      failure == FeedFailure(.permanent, "null is empty", advice: "check its content"))
  }
}
