import CFeedfall
import FeedfallScreen
import FeedfallSystem
import WaterfallEngine

/// The terminal that the program runs in: reads input, paints canvases and video frames.
///
/// Use it on one thread. It owns the screen from `init` to `close()` and restores it if the program crashes in between.
/// Only one can be open at a time, because curses has only one.
public final class CursesTerminal {
  /// The size in cells; both numbers are at least 1.
  public private(set) var size: Size
  /// The size of a cell in pixels: from the kernel, else from the terminal's answer, else 8 by 16.
  public private(set) var cellSize: Size
  /// The background color, if the terminal has reported it.
  public private(set) var background: RGB?

  let device: TerminalDevice
  let painter: ScreenPainter

  enum Phase { case active, suspended, closed }

  let options: TerminalOptions
  let profile: TerminalProfile
  var phase = Phase.suspended
  private(set) var identity = TerminalIdentity()
  var isSynchronizing = false
  private var reportedCell: Size?
  var mustSendModes = false
  var canvas: Canvas?
  /// The canvas to paint after the terminal has read the rest of the last one.
  var nextCanvas: Canvas?
  var restoration = Restoration() { didSet { restoration.arm(device) } }
  var sentImages = Restoration.SentImages()
  /// Enters the screen and queries; the first canvas follows in the same write and erases whatever these print.
  var prologue: [UInt8] = []
  /// The device's number of bytes up to the end of the last canvas.
  var canvasEnd = 0

  var reader: InputReader
  private var isAppearanceChanged = false
  var keyboard = TerminalProfile.KeyboardProtocol()
  var identification = TerminalIdentity.State(isScreen: Environment.process.isScreen)
  private(set) var probe = WidthProbe()

  var pictures = ScreenPictures()
  var video: VideoLayer

  /// Opens the terminal on standard input and output, or the controlling terminal if these are redirected.
  /// Throws if there is no terminal, or if its type is unknown or has no screen.
  public convenience init(options: TerminalOptions = TerminalOptions()) throws(TerminalError) {
    try self.init(options: options, device: TerminalDevice())
  }

  init(options: TerminalOptions, device: TerminalDevice, waits: InputReader.Waits = .current) throws(TerminalError) {
    (self.options, self.device) = (options, device)
    painter = try ScreenPainter(
      usesColor: options.usesColor, hasDirectColors: Environment.process.hasDirectColors, theme: options.theme)
    profile = TerminalProfile(
      usesMouse: options.usesMouse, usesColor: painter.usesColor, name: Environment.process["TERM"] ?? "")
    reader = InputReader(device, keys: profile.keys, waits: waits)
    video = VideoLayer(FrameSender(device, hasAnswers: profile.isModern))
    size = painter.size
    cellSize = TerminalDevice.defaultCell
    painter.shade = Environment.process.shade
    guard_install()
    enter()
    _ = updatePictureSettings()
    guard phase == .active else { return }
    query(profile.queries(isScreen: identification == .screen, mayBeTmux: Environment.process["TMUX"] != nil))
  }

  deinit { close() }

  /// Uses other colors from the next frame on.
  public func setTheme(_ theme: ThemeSettings) {
    painter.themeSettings = theme
    repaintAll()
  }

  // MARK: - Painting

  /// Shows the canvas. Writes only the differences, in one piece; nothing if there are none. While the terminal does
  /// not read, the newest canvas waits for `continueVideo()`. Cells outside of the terminal are cut off.
  public func paint(_ canvas: Canvas) {
    guard phase == .active, !device.isGone else { return }
    nextCanvas = isHoldingCanvas ? canvas : nil
    guard nextCanvas == nil else { return }
    let keepsImages = keepsImages(canvas)
    self.canvas = canvas
    var modes: [UInt8] = []
    if mustSendModes {
      guard device.waitForForeground() else { return }
      mustSendModes = false
      device.makeRaw()
      modes = TerminalProfile.screenOn + profile.modesOn + keyboard.set
    }
    var bytes = prologue + modes
    if !prologue.isEmpty {
      prologue = []
      armCrashGuard()
    }
    let rest = keepsImages && !pictures.awaitsFrame ? video.sender.interrupt() : []
    if rest.isEmpty { video.cut(isSynchronized: isSynchronizing, on: &painter.shown) }
    if !keepsImages { bytes += pictures.abortTransfer() }
    let frame = frame(canvas)
    device.send(bytes + (frame.isEmpty ? [] : startOfFrame + frame + endOfFrame))
    canvasEnd = device.byteCount
    video.sender.endFrame(afterRest: rest)
    if video.isStale { sendVideo() }
    sendPictures()
  }

