import FeedfallCore
import FeedfallFeeds
import FeedfallFilters
import FeedfallRuntime
import FeedfallSources
import FeedfallText
import FeedfallUserData
import FoundationEssentials
import Glibc

/// Prints the videos of sources.
struct Listing {
  enum Format { case text, json }

  var sources: [NamedSource]
  var feed: SourceOptions
  /// The videos to print, and their order.
  var query: FilterQuery
  /// The records of the user, on which filters and orders may depend.
  var records = UserData()
  var pageCount: Int
  var format: Format

  private struct Row {
    var video: Video
    var line: String
  }

  /// Prints each page as soon as it is loaded, or in an order all videos at the end. Returns the exit status. A failure
  /// ends the source.
  func run() -> Int32 {
    let status = printPages()
    return finishPrinting() ? status : ExitStatus.failure
  }

  private func printPages() -> Int32 {
    let opened: [OpenSource]
    do { opened = try OpenSource.open(sources, options: feed) } catch {
      printError(error.message("Could not open the source"))
      return ExitStatus.failure
    }
    let worker = Worker()
    var sorted: [Row] = []
    let statuses = opened.map { source in
      let name = opened.count > 1 ? "\(source.name): " : ""
      return print(source, calledInErrors: name, &sorted, on: worker)
    }
    if let order = query.order { print(sorted, by: order) }
    return statuses.max() ?? ExitStatus.success
  }

  private func print(_ rows: [Row], by order: VideoOrder) {
    let values = rows.map { order.value(of: $0.video, records[VideoKey($0.video)]) }
    for index in SortValue.sortedIndices(values) { feedfall.print(rows[index].line) }
  }

  /// Prints the videos of a source, or in an order adds them to `sorted`. The source's own order is that of its videos.
  private func print(
    _ source: OpenSource, calledInErrors name: String, _ sorted: inout [Row], on worker: Worker
  ) -> Int32 {
    guard query.order == nil, let order = source.query.order else {
      return load(source, calledInErrors: name, on: worker) { row in
        if query.order == nil { feedfall.print(row.line) } else { sorted.append(row) }
      }
    }
    var rows: [Row] = []
    defer { print(rows, by: order) }
    return load(source, calledInErrors: name, on: worker) { rows.append($0) }
  }

  private func load(
    _ source: OpenSource, calledInErrors name: String, on worker: Worker, _ add: (Row) -> Void
  ) -> Int32 {
    let filter = query.filter.and(source.query.filter)
    var context = FilterContext(now: UnixTime(seconds: time(nil)), sourceName: folded(source.name))
    var cursor: FeedCursor? = .start
    var seen: Set<String> = []
    var count = 0
    var skippedCount = 0
    for _ in 0..<pageCount {
      guard let requested = cursor else { break }
      switch load(requested, of: source.pages, on: worker) {
      case .failure(let failure):
        let videos = requested == .start ? "the videos" : "more videos"
        printError(failure.message("\(name)Could not load \(videos)"))
        return ExitStatus.failure
      case .success(let page):
        var budget = PatternBudget()
        for video in page.videos where seen.insert(video.id).inserted {
          context.states = VideoStates(records[VideoKey(video)])
          guard filter.includes(VideoFacts(video), context, &budget) else { continue }
          add(Row(video: video, line: line(for: video, before: page.next)))
          count += 1
        }
        skippedCount += page.skippedCount
        if let notice = page.notice { printError(notice) }
        cursor = page.next == requested ? nil : page.next
      }
    }
    if skippedCount > 0 {
      printError(
        "\(name)Skipped \(skippedCount) \(skippedCount == 1 ? "item that is no video" : "items that are no videos").")
    }
    guard count == 0 else { return ExitStatus.success }
    if !seen.isEmpty {
      printError(
        "\(name)Found no videos: none of \(seen.count) matches the filter. Change it, or load more with --pages.")
      return ExitStatus.failure
    }
    printError("\(name)Found no videos\(Self.reason(skippedCount: skippedCount, hasMorePages: cursor != nil))")
    return ExitStatus.failure
  }

  /// Loads a page. A server that asks to wait is asked again, as long as all waits are shorter than the time-out.
  private func load(_ cursor: FeedCursor, of pages: PageSource, on worker: Worker) -> Result<FeedPage, FeedFailure> {
    var remainingSeconds = feed.timeoutSeconds
    while true {
      let result = worker.wait(for: { await pages.page(cursor, .revalidated) })
      guard case .failure(let failure) = result, case .wait(let seconds) = failure.kind else { return result }
      let pause = max(1, Double(seconds))
      guard pause < remainingSeconds else { return result }
      remainingSeconds -= pause
      worker.wait(for: { try? await Task.sleep(for: .seconds(pause)) })
    }
  }

  private static func reason(skippedCount: Int, hasMorePages: Bool) -> String {
    switch (skippedCount, hasMorePages) {
    case (1..., _): ": the source lists something else. Check the address."
    case (_, true): " in the pages so far. Load more with --pages."
    case (_, false): ": the source is empty. Check the address."
    }
  }

  private func line(for video: Video, before next: FeedCursor?) -> String {
    let nextPage: WebAddress? = if case .address(let address)? = next { address } else { nil }
    let key = VideoKey(video)
    let row = VideoRow(video, nextPage: nextPage, key: key, record: records[key])
    return switch format {
    case .text: row.text
    case .json: row.json
    }
  }
}

extension FeedFailure {
  /// Returns the message in one line: what failed, why, and what to do.
  func message(_ failure: String) -> String { "\(failure): \(explanation)" }

  /// Why, and what to do.
  var explanation: String {
    if case .wait(let seconds) = kind { return "\(reason). Retry in \(seconds) s." }
    guard let advice = advice ?? (kind == .temporary ? "try again" : nil) else { return "\(reason)." }
    return "\(reason). \(advice.prefix(1).uppercased())\(advice.dropFirst())."
  }
}

extension Encodable {
  /// The value as a JSON object on one line, with sorted keys.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
