import ArgumentParser
import FeedfallApp
import FeedfallFeeds
import FeedfallFilters
import FeedfallMedia
import FeedfallRecords
import FeedfallSources
import FeedfallSystem
import FeedfallText
import FoundationEssentials
import Synchronization

struct ListCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall list", abstract: "Print the videos of a source, one per line.")

  @Argument(help: NamedSource.help, completion: NamedSource.completion)
  var source: String?

  @OptionGroup var feed: OptionArguments.Feed

  @OptionGroup var selection: ListSelection

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func run() -> Int32 {
    withConfiguration { configuration in
      configuration.run(for: source.map { [$0] } ?? []) { sources, view, records in
        Listing(
          sources: sources, feed: configuration.sourceOptions(feed), query: selection.query ?? .empty,
          view: view?.query ?? .empty, records: records, pageCount: selection.pages, isJSON: json
        ).run()
      }
    }
  }
}

struct ListSelection: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The number of pages to load (default: 1, or all of files, folders and the catalogue).", valueName: "n"))
  var pages: Int?

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp("Only the videos that a filter includes.", valueName: "filter"),
    transform: FilterQuery.init(argument:))
  var query: FilterQuery?

  func validate() throws {
    if let pages, pages < 1 { throw ValidationError("--pages \(pages) is out of range. Write a value of at least 1.") }
  }
}

extension FilterQuery {
  fileprivate init(argument: String) throws(ValidationError) {
    do { try self.init(argument) } catch { throw ValidationError(error.text) }
  }
}

struct Listing {
  var sources: [NamedSource]
  var feed: SourceOptions
  var query = FilterQuery.empty
  var view = FilterQuery.empty
  var records = UserData()
  /// The pages of each source; nil for one page, or all pages of a local source.
  var pageCount: Int?
  var isJSON = false
  /// The action on the videos, for messages.
  var action = "Printed"
  var write: (Row) -> Void = { FeedfallProgram.print($0.line) }
  private static let thread = Worker()
  private let worker = Self.thread
  private let index = VideoIndex.ofUser(executor: Self.thread)

  struct Row {
    var video: Video
    /// The time before which the videos of its source count as watched.
    var readBefore: UnixTime?
    var line: String
  }

  private struct Progress {
    /// Of messages, with a colon; empty for a single source.
    let prefix: String
    var ids = PageIDs()
    var count = 0
    var skippedCount = 0
    /// The title of the feed, which only its first page may have.
    var title: String?
  }

  /// The pages of a source that are loaded while those of an earlier source are printed.
  private static let readAheadCount = 10

  /// Prints each page as soon as it and those before it are loaded, or in an order all videos at the end.
  func run() -> Int32 {
    guard let opened = OpenSource.opened(sources, options: feed) else { return ExitStatus.failure }
    let prefixes = opened.map { opened.count > 1 ? "\($0.name): " : "" }
    var (sorted, status) = ([Row](), ExitStatus.success)
    worker.load(opened.count) { [timeoutSeconds = feed.timeoutSeconds, pageCount] number in
      let pages = opened[number].pages
      var load = PageLoad(
        RetryingSource(pages, called: prefixes[number], timeoutSeconds: timeoutSeconds),
        pageCount: pageCount ?? (pages.isLocal ? Int.max : 1))
      // A pipe may never end.
      if number > 0 { await load.readAhead(pages.isLocal ? 1 : Self.readAheadCount) }
      return load
    } _: { number, load in
      status = max(status, print(opened[number], load, prefixes[number], &sorted))
      return flushOutput()
    }
    if let order { print(sorted, by: order) }
    return status
  }

  private var order: VideoOrder? { query.order ?? view.order }

  private func print(_ rows: [Row], by order: VideoOrder) {
    var keys = SortKeys(seed: .random(in: .min ... .max))
    for row in rows { keys.append(row.video, records[records.key(of: row.video)], by: order) }
    for index in keys.sortedIndices() { write(rows[index]) }
  }

  /// In an order, adds them to `sorted`. The source's own order is that of its videos.
  private func print(_ source: OpenSource, _ load: PageLoad, _ prefix: String, _ sorted: inout [Row]) -> Int32 {
    guard order == nil, let order = source.query.order else {
      return read(load, of: source, prefix) { row in
        if self.order == nil { write(row) } else { sorted.append(row) }
      }
    }
    var rows: [Row] = []
    defer { print(rows, by: order) }
    return read(load, of: source, prefix) { rows.append($0) }
  }

