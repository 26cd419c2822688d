import FeedfallPlaying

/// The configuration of mpv, and the commands that change one into another.
struct MPVConfiguration: Sendable {
  private var volume = 100
  private var isMuted = false
  private var rate = 1.0
  /// The presentation that is available: without a window it falls back to cells.
  private(set) var presentation = Presentation.soundOnly
  /// The presentation that was ordered.
  private var ordered: Presentation?
  /// The last presentation in cells.
  private var cells: Presentation?
  /// The path of the user's mpv configuration, which applies to windows; nil to ignore it.
  let userConfiguration: String?
  /// Whether mpv has opened a sound device.
  var hasSoundOutput = false

  /// The first output that works. Others would play invisibly, or take over the console.
  static let windowOutputs = "gpu,wlshm,xv,x11"
  static let cellOutput = "tct"
  static let hiddenOutput = "null"

  init(userConfiguration: String?) {
    self.userConfiguration = userConfiguration
  }

  var isInCells: Bool {
    if case .cells = presentation { true } else { false }
  }

  /// Adopts the values within mpv's limits; returns whether another presentation was ordered than the last time.
  mutating func adopt(_ new: PlayerConfiguration) -> Bool {
    volume = min(max(new.volume, 0), 100)
    isMuted = new.isMuted
    rate = new.rate.isFinite ? min(max(new.rate, 0.1), 10) : 1
    guard new.presentation != ordered else { return false }
    ordered = new.presentation
    switch new.presentation {
    case .cells(let size, _, _) where size.width <= 0 || size.height <= 0: presentation = .soundOnly
    case .cells:
      presentation = new.presentation
      cells = presentation
    case .window, .soundOnly: presentation = new.presentation
    }
    return true
  }

  /// Falls back to the last cells.
  mutating func leaveWindow() {
    presentation = cells ?? .soundOnly
  }

  // MARK: - Commands

  /// Returns the commands that change `old` into this configuration; nil is an mpv that was just started.
  func commands(after old: MPVConfiguration?) -> [MPVCommand] {
    soundCommands(after: old) + pictureCommands(after: old)
  }

  private func soundCommands(after old: MPVConfiguration?) -> [MPVCommand] {
    var commands: [MPVCommand] = []
    if volume != old?.volume { commands.append(.set("volume", .number(Double(volume)))) }
    if isMuted != old?.isMuted { commands.append(.set("mute", .flag(isMuted))) }
    if rate != old?.rate { commands.append(.set("speed", .number(rate))) }
    return commands
  }

  private func pictureCommands(after old: MPVConfiguration?) -> [MPVCommand] {
    guard presentation == .soundOnly else {
      return userConfigurationCommands(after: old) + presentationCommands(after: old?.presentation)
    }
    guard old?.presentation != .soundOnly || old?.hasSoundOutput != hasSoundOutput else { return [] }
    // mpv ends a file that has neither sound nor picture, so without sound the picture goes to a hidden output.
    return hasSoundOutput ? [.set("vid", "no")] : [.set("vo", .text(Self.hiddenOutput)), .set("vid", "auto")]
  }

  /// Loads the user's configuration for a window, then restores the options that this program and its security depend
  /// on. In cells the user's hardware decoder would only cost time.
  private func userConfigurationCommands(after old: MPVConfiguration?) -> [MPVCommand] {
    guard let userConfiguration, presentation != old?.presentation else { return [] }
    guard presentation == .window else { return old?.presentation == .window ? [.set("hwdec", "no")] : [] }
    let web = FFmpegProtocols.option(FFmpegProtocols.web)
    return [
      .set("include", .text(userConfiguration)), .set("idle", "yes"), .set("keep-open", "no"),
      .set("load-unsafe-playlists", "no"), .set("ordered-chapters", "no"), .set("demuxer-lavf-o", .text(web)),
      .set("stream-lavf-o", .text(web)),
    ] + soundCommands(after: nil)
  }

  private func presentationCommands(after old: Presentation?) -> [MPVCommand] {
    guard presentation != old else { return [] }
    let pictureCommands: [MPVCommand] = old == .soundOnly ? [.set("vid", "auto")] : []
    switch presentation {
    case .soundOnly: return []
    case .window:
      return filterCommands + [.set("osc", true), .set("vo", .text(Self.windowOutputs))] + pictureCommands
    case .cells(let size, _, _):
      var commands: [MPVCommand] = [
        .set("vo-tct-width", .number(Double(size.width))), .set("vo-tct-height", .number(Double(size.height))),
      ]
      commands += filterCommands
      // The output reads its size only when it starts, so it must be closed before.
      if case .cells(let before, _, _) = old, before != size { commands.append(.set("vo", .text(Self.hiddenOutput))) }
      commands += [.set("osc", false), .set("vo", .text(Self.cellOutput))]
      return commands + pictureCommands
    }
  }

  /// The filter that scales the picture down for cells before colors are converted, which halves the work.
  var filterCommands: [MPVCommand] {
    guard case .cells(let size, let fit, let pixelAspect) = presentation else {
      return [.set("vf", ""), .set("panscan", 0)]
    }
    let (width, height) = (size.width * 2, size.height * 4)
    let limit = fit == .whole ? "min" : "max"
    let aspect = pixelAspect.isFinite ? min(max(pixelAspect, 0.1), 10) : 1
    let scale =
      "scale=w='\(limit)(\(width),\(height)*dar/\(aspect))':h='\(limit)(\(height),\(width)*\(aspect)/dar)'"
      + ":flags=fast_bilinear,setsar=1"
    return [.set("vf", .text("@small:lavfi=[\(scale)]")), .set("panscan", fit == .whole ? 0 : 1)]
  }
}
