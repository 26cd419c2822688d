import CFeedfall
import FeedfallApp
import FeedfallFeeds
import FeedfallFilters
import FeedfallMedia
import FeedfallPlayer
import FeedfallRecords
import FeedfallScreen
import FeedfallSources
import FeedfallSystem
import FeedfallTerminal
import FeedfallText
import FeedfallWeb
import Glibc

struct ViewOptions {
  var layout = LayoutKind.waterfall
  var cards = LayoutOptions()
  var terminal = TerminalOptions()
  var playing = PlaySettings()
  var tabs = TabChoice.sources
  var refresh = RefreshRule.start
  /// Nil for the usual one.
  var search: SearchService?
  /// Nil to show previews where they cost little.
  var preview: Preview?
  var previewMegabytes: Int?
  var usesPlayerConfiguration = false
  var hidesWatched = false
  var newSource = NewSource.newest(5)
  var segments = Segments.off
  var sponsorBlock = SponsorBlock()
  var deArrow = DeArrow.off
  /// Where each device has its log of the user's records; nil for the state folder.
  var stateFolder: String?
  var downloadFolder: String?

  enum Preview: String, CaseIterable { case off, selected }
  enum Segments: String, CaseIterable { case off, mark, skip }
  enum DeArrow: String, CaseIterable { case off, titles }

  /// The number of videos of a new source that count as unwatched.
  enum NewSource: Equatable, Sendable {
    case newest(Int)
    case all

    /// Nil for all.
    var count: Int? { if case .newest(let count) = self { count } else { nil } }
  }

  init() { cards.animates = true }
}

/// The interactive mode.
struct Browse {
  private var selection: UserConfiguration.Selection
  private let configured: [NamedSource]
  private let options: ViewOptions
  private let feed: SourceOptions
  /// Whether a faulty line of the configuration may name a folder for marks.
  private let lacksStateFolder: Bool
  /// Whether the first video plays at once, and the program quits when it ends.
  private let playsFirst: Bool
  /// Whether the session starts with the tab and the card of the last one.
  private let restoresPlace: Bool

  /// In percent; with less, a battery is nearly empty.
  private static let lowPower = 20
  /// About one frame, which is not noticeable, and long enough to parse a local document.
  private static let localTimeout = Duration.milliseconds(20)
  /// For the last requests to all servers together.
  private static let closingTime = Duration.seconds(2)

  init(
    _ configuration: UserConfiguration, _ selection: UserConfiguration.Selection, options: ViewOptions,
    feed: SourceOptions, playsFirst: Bool = false, restoresPlace: Bool = false
  ) {
    (self.selection, self.restoresPlace) = (selection, restoresPlace)
    if let notice = configuration.notice { self.selection.notices.insert(notice, at: 0) }
    (configured, lacksStateFolder) = (configuration.sources, configuration.lacksStateFolder)
    var options = options
    // A source that the command names is requested at once.
    if !restoresPlace, options.refresh == .manual { options.refresh = .start }
    (self.options, self.feed, self.playsFirst) = (options, feed, playsFirst)
    if playsFirst { for index in self.selection.sources.indices { self.selection.sources[index].refresh = .start } }
  }

  func run() -> Int32 {
    guard isatty(STDOUT_FILENO) == 1 else {
      selection.printNotices()
      guard let records = UserLog.records(sharedFolder: options.stateFolder) else { return ExitStatus.failure }
      return selection.run { sources in
        Listing(
          sources: sources, feed: feed, view: selection.firstView?.query ?? .empty, records: records
        ).run()
      }
    }
    let idleFile: IdleFile?
    do { idleFile = try IdleFile.fromEnvironment() } catch {
      printError(error.message)
      return ExitStatus.usage
    }
    guard_share_heap()
    let (opened, log, records): ([OpenSource], UserLog?, BackgroundWork<UserLog.Stored>?)
    do {
      // A single source that cannot be opened ends the program, which must not leave files behind.
      let single = selection.sources.count == 1 ? try OpenSource.open(selection.sources, options: feed) : nil
      log = UserLog.ofUser(sharedFolder: options.stateFolder)
      // Reading many records takes longer than opening many sources and the terminal.
      records = log.map { log in
        BackgroundWork {
          var stored = log.load()
          stored.records.readUndo(LineLog.undo(inFolder: log.stateFolder).lines, now: SystemClock.milliseconds)
          return stored
        }
      }
      opened = if let single { single } else { try OpenSource.open(selection.sources, options: feed) }
    } catch {
      printError(error.message("Could not open the source"))
      return ExitStatus.failure
    }
    do { return try run(opened, log, records, reportingTo: idleFile) } catch {
      printError(error.message)
      return ExitStatus.usage
    }
  }

