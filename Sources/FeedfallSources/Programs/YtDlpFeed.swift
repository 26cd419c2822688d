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
  private let count: Int
  private let includesShorts: Bool
  private let program: HelperProgram
  /// The remaining lists by cursor, if there is more than the rest of one list.
  private let queues = Mutex<[Int: [Part]]>([:])

  private struct Part {
    var address: WebAddress
    var start: Int
    var group: String?
  }

  private static let defaultSize = 30
  /// yt-dlp sends several requests for one page, and some sites are slow.
  private static let timeLimitSeconds = 60

  init(_ address: WebAddress, _ options: SourceOptions, path: String) {
    self.address = address
    var program = HelperProgram(path: path, timeLimitSeconds: Self.timeLimitSeconds, maximumByteCount: 32 << 20)
    program.variables = (options.ownProxies ?? options.proxies.common).variables(for: address)
    self.program = program
    includesShorts = options.includesShorts || KnownSite.isShortsTab(address)
    count = max(options.pageSize ?? Self.defaultSize, 1)
  }

  func page(_ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    switch cursor {
    case .start: return try await page(at: 0, [Part(address: address, start: 0)])
    case .offset(let offset):
      let queue = queues.withLock { $0[offset] } ?? [Part(address: address, start: offset)]
      return try await page(at: offset, queue)
    case .page, .address, .archive, .item: throw FeedFailure(.noSuchPage)
    }
  }

  /// Moves the first list to the end of the queue.
  private func page(at offset: Int, _ queue: [Part]) async throws(FeedFailure) -> FeedPage {
    guard let part = queue.first else { return FeedPage(videos: []) }
    let list = try await list(at: part.address, part.start..<part.start + count)
    let rest = queue.dropFirst() + following(list, part)
    if !rest.isEmpty { queues.withLock { $0[offset + count] = Array(rest) } }
    return FeedPage(
      videos: list.videos.inGroup(part.group) + list.lists.flatMap { $0.videos.inGroup($0.title) },
      next: rest.isEmpty ? nil : .offset(offset + count),
      total: list.lists.isEmpty && queue.count == 1 && part.group == nil ? list.total : nil,
      skippedCount: list.lists.reduce(list.skippedCount) { $0 + $1.skippedCount }, title: list.title)
  }

  /// None if there were fewer entries than requested.
  private func following(_ list: YtDlpList, _ part: Part) -> [Part] {
    func isFull(_ list: YtDlpList) -> Bool { !list.isWhole && list.entryCount >= count }
    let inner = list.lists.compactMap { inner in
      isFull(inner) ? inner.address.map { Part(address: $0, start: count, group: inner.title) } : nil
    }
    guard isFull(list) else { return inner }
    return inner + [Part(address: part.address, start: part.start + count, group: part.group)]
  }

  /// Of a list, the entries in this range, which counts from 0.
  private func list(at address: WebAddress, _ entries: Range<Int>) async throws(FeedFailure) -> YtDlpList {
    let range = "\(entries.lowerBound + 1):\(entries.upperBound)"
    let words = ["-J", "--flat-playlist", "-I", range, "--no-warnings", "--ignore-config", "--batch-file", "-"]
    // Other users of the machine can read arguments, but not this pipe: the address may contain a password.
    let answer = try await program.answer(
      to: words.map { Array($0.utf8) }, input: Array((address.text + "\n").utf8), of: .ytDlp)
    // It may have failed at one of many entries and printed the others.
    if var list = FeedDecoder.decodeYtDlp(answer.output) {
      if !includesShorts { list.lists.removeAll { $0.address.map(KnownSite.isShortsTab) == true } }
      return list
    }
    throw FeedFailure(.program(.ytDlp, Self.fault(answer, at: address)))
  }

  private static func fault(_ answer: HelperProgram.Answer, at address: WebAddress) -> SourceFailure.ProgramFault {
    let words = lastError(answer.errorOutput, hiding: address)
    if words == nil, answer.status == 0 { return .noVideos }
    return .failed(status: answer.status, words: words, isFinal: words.map(isFinal) == true)
  }

  /// Whether a retry would end with the same words.
  private static func isFinal(_ words: String) -> Bool {
    let bytes = Array(words.utf8)
    let refusals = [401, 403, 404, 406, 410].map { "HTTP Error \($0)" }
    return words.hasPrefix("Unsupported URL") || refusals.contains { bytes.contains(sequence: $0.utf8) }
  }

  /// The last line that starts with `ERROR:`, without passwords.
  private static func lastError(_ errorOutput: [UInt8], hiding address: WebAddress) -> String? {
    let start = Array("ERROR:".utf8)
    let lines = errorOutput.split { $0 == 0x0A || $0 == 0x0D }
    guard let line = lines.last(where: { $0.starts(with: start) }) else { return nil }
    let text = cleanedLine(String(decoding: line.dropFirst(start.count), as: UTF8.self), limit: 20_000)
    // yt-dlp may print the address in another spelling.
    let words = text.replacing(address.text, with: address.description).split(separator: " ")
      .map { String($0).hidingPassword }.joined(separator: " ")
    return words.isEmpty ? nil : cleanedLine(words, limit: 200)
  }
}
