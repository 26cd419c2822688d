import FeedfallFeeds
import FeedfallMedia
import FeedfallText
import FeedfallWeb
import FoundationEssentials
import Glibc
import Synchronization
import TestServer
import WaterfallEngine

/// Covers in an on-disk cache, as the next start of the program finds them.
final class CachedCovers: Sendable {
  private let folder =
    FileManager.default.temporaryDirectory.path + "/feedfall-bench-\(UInt64.random(in: .min ... .max))"
  private let addresses: [MediaAddress]

  /// Loads the pictures from a server into the cache; nil if one could not be loaded.
  init?(_ paths: [String]) {
    let pictures = Dictionary(
      uniqueKeysWithValues: paths.enumerated().map { ("/\($0.offset)", contents(of: $0.element)) })
    guard let server = try? TestServer({ .answer(TestAnswer((pictures[$0.path] ?? nil) ?? [])) }) else { return nil }
    defer { server.stop() }
    addresses = paths.indices.compactMap { WebAddress(server.origin + "/\($0)").map { .web($0) } }
    guard !addresses.isEmpty, waiting(for: { await self.loadedCount() }) == paths.count else { return nil }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The median processor time of `rounds` runs, from opening the cache file to the last cover's cells.
  func milliseconds(rounds: Int) -> Double {
    waiting {
      var times: [Double] = []
      for _ in 0..<rounds {
        times.append(await ProcessorTime.millisecondsOfAllThreads { _ = await self.loadedCount() })
      }
      return times.sorted()[rounds / 2]
    }
  }

  /// Loads all covers with a new loader; returns how many succeeded.
  private func loadedCount() async -> Int {
    let loader = CoverLoader(cache: AnswerCache(folder: folder), userAgent: "feedfall-bench")
    var count = 0
    for address in addresses {
      let cover = try? await loader.cover(
        [address], size: CoverBenchmarks.cells, cellSize: Size(width: 8, height: 16), glyphs: .halves,
        wantsPixels: false)
      if cover != nil { count += 1 }
    }
    return count
  }
}

/// Runs a task, blocks this thread until it ends, and returns its result.
private func waiting<Value: Sendable>(for work: @escaping @Sendable () async -> Value) -> Value {
  let result = TaskResult<Value>()
  Task {
    let value = await work()
    result.value.withLock { $0 = value }
  }
  while true {
    if let value = result.value.withLock({ $0 }) { return value }
    usleep(1000)
  }
}

private final class TaskResult<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
