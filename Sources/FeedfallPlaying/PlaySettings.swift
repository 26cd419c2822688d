import WaterfallEngine

/// How videos are played, whichever it is.
public struct PlaySettings: Equatable, Sendable {
  /// 0 to 100.
  public internal(set) var volume = 100
  public internal(set) var isMuted = false
  /// One of `rates`.
  public internal(set) var rate = 1.0
  /// 0 to 100; with 50 the picture is as it is.
  public internal(set) var brightness = Self.usualBrightness
  public internal(set) var fit = PictureFit.whole
  /// What the person wishes for.
  public internal(set) var presentation = PresentationKind.cells
  /// The cells that there are for the picture; nil where there are none.
  public internal(set) var room: Size?
  /// The width of half a cell divided by its height.
  public internal(set) var pixelAspect = 1.0
  /// The most pixels from top to bottom; nil where the person has not chosen.
  public var maximumHeight: Int?
  /// Whether the next video is played when one has come to its end.
  public var playsOn = false

  public init() {}

  public static let rates = [0.5, 0.75, 1, 1.25, 1.5, 2]
  public static let usualBrightness = 50

  /// What can be had of the presentation that is wished for.
  var possiblePresentation: Presentation {
    switch presentation {
    case .cells: room.map { .cells($0, fit, pixelAspect: pixelAspect) } ?? .soundOnly
    case .window: .window
    case .soundOnly: .soundOnly
    }
  }

  mutating func changeRate(faster: Bool) {
    let next = faster ? Self.rates.first { $0 > rate } : Self.rates.last { $0 < rate }
    rate = next ?? rate
  }

  mutating func changeVolume(by step: Int) { volume = Self.changed(volume, by: step) }

  mutating func changeBrightness(by step: Int) { brightness = Self.changed(brightness, by: step) }

  private static func changed(_ percent: Int, by step: Int) -> Int {
    min(max(0, percent + min(max(-100, step), 100)), 100)
  }

  /// What a player must be told that was told `old`, or nothing yet.
  func orders(after old: PlaySettings?) -> [PlayerOrder] {
    var orders: [PlayerOrder] = []
    if old?.volume != volume { orders.append(.setVolume(volume)) }
    if old?.isMuted != isMuted { orders.append(.setMuted(isMuted)) }
    if old?.rate != rate { orders.append(.setRate(rate)) }
    if old?.possiblePresentation != possiblePresentation { orders.append(.setPresentation(possiblePresentation)) }
    return orders
  }
}
