import FeedfallFeeds
import FeedfallSources
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import FoundationEssentials
import Glibc
import TestServer
import Testing

/// Articles' JSON with a video for each number.
func articles(_ numbers: some Sequence<Int>, end: Bool = false) -> String {
  let items = numbers.map { number in
    """
    {"cover": "https://c.example/\(number).jpg", "title": "Film \(number)", "duration": "1:00",
     "flv": "https://v.example/\(number).flv", "end": 0, "height": 360, "width": 640}
    """
  }
  return #"{"data": {"info_list": [\#(items.joined(separator: ","))], "end": \#(end ? 1 : 0)}}"#
}

/// A PeerTube list with a video for each number.
func peerTubeList(_ numbers: some Sequence<Int>, total: Int) -> String {
  let items = numbers.map { number in
    let uuid = "00000000-0000-4000-8000-\(String(100_000_000_000 + number))"
    return """
      {"id": \(number), "uuid": "\(uuid)", "shortUUID": "s\(number)", "name": "Film \(number)", "duration": 60,
       "url": "https://p.example/w/\(uuid)", "isLive": false, "thumbnailPath": "/t/\(number).jpg"}
      """
  }
  return #"{"total": \#(total), "data": [\#(items.joined(separator: ","))]}"#
}

let peerTubeConfig = #"{"instance": {"name": "A PeerTube"}, "serverVersion": "8.2.0"}"#

extension Result where Success == FeedPage {
  var titles: [String]? { try? get().videos.map(\.title) }
  var next: FeedCursor? { try? get().next }
}

func open(
  _ argument: String?, pageSize: Int? = nil, firstPage: Int? = nil, timeout: Double = 600, ytDlp: String? = nil
) throws -> PageSource {
  var options = SourceOptions()
  options.pageSize = pageSize
  options.firstPage = firstPage
  options.timeoutSeconds = timeout
  options.ytDlp = YtDlpDirectory(YtDlp(program: ytDlp ?? ""))
  return try FeedSources.open(argument, options: options)
}

/// All pages of a source from the first to the last, at most `limit`.
func allPages(of source: PageSource, limit: Int = 50) async throws -> [FeedPage] {
  var pages: [FeedPage] = []
  var cursor: FeedCursor? = .start
  while let place = cursor, pages.count < limit {
    let page = try await source.page(place).get()
    pages.append(page)
    cursor = page.next
  }
  return pages
}

func writeFile(_ text: String, to path: String) throws {
  let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    try #require(count > 0)
    rest = rest.dropFirst(count)
  }
}

extension PageSource {
  /// A page, revalidated by its source.
  func page(_ cursor: FeedCursor) async -> Result<FeedPage, FeedFailure> { await page(cursor, .revalidated) }
}
