import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import FeedfallUserData
import Glibc
import Synchronization

/// Downloads videos, two at a time and in the order of their requests.
package final class Downloader: Sendable {
  /// Receives each change of a download, on any thread; nil for one that was removed.
  package typealias Report = @Sendable (VideoKey, DownloadState?) -> Void

  private let folder: @Sendable () -> String?
  private let list: DownloadList
  private let tools: DownloadTools
  private let executor: any TaskExecutor
  private let report: Report
  private let state = Mutex(State())

  private struct State {
    var waiting: [DownloadEntry] = []
    var running: [VideoKey: Task<Void, Never>] = [:]
    /// Removed while they ran; their files are deleted at their end.
    var removed: Set<VideoKey> = []
    var isClosed = false
  }

  private static let maximumRunningCount = 2

  /// - Parameters:
  ///   - folder: returns the folder for new downloads; nil if the environment names none.
  ///   - executor: runs the tasks; they wait for the disk.
  package init(
    folder: @escaping @Sendable () -> String?, list: DownloadList, tools: DownloadTools, executor: any TaskExecutor,
    report: @escaping Report
  ) {
    self.folder = folder
    self.list = list
    self.tools = tools
    self.executor = executor
    self.report = report
  }

  // MARK: - Commands

  /// The downloads in the list. Reads the file.
  package var states: [VideoKey: DownloadState] { list.states }

  /// The waiting downloads in the list, in order.
  package var waitingTitles: [(key: VideoKey, title: String)] {
    list.entries().filter { $0.state == .waiting }.map { ($0.key, $0.request.title) }
  }

  /// Continues the waiting downloads of earlier programs.
  package func start() {
    perform { downloader in
      for entry in downloader.list.entries() where entry.state == .waiting { downloader.enqueue(entry) }
    }
  }

  /// Adds a download, or retries it. One that is complete or in progress only reports its state.
  package func add(_ request: DownloadRequest) {
    perform { downloader in
      do throws(DownloadFailure) {
        guard let entry = try downloader.insert(request) else { return }
        let state = entry.state(in: downloader.tools.folder(entry.folder))
        downloader.report(request.key, state)
        if state == .waiting { downloader.enqueue(entry) }
      } catch {
        downloader.report(request.key, .failed(FeedFailure(error)))
      }
    }
  }

  /// Cancels a download and deletes its files.
  package func remove(_ key: VideoKey) {
    perform { downloader in
      let task = downloader.state.withLock { state -> Task<Void, Never>? in
        state.waiting.removeAll { $0.key == key }
        if state.running[key] != nil { state.removed.insert(key) }
        return state.running[key]
      }
      guard let task else { return downloader.deleteFiles(of: key) }
      task.cancel()
    }
  }

  /// Reports a complete download as removed if its file has disappeared.
  package func check(_ key: VideoKey) {
    perform { downloader in
      guard let entry = downloader.list.entries().first(where: { $0.key == key }), case .done = entry.state,
        entry.state(in: downloader.tools.folder(entry.folder)) == nil
      else { return }
      downloader.report(key, nil)
    }
  }

  /// Cancels all downloads; the next program continues them.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      state.waiting = []
      for task in state.running.values { task.cancel() }
    }
  }

  private func perform(_ work: @escaping @Sendable (Downloader) -> Void) {
    Task.detached(executorPreference: executor) { [self] in work(self) }
  }

  // MARK: - List

  /// Adds a request to the list, or finds the complete download; returns nil if it is in progress.
  private func insert(_ request: DownloadRequest) throws(DownloadFailure) -> DownloadEntry? {
    if state.withLock({ $0.running[request.key] != nil || $0.waiting.contains { $0.key == request.key } }) {
      return nil
    }
    guard let path = folder() else { throw .folder(SystemError(ENOENT), path: "~/Videos") }
    let entry = try list.update { entries -> DownloadEntry? in
      if let index = entries.firstIndex(where: { $0.key == request.key }) {
        if case .done? = entries[index].state(in: self.tools.folder(entries[index].folder)) { return entries[index] }
        if case .done = entries[index].state { entries[index].file = nil }
        // A failed one continues its part.
        entries[index].request = request
        entries[index].state = .waiting
        return entries[index]
      }
      guard entries.count < DownloadList.maximumEntryCount else { return nil }
      let stem = Self.stem(of: request, besides: entries, in: path)
      let entry = DownloadEntry(request: request, folder: path, stem: stem)
      entries.append(entry)
      return entry
    }
    guard let entry else { throw .list(SystemError(EDQUOT)) }
    return entry
  }

  private static func stem(of request: DownloadRequest, besides entries: [DownloadEntry], in folder: String) -> String {
    let stem = DownloadName.stem(title: request.title, key: request.key)
    let used = Set(entries.filter { $0.folder == folder }.map(\.stem))
    return (1...).lazy.map { DownloadName.numbered(stem, $0) }.first { !used.contains($0) } ?? stem
  }

  private func update(_ key: VideoKey, _ change: (inout DownloadEntry) -> Void) throws(DownloadFailure) {
    try list.update { entries in
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
      change(&entries[index])
    }
  }

  private func deleteFiles(of key: VideoKey) {
    let removed = try? list.update { entries in
      entries.firstIndex { $0.key == key }.map { entries.remove(at: $0) }
    }
    if let entry = removed ?? nil {
      let folder = tools.folder(entry.folder)
      let own = [
        DownloadPart.partName(entry.stem), DownloadPart.factsName(entry.stem), ProgramDownload.folderName(entry.stem),
      ]
      for name in own + [entry.file].compactMap(\.self) + entry.companions { folder.remove(name) }
    }
    report(key, nil)
  }

  // MARK: - Running

  private func enqueue(_ entry: DownloadEntry) {
    state.withLock { state in
      guard !state.isClosed, state.running[entry.key] == nil, !state.waiting.contains(where: { $0.key == entry.key })
      else { return }
      state.waiting.append(entry)
    }
    runNext()
  }

  private func runNext() {
    state.withLock { state in
      while !state.isClosed, state.running.count < Self.maximumRunningCount, !state.waiting.isEmpty {
        let entry = state.waiting.removeFirst()
        state.running[entry.key] = Task.detached(executorPreference: executor) { [self] in
          await run(entry)
          end(entry.key)
        }
      }
    }
  }

  private func end(_ key: VideoKey) {
    let isRemoved = state.withLock { state in
      state.running[key] = nil
      return state.removed.remove(key) != nil
    }
    if isRemoved { deleteFiles(of: key) }
    runNext()
  }

  private func run(_ entry: DownloadEntry) async {
    let key = entry.key
    let pace = ReportPace { [report] progress in report(key, .running(progress)) }
    let choose: @Sendable (String) throws(DownloadFailure) -> Void = { [self] name throws(DownloadFailure) in
      try update(key) { $0.file = name }
    }
    let job = DownloadJob(entry: entry, tools: tools, progress: { pace.report($0) }, choose: choose)
    report(key, .running(DownloadProgress(byteCount: 0)))
    do throws(DownloadFailure) {
      let files = try await job.files()
      try finish(entry, files)
    } catch .cancelled {
      return
    } catch {
      // Failures of removed downloads are ignored.
      guard !state.withLock({ $0.removed.contains(key) || $0.isClosed }) else { return }
      let failure = FeedFailure(error)
      if error != .busy { try? update(key) { $0.state = .failed(failure) } }
      report(key, .failed(failure))
    }
  }

  private func finish(_ entry: DownloadEntry, _ files: DownloadedFiles) throws(DownloadFailure) {
    var done = entry
    (done.file, done.companions) = (files.name, files.companions)
    done.state = .done(UnixTime(seconds: time(nil)))
    try update(entry.key) { $0 = done }
    guard let state = done.state(in: tools.folder(done.folder)) else { throw .empty }
    report(entry.key, state)
  }
}

/// Limits the reports of progress to those that change the screen, at most two in a second.
private final class ReportPace: Sendable {
  private struct Last {
    var shown: Int?
    var time = ContinuousClock.now - .seconds(1)
  }

  private let report: @Sendable (DownloadProgress) -> Void
  private let last = Mutex(Last())

  init(_ report: @escaping @Sendable (DownloadProgress) -> Void) { self.report = report }

  func report(_ value: DownloadProgressReport) {
    let progress = DownloadProgress(byteCount: value.byteCount, totalByteCount: value.total)
    let shown = progress.percent ?? -1 - progress.byteCount / 1_000_000
    let isDue = last.withLock { last in
      guard last.shown != shown, last.time.duration(to: .now) >= .milliseconds(500) else { return false }
      last = Last(shown: shown, time: .now)
      return true
    }
    if isDue { report(progress) }
  }
}
