import FeedfallApp
import WaterfallEngine

struct MPVConfiguration: Sendable {
  private var ordered = PlayerConfiguration()
  /// The presentation that is available: without a window it falls back to the terminal, and without the library to sound.
  private(set) var presentation = Presentation.soundOnly
  private var inTerminal: Presentation?
  /// The path of the user's mpv configuration, which applies to windows; nil to ignore it.
  let userConfiguration: String?
  private(set) var form = Form.library
  var hasSoundOutput = false
  var isSeekable = true

  /// The first output that works. Others would play invisibly, or take over the console.
  static let windowOutputs = "gpu,wlshm,xv,x11"

  init(userConfiguration: String?) { self.userConfiguration = userConfiguration }

  var isInCells: Bool { if case .cells = presentation { true } else { false } }

  var isFilling: Bool {
    switch presentation {
    case .cells(_, .filling, _), .pixels(_, .filling): true
    case .cells, .pixels, .window, .soundOnly: false
    }
  }

  /// How one of mpv's outputs shows the picture; nil while it is not shown in the configured way yet.
  func shownPresentation(by output: String?) -> Presentation.Kind? {
    switch (presentation.kind, output) {
    case (.cells, form.hiddenOutput?): .cells
    case (.soundOnly, nil), (.soundOnly, form.hiddenOutput?): .soundOnly
    case (.window, let output?) where Self.windowOutputs.split(separator: ",").contains { $0 == output }: .window
    case (.cells, _), (.soundOnly, _), (.window, _): nil
    }
  }

  /// In cells or pixels.
  var isInTerminal: Bool { presentation.kind == .cells }

  mutating func setForm(_ new: Form) {
    form = new
    switch form {
    case .program:
      if isInTerminal { presentation = .soundOnly }
      inTerminal = nil
    // The program may have run before, which shows no picture in the terminal.
    case .library: if ordered.presentation.kind == .cells { adoptPresentation() }
    }
  }

  mutating func adopt(_ new: PlayerConfiguration) -> Bool {
    let isSame = new.presentation == ordered.presentation
    ordered = new
    if !isSame { adoptPresentation() }
    return !isSame
  }

  private mutating func adoptPresentation() {
    switch ordered.presentation {
    case .cells(let size, _, _), .pixels(let size, _):
      let isPossible = form == .library && size.width > 0 && size.height > 0
      presentation = isPossible ? ordered.presentation : .soundOnly
      if isPossible { inTerminal = presentation }
    case .window, .soundOnly: presentation = ordered.presentation
    }
  }

  mutating func leaveWindow() { presentation = inTerminal ?? .soundOnly }

  /// - Parameter old: nil for an mpv that was just started.
  func commands(after old: MPVConfiguration?) -> [MPVCommand] {
    soundCommands(after: old) + loopCommands(after: old) + pictureCommands(after: old)
  }

  private func loopCommands(after old: MPVConfiguration?) -> [MPVCommand] {
    var commands: [MPVCommand] = []
    if ordered.loopsFile != (old?.ordered.loopsFile ?? false) {
      commands.append(.set("loop-file", ordered.loopsFile ? "inf" : "no"))
    }
    if ordered.loopPart != old?.ordered.loopPart {
      commands.append(.set("ab-loop-a", ordered.loopPart.map { .number($0.start) } ?? "no"))
      commands.append(.set("ab-loop-b", ordered.loopPart.map { .number($0.end) } ?? "no"))
    }
    return commands
  }

  private func soundCommands(after old: MPVConfiguration?) -> [MPVCommand] {
    var commands: [MPVCommand] = []
    if ordered.volume != old?.ordered.volume { commands.append(.set("volume", .number(Double(ordered.volume)))) }
    if ordered.isMuted != old?.ordered.isMuted { commands.append(.set("mute", .flag(ordered.isMuted))) }
    if ordered.rate != old?.ordered.rate { commands.append(.set("speed", .number(ordered.rate))) }
    return commands
  }

