import CFeedfall
import FeedfallScreen
import FeedfallText

extension CursesTerminal {
  /// Stops the job as ^Z does elsewhere; returns with the screen restored when the job continues. If `size` has not
  /// changed by then, the last canvas is shown again.
  public func suspend() {
    guard phase == .active else { return guard_stop_job() }
    awaitAnswers()
    leave()
    phase = .suspended
    reader.reset()
    guard_stop_job()
    enter()
    _ = updatePictureSettings()
    queryOuterTerminal()
    queryKitty()
    if let canvas, canvas.size == size { paint(canvas) }
  }

  /// Restores the terminal for good; further calls have no effect.
  public func close() {
    guard phase != .closed else { return }
    if phase == .active {
      awaitAnswers()
      leave()
    }
    phase = .closed
    painter.close()
  }

  /// Waits while the job is in the background; does nothing if the program has been asked to end.
  func enter() {
    guard device.waitForForeground() else { return }
    phase = .active
    // Only the modes: the terminal is still on its own screen until the first canvas.
    restoration = Restoration()
    device.makeRaw()
    _ = guard_hold_stderr()
    measure()
    painter.resize(to: size)
    mustSendModes = false
    prologue = painter.enter() + profile.modesOn + keyboard.push
  }

  private func leave() {
    let isCutOff = isHoldingCanvas || pictures.isSending && device.isHoldingBytes
    video.cut(isSynchronized: isSynchronizing, on: &painter.shown)
    // A terminal that accepts nothing must not keep the program from ending. A canvas or a picture may be cut off
    // within a string, and a canvas after a color.
    if isCutOff { device.dropHeldBytes(thenHolding: stringTerminator + (TerminalProfile.string("sgr0") ?? [])) }
    let end = endOfOutput(isFrameCut: isCutOff)
    let bytes = end.bytes + keyboard.pop + profile.modesOff + painter.leave() + profile.afterScreen
    if prologue.isEmpty { device.write(bytes, limit: 500) }
    prologue = []
    (restoration, sentImages) = (Restoration(), Restoration.SentImages())
    (nextCanvas, canvasEnd) = (nil, 0)
    pictures.reset()
    video.reset()
    device.makeCooked()
    guard_disarm()
    guard_release_stderr()
  }

  func armCrashGuard() {
    guard prologue.isEmpty else { return }
    let graphics = KittyGraphics(isInTmux: pictures.settings.isInTmux)
    sentImages.add(pictures.deletions + [video.kitty.deletion].compactMap { $0 }, by: graphics)
    var new = endOfOutput(isFrameCut: true)
    new.restore += keyboard.pop + profile.restore
    restoration = new
  }

  /// `isFrameCut`: whether bytes may be lost, so that an image may be incomplete or its deletion missing.
  private func endOfOutput(isFrameCut: Bool) -> Restoration {
    // Strings of other sequences end with the first ESC.
    let ends = profile.isModern ? stringTerminator + Links.end : []
    let ending = isFrameCut ? video.image.ending : []
    return Restoration(
      removal: (ending.isEmpty ? [] : stringTerminator + ending)
        + (isFrameCut ? pictures.ending + sentImages.removal : pictures.removal + video.kitty.removal),
      restore: ends + endOfFrame + TerminalProfile.resetScrollRegion)
  }

  /// The reason why the terminal cannot be used, once it has answered.
  public var refusal: TerminalError? {
    guard probe.outcome == .notUTF8 else { return nil }
    return TerminalError(
      reason: "the terminal does not support UTF-8",
      advice: "Set the encoding of the terminal to UTF-8, or use another terminal")
  }
  /// The widths of text about which terminals disagree.
  public var textWidths: TextWidths {
    guard case .widths(let widths) = probe.outcome else { return TextWidths() }
    return widths
  }

