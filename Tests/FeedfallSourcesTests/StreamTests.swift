import FeedfallFeeds
import FeedfallText
import Glibc
import TestSupport
import Testing

@testable import FeedfallSources

/// A pipe; the test writes to one end, a document reads the other.
private final class Producer: Sendable {
  let source: LocalDocument
  private let input: Int32
  private let descriptor: Int32

  deinit { close(input) }

  init(pageSize: Int? = nil) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    descriptor = ends[1]
    input = ends[0]
    let name = "standard input"
    source = LocalDocument(
      name: name, pageSize: pageSize, read: PipeContent(input, owner: nil, name: name).bytes)
  }

  func send(_ text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
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

  @Test func `a slow producer's videos are shown at its end`() async throws {
    let producer = try Producer()
    let text = articles(0..<10)
    let half = text.index(text.startIndex, offsetBy: text.count / 2)
    producer.send(text[..<half])
    let task = Task { await producer.page(.start) }
    await Task.yield()
    producer.send(text[half...])
    producer.end()
    #expect(await task.value.titles == (0..<10).map { "Film \($0)" })
  }

  @Test func `a task that waits for a silent producer ends at once when cancelled, and loses nothing`()
    async throws
  {
    let producer = try Producer()
    let task = Task { await producer.page(.start) }
    await Task.yield()
    task.cancel()
    #expect(await task.value.failure == .cancelled)
    let text = articles(0..<3)
    producer.send(text.prefix(9))
    let second = Task { await producer.page(.start) }
    await Task.yield()
    second.cancel()
    #expect(await second.value.failure == .cancelled)
    producer.send(text.dropFirst(9))
    producer.end()
    #expect(await producer.page(.start).titles?.count == 3)
  }

  @Test func `a stream without a feed is reported as standard input`() async throws {
    let producer = try Producer()
    producer.end()
    #expect(await producer.page(.start).failure?.reason == "standard input is empty")
  }

  @Test func `an endless producer is cut`() async throws {
    let content = PipeContent(open("/dev/zero", O_RDONLY), owner: nil, name: "zeros")
    #expect(try await content.bytes().count > FeedDocumentReader.maximumByteCount)
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
