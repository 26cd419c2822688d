import FeedfallPlaying
import WaterfallEngine

/// What is wanted of mpv beside what it plays; each mpv that is started is told of it.
struct MPVSettings: Equatable, Sendable {
  var volume = 100
  var isMuted = false
  var rate = 1.0
  var presentation = Presentation.soundOnly
  /// The person's own configuration of mpv, for its window; nil where that is not wanted.
  var userConfiguration: String?
  /// Whether there is sound that goes to a device.
  var isHeard = false
  /// The cells that there were last, to come back to where there is no window.
  private(set) var cells: Presentation?
  private var configured: Presentation?

  /// Adopts a configuration; returns whether its presentation differs from the last one.
  mutating func configure(_ new: PlayerConfiguration) -> Bool {
    volume = min(max(new.volume, 0), 100)
    isMuted = new.isMuted
    rate = new.rate.isFinite ? min(max(new.rate, 0.1), 10) : 1
    guard new.presentation != configured else { return false }
    configured = new.presentation
    switch new.presentation {
    case .cells(let size, _, _) where size.width <= 0 || size.height <= 0: presentation = .soundOnly
    case .cells:
      presentation = new.presentation
      cells = presentation
    case .window, .soundOnly: presentation = new.presentation
    }
    return true
  }

  /// There is no window to be had: back to the cells.
  mutating func leaveWindow() {
    presentation = cells ?? .soundOnly
  }

  /// The size of the cells that are shown, where it is cells.
  var cellSize: Size? {
    if case .cells(let size, _, _) = presentation { size } else { nil }
  }

  /// What changes the sound from the way it was.
  func soundCommands(after old: MPVSettings?) -> [MPVCommand] {
    var commands: [MPVCommand] = []
    if volume != old?.volume { commands.append(.set("volume", .number(Double(volume)))) }
    if isMuted != old?.isMuted { commands.append(.set("mute", .flag(isMuted))) }
    if rate != old?.rate { commands.append(.set("speed", .number(rate))) }
    return commands
  }
}

extension MPVSettings {
  /// What changes the picture from the way it was, which is nil for an mpv that was told nothing.
  func pictureCommands(after old: MPVSettings?) -> [MPVCommand] {
    guard presentation == .soundOnly else {
      return configurationCommands(after: old) + presentation.commands(after: old?.presentation)
    }
    guard old?.presentation != .soundOnly || old?.isHeard != isHeard else { return [] }
    // A film that can be neither heard nor seen would end; so its picture goes to nowhere.
    return isHeard
      ? [.set("vid", "no")] : [.set("vo", .text(Presentation.hiddenOutput)), .set("vid", "auto")]
  }
}

extension MPVSettings {
  /// What has mpv's window be as the person is used to. What this conversation stands on, and what keeps films from
  /// naming files, stays as it was; in cells the person's choice of a decoder would only cost.
  private func configurationCommands(after old: MPVSettings?) -> [MPVCommand] {
    guard let userConfiguration, presentation != old?.presentation else { return [] }
    guard presentation == .window else { return old?.presentation == .window ? [.set("hwdec", "no")] : [] }
    let web = MPVLaunch.protocols(MPVLaunch.webProtocols)
    return [
      .set("include", .text(userConfiguration)), .set("idle", "yes"), .set("keep-open", "no"),
      .set("load-unsafe-playlists", "no"), .set("ordered-chapters", "no"), .set("demuxer-lavf-o", .text(web)),
      .set("stream-lavf-o", .text(web)),
    ] + soundCommands(after: nil)
  }
}

extension Presentation {
  /// What changes mpv's picture from the way it was, which is nil for an mpv that was told nothing.
  fileprivate func commands(after old: Presentation?) -> [MPVCommand] {
    guard self != old else { return [] }
    let hadNoPicture = old == .soundOnly
    switch self {
    case .soundOnly: return []
    case .window:
      return filterCommands + [.set("osc", true), .set("vo", .text(Self.windowOutputs))]
        + (hadNoPicture ? [.set("vid", "auto")] : [])
    case .cells(let size, _, _):
      var commands: [MPVCommand] = [
        .set("vo-tct-width", .number(Double(size.width))), .set("vo-tct-height", .number(Double(size.height))),
      ]
      commands += filterCommands
      // It looks at its size only when it begins: so it must end before.
      if case .cells(let before, _, _) = old, before != size { commands.append(.set("vo", .text(Self.hiddenOutput))) }
      commands += [.set("osc", false), .set("vo", .text(Self.cellOutput))]
      return commands + (hadNoPicture ? [.set("vid", "auto")] : [])
    }
  }

  /// The filter that makes the picture as small as the cells need it, before it is made into colours: that halves the work.
  var filterCommands: [MPVCommand] {
    guard case .cells(let size, let fit, let pixelAspect) = self else {
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

  /// The first that works; others would play unseen, or take the console.
  static let windowOutputs = "gpu,wlshm,xv,x11"
  static let cellOutput = "tct"
  static let hiddenOutput = "null"
}
