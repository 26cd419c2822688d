import FeedfallFeeds
import FeedfallText
import FoundationEssentials
import TestServer
import Testing

@testable import FeedfallSources

/// Runs a test with a new folder for a cache, which need not be made, and is taken away with all in it.
func withCacheFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
  let folder = FileManager.default.temporaryDirectory.path + "/feedfall-caches-\(UInt64.random(in: .min ... .max))"
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
}

/// A server and what is kept of its answers.
struct KeptWorld {
  var server: TestServer
  var folder: String

  /// A source as a program that was started now would open it.
  func source(_ path: String, pageSize: Int? = nil) throws -> PageSource {
    try source(at: server.origin + path, in: AnswerCache(folder: folder), pageSize: pageSize)
  }

  func source(at address: String, in cache: AnswerCache, pageSize: Int? = nil) throws -> PageSource {
    var options = SourceOptions(cache: cache)
    options.timeoutSeconds = 600
    options.pageSize = pageSize
    return try FeedSources.open(address, options: options)
  }
}

/// Runs a test with a server and a folder for what is kept of its answers.
func withKeptWorld<Value>(
  _ answering: @escaping TestServer.Answering, _ body: (KeptWorld) async throws -> Value
) async throws -> Value {
  try await withCacheFolder { folder in
    try await withServer(answering) { server in try await body(KeptWorld(server: server, folder: folder)) }
  }
}

/// All pages of a source as it gives them under a rule, without the times that they were got at.
func allPages(of source: PageSource, _ use: CacheUse, limit: Int = 60) async throws -> [FeedPage] {
  var pages: [FeedPage] = []
  var cursor: FeedCursor? = .start
  while let place = cursor, pages.count < limit {
    var page = try await source.page(place, use).get()
    page.savedAt = nil
    pages.append(page)
    cursor = page.next
  }
  return pages
}

/// RSS with films of these numbers.
func films(_ numbers: Range<Int>, next: String? = nil) -> String {
  let link = next.map { "<atom:link rel='next' href='\($0)'/>" } ?? ""
  let items = numbers.map {
    "<item><title>Film \($0)</title><enclosure type='video/mp4' url='https://films.example/\($0).mp4'/></item>"
  }
  return "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>Films</title>\(link)"
    + items.joined() + "</channel></rss>"
}

func fileBytes(of path: String) throws -> [UInt8] {
  try #require(FileManager.default.contents(atPath: path).map(Array.init))
}
