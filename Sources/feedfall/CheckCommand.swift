import ArgumentParser
import FeedfallDesktop
import FeedfallFeeds
import FeedfallFilters
import FeedfallRuntime
import FeedfallSearch
import FeedfallSources
import FeedfallText
import FeedfallUserData
import Glibc

/// `feedfall check [SOURCE…]`: print the videos that are new since the last check.
struct CheckCommand: ExitingCommand {
  static let word = "check"

  static let configuration = CommandConfiguration(
    commandName: "feedfall check", abstract: "Print the videos that are new since the last check.",
    discussion: """
      Loads the first page of each source into the cache. The first check of a source reports nothing as new. The exit \
      status is 0, or 1 if a source could not be loaded.
      """)

  @Argument(help: NamedSource.help)
  var sources: [String] = []

  @OptionGroup var feed: SourceArguments

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
      guard let seen = SeenVideos.ofUser() else {
        printError("Could not find the folder for checks: neither HOME nor XDG_STATE_HOME is set. Set one of them.")
        return ExitStatus.usage
      }
      let feed = configuration.sourceOptions(feed)
      let opened: [OpenSource]
      do throws(FeedFailure) {
        opened = try OpenSource.open(configuration.selection(named: sources).sources, options: feed)
      } catch {
        printError(error.message("Could not open the source"))
        return ExitStatus.failure
      }
      guard let records = UserLog.records(sharedFolder: configuration.viewOptions().stateFolder) else {
        return ExitStatus.failure
      }
      return check(opened, since: seen, records)
    }
  }

  private func check(_ sources: [OpenSource], since seen: SeenVideos, _ records: UserData) -> Int32 {
    let worker = Worker()
    let index = VideoIndex.ofUser(executor: worker)
    let loaded = worker.wait { await SourceCheck.load(sources) }
    var (status, after) = (ExitStatus.success, seen)
    var news: [SourceNews] = []
    for (source, result) in zip(sources, loaded) {
      switch result {
      case .success(let page):
        if source.isIndexed { index.add(page.videos, source: source.name(titled: page.title)) }
        // Two sources with one address, for example with different filters, have the same news.
        news.append(SourceNews(page, of: source, since: seen, records))
        after.add(page.videos, of: source.argument ?? "")
      case .failure(let failure):
        printError(failure.message("\(source.name): Could not load the videos"))
        status = ExitStatus.failure
      }
    }
    index.close()
    for source in news { source.print(asJSON: json, records) }
    if let error = after.save() {
      printError("Could not save the check: \(error.message). Check the folder for marks.")
      status = ExitStatus.failure
    }
    guard finishPrinting() else { return ExitStatus.failure }
    let isNew = news.contains { !$0.videos.isEmpty }
    if notify, isNew { show(news) }
    return status == ExitStatus.success && exitCode && !isNew ? Self.nothingNew : status
  }

  private func show(_ news: [SourceNews]) {
    let new = news.filter { !$0.videos.isEmpty }
    let count = new.reduce(0) { $0 + $1.videos.count }
    let lines = new.map { "\($0.name): \($0.videos.count == 1 ? $0.videos[0].title : "\($0.videos.count) new")" }
    if !DesktopNotifier.notify(title: SourceNews.count(count), body: lines.joined(separator: "\n")) {
      printError("Could not show a notification: no desktop session answers. Run it in one, or without --notify.")
    }
  }
}

/// Loads the first pages of sources.
private enum SourceCheck {
  /// The maximum number of sources that are loaded at the same time.
  private static let maximumCount = 8

  /// Returns the pages in the order of the sources.
  static func load(_ sources: [OpenSource]) async -> [Result<FeedPage, FeedFailure>] {
    await withTaskGroup(of: (Int, Result<FeedPage, FeedFailure>).self) { group in
      var results: [Result<FeedPage, FeedFailure>?] = Array(repeating: nil, count: sources.count)
      for (number, source) in sources.enumerated() {
        if number >= maximumCount, let (place, result) = await group.next() { results[place] = result }
        group.addTask { (number, await source.pages.page(.start, .revalidated)) }
      }
      for await (place, result) in group { results[place] = result }
      return results.compactMap(\.self)
    }
  }
}

/// The new videos of a source.
private struct SourceNews {
  let name: String
  /// Those that the source's filter includes.
  let videos: [Video]
  /// The number of loaded videos at the first check, of which none is new; nil later.
  private let firstCount: Int?

  init(_ page: FeedPage, of source: OpenSource, since seen: SeenVideos, _ records: UserData) {
    name = source.name(titled: page.title)
    let new = seen.new(page.videos, of: source.argument ?? "")
    firstCount = new == nil ? page.videos.count : nil
    var context = FilterContext(now: UnixTime(seconds: time(nil)), sourceName: folded(name))
    var budget = PatternBudget()
    videos = (new ?? []).filter { video in
      context.states = VideoStates(records[records.key(of: video)])
      return source.query.filter.includes(VideoFacts(video), context, &budget)
    }
  }

  static func count(_ count: Int) -> String { count == 1 ? "1 new video" : "\(count) new videos" }

  func print(asJSON isJSON: Bool, _ records: UserData) {
    if !isJSON { feedfall.print("\(name): \(summary)") }
    for video in videos {
      let key = records.key(of: video)
      let row = VideoRow(video, source: name, key: key, record: records[key])
      feedfall.print(isJSON ? row.json : "\t\(row.text)")
    }
  }

  private var summary: String {
    if let firstCount { return "first check, \(firstCount == 1 ? "1 video" : "\(firstCount) videos")" }
    return videos.isEmpty ? "nothing new" : Self.count(videos.count)
  }
}
