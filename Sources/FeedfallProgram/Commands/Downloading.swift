import FeedfallFeeds
import FeedfallMedia
import FeedfallRecords
import FeedfallScreen
import FeedfallSources
import FeedfallText
import Glibc

struct Downloading {
  /// Empty to continue the waiting downloads.
  var addresses: [String]
  var sources: [NamedSource]
  var options: ViewOptions
  var feed: SourceOptions

  private typealias Reports = MessageQueue<(VideoKey, DownloadState?)>

  /// If all downloads pause for longer after failures, they stay in the list.
  private static let longestPauseSeconds = 60

  func run() -> Int32 {
    let (reports, worker) = (Reports(), Worker())
    let list = DownloadList.ofUser()
    // Downloads require the authorization of configured sources.
    let withLogin = sources.filter { $0.login != nil }.map { $0.late(feed) }
    let running = RunningSources(withLogin, configured: sources, options: feed)
    let downloader = Downloader(
      folder: { [options] in options.downloadFolder() }, list: list,
      tools: DownloadTools(feed, maximumHeight: options.playing.maximumHeight, for: running), executor: worker,
      report: { reports.post(($0, $1)) })
    var titles: [VideoKey: String] = [:]
    var secretKeys: Set<VideoKey> = []
    var failedCount = printFault(of: list.load()) ? 0 : 1
    if addresses.isEmpty {
      for (key, title) in downloader.start() { titles[key] = title }
      let awaitedCount = downloader.awaited.count
      if awaitedCount > 0 {
        let downloads = awaitedCount == 1 ? "1 download waits" : "\(awaitedCount) downloads wait"
        printError("\(downloads) for addresses. Open the sources in feedfall to resume.")
      } else if titles.isEmpty, failedCount == 0 {
        printError("No downloads are waiting.")
      }
    }
    guard let records = addresses.isEmpty ? UserData() : UserLog.records(sharedFolder: options.stateFolder) else {
      return ExitStatus.failure
    }
    // One for all addresses, because it reads the list of downloads and opens the index of loaded videos.
    let finder = VideoFinder(records: records)
    var seen: Set<String> = []
    for address in addresses where seen.insert(address).inserted {
      do throws(FeedFailure) {
        let request = try request(for: address, records, finder, on: worker)
        titles[request.key] = request.title
        // The list does not store the secret, so the queue cannot continue it.
        if request.addresses.contains(where: { $0.address.hasSecret }) { secretKeys.insert(request.key) }
        downloader.add(request)
      } catch {
        let name = cleanedLine(address.hidingPassword, limit: 200)
        printError(error.message("Could not download \(name)"))
        failedCount += 1
      }
    }
    failedCount += show(reports, titles, secretKeys, of: downloader)
    return failedCount == 0 ? ExitStatus.success : ExitStatus.failure
  }

  /// Returns the number of downloads without a file, once all have ended or can only wait.
  private func show(
    _ reports: Reports, _ titles: [VideoKey: String], _ secretKeys: Set<VideoKey>, of downloader: Downloader
  ) -> Int {
    var printer = Printer(titles: titles, secretKeys: secretKeys, isTerminal: isatty(STDOUT_FILENO) == 1)
    while printer.unfinishedCount > 0 {
      reports.wait()
      for (key, state) in reports.drain() { printer.print(key, state) }
      if printer.areRestStalled, !downloader.isActive(within: Self.longestPauseSeconds) {
        downloader.close()
        printer.endStalled()
      }
    }
    return printer.failedCount
  }

  // MARK: - Addresses

  private func request(
    for address: String, _ records: UserData, _ finder: VideoFinder, on worker: Worker
  ) throws(FeedFailure) -> DownloadRequest {
    let source = try OpenSource.open([NamedSource(argument: address)], options: feed)[0].pages
    let retrying = RetryingSource(source, timeoutSeconds: feed.timeoutSeconds)
    let page = try worker.wait { await retrying.page(.start, .revalidated) }.get()
    guard let listed = page.videos.first else {
      throw FeedFailure(.permanent, "there is no video", advice: "check the address")
    }
    guard page.videos.count == 1 else {
      throw FeedFailure(
        .permanent, "it lists \(page.videos.count) videos",
        advice: "write the address of one of them; feedfall list prints them")
    }
    let video = listed.detailsURL == nil ? listed : try worker.wait { await source.details(listed) }.get()
    var request = try Self.request(for: video, records, maximumHeight: options.playing.maximumHeight)
    // The browser finds the download by the record of the feed's video.
    if let known = finder.known(address) {
      request.key = known.key
      request.title = known.video?.title ?? request.title
      request.source = known.source
    }
    let own = sources.first { $0.isNamed(address.hidingPassword) }
    request.source = own?.name ?? request.source
    return request
  }

  static func request(
    for video: Video, _ records: UserData, maximumHeight: Int?
  ) throws(FeedFailure) -> DownloadRequest {
    do {
      return try DownloadRequest(video, key: records.key(of: video), maximumHeight: maximumHeight)
    } catch {
      switch error {
      case .isLive: throw FeedFailure(.permanent, "the broadcast has not ended", advice: "retry once it has")
      case .isLocal: throw FeedFailure(.permanent, "it is a file on this computer", advice: "write a web address")
      case .noChoice(let quality):
        throw FeedFailure(
          .permanent, "its source does not offer \(quality.text)", advice: "download it without a quality")
      case .noAddress: throw FeedFailure(.permanent, "it has no address of a file", advice: "open its page instead")
      }
    }
  }