  private func run(
    _ opened: [OpenSource], _ log: UserLog?, _ records: BackgroundWork<UserLog.Stored>?, reportingTo idleFile: IdleFile?
  ) throws(TerminalError) -> Int32 {
    let signals = SignalInbox()
    let worker = Worker()
    let inbox = Inbox()
    var playerOptions = MPVOptions()
    playerOptions.hostPath = InstalledPrograms.ownPath
    playerOptions.setNetworkTimeout(seconds: feed.timeoutSeconds)
    playerOptions.userConfiguration = options.usesPlayerConfiguration ? MPVOptions.defaultConfiguration : nil
    // Storing videos would delay the first frame.
    let index = VideoIndex.ofUser(isPaused: true, executor: Worker())
    let running = RunningSources(opened, configured: configured, options: feed, index: index)
    let client = HTTPClient(timeoutSeconds: feed.timeoutSeconds, userAgent: feed.userAgent, proxies: feed.proxies)
    let routes: RouteRequest = { [worker = Worker()] address, headers, answer in
      Task.detached(executorPreference: worker) {
        let route = await client.route(of: FileRequest(address, headers: headers))
        if !Task.isCancelled { answer(route) }
      }
    }
    let player = MPVPlayer(
      playerOptions, proxies: feed.proxies.rules, ytDlp: feed.ytDlp.rules, routes: routes,
      report: { inbox.post(.player($0)) })
    let controls = MediaControls()
    var services = Services(running).withCovers(feed)
    services.player = player.perform
    services.reportPlayback = running.report
    let sponsorBlock = options.sponsorBlock
    if options.segments != .off { services.segments = FactLoader(sponsorBlock.segments, options: feed).facts }
    if options.deArrow == .titles { services.titles = FactLoader(sponsorBlock.titles, options: feed).facts }
    services.publish = controls.publish
    services.flushPlayer = { player.flush() }
    services.isPowerLow = { isBatteryLow(below: Self.lowPower) }
    let downloads = DownloadList.ofUser()
    let downloader = Downloader(
      folder: { [options] in options.downloadFolder() }, list: downloads,
      tools: DownloadTools(feed, maximumHeight: options.playing.maximumHeight, for: running), executor: Worker(),
      report: { inbox.post(.downloadChanged($0, $1)) },
      reportRemovalFailure: { inbox.post(.downloadRemovalFailed($0, $1)) })
    services.download = downloader.add
    services.removeDownload = downloader.remove
    services.checkDownload = downloader.check
    services.painted = {
      index.resume()
      downloader.resume { inbox.post(.downloadsMissing($0)) }
    }
    if let log { services.exchangeMarks(of: running, AgreementFiles(log)) }
    services.addEvents = { log?.add($0) }
    services.writeEvents = { log?.write() }
    services.savingFailure = { log?.savingFailure }
    services.readFacts = { log?.reader.facts(of: $0) ?? UserData() }
    let commands = LineLog.stateFolder.map { LineLog.commands(inFolder: $0) }
    let undo = (log?.stateFolder).map { LineLog.undo(inFolder: $0) }
    let live = LiveOptionValues(options)
    if restoresPlace, let folder = LineLog.stateFolder { services.savePlace = { $0.write(inFolder: folder) } }
    services.saveList = { change in
      if let feeds = change.followed { StoredLists.ofUser?.write(feeds, at: change.address) }
    }
    services.saveCommand = { commands?.add([$0]) }
    services.saveUndo = { undo?.add($0.map(\.text)) }
    services.setOption = live.set
    let subscriptions = Subscriptions(file: ConfigurationFile(), sources: running)
    services.changeSubscription = { request, deadline in
      let result = subscriptions.change(request, until: deadline)
      if case .changed(let before, let after) = result.outcome { downloader.renameSource(before.name, to: after.name) }
      return .subscriptionChanged(result.outcome, request, damagedCopy: result.damagedCopy)
    }
    services.saveSettings = subscriptions.save
    let prefetch = Runtime.Prefetch(of: opened, options.refresh, by: services, on: worker)
    let terminal = try CursesTerminal(options: options.terminal)
    var settings = AppSettings(for: opened, selection, options: options)
    settings.hasYtDlp = feed.ytDlp.common.isInstalled
    settings.searchService = options.search ?? .usual(hasYtDlp: settings.hasYtDlp)
    settings.playsFirst = playsFirst
    settings.notice = [settings.notice, terminal.notice].compactMap(\.self).joined(separator: " ").nonEmpty
    settings.commandHistory = commands?.lines ?? []
    settings.storesPlace = restoresPlace
    if restoresPlace { settings.place = LineLog.stateFolder.flatMap { ShownPlace(inFolder: $0) } }
    settings.options = LiveOptionValues.words
    settings.subscriptions = configured.compactMap { Subscription($0) }
    settings.sourcesAllowingHTTP = running.namesAllowingHTTP
    if let log, let records {
      let stored = records.value()
      settings.userData = stored.records
      stored.fault(obstacle: log.obstacle).map { settings.unreadable.append($0) }
      log.reader.watch { inbox.post(.recordsChanged($0)) }
      settings.exchangesMarks = true
    }
    if log == nil { settings.unreadable.append(UserLog.missingFolder) }
    if let log, lacksStateFolder, options.stateFolder == nil {
      settings.unreadable.append(AppSettings.UnreadableFile(contents: "shared marks", message: log.lackOfSharedFolder))
    }
    let loaded = downloads.load()
    (settings.downloads, settings.downloadRequests) = (loaded.states, loaded.requests)
    settings.awaitedDownloads = downloader.awaited
    if let fault = loaded.fault {
      settings.unreadable.append(AppSettings.UnreadableFile(contents: "downloads", message: message(of: fault)))
    }
    let unreadable = settings.unreadable
    let runtime = Runtime(
      state: AppState(settings: settings), terminal: TerminalPort(terminal, pictures: options.terminal.pictures),
      signals: Runtime.PolledSource(descriptor: signals.descriptor, next: signals.next),
      video: Runtime.PolledSource(descriptor: player.frameDescriptor, next: player.dequeueFrame),
      remote: Runtime.PolledSource(descriptor: controls.descriptor, next: controls.dequeueCommand),
      services: services, inbox: inbox, worker: worker, prefetch: prefetch,
      firstPaintTimeout: Self.localTimeout, idleReport: idleFile.map { file in { file.write(inputCount: $0) } })
    let ending = runtime.run()
    terminal.close()
    for message in runtime.unseenFailures + unreadable.map(\.message) { printError(message) }
    // First, because the system may end the program while it waits for servers.
    log?.writeLast()
    player.shutDown()
    runtime.close(atMost: Self.closingTime)
    let unfinishedCount = downloader.close()
    index.close()
    switch ending {
    case .quit, .idle:
      if unfinishedCount > 0 {
        let downloads = unfinishedCount == 1 ? "1 download resumes" : "\(unfinishedCount) downloads resume"
        print("\(downloads) at the next start, or with feedfall download --queue.")
      }
      return ExitStatus.success
    case .failed(let message):
      printError(message)
      return ExitStatus.failure
    case .terminalClosed:
      guard let refusal = terminal.refusal else { return ExitStatus.failure }
      throw refusal
    case .signal(let signal): signals.dieBy(signal)
    }
  }

