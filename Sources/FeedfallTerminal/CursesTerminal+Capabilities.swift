import FeedfallScreen
import FeedfallText

extension CursesTerminal {
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
