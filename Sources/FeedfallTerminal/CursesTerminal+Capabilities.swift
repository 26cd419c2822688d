import FeedfallScreen

extension CursesTerminal {
  /// How pictures are shown, as far as the terminal has answered.
  public var pictureProtocol: PictureProtocol { pictures.settings.pictureProtocol }
  /// Whether pictures move without being sent again, in a terminal that has reported its name.
  public var movesPictures: Bool { identity.isKnown && pictureProtocol != .sixel }
  /// The finest block characters that the terminal is known to show, and that the C library knows.
  public var glyphs: BlockGlyphs { hasManyColors ? min(identity.glyphs, CursesPainter.finestGlyphs) : .halves }
  /// Whether cells have colors.
  public var hasColors: Bool { painter.depth != .none }
  /// Whether there are enough colors for a video.
  public var hasManyColors: Bool { painter.depth.isFine }
  /// How videos are shown, as far as the terminal has answered.
  public var videoCapability: VideoOutput { videoMethod.output }
  /// Whether the terminal is of a kind that has a clipboard.
  public var hasClipboard: Bool { profile.isModern }

  var videoMethod: VideoMethod { video.method(for: options.video, on: identity, hasManyColors: hasManyColors) }

  var videoScreen: VideoLayer.Screen {
    VideoLayer.Screen(
      size: size, cellSize: cellSize, ground: painter.ground(of: background), groundNumber: painter.plainBackground,
      hasQuarters: glyphs >= .quadrants)
  }
}