  private func read(_ load: PageLoad, of source: OpenSource, _ prefix: String, _ add: (Row) -> Void) -> Int32 {
    var (load, progress) = (load, Progress(prefix: prefix))
    while let answer = next(&load) {
      let page: FeedPage
      switch answer {
      case .page(let loaded): page = loaded
      case .cached(let cached, let failure):
        printError(failure.message("\(prefix)Could not load the videos, so the cached ones are \(action.lowercased())"))
        page = cached
      case .failure(let failure, let isFirst):
        printError(failure.message("\(prefix)Could not load \(isFirst ? "the videos" : "more videos")"))
        return ExitStatus.failure
      }
      progress.title = progress.title ?? page.title
      let videos = page.videos.compactMap { progress.ids.new($0) }
      store(videos, of: source, titled: progress.title)
      self.add(videos, before: page.next, of: source, to: &progress, add)
      progress.skippedCount += page.skippedCount
      if let notice = page.notice { printError(prefix + notice) }
      guard flushOutput() else { return ExitStatus.success }
    }
    let status = report(progress, hasMore: load.hasMore)
    return load.isFromCache ? ExitStatus.failure : status
  }

  /// Before they are printed, so that the commands that read the lines find them. Files are found by their paths.
  private func store(_ videos: [Video], of source: OpenSource, titled title: String?) {
    guard source.isIndexed else { return }
    index.add(videos.filter { $0.playbackURL?.file == nil }, source: source.name(titled: title))
    index.close()
  }

  private func next(_ load: inout PageLoad) -> PageLoad.Answer? {
    let (answer, rest) = worker.wait { [load] in
      var load = load
      return (await load.next(), load)
    }
    load = rest
    return answer
  }

  private func add(
    _ videos: [Video], before next: FeedCursor?, of source: OpenSource, to progress: inout Progress,
    _ add: (Row) -> Void
  ) {
    let filter = query.filter.and(view.filter).and(source.query.filter)
    let name = source.name(titled: progress.title)
    let readBefore = source.readBefore(in: records)
    let completed = worker.wait(for: { [pages = source.pages] in
      await pages.addingLengths(to: videos)
    })
    for video in source.included(completed, by: filter, called: name, records) {
      add(Row(video: video, readBefore: readBefore, line: line(for: video, of: name, before: next)))
      progress.count += 1
    }
  }

  private func report(_ progress: Progress, hasMore: Bool) -> Int32 {
    let prefix = progress.prefix
    if progress.skippedCount > 0 {
      let items =
        progress.skippedCount == 1 ? "1 item that is not a video" : "\(progress.skippedCount) items that are not videos"
      printError("\(prefix)Skipped \(items).")
    }
    if progress.count > 0 {
      if hasMore, pageCount == nil {
        let videos = progress.count.asVideoCount
        printError("\(prefix)\(action) only the first page (\(videos)). Load more with --pages.")
      }
      return ExitStatus.success
    }
    guard !progress.ids.isEmpty else {
      printError("\(prefix)Found no videos\(Self.reason(skippedCount: progress.skippedCount, hasMorePages: hasMore))")
      return ExitStatus.failure
    }
    let hint = query.foreignOperator.map { "\($0.text) " } ?? ""
    let advice = hint + (hasMore ? "Change it, or load more with --pages." : "Change it.")
    printError("\(prefix)Found no videos: none of \(progress.ids.count) matches the filter. \(advice)")
    return ExitStatus.failure
  }

  private static func reason(skippedCount: Int, hasMorePages: Bool) -> String {
    switch (skippedCount, hasMorePages) {
    case (1..., _): ": no item of the source is a video. Check the address."
    case (_, true): " in the pages so far. Load more with --pages."
    case (_, false): ": the source is empty. Check the address."
    }
  }

  private func line(for video: Video, of source: String, before next: FeedCursor?) -> String {
    let key = records.key(of: video)
    let row = VideoRow(video, source: source, nextPage: next?.address, key: key, record: records[key])
    return isJSON ? row.json : row.text
  }

  /// Loads one page after the other. If the first one fails, the cached pages replace it.
  struct PageLoad: Sendable {
    enum Answer: Sendable {
      case page(FeedPage)
      case cached(FeedPage, FeedFailure)
      case failure(FeedFailure, isFirst: Bool)
    }

    private let source: RetryingSource
    private var leftCount: Int
    private var cursor: FeedCursor? = .start
    private(set) var isFromCache = false
    private var emptyCount = 0
    private var loaded: [Answer] = []

    var hasMore: Bool { cursor != nil }

    /// A server may have any number of pages without an item. A pipe has its own end.
    private static let maximumEmptyCount = 10

    init(_ source: RetryingSource, pageCount: Int) {
      self.source = source
      leftCount = pageCount
    }

    mutating func readAhead(_ count: Int) async {
      while loaded.count < count, let answer = await load() { loaded.append(answer) }
    }

    mutating func next() async -> Answer? { loaded.isEmpty ? await load() : loaded.removeFirst() }