  var isHoldingCanvas: Bool { device.writtenByteCount < canvasEnd }

  private func keepsImages(_ canvas: Canvas) -> Bool {
    canvas.size == size && self.canvas?.size == size && video.shows(canvas.video) && pictures.shows(canvas)
  }

  private var startOfFrame: [UInt8] { isSynchronizing ? TerminalProfile.beginSynchronized : [] }
  var endOfFrame: [UInt8] { isSynchronizing ? TerminalProfile.endSynchronized : [] }

  /// Makes the next `paint` clear the screen and send all modes again. Failed pixels of videos get another try.
  /// Call it after SIGCONT, before anything else is written: it waits while the job is in the background, where the
  /// shell would read the answers to queries.
  public func repaintAll() {
    guard device.waitForForeground() else { return }
    video.kitty.retry()
    removePictures()
    painter.clear()
    mustSendModes = true
    queryOuterTerminal()
  }

  /// Reads the terminal's size again; the next `paint` clears the screen. Call it after SIGWINCH.
  public func updateSize() {
    guard phase != .closed else { return }
    video.cut(isSynchronized: isSynchronizing, on: &painter.shown)
    measure()
    removePictures()
    video.sender.pace.ignoreUnansweredFrames()
    video.forgetScreen()
    _ = updatePictureSettings()
    painter.resize(to: size)
    if reportedCell != nil, phase == .active { query(TerminalProfile.cellQuery) }
    queryOuterTerminal()
  }

  func measure() {
    size = device.measure().cells ?? painter.size
    measureCell()
  }

  private func measureCell() { cellSize = device.measure().cell ?? reportedCell ?? TerminalDevice.defaultCell }

  // MARK: - Input

  /// The descriptor to poll for input.
  public var inputDescriptor: Int32 { device.input }

  /// Returns all input that is available now; never waits.
  public func readInput() -> TerminalInput {
    guard phase == .active else { return TerminalInput(isClosed: phase == .closed) }
    var input = TerminalInput(isAppearanceChanged: isAppearanceChanged)
    isAppearanceChanged = false
    if read(into: &input.events) { input.isAppearanceChanged = true }
    input.isClosed = device.isGone || refusal != nil
    return input
  }

  /// The time in milliseconds after which to call `readInput()` without new input, because a lone ESC may be the Escape
  /// key; nil if nothing is pending.
  public var pendingInputTimeout: Int? {
    guard phase == .active else { return nil }
    return isAppearanceChanged ? 0 : reader.timeout(isFrameAnswerDue: video.sender.remainingAnswerTime > 0)
  }

  /// In milliseconds.
  var remainingAnswerTime: Int { max(reader.remainingAnswerTime, video.sender.remainingAnswerTime) }

  /// Returns whether a report changed the appearance.
  func read(into events: inout [InputEvent]) -> Bool {
    var isChanged = false
    for item in reader.read(isFrameAnswerDue: video.sender.remainingAnswerTime > 0) {
      switch item {
      case .event(let event): events.append(event)
      case .report(let report): isChanged = handle(report) || isChanged
      }
    }
    return isChanged
  }

  // MARK: - Queries and reports

  /// Sends queries, the last of which every terminal answers.
  private func query(_ queries: [UInt8], toOuterTerminal isOuter: Bool = false) {
    guard !queries.isEmpty, !device.isGone else { return }
    send(queries)
    reader.queries.begin(at: device.clock.now, toOuterTerminal: isOuter)
  }

  private func send(_ bytes: [UInt8]) {
    if prologue.isEmpty { device.send(bytes) } else { prologue += bytes }
  }

  /// Queries the terminal's status. Returns false if that is not possible now.
  public func requestStatus() -> Bool { phase == .active && video.sender.requestStatus() }

  /// How long the answer to `requestStatus()` may still take, in milliseconds; `readInput()` receives it. 0 if it has
  /// not arrived in time, nil if it has or if there was no request.
  public var statusTimeout: Int? { video.sender.statusTimeout }

  /// Queries the terminal around tmux, which changes when the session is attached elsewhere.
  func queryOuterTerminal() {
    guard phase == .active, identity.isTmux else { return }
    identity.beginOuterQuery()
    query(TerminalProfile.outerQueries, toOuterTerminal: true)
  }

