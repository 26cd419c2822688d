import WaterfallEngine

/// The animation of a change in place: in a few frames the visible cards slide to their new places. The state has the
/// new places at once; only the drawing follows.
struct CardSlide: Equatable, Sendable {
  static let frameCount = 5
  /// In milliseconds.
  private static let frameTime = 24
  /// In milliseconds, from the change to the last frame. Cards do not slide while the user types faster.
  static let length = 120

  private struct Card: Equatable, Sendable {
    var element: LayoutAttributes
    var way: Point
  }

  private var frames = Glide(frameCount: frameCount, frameTime: .milliseconds(frameTime))
  /// Those that leave the viewport too, the front ones last.
  private let cards: [Card]
  /// Headers and footers, which stay.
  private let others: [LayoutAttributes]
  /// In milliseconds.
  private let start: Int

  /// Nil if no card moves visibly, if most come from elsewhere, or if they would cross each other's way. `viewport` is
  /// the visible part of the content; `elements` are those in it, in its cells; `now` is in milliseconds.
  init?(_ transition: LayoutTransition, in viewport: Rect, _ elements: [LayoutAttributes], at now: Int) {
    start = now
    let staying = transition.items.count {
      $0.initial.frame.intersects(viewport) && $0.final.frame.intersects(viewport)
    }
    let smaller = min(
      transition.items.count { $0.oldPath != nil && $0.initial.frame.intersects(viewport) },
      transition.items.count { $0.newPath != nil && $0.final.frame.intersects(viewport) })
    guard 2 * staying >= smaller else { return nil }
    cards = transition.items.compactMap { item in
      // Removed cards are no longer in the list.
      guard item.newPath != nil else { return nil }
      let (start, end) = (item.initial.frame.origin, item.final.frame.origin)
      var element = item.final
      element.frame = element.frame.offsetBy(x: -viewport.minX, y: -viewport.minY)
      return Card(element: element, way: Point(x: start.x - end.x, y: start.y - end.y))
    }
    others = elements.filter { $0.kind != .item }
    frames.begin(1)
    guard cards.contains(where: { left(of: $0.way) != .zero }), hasLittleOverlap else { return nil }
  }

  private var hasLittleOverlap: Bool {
    func area(_ frame: Rect) -> Int { frame.width * frame.height }
    let frames = cards.map(frame)
    let covered = frames.indices.reduce(0) { sum, index in
      frames[..<index].reduce(sum) { $0 + area($1.intersection(frames[index])) }
    }
    return 3 * covered <= frames.reduce(0) { $0 + area($1) }
  }

  private func frame(of card: Card) -> Rect {
    let left = left(of: card.way)
    return card.element.frame.offsetBy(x: left.x, y: left.y)
  }

  private func left(of way: Point) -> Point { Point(x: frames.remaining(of: way.x), y: frames.remaining(of: way.y)) }

  /// In cells of the viewport, in drawing order.
  var elements: [LayoutAttributes] {
    cards.map { card in
      var element = card.element
      element.frame = frame(of: card)
      return element
    } + others
  }

  var frameWait: Ticket? { frames.waiting }
  var hasEnded: Bool { !frames.isRunning }

  mutating func update(_ tickets: inout TicketOffice) -> [AppEffect] { frames.update(&tickets) }

  mutating func waitElapsed(_ ticket: Ticket, at now: Int) {
    frames.waitElapsed(ticket, due: 1 + (now - start) / Self.frameTime)
  }

  /// Decides which events slide cards, and cancels the wait for a frame that no tab needs.
  struct Director: Equatable, Sendable {
    private(set) var canSlide = false
    /// In milliseconds.
    private var inputTime = Int.min / 2
    private var frameWait: Ticket?

    /// Ends the slide on input, a change of the window, suspension or delayed output, so that the result is painted at
    /// once. Returns whether the event may start another slide: not input during one, or within `CardSlide.length` of
    /// earlier input.
    mutating func handle(_ event: AppEvent, in cards: inout CardsScreen, at now: Int) -> Bool {
      switch event {
      case .input:
        let isHurried = cards.isSliding || now - inputTime < CardSlide.length
        inputTime = now
        cards.endSlide()
        return canSlide && !isHurried
      case .screenChanged, .suspending:
        cards.endSlide()
        return false
      // The cards get other sizes.
      case .optionsChanged: return false
      case .outputDelayed: cards.endGlide()
      case .slidingChanged(let isPossible): canSlide = isPossible
      default: break
      }
      return canSlide
    }

    /// A wait that outlives its animation would wake the program for nothing, and could end another slide.
    mutating func update(
      _ cards: inout CardsScreen, startsSlide: Bool, at now: Int, _ tickets: inout TicketOffice
    ) -> [AppEffect] {
      cards.beginSlide(isAllowed: startsSlide, at: now)
      let effects = cards.updateGlide(&tickets)
      defer { frameWait = cards.frameWait }
      guard let frameWait, frameWait != cards.frameWait else { return effects }
      return [.cancel(frameWait)] + effects
    }

    mutating func waitElapsed(_ ticket: Ticket, in cards: inout CardsScreen, at now: Int) {
      if ticket == frameWait { frameWait = nil }
      cards.glideWaitElapsed(ticket, at: now)
    }
  }
}

/// The animation of a change of the offset. The state has the new offset at once; only the drawing follows.
struct Glide: Equatable, Sendable {
  static let frameCount = 6

  private let frameCount: Int
  private let frameTime: Duration
  /// From the start to the new offset.
  private var distance = 0
  private var frame = 0
  private(set) var waiting: Ticket?

  init(frameCount: Int = Self.frameCount, frameTime: Duration = .milliseconds(30)) {
    (self.frameCount, self.frameTime) = (frameCount, frameTime)
  }

  /// From the drawn offset to the new one.
  var remaining: Int { remaining(of: distance) }

  func remaining(of distance: Int) -> Int {
    let left = frameCount - frame
    return distance * left * left / (frameCount * frameCount)
  }

  var isRunning: Bool { distance != 0 }

  /// Starts with the first frame, also during another animation.
  mutating func begin(_ distance: Int) { (self.distance, frame) = (distance, 1) }

  mutating func end() { (distance, frame, waiting) = (0, 0, nil) }

  mutating func update(_ tickets: inout TicketOffice) -> [AppEffect] {
    guard isRunning, waiting == nil else { return [] }
    let ticket = tickets.next()
    waiting = ticket
    return [.wait(frameTime, .glide(ticket))]
  }

  /// Late frames are skipped.
  mutating func waitElapsed(_ ticket: Ticket, due: Int = 0) {
    guard ticket == waiting else { return }
    waiting = nil
    frame = max(frame + 1, due)
    if frame >= frameCount { end() }
  }
}