  /// The file or FIFO to which the program reports that it is idle, so that tests need no fixed delays.
  ///
  /// Each line is the number of input events (keys, mouse, paste) since the start. A FIFO needs a reader before the
  /// program starts: `exec 7<>/tmp/idle`; then `head -n 1 /tmp/idle` prints 0 once the first page is shown.
  struct IdleFile {
    struct OpenError: Error { var message: String }

    static let variable = "FEEDFALL_IDLE"

    private let descriptor: Int32

    static func fromEnvironment() throws(OpenError) -> IdleFile? {
      guard let path = Environment.process[variable] else { return nil }
      return try IdleFile(path: path)
    }

    init(path: String) throws(OpenError) {
      let flags = O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC
      var descriptor = open(path, flags)
      // A FIFO must exist already: Linux may refuse O_CREAT for another user's FIFO in /tmp.
      if descriptor < 0, errno == ENOENT { descriptor = open(path, flags | O_CREAT, 0o600) }
      guard descriptor >= 0 else { throw OpenError(message: Self.message(path: path, error: errno)) }
      self.descriptor = descriptor
    }

    private static func message(path: String, error: Int32) -> String {
      let failure = "Could not open \(path), which \(variable) names"
      if error == ENXIO { return "\(failure): no process reads this FIFO. Open it for reading first." }
      return "\(failure): \(SystemError(error).message). Name a file that can be written, or unset \(variable)."
    }

