import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// Downloads videos, two at a time and in the order of their requests. Only a failure of its address ends a download;
/// after any other, it waits in the queue, and in the list for the next program.
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
    var queue = DownloadQueue()
    var tasks: [VideoKey: Task<Void, Never>] = [:]
    /// The downloads for whose locks a thread waits.
    var lockWaits: Set<VideoKey> = []
    /// Starts the next download at a time of the queue.
    var alarm: (time: Int, task: Task<Void, Never>)?
    var isClosed = false
  }

  /// - Parameters:
  ///   - folder: returns the folder for new downloads; nil if the environment names none.
  ///   - executor: runs the tasks in their order; they wait for the disk.
  package init(
    folder: @escaping @Sendable () -> String?, list: DownloadList, tools: DownloadTools, executor: any TaskExecutor,
    report: @escaping Report, reportRemovalFailure: @escaping @Sendable (VideoKey, FeedFailure) -> Void = { _, _ in }
  ) {
    (self.folder, self.list, self.tools, self.executor) = (folder, list, tools, executor)
    (self.report, self.reportRemovalFailure) = (report, reportRemovalFailure)
  }

  // MARK: - Commands

  /// Continues the waiting downloads of earlier programs, and returns their titles.
  @discardableResult
  package func start() -> [(key: VideoKey, title: String)] {
    // A list that cannot be read is reported by `DownloadList.load`.
    let waiting = waitingEntries.filter { !$0.request.awaitsAddress }
    advance { queue in
      for entry in waiting { queue.add(entry) }
    }
    return waiting.map { ($0.key, $0.request.title) }
  }

  /// The downloads of earlier programs that wait for the addresses of their videos.
  package var awaited: [DownloadRequest] { waitingEntries.map(\.request).filter(\.awaitsAddress) }
  private var waitingEntries: [DownloadEntry] { ((try? list.entries()) ?? []).filter { $0.state == .waiting } }

  package func isActive(within seconds: Int) -> Bool {
    state.withLock { $0.queue.isActive(within: seconds, at: tools.now()) }
  }

  func isBeingRemoved(_ key: VideoKey) -> Bool { state.withLock { $0.queue.isBeingRemoved(key) } }

  /// Adds a download, or retries it. One that is complete or in progress only reports its state.
  package func add(_ request: DownloadRequest) {
    perform { downloader in
      do throws(DownloadFailure) {
        guard let entry = try downloader.insert(request) else { return }
        let state = entry.state(in: downloader.tools.folder(entry.folder))
        downloader.report(request.key, state)
        guard state == .waiting else { return }
        // One that waits for the addresses of its video is only listed. Known addresses are not tried while newer ones
        // are requested.
        if entry.request.awaitsAddress {
          downloader.advance { $0.suspend(entry.key) }
        } else if !request.awaitsAddress {
          downloader.advance { $0.add(entry) }
        }
      } catch {
        downloader.report(request.key, .failed(FeedFailure(error)))
      }
    }
  }

  package func remove(_ key: VideoKey) {
    perform { downloader in
      let task = downloader.state.withLock { state -> Task<Void, Never>? in
        state.queue.remove(key) ? state.tasks[key] : nil
      }
      guard let task else { return downloader.delete(key) }
      task.cancel()
    }
  }

  /// Continues the waiting downloads, and reports the complete ones whose files have disappeared, all at once.
  package func resume(reportMissing: @escaping @Sendable ([VideoKey]) -> Void) {
    perform { downloader in
      downloader.start()
      let missing = ((try? downloader.list.entries()) ?? []).filter {
        $0.listedState?.file != nil && $0.state(in: downloader.tools.folder($0.folder)) == nil
      }
      if !missing.isEmpty { reportMissing(missing.map(\.key)) }
    }
  }

  /// Reports a complete download as removed if its file has disappeared.
  package func check(_ key: VideoKey) {
    perform { downloader in
      guard let entry = try? downloader.list.entry(of: key), case .done = entry.state,
        entry.state(in: downloader.tools.folder(entry.folder)) == nil
      else { return }
      downloader.report(key, nil)
    }
  }

  /// Returns the number of cancelled downloads that the next program continues: those without passwords in addresses.
  @discardableResult
  package func close() -> Int {
    state.withLock { state in
      state.isClosed = true
      state.alarm?.task.cancel()
      for task in state.tasks.values { task.cancel() }
      return state.queue.unfinished.count(where: \.isStorable)
    }
  }

  // MARK: - Files

  package struct Listed: Sendable {
    package var request: DownloadRequest
    /// Nil for a complete download whose file is missing.
    package var state: DownloadState?

    package func isNamed(_ text: String) -> Bool {
      let address = WebAddress(typed: text)?.forStorage
      return request.key == VideoKey(text: text) || request.key.text == text
        || address != nil && request.addresses.contains { $0.address.forStorage == address }
        || state?.file.map { $0.address.path.elementsEqual(text.utf8) || $0.address.text == text } == true
    }
  }

  package func listed() throws(DownloadFailure) -> [Listed] {
    try list.entries().map { Listed(request: $0.request, state: $0.state(in: tools.folder($0.folder))) }
  }

  private func perform(_ work: @escaping @Sendable (Downloader) -> Void) {
    Task.detached(executorPreference: executor) { [self] in work(self) }
  }

  // MARK: - List

  /// Returns nil if it is in progress, or is added after its removal.
  private func insert(_ request: DownloadRequest) throws(DownloadFailure) -> DownloadEntry? {
    if state.withLock({ $0.queue.isRunning(request) }) { return nil }
    guard let path = folder() else { throw .folder(SystemError(ENOENT), path: "~/Videos") }
    var abandoned: DownloadEntry?
    let entry = try list.update { entries -> DownloadEntry? in
      if let index = entries.firstIndex(where: { $0.key == request.key }) {
        if case .done? = entries[index].state(in: self.tools.folder(entries[index].folder)) { return entries[index] }
        abandoned = self.retry(&entries, index, request, in: path)
        return entries[index]
      }
      guard entries.count < DownloadList.maximumEntryCount else { return nil }
      var entry = DownloadEntry(
        request: request, folder: path, stem: self.stem(of: request, besides: entries, in: path))
      entry.disk = entries.last { $0.folder == path }?.disk
      entries.append(entry)
      return entry
    }
    guard let entry else { throw .list(SystemError(EDQUOT)) }
    if let abandoned { try? tools.folder(abandoned.folder).removeParts(abandoned.stem) }
    return entry
  }

  /// A failed entry continues its part, unless the user has chosen another folder, or its name is too long; then the
  /// entry as it was is returned. The same holds for a waiting one whose folder has no space, or is missing.
  private func retry(
    _ entries: inout [DownloadEntry], _ index: Int, _ request: DownloadRequest, in path: String
  ) -> DownloadEntry? {
    let before = entries[index]
    // Known addresses stay until others are known, unless they were chosen for another quality.
    if !request.awaitsAddress || before.request.awaitsAddress || request.quality != before.request.quality {
      entries[index].request = request
    }
    entries[index].disk = nil
    if before.state != .waiting { (entries[index].videoFile, entries[index].companions) = (nil, []) }
    entries[index].state = .waiting
    let folder = tools.folder(before.folder)
    guard before.folder != path || before.stem.utf8.count > folder.maximumStemByteCount,
      before.state != .waiting || folder.shortage != nil || !Files.exists(before.folder)
    else { return nil }
    entries[index].folder = path
    entries[index].stem = ""
    entries[index].stem = stem(of: request, besides: entries, in: path)
    return before
  }

  private func stem(of request: DownloadRequest, besides entries: [DownloadEntry], in folder: String) -> String {
    let limit = tools.folder(folder).maximumStemByteCount
    let stem = DownloadName.stem(title: request.title, key: request.key, limit: limit)
    let used = Set(entries.filter { $0.folder == folder }.map(\.stem))
    return (1...).lazy.map { DownloadName.numbered(stem, $0) }.first { !used.contains($0) } ?? stem
  }

  /// The rules and the login of a source are found by its name.
  public func renameSource(_ name: String, to newName: String) {
    guard name != newName else { return }
    try? list.update { entries in
      for index in entries.indices where entries[index].request.source == name {
        entries[index].request.source = newName
      }
    }
  }

  private func update(_ key: VideoKey, _ change: (inout DownloadEntry) -> Void) throws(DownloadFailure) {
    try list.update { entries in
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
      change(&entries[index])
    }
  }

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

  /// Returns the reason why a file remains.
  package func deleteFiles(of key: VideoKey) throws(DownloadFailure) -> DownloadFailure? {
    guard let entry = try list.entry(of: key) else { return nil }
    let folder = tools.folder(entry.folder)
    try folder.removeParts(entry.stem) { () throws(DownloadFailure) in
      try list.update { entries in entries.removeAll { $0.key == key } }
    }
    let remaining = ([entry.videoFile].compactMap(\.self) + entry.companions).filter { !folder.remove($0) }
    return remaining.first.map { .replaced(path: folder.path(of: $0.name)) }
  }

  // MARK: - Running

  private func advance(_ change: (inout DownloadQueue) -> Void = { _ in }) {
    state.withLock { state in
      change(&state.queue)
      guard !state.isClosed else { return }
      for start in state.queue.start(at: tools.now()) {
        state.tasks[start.entry.key] = Task.detached(executorPreference: executor) { [self] in await run(start) }
      }
      setAlarm(&state)
      // Within the lock, so that no download has started meanwhile.
      for (key, waiting) in state.queue.changes() { report(key, waiting) }
    }
  }

  private func setAlarm(_ state: inout State) {
    let time = state.queue.nextStart()
    guard time != state.alarm?.time else { return }
    state.alarm?.task.cancel()
    state.alarm = time.map { time in
      let task = Task.detached(executorPreference: executor) { [self] in
        await tools.awaitTurn(min(max(0, time - tools.now()), Self.longestSleep))
        guard !Task.isCancelled else { return }
        self.state.withLock { $0.alarm = nil }
        advance()
      }
      return (time, task)
    }
  }

  private static let longestSleep = 86_400

  private func run(_ start: DownloadQueue.Start) async {
    let key = start.entry.key
    do throws(DownloadFailure) {
      if let entry = try unfinished(start.entry) {
        let files = try await job(of: entry, isProbe: start.isProbe).files()
        try finish(entry, files)
      }
    } catch {
      // Failures of removed downloads are ignored.
      let isOver = state.withLock { $0.isClosed } || isBeingRemoved(key)
      if !isOver, let obstacle = error.obstacle { return stall(start.entry, error, obstacle) }
      if !isOver {
        let failure = FeedFailure(error)
        try? update(key) { $0.state = .failed(failure) }
        report(key, .failed(failure))
      }
    }
    end(key)
  }

  private func job(of entry: DownloadEntry, isProbe: Bool) throws(DownloadFailure) -> DownloadJob {
    let key = entry.key
    report(key, .running(DownloadProgress(byteCount: 0)))
    assignRules(entry.request)
    let disk = try tools.folder(entry.folder).create(on: entry.disk)
    if disk != entry.disk { try update(key) { $0.disk = disk } }
    let gauge = Gauge()
    return DownloadJob(
      entry: entry, tools: tools, isProbe: isProbe,
      progress: { [self] progress in
        if gauge.isDue(progress) { report(key, .running(progress)) }
        if let isLarge = gauge.gain(progress) { advance { $0.progressed(key, isLarge: isLarge) } }
      },
      choose: { [self] videoFile throws(DownloadFailure) in try update(key) { $0.videoFile = videoFile } })
  }

  /// Lets the requests follow the rules of the source, whose pages may not have been loaded yet.
  private func assignRules(_ request: DownloadRequest) {
    let addresses = request.addresses.map(\.address) + [request.cover].compactMap(\.self)
    tools.proxies(request.source).map { tools.client.proxies.assign($0, to: addresses) }
    tools.ownYtDlp(request.source).map { tools.ytDlp.assign($0, to: addresses) }
  }

  private func stall(_ entry: DownloadEntry, _ failure: DownloadFailure, _ obstacle: DownloadFailure.Obstacle) {
    let key = entry.key
    state.withLock { $0.tasks[key] = nil }
    var isWaiting = false
    advance { isWaiting = $0.stalled(key, failure, obstacle, at: tools.now()) }
    // It has been removed meanwhile.
    guard isWaiting else { return end(key) }
    guard obstacle == .lock, state.withLock({ $0.lockWaits.insert(key).inserted }) else { return }
    let isStarted = tools.folder(entry.folder).waitForRelease(entry.stem) { [weak self] in
      guard let self else { return }
      state.withLock { _ = $0.lockWaits.remove(key) }
      advance { $0.released(key, at: self.tools.now()) }
    }
    if !isStarted { state.withLock { _ = $0.lockWaits.remove(key) } }
  }

  private func end(_ key: VideoKey) {
    let isRemoved = state.withLock { state in
      state.tasks[key] = nil
      return state.queue.isBeingRemoved(key)
    }
    if isRemoved { delete(key, isCancelled: true) }
    var request: DownloadRequest?
    advance { request = $0.ended(key) }
    if let request { add(request) }
  }

  /// Returns the entry as it is in the list now; nil if another program has ended it meanwhile, which is reported.
  private func unfinished(_ entry: DownloadEntry) throws(DownloadFailure) -> DownloadEntry? {
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
  }

  private func finish(_ entry: DownloadEntry, _ files: DownloadJob.Output) throws(DownloadFailure) {
    var done = entry
    (done.videoFile, done.companions) = (files.videoFile, files.companions)
    done.state = .done(UnixTime(seconds: time(nil)))
    try update(entry.key) {
      ($0.videoFile, $0.companions, $0.state) = (done.videoFile, done.companions, done.state)
      // The user may have chosen another folder in another program.
      ($0.folder, $0.stem) = (done.folder, done.stem)
    }
    guard let state = done.state(in: tools.folder(done.folder)) else { throw .empty }
    report(entry.key, state)
  }

  private final class Gauge: Sendable {
    private struct State {
      var shown: Int?
      var interruption: String?
      var reported = ContinuousClock.now - .seconds(1)
      var firstByteCount: Int?
      var isLarge = false
    }
    private let state = Mutex(State())

    /// In bytes.
    private static let leastLargeGain = 1 << 20

    /// Whether to report it: interruptions at once, and progress that changes the screen at most twice a second.
    func isDue(_ progress: DownloadProgress) -> Bool {
      let shown = progress.percent ?? -1 - progress.byteCount / 1_000_000
      return state.withLock { state in
        let isInterruption = state.interruption != progress.interruption
        let isNews = state.shown != shown && state.reported.duration(to: .now) >= .milliseconds(500)
        guard isInterruption || isNews else { return false }
        (state.shown, state.interruption, state.reported) = (shown, progress.interruption, .now)
        return true
      }
    }

    /// Detects the first bytes, and a large gain. Returns whether it is large now; nil if nothing has changed.
    func gain(_ progress: DownloadProgress) -> Bool? {
      guard progress.interruption == nil else { return nil }
      return state.withLock { state in
        guard let first = state.firstByteCount else {
          state.firstByteCount = progress.byteCount
          return false
        }
        guard !state.isLarge, progress.byteCount - first >= Self.leastLargeGain else { return nil }
        state.isLarge = true
        return true
      }
    }
  }
}