  /// Waits for outstanding answers, which the next program would read as typed text, and drops keys. An answer may
  /// cause one more query, but a terminal that keeps answering must not delay the end.
  func awaitAnswers() {
    let end = device.clock.now + 2 * remainingAnswerTime
    while prologue.isEmpty, case let rest = min(remainingAnswerTime, end - device.clock.now), rest > 0, !device.isGone {
      guard device.waitForInput(milliseconds: rest) else { return }
      var dropped: [InputEvent] = []
      if read(into: &dropped) { isAppearanceChanged = true }
    }
  }

  /// Returns whether the screen must be drawn again.
  private func handle(_ report: TerminalReport) -> Bool {
    switch report {
    case .attributes(let hasSixel):
      video.sender.pace.recordRoundTrip(reader.queries.handleAnswer(at: device.clock.now))
      let isChanged = probe.finish()
      painter.textWidths = textWidths
      return updateIdentity {
        $0.hasSixel = $0.hasSixel || hasSixel
        if reader.queries.isEmpty { $0.endQueries() }
      } || isChanged
    case .kind(let kind, let version):
      let hadLinks = showsLinks
      send(identification.handle(kind: kind, version: version))
      if hadLinks != showsLinks { painter.clear() }
      guard identification == .screen, painter.depth == .direct else { return hadLinks != showsLinks }
      painter.dropDirectColors()
      _ = updatePictureSettings()
      return painter.depth != .direct
    case .name(let name):
      send(identification.handleName())
      return painter.usesColor && updateIdentity { $0.setName(name) }
    case .cursor(let column): probe.add(column: column)
    case .colorRegisters(let count): return updateIdentity { $0.colorRegisters = count }
    case .rendition(hasQueriedColor: true) where painter.depth != .direct:
      painter.useDirectColors()
      _ = updatePictureSettings()
      return painter.depth == .direct
    case .keyboardProtocol where !keyboard.isSupported:
      keyboard.isSupported = true
      armCrashGuard()
      send(keyboard.push)
    case .mode(2026, let setting):
      isSynchronizing = setting == 1 || setting == 2
      armCrashGuard()
    case .background(let color) where color != background:
      background = color
      painter.shade = Theme.Shade(of: color)
      _ = updatePictureSettings()
      return true
    case .cell(let size):
      reportedCell = TerminalDevice.plausibleCell(size)
      let before = cellSize
      // The size stays that of the painter until `updateSize()`.
      measureCell()
      _ = updatePictureSettings()
      return cellSize != before
    case .graphics(let number, let isOK):
      return handleLostImage(video.handleAnswer(number: number, isOK: isOK))
    case .status:
      guard video.sender.handleAnswer() else { break }
      if handleLostImage(video.handleProgress()) { return true }
      // A frame that has waited until the terminal had read all earlier ones.
      if video.isStale, video.sender.remainingFrameTime == 0 { sendVideo() }
    case .background, .mode, .rendition, .keyboardProtocol, .other: break
    }
    return false
  }

  private func send(_ queries: TerminalIdentity.State.Queries?) {
    guard phase == .active, profile.isModern, let queries else { return }
    switch queries {
    case .ofName: query(TerminalProfile.queriesOfTmux)
    case .ofNamed:
      query(TerminalProfile.queriesOfNamed(aboutColors: painter.canUseDirectColors && painter.depth != .direct))
    }
  }

  private func handleLostImage(_ removal: [UInt8]?) -> Bool {
    guard let removal else { return false }
    pictures.removeLostImage(by: removal)
    return true
  }

  private func updateIdentity(_ change: (inout TerminalIdentity) -> Void) -> Bool {
    let (before, oldGlyphs) = (identity, glyphs)
    change(&identity)
    if !before.isTmux { queryOuterTerminal() }
    if identity.hasSixel, !before.hasSixel, !identity.isTmux { query(TerminalProfile.sixelQueries) }
    queryKitty()
    return identity != before && (updatePictureSettings() || glyphs != oldGlyphs)
  }

  func queryKitty() {
    guard phase == .active, identity.replacesPixels != nil, [.auto, .kitty].contains(options.video),
      video.canQuery
    else { return }
    query(pictures.abortTransfer() + video.query() + TerminalProfile.attributeQuery)
  }

  // MARK: - Pictures

  /// Returns whether they changed visibly.
  func updatePictureSettings() -> Bool {
    let settings = ScreenPictures.Settings(
      for: identity, choice: options.pictures, depth: painter.depth, cellSize: cellSize,
      ground: painter.ground(of: background))
    guard settings != pictures.settings else { return false }
    removePictures()
    return pictures.use(settings)
  }