    private mutating func load() async -> Answer? {
      guard leftCount > 0, let requested = cursor else { return nil }
      leftCount -= 1
      switch await source.page(requested, isFromCache ? .onlyIfCached : .revalidated) {
      case .success(let page):
        return .page(adopt(page, at: requested))
      case .failure(let failure):
        if requested == .start, case .success(let page) = await source.pages.page(.start, .onlyIfCached) {
          isFromCache = true
          return .cached(adopt(page, at: requested), failure)
        }
        leftCount = 0
        // The failure of the server was reported already.
        return isFromCache ? nil : .failure(failure, isFirst: requested == .start)
      }
    }

    private mutating func adopt(_ page: FeedPage, at requested: FeedCursor) -> FeedPage {
      cursor = page.next == requested ? nil : page.next
      emptyCount = page.videos.isEmpty && page.skippedCount == 0 ? emptyCount + 1 : 0
      if emptyCount >= Self.maximumEmptyCount, !source.pages.isLocal { leftCount = 0 }
      return page
    }
  }
}

extension PageSource {
  private static let lengthReaderCount = 4

  /// Adds the lengths that a program on this machine finds in local files.
  fileprivate func addingLengths(to videos: [Video]) async -> [Video] {
    var completed = videos
    let unknown = videos.indices.filter { videos[$0].isPartial && videos[$0].duration == nil }
      .filter { videos[$0].playbackURL?.file != nil }
    for start in stride(from: 0, to: unknown.count, by: Self.lengthReaderCount) {
      let batch = unknown[start..<min(start + Self.lengthReaderCount, unknown.count)]
      await withTaskGroup(of: (Int, Video?).self) { group in
        for index in batch { group.addTask { (index, try? await details(videos[index]).get()) } }
        for await (index, video) in group {
          guard var video else { continue }
          video.title = videos[index].title
          completed[index] = video
        }
      }
    }
    return completed
  }
}

extension FeedFailure {
  func message(_ failure: String) -> String { "\(failure): \(explanation)" }

  var explanation: String {
    if case .wait(let seconds) = kind { return "\(reason). Retry in \(seconds) s." }
    guard let advice = advice ?? (kind == .temporary ? "try again" : nil) else { return "\(reason)." }
    return "\(reason). \(advice.prefix(1).uppercased())\(advice.dropFirst())\(advice.hasSuffix("?") ? "" : ".")"
  }
}

extension Encodable {
  /// On one line, with sorted keys. Characters that `print` would remove are escaped, because a path may have them.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "{}" }
    let text = String(decoding: data, as: UTF8.self)
    guard harmlessText(text) != text else { return text }
    return text.unicodeScalars.map { scalar in
      scalar.isHarmless ? String(scalar) : String(scalar).utf16.map { "\\u" + $0.hexadecimal(digitCount: 4) }.joined()
    }.joined()
  }
}

/// Retries while all waits that a server asks for are shorter than the time-out together. Prints the first one.
final class RetryingSource: Sendable {
  let pages: PageSource
  /// The prefix of the message, with a colon; empty for a single source.
  private let name: String
  private let timeoutSeconds: Double
  private let hasReported = Atomic(false)

  init(_ pages: PageSource, called name: String = "", timeoutSeconds: Double) {
    (self.pages, self.name, self.timeoutSeconds) = (pages, name, timeoutSeconds)
  }

  func page(_ cursor: FeedCursor, _ use: CacheUse) async -> Result<FeedPage, FeedFailure> {
    var leftSeconds = timeoutSeconds
    while true {
      let result = await pages.page(cursor, use)
      guard case .failure(let failure) = result, case .wait(let seconds) = failure.kind else { return result }
      let pause = max(1, Double(seconds))
      guard pause < leftSeconds else { return result }
      leftSeconds -= pause
      if !hasReported.exchange(true, ordering: .relaxed) {
        printError("\(name)Waiting \(seconds) s: \(failure.reason).")
      }
      do { try await Task.sleep(for: .seconds(pause)) } catch { return result }
    }
  }
}

extension Worker {
  private static let sourceCount = 8

  /// Calls `body` with the results in their order, each as soon as possible. Ends when `body` returns false.
  func load<Loaded: Sendable>(
    _ count: Int, _ load: @escaping @Sendable (Int) async -> Loaded, _ body: (Int, Loaded) -> Bool
  ) {
    let results = (0..<count).map { _ in Promise<Loaded?>() }
    Task.detached(executorPreference: self) {
      await withTaskGroup(of: Void.self) { group in
        for (number, result) in results.enumerated() {
          if number >= Self.sourceCount { await group.next() }
          group.addTask { _ = result.fulfill(await load(number)) }
        }
      }
    }
    for (number, result) in results.enumerated() {
      guard let loaded = wait(for: { await result.value(whenCancelled: nil) }), body(number, loaded) else { return }
    }
  }
}
