import ArgumentParser
import FeedfallFeeds
import FeedfallFilters
import FeedfallMedia
import FeedfallPlayer
import FeedfallRecords
import FeedfallSources
import FeedfallSystem
import FeedfallText

struct CheckCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall check", abstract: "Print the videos that are new since the last check.",
    discussion: """
      Loads up to 10 pages of each source, until one has a video that an earlier check has seen. The first check \
      of a source loads one page and reports nothing as new. The exit status is 0, or 1 if a source could not be loaded. \
      If printing or --notify fails, the videos are new again in the next check.
      """)

  @Argument(help: NamedSource.help, completion: NamedSource.completion)
  var sources: [String] = []

  @OptionGroup var feed: OptionArguments.Feed

  @Flag(help: "Print the new videos as JSON, one object per line.")
  var json = false

  @Flag(help: "Exit with status 3 if nothing is new.")
  var exitCode = false

  @Flag(help: "Show a notification on the desktop if anything is new.")
  var notify = false

  private static let nothingNew: Int32 = 3

  func validate() throws {
    if sources.contains("-") { throw ValidationError("Standard input cannot be checked. Name a file or an address.") }
  }

  func run() -> Int32 {
    withConfiguration { configuration in
      guard let path = SeenVideos.userPath else {
        printError("Could not find the folder for checks: neither HOME nor XDG_STATE_HOME is set. Set one of them.")
        return ExitStatus.usage
      }
      let seen: SeenVideos
      do throws(SystemError) { seen = try SeenVideos(path: path) } catch {
        printError("Could not read \(cleanedLine(path)): \(error.message). Check its permissions, or move it away.")
        return ExitStatus.failure
      }
      let feed = configuration.sourceOptions(feed)
      return configuration.run(for: sources) { selected, _, records in
        guard let opened = OpenSource.opened(selected, options: feed) else { return ExitStatus.failure }
        return check(opened, since: seen, records, timeoutSeconds: feed.timeoutSeconds)
      }
    }
  }

  private func check(
    _ sources: [OpenSource], since seen: SeenVideos, _ records: UserData, timeoutSeconds: Double
  ) -> Int32 {
    let worker = Worker()
    let index = VideoIndex.ofUser(executor: worker)
    var checked: [CheckedSource] = []
    worker.load(sources.count) {
      let source = sources[$0]
      let retrying = RetryingSource(source.pages, called: "\(source.name): ", timeoutSeconds: timeoutSeconds)
      return await CheckedPages(of: source, by: retrying, since: seen)
    } _: { number, pages in
      let source = sources[number]
      if source.isIndexed { index.add(pages.videos, source: source.name(titled: pages.title)) }
      checked.append(CheckedSource(source, pages, since: seen, records))
      return true
    }
    index.close()
    for source in checked { source.print(asJSON: json, records) }
    // Two sources with one address, for example with different filters, have the same news.
    var unreported = Set(checked.filter { !$0.isComplete }.map(\.address))
    var status = checked.contains { $0.hasFailed } ? ExitStatus.failure : ExitStatus.success
    let news = checked.filter { !$0.videos.isEmpty }
    if !flushOutput() {
      unreported.formUnion(news.map(\.address))
    } else if notify, !news.isEmpty, !show(news) {
      unreported.formUnion(news.map(\.address))
      status = ExitStatus.failure
    }
    var after = seen
    for source in checked {
      if unreported.contains(source.address) {
        after.use(source.address)
      } else {
        after.add(source.pages.videos, of: source.address)
      }
    }
    do throws(SystemError) { try after.save() } catch {
      printError("Could not save the check: \(error.message). Check the folder for marks.")
      status = ExitStatus.failure
    }
    return status == ExitStatus.success && exitCode && news.isEmpty ? Self.nothingNew : status
  }

  private func show(_ news: [CheckedSource]) -> Bool {
    let count = news.reduce(0) { $0 + $1.videos.count }
    let lines = news.map { "\($0.name): \($0.videos.count == 1 ? $0.videos[0].title : "\($0.videos.count) new")" }
    if DesktopNotifier.notify(title: CheckedSource.count(count), body: lines.joined(separator: "\n")) { return true }
    printError(
      "Could not show a notification: no desktop session answers. The videos stay new. Run check in a desktop session, "
        + "or without --notify.")
    return false
  }

  private struct CheckedPages: Sendable {
    enum End {
      /// No later page has news.
      case reached
      case limit
      case failed(FeedFailure, isFirst: Bool)
    }

    static let maximumCount = 10

    var videos: [Video] = []
    var title: String?
    var notices: [String] = []
    var end = End.limit

    init(of source: OpenSource, by retrying: RetryingSource, since seen: SeenVideos) async {
      var (cursor, ids) = (FeedCursor.start, PageIDs())
      for _ in 0..<Self.maximumCount {
        let page: FeedPage
        switch await retrying.page(cursor, .revalidated) {
        case .success(let loaded): page = loaded
        case .failure(let failure):
          end = .failed(failure, isFirst: cursor == .start)
          return
        }
        videos += page.videos.compactMap { ids.new($0) }
        title = title ?? page.title
        if let notice = page.notice { notices.append(notice) }
        guard !seen.isLast(page.videos, of: source.argument ?? ""), let next = page.next, next != cursor else {
          end = .reached
          return
        }
        cursor = next
      }
    }
  }

  private struct CheckedSource {
    let name: String
    let address: String
    let pages: CheckedPages
    let videos: [Video]
    private let isFirst: Bool

    init(_ source: OpenSource, _ pages: CheckedPages, since seen: SeenVideos, _ records: UserData) {
      name = source.name(titled: pages.title)
      address = source.argument ?? ""
      self.pages = pages
      let new = seen.new(pages.videos, of: address)
      isFirst = new == nil
      // A downloaded file in a folder is no news.
      let news = (new ?? []).filter { records.original(of: $0) == nil }
      videos = source.included(news, by: source.query.filter, called: name, records)
    }

    var hasFailed: Bool { if case .failed = pages.end { true } else { false } }

    /// If a later page may load next time, all videos are reported again with its own.
    var isComplete: Bool {
      guard case .failed(let failure, let isFirst) = pages.end else { return true }
      return !isFirst && failure.kind == .permanent
    }

    static func count(_ count: Int) -> String { count == 1 ? "1 new video" : "\(count) new videos" }

    func print(asJSON isJSON: Bool, _ records: UserData) {
      for notice in pages.notices { printError("\(name): \(notice)") }
      switch pages.end {
      case .failed(let failure, let isFirst):
        printError(failure.message("\(name): \(isFirst ? "Could not load the videos" : laterFailure)"))
        if isFirst { return }
      case .limit where isJSON:
        printError("\(name): All videos on the first \(CheckedPages.maximumCount) pages are new. There may be more.")
      case .limit, .reached: break
      }
      if !isJSON { FeedfallProgram.print("\(name): \(summary)") }
      for video in videos {
        let key = records.key(of: video)
        let row = VideoRow(video, source: name, key: key, record: records[key])
        FeedfallProgram.print(isJSON ? row.json : "\t\(row.text)")
      }
    }

    private var laterFailure: String {
      isComplete
        ? "Could not load the next page"
        : "Could not load the next page, so the next check reports the new videos again"
    }

    private var summary: String {
      if isFirst { return "first check, \(pages.videos.count == 1 ? "1 video" : "\(pages.videos.count) videos")" }
      guard case .limit = pages.end else { return videos.isEmpty ? "nothing new" : Self.count(videos.count) }
      return "\(Self.count(videos.count)) and more after \(CheckedPages.maximumCount) pages"
    }
  }
}