  /// Removes all pictures before the next frame, after which they are sent again.
  private func removePictures() {
    if pictures.removeAll(andVideo: video.kitty.removal) { painter.clear() }
    video.kitty.reset()
  }

  /// Sends missing pictures as fast as the terminal reads, a limited amount at a time, so that keys come first.
  private func sendPictures() {
    var room = pictureBytesAtOnce
    while phase == .active, pictures.isSending, room > 0, !device.isHoldingBytes, !device.isGone {
      guard let part = pictures.nextPart() else { return }
      if part.isFirst { armCrashGuard() }
      device.offer(part.bytes)
      room -= part.bytes.count
    }
  }

  /// Without the cells of the film. A layer of pixels over the cells returns those that it has left, which are
  /// rewritten, and receives the cells that the frame has changed.
  private func frame(_ canvas: Canvas) -> [UInt8] {
    let fits = canvas.size == size
    let region = fits ? canvas.video : nil
    // Before anything leaves the screen: rows must not move under it.
    let hasLayers = pictures.hasPixels || video.isOnScreen || region != nil
    let (prepared, areas, removal) = pictures.beginFrame(canvas, fits: fits)
    painter.rewrite(areas + video.setRegion(region))
    let frame = painter.frame(
      prepared, links: fits && showsLinks ? canvas.visibleLinks : [], mayScroll: !hasLayers,
      keepsFilm: video.keepsCells)
    video.handle(frame.damage)
    let images = pictures.endFrame(canvas, damage: frame.damage)
    let before = video.image
    let image = video.kitty.setRegion(region)
    return removal + frame.bytes + images + changeImage(from: before) + image
  }

  // MARK: - Video

  /// Shows a video frame in the canvas's video region: now, and again after the region was covered. A frame of two rows
  /// of pixels for each row of cells, and one or two columns for each column, is centered on the background; a finer
  /// one covers the region, if `videoCapability` has pixels.
  /// Never waits: see `videoOutput` and `videoDelay`. Without enough colors nothing is shown.
  public func paintVideo(_ frame: PixelBuffer) {
    video.setPicture(frame)
    sendVideo()
  }

  /// Drops the last video frame, so that it is not shown before the next video.
  public func dropVideoFrame() { video.setPicture(nil) }

  /// The descriptor to poll for room while part of a frame, canvas or picture waits; then call `continueVideo()`.
  public var videoOutput: Int32? {
    guard !device.isGone else { return nil }
    let hasPictures = pictures.isSending || pictures.awaitsFrame
    return device.isHoldingBytes || nextCanvas != nil || hasPictures ? device.output : nil
  }
  /// Whether the terminal has no room for output now.
  public var isOutputPending: Bool { device.isOutputPending }
  /// The time in milliseconds after which to send the next video frame, unless input arrives earlier; nil for at once.
  public var videoDelay: Int? { videoPace.delay(at: device.clock.now) }
  var videoPace: VideoPace { video.sender.pace }

  /// Writes pending bytes of a canvas, a video frame or pictures, as many as there is room for.
  public func continueVideo() {
    device.writeHeldBytes()
    guard !isHoldingCanvas else { return }
    let next = nextCanvas ?? (pictures.awaitsFrame && !pictures.isTransferring ? canvas : nil)
    nextCanvas = nil
    if let next { paint(next) }
    video.sender.endFrame()
    if video.isStale { sendVideo() }
    sendPictures()
  }

  private func sendVideo() {
    guard phase == .active, video.sender.isReady, !pictures.isTransferring, !pictures.awaitsFrame,
      let best = VideoPace.Quality.best(for: painter.depth)
    else { return }
    video.sender.pace.setBest(best)
    let (before, method) = (video.image, videoMethod)
    guard var painted = video.paint(by: method, on: videoScreen, &painter.shown, painter.writer) else {
      // Without shared memory, frames of another size follow.
      if videoMethod != method { isAppearanceChanged = true }
      return
    }
    painted.before = changeImage(from: before) + painted.before
    video.sender.send(painted, isSynchronized: isSynchronizing)
  }

  private func changeImage(from before: VideoLayer.Image) -> [UInt8] {
    guard video.image != before else { return [] }
    armCrashGuard()
    guard video.image.number != before.number else { return [] }
    // Without replacing pixels each frame is an image, and only kitty frees other images with one.
    return identity.replacesPixels == true ? pictures.deleteHidden() : []
  }
}