  /// A message about a restriction of the terminal; nil if there is none.
  public var notice: String? {
    let drawn = TerminalDevice.largest
    return device.oversize.map { size in
      "The terminal reports \(size.width)x\(size.height) cells. Only \(drawn.width)x\(drawn.height) are used."
    }
  }

  /// How pictures are shown, as far as the terminal has answered.
  public var pictureProtocol: PictureProtocol { pictures.settings.pictureProtocol }
  /// Whether pictures move without being sent again, in a terminal that has reported its name.
  public var movesPictures: Bool { identity.isKnown && pictureProtocol != .sixel }
  /// The finest block characters that the terminal is known to show, and that the C library knows.
  /// Where they take two cells, halves, which are shown as blanks in their mean color.
  public var glyphs: BlockGlyphs {
    hasManyColors && !textWidths.ambiguousIsWide ? min(identity.glyphs, ScreenPainter.finestGlyphs) : .halves
  }
  /// Whether cells have colors.
  public var hasColors: Bool { painter.depth != .none }
  /// Whether there are enough colors for a video.
  public var hasManyColors: Bool { painter.depth.isFine }
  /// How videos are shown, as far as the terminal has answered.
  public var videoCapability: VideoOutput { videoMethod.output }
  /// Whether the terminal is of a kind that has a clipboard. GNU Screen does not pass copies on.
  public var hasClipboard: Bool { profile.isModern && identification != .screen }
  /// GNU Screen prints long addresses.
  var showsLinks: Bool { profile.isModern && identification != .screen }

  /// Copies text to the clipboard of the terminal's machine (OSC 52), if supported. Never waits: the text follows all
  /// bytes that the terminal has not read. Texts of more than 64 KiB are ignored, because terminals truncate them.
  public func copyToClipboard(_ text: String) {
    guard phase == .active, hasClipboard, text.utf8.count <= 64 * 1024 else { return }
    let rest = video.sender.interrupt()
    if rest.isEmpty { video.cut(isSynchronized: isSynchronizing, on: &painter.shown) }
    device.offer(Array("\u{1B}]52;c;".utf8) + Base64.encode(Array(text.utf8)) + Array("\u{1B}\\".utf8))
    video.sender.endFrame(afterRest: rest)
  }

  var videoMethod: VideoMethod { video.method(for: options.video, on: identity, hasManyColors: hasManyColors) }

  var videoScreen: VideoLayer.Screen {
    VideoLayer.Screen(
      size: size, cellSize: cellSize, ground: painter.ground(of: background), groundNumber: painter.plainBackground,
      blocks: textWidths.ambiguousIsWide ? .none : glyphs >= .eighths ? .quarters : .halves)
  }
}

/// The bytes that hand the terminal back.
struct Restoration: Equatable {
  /// Removes pictures. The crash handler leaves it out if there is no room.
  var removal: [UInt8] = []
  var restore: [UInt8] = []

  var bytes: [UInt8] { removal + restore }

  func arm(_ device: TerminalDevice) {
    var modes = device.cookedModes
    removal.withUnsafeBytes { removal in
      restore.withUnsafeBytes { restore in
        _ = guard_arm(device.output, &modes, removal.baseAddress, removal.count, restore.baseAddress, restore.count)
      }
    }
  }

  /// The program's state is ahead of the bytes that are written. Therefore a deleted image stays in the set, and the
  /// end of a transmission is always repeated: without it, the next command would be read as part of the pixels.
  struct SentImages {
    private var known: Set<[UInt8]> = []
    private var deletions: [UInt8] = []
    private var transmissionEnd: [UInt8] = []

    var removal: [UInt8] { known.isEmpty ? [] : stringTerminator + transmissionEnd + deletions }

    /// Adds images that are about to be sent, by the bytes that delete them.
    mutating func add(_ new: [[UInt8]], by graphics: KittyGraphics) {
      for deletion in new where known.insert(deletion).inserted { deletions += deletion }
      transmissionEnd = graphics.transmissionEnd
    }
  }
}
