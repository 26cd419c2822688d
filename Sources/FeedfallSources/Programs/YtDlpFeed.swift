import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Synchronization

/// The videos that yt-dlp finds at an address (github.com/yt-dlp/yt-dlp).
///
/// A channel can have several lists, its tabs. The first page has the start of each list; later pages continue them in
/// turn, each by its own address.
final class YtDlpFeed: Sendable {
  private let address: WebAddress
  /// The text for yt-dlp in place of the address of the first list; nil for that.
  private let search: String?
  private let count: Int
  private let includesShorts: Bool
  private let ytDlp: YtDlp
  private let variables: [String: String]
  /// The remaining lists by cursor, if there is more than the rest of one list.
  private let queues = Mutex<[Int: Queue]>([:])

  private struct Queue {
    var parts: [Part]
    /// The addresses of all lists so far, because lists may contain each other.
    var known: Set<WebAddress>

    init(_ part: Part) { (parts, known) = ([part], [part.address]) }
  }

  private struct Part {
    var address: WebAddress
    var start: Int
    var group: String?
  }

  private static let defaultSize = 30
  /// yt-dlp sends several requests for one page, and some sites are slow.
  private static let timeLimitSeconds = 60
  private static let maximumByteCount = 32 << 20
  private static let maximumListCount = 100

  /// Returns nil if yt-dlp is not installed.
  init?(_ address: WebAddress, _ options: SourceOptions, search: String? = nil) {
    var ytDlp = options.ownYtDlp ?? options.ytDlp.common
    let proxies = options.ownProxies ?? options.proxies.common
    ytDlp.proxy = proxies.chosen(for: address)
    guard ytDlp.isInstalled else { return nil }
    (self.address, self.ytDlp, self.search) = (address, ytDlp, search)
    variables = proxies.variables(for: address)
    includesShorts = options.includesShorts || KnownSite.isShortsTab(address)
    count = max(options.pageSize ?? Self.defaultSize, 1)
  }

  func page(_ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    switch cursor {
    case .start: return try await page(at: 0, Queue(Part(address: address, start: 0)))
    case .offset(let offset):
      let queue = queues.withLock { $0[offset] } ?? Queue(Part(address: address, start: offset))
      return try await page(at: offset, queue)
    case .page, .address, .archive, .item: throw .noSuchPage
    }
  }

  /// Moves the first list to the end of the queue.
  private func page(at offset: Int, _ queue: Queue) async throws(FeedFailure) -> FeedPage {
    guard let part = queue.parts.first else { return FeedPage(videos: []) }
    let (list, notice) = try await list(at: part.address, part.start..<part.start + count)
    var rest = queue
    rest.parts.removeFirst()
    append(list, part, to: &rest)
    let next = rest.parts.isEmpty ? nil : offset + count
    if let next { queues.withLock { [rest] in $0[next] = rest } }
    var page = FeedPage(
      videos: list.videos.inGroup(part.group) + list.lists.flatMap { $0.videos.inGroup($0.title) },
      next: next.map(FeedCursor.offset),
      total: list.lists.isEmpty && queue.parts.count == 1 && part.group == nil ? list.total : nil,
      skippedCount: list.lists.reduce(list.skippedCount) { $0 + $1.skippedCount }, title: list.title)
    page.notice = notice
    return page
  }

  /// Appends the continuations of a list and of the lists in it. A list with fewer entries than requested has none, and
  /// each inner list is continued once.
  private func append(_ list: YtDlpList, _ part: Part, to queue: inout Queue) {
    func isFull(_ list: YtDlpList) -> Bool { !list.isWhole && list.entryCount >= count }
    for inner in list.lists where isFull(inner) && queue.known.count < Self.maximumListCount {
      guard let address = inner.address, queue.known.insert(address).inserted else { continue }
      queue.parts.append(Part(address: address, start: count, group: inner.title))
    }
    guard isFull(list) else { return }
    queue.parts.append(Part(address: part.address, start: part.start + count, group: part.group))
  }

  /// Of a list, the entries in this range, which counts from 0.
  private func list(
    at address: WebAddress, _ entries: Range<Int>
  ) async throws(FeedFailure) -> (list: YtDlpList, notice: String?) {
    let range = "\(entries.lowerBound + 1):\(entries.upperBound)"
    let words = ["-J", "--flat-playlist", "-I", range, "--no-warnings"]
    let answer = try await answer(to: words, at: address, readsConfiguration: true)
    if let list = list(in: answer) { return (list, nil) }
    if answer.blamesConfiguration, ytDlp.mayIgnoreConfiguration {
      let second = try await self.answer(to: words, at: address, readsConfiguration: false)
      if let list = list(in: second) { return (list, YtDlp.configurationNotice) }
    }
    throw failure(answer, at: address)
  }

  /// It may have failed at one of many entries and printed the others.
  private func list(in answer: HelperProgram.Answer) -> YtDlpList? {
    guard var list = FeedDecoder.decodeYtDlp(answer.output) else { return nil }
    if let id = self.address.relatedID {
      list.videos.removeAll { $0.youTubeID == id }
      list.title = nil
    }
    if !includesShorts { list.lists.removeAll { $0.address.map(KnownSite.isShortsTab) == true } }
    return list
  }

  private func answer(
    to words: [String], at address: WebAddress, readsConfiguration: Bool
  ) async throws(FeedFailure) -> HelperProgram.Answer {
    let call: YtDlp.Call
    switch await ytDlp.prepared(readsConfiguration: readsConfiguration) {
    case .success(let prepared): call = prepared
    case .failure(.notInstalled): throw .ytDlpNotInstalled
    case .failure(let obstacle): throw FeedFailure(.permanent, obstacle.reason, advice: obstacle.advice)
    }
    var program = call.program(timeLimitSeconds: Self.timeLimitSeconds, maximumByteCount: Self.maximumByteCount)
    program.variables = variables
    return try await program.answer(
      to: call.arguments(words),
      input: YtDlp.input(address == self.address ? search ?? address.withoutRelatedID.text : address.text),
      of: .ytDlp)
  }

  private func failure(_ answer: HelperProgram.Answer, at address: WebAddress) -> FeedFailure {
    let failure = ytDlp.failure(answer, hiding: address)
    if failure == nil, answer.status == 0 { return .ytDlpFoundNothing }
    return .failed(
      .ytDlp, status: answer.status, words: failure.map { YtDlp.shown($0.words) },
      isFinal: failure.map { Self.isFinal($0.words) } == true, cure: failure?.cure)
  }

  /// Whether a retry would end with the same words.
  private static func isFinal(_ words: String) -> Bool {
    let bytes = Array(words.utf8)
    let refusals = [401, 403, 404, 406, 410].map { "HTTP Error \($0)" }
    return words.hasPrefix("Unsupported URL") || refusals.contains { bytes.contains(sequence: $0.utf8) }
  }
}
