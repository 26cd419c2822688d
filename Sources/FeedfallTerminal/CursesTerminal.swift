import CFeedfallGuard
import FeedfallScreen
import WaterfallEngine

/// The terminal that the program runs in: what is typed, and what is shown.
///
/// One thread owns it. From `init` to `close()` the screen is ours; a crash in between gives it back. Only one may
/// be open at a time, because curses has only one.
public final class CursesTerminal {
  /// Readable for `poll` when `readInput()` has something to do.
  public var inputDescriptor: Int32 { device.input }
  /// In cells; both numbers are at least 1.
  public private(set) var size: Size
  /// One cell in pixels: as the kernel knows it, else as the terminal answered, else 8 by 16.
  public private(set) var cellSize: Size
  /// How pictures are shown, as far as the terminal has told yet.
  public var pictureProtocol: PictureProtocol { pictureWay.pictureProtocol }
  /// Whether it is known to draw characters that are made of blocks itself, those of Unicode 13 among them.
  public var drawsBlocks: Bool { identity.drawsBlocks }
  /// Whether cells have colours.
  public var hasColors: Bool { painter.depth != .none }
  /// Whether there are colours enough for a video.
  public var hasManyColors: Bool { painter.depth == .indexed || painter.depth == .direct }
  /// The colour behind the text, if the terminal told.
  public private(set) var background: RGB?

  enum Phase { case active, lent, closed }

  let options: TerminalOptions
  let device: TerminalDevice
  let painter: CursesPainter
  let profile: TerminalProfile
  var phase = Phase.lent
  /// Whether frames may be wrapped so that the terminal shows them in one step.
  var isSynchronizing = false
  /// How many times we asked and the last answer is still to come.
  var openQuestions = 0
  /// When we last asked, in milliseconds of the steady clock.
  var lastQuestion = 0
  var decoder: InputDecoder
  /// What was read while nobody asked for it.
  var queued: [InputEvent] = []
  var isAppearanceChanged = false
  var statusCheck = StatusCheck()
  /// When the last bytes came, in milliseconds of the steady clock.
  var lastInput = 0
  /// Whether the next frame sends the modes again.
  var mustSendModes = false
  /// What the screen is to look like.
  var canvas: Canvas?
  var identity = TerminalIdentity()
  var pictureWay = PictureWay()
  var pictures: any PictureLayer = CellPictures()
  /// What takes pictures away that the next frame does not know of.
  var removals: [UInt8] = []
  var video = VideoPainter()
  var videoPace = VideoPace()
  /// The frame of the video of which not all is written.
  var videoFrame: VideoFrame?
  private var reportedCell: Size?

  /// Takes the terminal on standard input and output, or the controlling one when these are something else.
  ///
  /// Throws when there is none, or when its type is unknown or has no screen.
  public convenience init(options: TerminalOptions = TerminalOptions()) throws(TerminalError) {
    try self.init(options: options, device: TerminalDevice())
  }

  init(options: TerminalOptions, device: TerminalDevice) throws(TerminalError) {
    self.options = options
    self.device = device
    painter = try CursesPainter(usesColor: options.usesColor, hasAllColors: Environment.hasAllColors)
    profile = TerminalProfile(
      usesMouse: options.usesMouse, usesColor: painter.usesColor, name: Environment.value("TERM") ?? "")
    decoder = InputDecoder(keys: profile.keys)
    size = painter.size
    cellSize = TerminalDevice.usualCell
    guard_install()
    take()
    _ = choosePictures()
    if phase == .active {
      ask(
        profile.queries(aboutColors: painter.canUseAllColors && painter.depth != .direct, aboutName: painter.usesColor))
    }
  }

  deinit {
    close()
  }

  // MARK: Showing