    /// Writes a line; drops it if it cannot be written at once.
    func write(inputCount: Int) {
      let line = Array("\(inputCount)\n".utf8)
      _ = Glibc.write(descriptor, line, line.count)
    }
  }
}

extension AppSettings {
  init(for sources: [OpenSource], _ selection: UserConfiguration.Selection, options: ViewOptions) {
    self.init(sources: sources.map { SourceSettings(for: $0) })
    if let group = selection.group {
      self.group = group.name
      for (index, name) in zip(self.sources.indices, group.sourceNames) {
        (self.sources[index].name, self.sources[index].isGrouped) = (name, true)
      }
    }
    for index in self.sources.indices { self.sources[index].isSearch = selection.isSearch }
    refresh = options.refresh
    for index in self.sources.indices where sources[index].refresh == nil {
      self.sources[index].refresh = options.refresh
    }
    let hasTagTabs = options.tabs == .tags && !selection.startsWithView
    let tags = hasTagTabs ? ViewSettings.tags(of: sources) : []
    // The sources of a new live list, and their tags, are not known yet.
    (views, hidesSourceTabs) = (
      tags + selection.views, hasTagTabs && (!tags.isEmpty || sources.contains { $0.list != nil })
    )
    startsWithView = selection.startsWithView
    notice = selection.notices.joined(separator: " ").nonEmpty
    layout = options.layout
    layoutOptions = options.cards
    playing = options.playing
    playing.skipsSegments = options.segments == .skip
    requestsSegments = options.segments != .off
    requestsTitles = options.deArrow == .titles
    (hidesWatched, newSourceCount) = (options.hidesWatched, options.newSource.count)
    zone = .ofSystem
    shuffleSeed = .random(in: .min ... .max)
    hasBrowser = Services.hasBrowser
    previews = PreviewSettings(options.preview, .process)
    if let megabytes = options.previewMegabytes { previews.byteLimit = megabytes * 1_000_000 }
  }
}

extension ViewSettings {
  private static let maximumTagCount = 100

  /// A view for each tag, in the order of the sources.
  fileprivate static func tags(of sources: [OpenSource]) -> [ViewSettings] {
    var tags: [String] = []
    for tag in sources.lazy.flatMap(\.tags) where tags.count < maximumTagCount && !tags.contains(tag) {
      tags.append(tag)
    }
    return tags.compactMap { tag in FilterQuery.sources(tagged: tag).map { ViewSettings(name: tag, query: $0) } }
  }
}

extension LocalZone {
  static let ofSystem = LocalZone(SystemClock.zoneOffsets.map { Change(start: $0.start, offset: $0.offset) })
}

extension PreviewSettings {
  /// Without a choice there are no previews over SSH.
  init(_ choice: ViewOptions.Preview?, _ environment: Environment) {
    self.init()
    policy =
      switch choice {
      case .off: .off
      case .selected: .always
      case nil: environment.isRemote ? .off : .ifCheap
      }
  }
}

extension SourceSettings {
  init(for source: OpenSource) {
    self.init(name: source.pages.name, isLocal: source.pages.isLocal)
    (givenName, isSubscription) = (source.givenName, source.isSubscription)
    (query, tags, refresh) = (source.query, source.tags, source.refresh ?? refresh)
    address = source.argument ?? ""
    isCatalogue = source.argument == nil
    (list, listName) = (source.list, source.listName)
    guard isLocal else { return }
    // Paint the requested page before parsing the next ones.
    debounce = .milliseconds(30)
    readAheadCount = 2000
  }
}

