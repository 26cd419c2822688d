import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// Walks over the cards with h, j, k and l, and back with the opposite keys.
@Suite(.hangLimit) struct CardWalkTests {
  /// The cards of a tab without the rest of the program.
  private struct Walker {
    var screen: CardsScreen
    var store = CardStore()
    private var tickets = TicketOffice(number: 0)
    private var count = 0

    /// Cards of any size in any layout, in a window of any size.
    init(_ kind: LayoutKind, using chances: inout SeededGenerator) {
      var options = LayoutOptions()
      options.grouping = [.feed, .feed, .none, .channel].randomElement(using: &chances) ?? .feed
      options.order =
        [.shortest, .leftToRight, .rightToLeft, .tolerance(4)].randomElement(using: &chances) ?? .shortest
      options.columns = chances.chance(1, in: 3) ? .count(Int.random(in: 1...9, using: &chances)) : .minimumWidth(24)
      screen = CardsScreen(kind: kind, options: options)
      let size = Size(
        width: Int.random(in: 40...240, using: &chances), height: Int.random(in: 12...70, using: &chances))
      screen.resize(to: size, cellSize: Size(width: 8, height: 16), store)
      load(Int.random(in: 1...90, using: &chances), using: &chances)
    }

    mutating func load(_ added: Int, using chances: inout SeededGenerator) {
      var videos: [Video] = []
      for number in count..<count + added {
        var video = sampleVideo(number)
        let sizes = [(16, 9), (4, 3), (1, 1), (9, 16), (9, 21), (21, 9), (48, 16)]
        let (width, height) = sizes.randomElement(using: &chances) ?? (16, 9)
        video.pictureSize = chances.chance(1, in: 4) ? nil : PixelSize(width: width, height: height)
        video.span = chances.chance(1, in: 9) ? Int.random(in: 1...4, using: &chances) : nil
        video.group = number % 40 < 25 ? "Group \(number / 7 % 5)" : nil
        videos.append(video)
      }
      count += added
      screen.append(store.list(videos, of: SourceID(0)), store)
    }

    /// The identity of the selected card, which a page does not change.
    var selected: CardSlot? { screen.selectedSlot }

    /// Presses a key; returns whether another card is selected.
    mutating func press(_ direction: Direction) -> Bool {
      let before = selected
      let move: CardMove =
        switch direction {
        case .left: .left
        case .right: .right
        case .up: .up
        case .down: .down
        }
      _ = screen.move(move, canPull: false, &tickets)
      return selected != before
    }

    mutating func wheel(up isUp: Bool) { _ = screen.scroll(up: isUp, canPull: false, &tickets) }

    /// Scrolls by a step, unless the selected card would leave the screen.
    mutating func scroll(using chances: inout SeededGenerator) {
      var scrolled = self
      scrolled.wheel(up: !chances.chance(1, in: 2))
      if scrolled.selected == selected { self = scrolled }
    }
  }

  private static let directions: [Direction] = [.left, .right, .up, .down]

  @Test func `a trail stays bounded, and its last moves lead back`() {
    var trail = CardNavigator.MoveTrail()
    let count = CardNavigator.MoveTrail.maximumCount + 100
    for card in 0..<count { trail.append(.right, from: card, to: card + 1) }
    for card in (count - 100..<count).reversed() { #expect(trail.revisit(from: card + 1, .left) == card) }
    for card in count - 100..<count { #expect(trail.revisit(from: card, .right) == card + 1) }
    #expect(trail.revisit(from: count, .right) == nil)
  }

  @Test func `a card that was selected in another way has no way back`() {
    var trail = CardNavigator.MoveTrail()
    trail.append(.down, from: 3, to: 7)
    #expect(trail.revisit(from: 8, .up) == nil)
    #expect(trail.revisit(from: 7, .up) == 3)
    trail.append(.right, from: 5, to: 6)
    #expect(trail.revisit(from: 6, .left) == 5)
    #expect(trail.revisit(from: 5, .down) == nil)
  }

  @Test(arguments: LayoutKind.allCases)
  func `the opposite keys lead home from a walk of any length, while the view scrolls and pages arrive`(
    kind: LayoutKind
  ) {
    var chances = SeededGenerator(seed: 31)
    for number in 0..<60 {
      var walker = Walker(kind, using: &chances)
      for walk in 0..<20 {
        // Home is reached by other moves, some of which the walk may undo.
        for _ in 0..<Int.random(in: 0...8, using: &chances) {
          _ = walker.press(Self.directions.randomElement(using: &chances) ?? .down)
        }
        let home = walker.selected
        var moves: [Direction] = []
        for _ in 0..<Int.random(in: 1...(walk == 0 ? 400 : 30), using: &chances) {
          let direction = Self.directions.randomElement(using: &chances) ?? .down
          if walker.press(direction) { moves.append(direction) }
          if chances.chance(1, in: 12) { walker.scroll(using: &chances) }
          if chances.chance(1, in: 60), walker.screen.isMoved {
            walker.load(Int.random(in: 1...30, using: &chances), using: &chances)
          }
        }
        for direction in moves.reversed() {
          _ = walker.press(direction.opposite)
          if chances.chance(1, in: 12) { walker.scroll(using: &chances) }
        }
        guard walker.selected == home else {
          let words = moves.map { "\($0)" }.joined(separator: " ")
          Issue.record("window \(number), \(walker.screen.viewport), walk \(walk): \(words)")
          return
        }
      }
    }
  }
}