  /// A bar on a terminal, else one JSON object for each change.
  struct Printer {
    private let titles: [VideoKey: String]
    private let secretKeys: Set<VideoKey>
    private let isTerminal: Bool
    private var running: [(key: VideoKey, progress: DownloadProgress)] = []
    private var ended: Set<VideoKey> = []
    private var stalled: [VideoKey: FeedFailure] = [:]
    private var shownWidth = 0
    private(set) var failedCount = 0

    private static let barWidth = 20

    init(titles: [VideoKey: String], secretKeys: Set<VideoKey> = [], isTerminal: Bool) {
      (self.titles, self.secretKeys, self.isTerminal) = (titles, secretKeys, isTerminal)
    }

    var unfinishedCount: Int { titles.count - ended.count }

    var areRestStalled: Bool { stalled.count == unfinishedCount }

    /// Reports the stalled downloads, which stay in the list, as failed.
    mutating func endStalled() {
      for (key, failure) in stalled.sorted(by: { $0.key.text < $1.key.text }) {
        let title = titles[key] ?? key.text
        let advice =
          secretKeys.contains(key) ? "Repeat the command to continue." : "Run feedfall download --queue to continue."
        let message = failure.message("Could not download \(title)")
        end(key, title, because: failure.explanation, "\(message) \(advice)")
      }
    }

    mutating func print(_ key: VideoKey, _ state: DownloadState?) {
      guard let title = titles[key], !ended.contains(key) else { return }
      running.removeAll { $0.key == key }
      stalled[key] = nil
      switch state {
      case .waiting: break
      case .stalled(let failure):
        stalled[key] = failure
        printRow("waiting", key, title, ["error": failure.explanation])
      case .running(let progress):
        running.append((key, progress))
        printRow(
          "progress", key, title,
          [
            "bytes": progress.totalByteCount, "downloadedBytes": progress.byteCount, "error": progress.interruption,
          ])
      case .done(let file):
        ended.insert(key)
        let path = String(decoding: file.address.path, as: UTF8.self)
        clearBar()
        if isTerminal {
          let note = file.mayBeIncomplete ? ", which may be incomplete" : ""
          FeedfallProgram.print("Downloaded \(path.asColumn)\(note)")
        }
        let incomplete = file.mayBeIncomplete ? true : nil
        printRow("done", key, title, ["bytes": file.byteCount, "path": path, "mayBeIncomplete": incomplete])
      case .failed(let failure):
        end(key, title, because: failure.explanation, failure.message("Could not download \(title)"))
      case nil: end(key, title, because: "it was removed", "Removed \(title).")
      }
      showBar()
    }

    private mutating func end(_ key: VideoKey, _ title: String, because reason: String, _ message: String) {
      ended.insert(key)
      failedCount += 1
      clearBar()
      printRow("failed", key, title, ["error": reason])
      printError(message)
    }

    private func printRow(_ event: String, _ key: VideoKey, _ title: String, _ row: JSONRow) {
      guard !isTerminal else { return }
      var row = row
      row.add(["event": event, "recordID": key.text, "title": title])
      FeedfallProgram.print(row.json)
      // The reader of a pipe follows the progress.
      flushOutput()
    }

    // MARK: - Bar

    private mutating func showBar() {
      guard isTerminal else { return }
      clearBar()
      var texts = running.map { row in
        let interruption = row.progress.interruption.map { "retrying after a failure: \($0)" }
        return "\(bar(row.progress)) · \(interruption ?? titles[row.key] ?? "")"
      }
      if texts.isEmpty, let failure = stalled.first?.value { texts = ["waiting: \(failure.reason)"] }
      guard !texts.isEmpty else { return }
      let width = max(10, Self.terminalWidth / texts.count - 3)
      let text = texts.map { excerpt(of: harmlessText($0), width: width) }.joined(separator: "   ")
      shownWidth = TextWidths().width(of: text)
      printUnchanged(text)
    }

    /// Overwrites the bar with blanks, because only `FeedfallTerminal` writes escape sequences.
    private mutating func clearBar() {
      guard shownWidth > 0 else { return }
      printUnchanged("\r" + String(repeating: " ", count: shownWidth) + "\r")
      shownWidth = 0
    }

    private func bar(_ progress: DownloadProgress) -> String {
      guard let percent = progress.percent, let total = progress.totalByteCount else {
        return progress.byteCount.asByteCount
      }
      let filled = percent * Self.barWidth / 100
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled)
      return "\(bar) \(percent) % of \(total.asByteCount)"
    }

    private static var terminalWidth: Int {
      var size = winsize()
      return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
  }
}

func message(of fault: DownloadFailure) -> String { FeedFailure(fault).message("Could not read all downloads") }

/// Returns false if the list cannot be read.
func printFault(of downloads: DownloadList.Loaded) -> Bool {
  guard let fault = downloads.fault else { return true }
  printError(message(of: fault))
  if case .damagedList = fault { return true }
  return false
}
