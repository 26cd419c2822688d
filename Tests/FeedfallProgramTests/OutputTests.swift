import FeedfallSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct OutputTests {
  @Test(arguments: 1...20)
  func `a non-blocking pipe gets all text, or its beginning if the reader ends first`(seed: UInt64) async throws {
    try await onThread {
      var chances = SeededGenerator(seed: seed)
      let pieces = (0..<300).map { "\($0)" + String(repeating: "ä", count: Int.random(in: 0...2_000, using: &chances)) }
      let text = Array(pieces.joined().utf8)
      let limit = chances.chance(1, in: 3) ? Int.random(in: 0..<text.count, using: &chances) : text.count
      let ends = try Self.nonBlockingPipe()
      let received = Mutex<[UInt8]?>(nil)
      let pieceCount = Int.random(in: 1...5_000, using: &chances)
      Thread.detachNewThread {
        // The writer has to wait before anything is read.
        var room = pollfd(fd: ends.writer, events: Int16(POLLOUT), revents: 0)
        try? blockUntil("the pipe is full") { poll(&room, 1, 0) == 0 }
        var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: pieceCount))
        while bytes.count < limit {
          let count = read(ends.reader, &piece, min(piece.count, limit - bytes.count))
          if count > 0 { bytes += piece[..<count] }
          if count == 0 || count < 0 && errno != EAGAIN { break }
        }
        close(ends.reader)
        received.withLock { $0 = bytes }
      }
      var output = OutputBuffer(ends.writer)
      for piece in pieces {
        output.append(piece)
        if chances.chance(1, in: 10) { output.flush() }
      }
      output.flush()
      try blockUntil("all is read") { received.withLock { $0 != nil } }
      #expect(received.withLock { $0 } == Array(text[..<limit]))
      #expect(limit == text.count || output.failure == SystemError(EPIPE))
      if limit == text.count { #expect(output.failure == nil) }
      close(ends.writer)
    }
  }

  @Test func `the first failure stays, and nothing is written after it`() throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    var output = OutputBuffer(full)
    output.append("a")
    #expect(output.failure == nil)
    output.flush()
    #expect(output.failure == SystemError(ENOSPC))
    close(full)
    // A later error has another number.
    output.append("b")
    output.flush()
    #expect(output.failure == SystemError(ENOSPC))
  }

  /// A closed reader fails writes on this thread, without a signal.
  private static func nonBlockingPipe() throws -> (reader: Int32, writer: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK | fcntl(end, F_GETFL))
    }
    return (ends[0], ends[1])
  }

  @Test(arguments: 1...10)
  func `sources load in any order, at most eight at once, and their results come in theirs`(seed: UInt64) async throws {
    try await onThread {
      var chances = SeededGenerator(seed: seed)
      let count = Int.random(in: 0...40, using: &chances)
      let answers = (0..<count).map { _ in Promise<Int>() }
      let started = Mutex<(pending: Set<Int>, most: Int)>(([], 0))
      let results = Mutex<[Int]>([])
      let isOver = Mutex(false)
      let end = chances.chance(1, in: 3) ? Int.random(in: 0...count, using: &chances) : count
      Thread.detachNewThread {
        Worker().load(count) { number in
          started.withLock {
            $0.pending.insert(number)
            $0.most = max($0.most, $0.pending.count)
          }
          return await answers[number].value(whenCancelled: -1)
        } _: { number, loaded in
          results.withLock { $0.append(loaded) }
          return number + 1 < end
        }
        isOver.withLock { $0 = true }
      }
      for _ in 0..<count {
        try blockUntil("a source is loading") { started.withLock { !$0.pending.isEmpty } }
        let next = try #require(started.withLock { $0.pending.sorted().randomElement(using: &chances) })
        started.withLock { _ = $0.pending.remove(next) }
        answers[next].fulfill(next)
      }
      try blockUntil("all is loaded") { isOver.withLock { $0 } }
      #expect(results.withLock { $0 } == Array(0..<max(min(end, count), min(1, count))))
      #expect(started.withLock { $0.most } <= 8)
    }
  }
}
