import FeedfallFeeds
import FeedfallSources
import FeedfallText
import FeedfallWeb
import TestServer
import TestSupport
import Testing

/// A server, and a folder for the cache of its answers.
struct CacheWorld {
  var server: TestServer
  var folder: String

  /// Opens a source as a newly started program does.
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

func withCacheWorld<Value>(
  _ answering: @escaping TestServer.Answering, _ body: (CacheWorld) async throws -> Value
) async throws -> Value {
  try await withCacheFolder { folder in
    try await withServer(answering) { server in try await body(CacheWorld(server: server, folder: folder)) }
  }
}

/// All pages of a source under a rule for the cache, without their times.
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

/// RSS with a video for each number.
func films(_ numbers: Range<Int>, next: String? = nil, relation: String = "next") -> String {
  let link = next.map { "<atom:link rel='\(relation)' href='\($0)'/>" } ?? ""
  let items = numbers.map {
    "<item><title>Film \($0)</title><enclosure type='video/mp4' url='https://films.example/\($0).mp4'/></item>"
  }
  return "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>Films</title>\(link)"
    + items.joined() + "</channel></rss>"
}