  private func pictureCommands(after old: MPVConfiguration?) -> [MPVCommand] {
    guard presentation == .soundOnly else {
      return subtitleCommands(after: old) + userConfigurationCommands(after: old)
        + presentationCommands(after: old?.presentation)
    }
    guard
      old?.presentation != .soundOnly || old?.hasSoundOutput != hasSoundOutput || old?.isSeekable != isSeekable
    else { return [] }
    if hasSoundOutput, form == .program || isSeekable { return [.set("vid", "no")] }
    return hiddenPictureCommands
  }

  /// Hides the picture, but decodes it: mpv ends a file that has neither sound nor picture. A change of the output seeks,
  /// and in a file without seeking playback would stand still, so the library only renders no frames.
  var hiddenPictureCommands: [MPVCommand] {
    (form == .library ? [.setFrameSize(.zero)] : []) + [.set("vo", .text(form.hiddenOutput)), .set("vid", "auto")]
  }

  /// Cells are too coarse for subtitles in the picture; their text is shown over it.
  private func subtitleCommands(after old: MPVConfiguration?) -> [MPVCommand] {
    guard presentation != old?.presentation else { return [] }
    return [.set("sub-visibility", .flag(!isInCells))]
  }

  /// Loads the user's configuration for a window, then restores the options that this program and its security depend
  /// on. In cells the user's hardware decoder would only cost time.
  private func userConfigurationCommands(after old: MPVConfiguration?) -> [MPVCommand] {
    guard let userConfiguration, presentation != old?.presentation else { return [] }
    guard presentation == .window else { return old?.presentation == .window ? [.set("hwdec", "no")] : [] }
    let fixed = Self.fixedOptions.map { MPVCommand.set($0.name, .text($0.value)) }
    return [.set("include", .text(userConfiguration))] + fixed + soundCommands(after: nil)
  }

  static let fixedOptions: [(name: String, value: String)] = [
    ("idle", "yes"), ("keep-open", "no"), ("load-unsafe-playlists", "no"), ("ordered-chapters", "no"),
    ("demuxer-lavf-o", FFmpegProtocols.option(FFmpegProtocols.web)),
    ("stream-lavf-o", FFmpegProtocols.option(FFmpegProtocols.web)),
  ]

  private func presentationCommands(after old: Presentation?) -> [MPVCommand] {
    guard presentation != old else { return [] }
    let pictureCommands: [MPVCommand] = old == .soundOnly ? [.set("vid", "auto")] : []
    switch presentation {
    case .soundOnly: return []
    case .window:
      return filterCommands + [.set("osc", true), .set("vo", .text(Self.windowOutputs))] + pictureCommands
    case .cells, .pixels:
      return filterCommands + (frameSize.map { [.setFrameSize($0)] } ?? [])
        + [.set("osc", false), .set("vo", .text(form.hiddenOutput))] + pictureCommands
    }
  }

  private static let columnsPerCell = 2

  var frameSize: Size? {
    switch presentation {
    case .cells(let size, _, _): Size(width: size.width * Self.columnsPerCell, height: size.height * 2)
    case .pixels(let size, _): size
    case .window, .soundOnly: nil
    }
  }

  /// The filter that scales the picture down for cells before colors are converted, which halves the work.
  var filterCommands: [MPVCommand] {
    guard case .cells(_, let fit, let pixelAspect) = presentation, let frameSize else {
      return [.set("vf", ""), .set("panscan", isFilling ? 1 : 0)]
    }
    let (width, height) = (frameSize.width * 2, frameSize.height * 2)
    let limit = fit == .whole ? "min" : "max"
    let aspect = (pixelAspect.isFinite ? min(max(pixelAspect, 0.1), 10) : 1) / Double(Self.columnsPerCell)
    let scale =
      "scale=w='\(limit)(\(width),\(height)*dar/\(aspect))':h='\(limit)(\(height),\(width)*\(aspect)/dar)'"
      + ":flags=fast_bilinear,setsar=1"
    return [.set("vf", .text("@small:lavfi=[\(scale)]")), .set("panscan", fit == .whole ? 0 : 1)]
  }

  enum Form: Equatable, Sendable {
    /// As a library in a process of its own (`MPVHost`), which renders into shared memory.
    case library
    /// The program, which shows pictures only in windows.
    case program

    /// mpv's name of the output for pictures that no window shows.
    var hiddenOutput: String { self == .library ? "libmpv" : "null" }
  }
}
