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
  private let reportRemovalFailure: @Sendable (VideoKey, FeedFailure) -> Void
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
  ///   - reportRemovalFailure: receives the reason why a download or its video file was not deleted.
  package init(
    folder: @escaping @Sendable () -> String?, list: DownloadList, tools: DownloadTools, executor: any TaskExecutor,
    report: @escaping Report, reportRemovalFailure: @escaping @Sendable (VideoKey, FeedFailure) -> Void = { _, _ in }
  ) {
    self.folder = folder
    self.list = list
    self.tools = tools
    self.executor = executor
    self.report = report
    self.reportRemovalFailure = reportRemovalFailure
  }

  // MARK: - Commands

  /// The downloads in the list. Reads the file, but does not look for the video files; `resume` does.
  package var states: [VideoKey: DownloadState] { list.states }

  /// Continues the waiting downloads of earlier programs, and returns their titles. Each of them is reported until it
  /// ends.
  @discardableResult
  package func start() -> [(key: VideoKey, title: String)] {
    let waiting = list.entries().filter { $0.state == .waiting && !$0.request.awaitsAddress }
    for entry in waiting { enqueue(entry) }
    return waiting.map { ($0.key, $0.request.title) }
  }

  /// The downloads of earlier programs that wait for the addresses of their videos.
  package var awaited: [DownloadRequest] {
    list.entries().filter { $0.state == .waiting && $0.request.awaitsAddress }.map(\.request)
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
      guard let task else { return downloader.delete(key) }
      task.cancel()
    }
  }

  /// Continues the waiting downloads of earlier programs, and reports the complete ones whose video files have
  /// disappeared, all at once, unless there are none.
  package func resume(reportMissing: @escaping @Sendable ([VideoKey]) -> Void) {
    perform { downloader in
      downloader.start()
      let missing = downloader.list.entries().filter {
        $0.listedState?.file != nil && $0.state(in: downloader.tools.folder($0.folder)) == nil
      }
      if !missing.isEmpty { reportMissing(missing.map(\.key)) }
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
    var abandoned: DownloadEntry?
    let entry = try list.update { entries -> DownloadEntry? in
      if let index = entries.firstIndex(where: { $0.key == request.key }) {
        if case .done? = entries[index].state(in: self.tools.folder(entries[index].folder)) { return entries[index] }
        abandoned = Self.retry(&entries, index, request, in: path)
        return entries[index]
      }
      guard entries.count < DownloadList.maximumEntryCount else { return nil }
      let stem = Self.stem(of: request, besides: entries, in: path)
      let entry = DownloadEntry(request: request, folder: path, stem: stem)
      entries.append(entry)
      return entry
    }
    guard let entry else { throw .list(SystemError(EDQUOT)) }
    if let abandoned { try? tools.folder(abandoned.folder).removeParts(abandoned.stem) }
    return entry
  }

  /// Prepares an entry for another attempt. A failed one continues its part, unless the user has chosen another folder;
  /// then the entry as it was is returned.
  private static func retry(
    _ entries: inout [DownloadEntry], _ index: Int, _ request: DownloadRequest, in path: String
  ) -> DownloadEntry? {
    let before = entries[index]
    entries[index].request = request
    if before.state != .waiting { (entries[index].videoFile, entries[index].companions) = (nil, []) }
    entries[index].state = .waiting
    guard before.state != .waiting, before.folder != path else { return nil }
    entries[index].folder = path
    entries[index].stem = ""
    entries[index].stem = stem(of: request, besides: entries, in: path)
    return before
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

  /// Deletes a download with its files, and reports the result.
  ///
  /// - Parameter isCancelled: whether it has been running until now.
  private func delete(_ key: VideoKey, isCancelled: Bool = false) {
    do throws(DownloadFailure) {
      let remaining = try deleteFiles(of: key)
      report(key, nil)
      if let remaining { reportRemovalFailure(key, FeedFailure(remaining)) }
    } catch {
      if isCancelled { report(key, .failed(FeedFailure(error))) }
      reportRemovalFailure(key, FeedFailure(error))
    }
  }

  /// Removes a download from the list, then deletes its files. Returns the reason why one of them remains.
  ///
  /// A download whose video file cannot be identified remains in the list, until the user has deleted the file.
  private func deleteFiles(of key: VideoKey) throws(DownloadFailure) -> DownloadFailure? {
    guard let entry = try list.entry(of: key) else { return nil }
    let folder = tools.folder(entry.folder)
    if let videoFile = entry.videoFile, videoFile.mark == nil, folder.hasFile(videoFile.name) {
      throw .unidentified(path: folder.path(of: videoFile.name))
    }
    try folder.removeParts(entry.stem) { () throws(DownloadFailure) in
      try list.update { entries in entries.removeAll { $0.key == key } }
    }
    let remaining = ([entry.videoFile].compactMap(\.self) + entry.companions).filter { !folder.remove($0) }
    return remaining.first.map { file in
      let path = folder.path(of: file.name)
      return file.mark == nil ? .unidentified(path: path) : .replaced(path: path)
    }
  }

  // MARK: - Running

  /// One that waits for the addresses of its video is only listed.
  private func enqueue(_ entry: DownloadEntry) {
    guard !entry.request.awaitsAddress else { return }
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
    if isRemoved { delete(key, isCancelled: true) }
    runNext()
  }

  private func run(_ waiting: DownloadEntry) async {
    let key = waiting.key
    guard let entry = unfinished(waiting) else { return }
    let pace = ReportPace { [report] progress in report(key, .running(progress)) }
    let choose: @Sendable (StoredFile) throws(DownloadFailure) -> Void = { [self] videoFile throws(DownloadFailure) in
      try update(key) { $0.videoFile = videoFile }
    }
    let job = DownloadJob(entry: entry, tools: tools, progress: { pace.report($0) }, choose: choose)
    report(key, .running(DownloadProgress(byteCount: 0)))
    do throws(DownloadFailure) {
      let files = try await job.files()
      try finish(entry, files)
    } catch {
      // Failures of removed downloads are ignored.
      guard !state.withLock({ $0.removed.contains(key) || $0.isClosed }) else { return }
      let failure = FeedFailure(error)
      if error != .busy, error != .cancelled { try? update(key) { $0.state = .failed(failure) } }
      report(key, .failed(failure))
    }
  }

  /// Returns the entry as it is in the list now; nil if another program has ended it meanwhile, which is reported.
  private func unfinished(_ entry: DownloadEntry) -> DownloadEntry? {
    do throws(DownloadFailure) {
      guard var current = try list.entry(of: entry.key) else {
        report(entry.key, nil)
        return nil
      }
      if case .done(let file)? = current.state(in: tools.folder(current.folder)) {
        report(entry.key, .done(file))
        return nil
      }
      // The list has no secrets.
      current.request = entry.request
      return current
    } catch {
      report(entry.key, .failed(FeedFailure(error)))
      return nil
    }
  }

  private func finish(_ entry: DownloadEntry, _ files: DownloadedFiles) throws(DownloadFailure) {
    var done = entry
    (done.videoFile, done.companions) = (files.videoFile, files.companions)
    done.state = .done(UnixTime(seconds: time(nil)))
    try update(entry.key) { $0 = done }
    guard let state = done.state(in: tools.folder(done.folder)) else { throw .empty }
    report(entry.key, state)
  }
}

/// Reports interruptions at once, and progress that changes the screen at most twice a second.
private final class ReportPace: Sendable {
  private struct Last {
    var shown: Int?
    var interruption: String?
    var time = ContinuousClock.now - .seconds(1)
  }

  private let report: @Sendable (DownloadProgress) -> Void
  private let last = Mutex(Last())

  init(_ report: @escaping @Sendable (DownloadProgress) -> Void) { self.report = report }

  func report(_ progress: DownloadProgress) {
    let shown = progress.percent ?? -1 - progress.byteCount / 1_000_000
    let isDue = last.withLock { last in
      guard
        last.interruption != progress.interruption
          || last.shown != shown && last.time.duration(to: .now) >= .milliseconds(500)
      else { return false }
      last = Last(shown: shown, interruption: progress.interruption, time: .now)
      return true
    }
    if isDue { report(progress) }
  }
}