  /// Shows the canvas; writes what differs from what is shown, in one piece, and nothing when nothing does.
  ///
  /// Cells outside of the terminal are cut off.
  public func paint(_ canvas: Canvas) {
    guard phase == .active, !device.isGone else { return }
    self.canvas = canvas
    var bytes: [UInt8] = []
    if mustSendModes {
      guard device.waitForForeground() else { return }
      mustSendModes = false
      device.makeRaw()
      bytes += profile.modesOn
    }
    cutVideoFrame()
    let frame = frameBesideVideo(canvas)
    show(bytes + (frame.isEmpty ? [] : startOfFrame + frame + endOfFrame))
    endVideoFrame()
    if video.isSpoiled { sendVideo() }
  }

  private static let beginFrame = Array("\u{1B}[?2026h".utf8)
  private static let endFrame = Array("\u{1B}[?2026l".utf8)

  /// Has the terminal show what follows in one step.
  var startOfFrame: [UInt8] { isSynchronizing ? Self.beginFrame : [] }

  /// Ends a frame that was cut off, so that the terminal shows what follows at once.
  var endOfFrame: [UInt8] { isSynchronizing ? Self.endFrame : [] }

  private func show(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, !device.write(bytes) else { return }
    // Part of the frame is lost: nobody knows what the screen shows now.
    removals = stringTerminator
    removePictures()
    loseVideo()
    painter.clear()
  }

  /// The next `paint` starts from a cleared screen and sends all modes again.
  public func repaintAll() {
    removePictures()
    painter.clear()
    mustSendModes = true
    askOuterTerminal()
  }

  /// Reads the size anew; the next `paint` starts from a cleared screen. Call it after SIGWINCH.
  public func updateSize() {
    guard phase != .closed else { return }
    cutVideoFrame()
    measure()
    removePictures()
    loseVideo()
    _ = choosePictures()
    painter.resize(to: size)
    if reportedCell != nil, phase == .active { ask(TerminalProfile.cellQuery) }
    askOuterTerminal()
  }

  func measure() {
    let measured = device.measure()
    size = measured.cells ?? painter.size
    cellSize = measured.cell ?? reportedCell ?? TerminalDevice.usualCell
  }

  /// Whether the terminal is of a kind that has a clipboard.
  public var hasClipboard: Bool { profile.isModern }

  /// Puts text onto the clipboard of the terminal's machine (OSC 52), if the terminal can do that.
  ///
  /// Texts of more than 64 KiB are left out, because terminals cut them off.
  public func copyToClipboard(_ text: String) {
    guard phase == .active, hasClipboard, text.utf8.count <= 64 * 1024 else { return }
    show(Array("\u{1B}]52;c;".utf8) + Base64.encode(Array(text.utf8)) + Array("\u{1B}\\".utf8))
  }

  // MARK: Reports

  /// Takes what the terminal told; answers whether the screen is to be drawn again.
  func take(_ report: TerminalReport) -> Bool {
    switch report {
    case .attributes(let hasSixel):
      openQuestions = max(0, openQuestions - 1)
      videoPace.takeWay(now - lastQuestion)
      return takeIdentity {
        $0.hasSixel = $0.hasSixel || hasSixel
        if openQuestions == 0 { $0.allIsAnswered() }
      }
    case .name(let name): return takeIdentity { $0.take(name: name) }
    case .colorRegisters(let count): return takeIdentity { $0.colorRegisters = count }
    case .rendition(hasAskedColor: true) where painter.depth != .direct:
      painter.useAllColors()
      _ = choosePictures()
      return painter.depth == .direct
    case .mode(2026, let setting):
      isSynchronizing = setting == 1 || setting == 2
      armGuard()
    case .background(let color) where color != background:
      background = color
      painter.shade = Shade(of: color)
      return true
    case .cell(let size):
      reportedCell = TerminalDevice.plausibleCell(size)
      let before = cellSize
      measure()
      _ = choosePictures()
      return cellSize != before
    case .status: if !statusCheck.handleAnswer() { videoPace.answer(at: now) }
    case .background, .mode, .rendition, .other: break
    }
    return false
  }

  func armGuard() {
    let restore = endOfPictures + endOfFrame + profile.restore
    var modes = device.cookedModes
    restore.withUnsafeBytes { bytes in
      _ = guard_arm(device.output, &modes, bytes.baseAddress, bytes.count)
    }
  }
}