extension Runtime.Prefetch {
  fileprivate init(of sources: [OpenSource], _ refresh: RefreshRule, by services: Services, on worker: Worker) {
    self.init()
    var room = PageQuota()
    for (number, source) in sources.enumerated() {
      let isManual = !source.pages.isLocal && (source.refresh ?? refresh) == .manual
      let origin = PageQuota.Origin(isLocal: source.pages.isLocal, address: source.argument ?? "")
      guard !isManual, room.acquire(origin) else { continue }
      let uses: [CacheUse] = source.pages.isLocal ? [.revalidated] : [.onlyIfCached, .revalidated]
      for use in uses { begin(SourceID(number), use, by: services, on: worker) }
    }
  }
}

extension Services {
  init(_ sources: RunningSources) {
    self.init(
      page: { await sources.page($0, $1, $2) }, details: { await sources.details($0, $1) },
      openInBrowser: Self.openInBrowser)
    openSource = sources.open
    closeSource = sources.close
    changeList = sources.change
  }

  /// Whether xdg-open would open a browser on the user's own screen.
  fileprivate static var hasBrowser: Bool {
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { Environment.process[$0] != nil }
    return hasDisplay && !Environment.process.isRemote && browserPath != nil
  }

  @Sendable private static func openInBrowser(_ address: WebAddress) {
    guard let browserPath else { return }
    InstalledPrograms.startDetached(browserPath, browserArguments(for: address))
  }

  /// All users of the machine can read them, so they contain no secret.
  static func browserArguments(for address: WebAddress) -> [String] { [address.forStorage.text] }

  private static var browserPath: String? { InstalledPrograms.path(of: "xdg-open") }

  mutating func exchangeMarks(of sources: RunningSources, _ files: AgreementFiles) {
    page = { [page] source, cursor, use in
      files.log.reader.checkFolder()
      return await page(source, cursor, use)
    }
    readAgreements = { files.read($0, of: sources.markServer(of: $0), $1, $2) }
    saveAgreements = files.save
    sendMarks = { scope, change in
      await sources.markServer(of: scope)?.send(change) ?? .failed(FeedFailure(.permanent, "the source is closed"))
    }
  }
}

extension TerminalPort {
  init(_ terminal: CursesTerminal, pictures: PictureChoice) {
    self.init(size: terminal.size)
    inputDescriptor = terminal.inputDescriptor
    read = terminal.readInput
    pendingInputTimeout = { terminal.pendingInputTimeout }
    size = { terminal.size }
    cellSize = { terminal.cellSize }
    coverStyle = { CoverStyle(of: terminal, pictures: pictures) }
    videoCapability = { terminal.videoCapability }
    textWidths = { terminal.textWidths }
    // Over SSH each frame would take its own time.
    let isRemote = Environment.process.isRemote
    canSlide = { !isRemote && terminal.movesPictures }
    hasClipboard = { terminal.hasClipboard }
    paint = terminal.paint
    paintVideo = terminal.paintVideo
    dropVideoFrame = terminal.dropVideoFrame
    videoOutput = { terminal.videoOutput }
    isOutputPending = { terminal.isOutputPending }
    continueVideo = terminal.continueVideo
    videoDelay = { terminal.videoDelay }
    repaintAll = terminal.repaintAll
    updateSize = terminal.updateSize
    suspend = terminal.suspend
    copy = terminal.copyToClipboard
    setTheme = terminal.setTheme
    requestStatus = terminal.requestStatus
    statusTimeout = { terminal.statusTimeout }
  }
}

/// A file of this device. Without it, or if it is damaged, the program starts with the first tab.
extension ShownPlace {
  private static func path(inFolder folder: String) -> String { folder + "/shown" }

  init?(inFolder folder: String) {
    guard let bytes = try? Files.readOwn(Self.path(inFolder: folder), limit: Self.maximumLength),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    self.init(text: text)
  }

  func write(inFolder folder: String) {
    _ = try? Files.makeFolder(folder, mode: 0o700)
    try? Files.replace(Self.path(inFolder: folder), with: Array(text.utf8), mode: 0o600)
  }
}
