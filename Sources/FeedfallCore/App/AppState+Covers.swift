import FeedfallFeeds
import FeedfallLoading
import FeedfallScreen
import WaterfallEngine

/// Seeing to it that the covers that are seen are there.
extension AppState {
  mutating func show(_ style: CoverStyle) -> [AppEffect] {
    guard style != coverStyle else { return [] }
    coverStyle = style
    return forgetCovers()
  }

  /// Covers are made for one size of cells and one way to show them.
  mutating func forgetCovers() -> [AppEffect] {
    attended = nil
    return covers.removeAll()
  }

  /// Asks for what could not be had as soon as nothing moves.
  mutating func askAgainForCovers() {
    covers.forgetFailures()
    attended?.isOver = true
  }

  /// For what covers were last wished for.
  struct Attention: Equatable, Sendable {
    var offset: Int
    /// The cards' revision.
    var cards: Int
    /// Whether there were any cards: the first of them are not kept waiting.
    var hadCards: Bool
    /// Whether what was seen has moved since.
    var isOver = false
  }

  /// Asks for the covers that are seen and for those that come next; while something moves, only for the very first.
  mutating func attendToCovers() -> [AppEffect] {
    guard case .pictures = coverStyle else { return [] }
    var effects = stillness.watch(sight, &tickets)
    if !effects.isEmpty {
      covers.pause()
      attended?.isOver = true
    }
    let isNew = attended.map { $0.isOver || $0.cards != waterfall.revision } ?? true
    if isNew, stillness.isAtRest || attended?.hadCards != true {
      let wishes = coverWishes(isForward: attended.map { waterfall.offset >= $0.offset } ?? true)
      attended = Attention(offset: waterfall.offset, cards: waterfall.revision, hadCards: !waterfall.cards.isEmpty)
      effects += covers.want(wishes)
    }
    effects += learnCoverColors()
    guard covers.hasWishes else { return effects }
    let requests = covers.nextKeys.map(coverRequest)
    return effects + covers.ask(requests, &tickets)
  }

  private var sight: Stillness.Sight {
    Stillness.Sight(
      tab: seen, kind: waterfall.kind, offset: waterfall.offset, displacement: waterfall.displacement,
      viewport: waterfall.viewport, pane: pane, paneCover: paneCoverKey)
  }

  private func coverWishes(isForward: Bool) -> CoverWishes {
    var wishes = CoverWishes()
    if let key = paneCoverKey { wishes.seen.append(key) }
    guard regions.showsCards(beside: pane) else {
      wishes.ahead = neighborCoverKeys
      return wishes
    }
    let length = waterfall.layout.viewportLength
    let (next, last) = (waterfall.coverKeys(by: length), waterfall.coverKeys(by: -length))
    wishes.seen += waterfall.coverKeys(by: 0)
    let seen = Set(wishes.seen)
    // Backward the last ones are the nearest.
    wishes.ahead = (neighborCoverKeys + (isForward ? next : last.reversed())).filter { !seen.contains($0) }
    wishes.nearby = isForward ? last : next
    return wishes
  }

  /// Asks for the colours that are known of the covers around, each time that half a screen has gone by: what flies by
  /// is seen in them.
  private mutating func learnCoverColors() -> [AppEffect] {
    let length = waterfall.layout.viewportLength
    let place = ColorPlace(
      tab: seen, kind: waterfall.kind, cards: waterfall.revision, halfScreen: waterfall.offset * 2 / max(1, length))
    guard place != colorPlace, regions.showsCards(beside: pane) else { return [] }
    colorPlace = place
    let keys = covers.withoutColor([0, 1, 2, -1, -2].flatMap { waterfall.coverKeys(by: $0 * length) })
    return covers.askForColors(keys.map { ($0.card, coverRequest(for: $0)?.addresses ?? []) }, &tickets)
  }

  /// Where the view was when colours were last asked for.
  struct ColorPlace: Equatable, Sendable {
    var tab: Int
    var kind: LayoutKind
    /// The cards' revision.
    var cards: Int
    var halfScreen: Int
  }

  private func coverRequest(for key: CoverKey) -> CoverRequest? {
    guard case .pictures(let glyphs, let wantsPixels) = coverStyle, let card = waterfall.cards.index(of: key.card)
    else {
      return nil
    }
    return CoverRequest(
      for: waterfall.cards[card], size: key.size, cellSize: cellSize, glyphs: glyphs, wantsPixels: wantsPixels)
  }

  /// The cover in the pane, or over the whole window.
  private var paneCoverKey: CoverKey? {
    waterfall.selectedCard.flatMap(paneCoverKey)
  }

  private func paneCoverKey(of card: Card) -> CoverKey? {
    guard let pane, !card.video.covers.isEmpty else { return nil }
    let size =
      if pane.showsCover { largeCoverFrame(of: card.video).size } else if showsPlayer {
        panel.map { stageCover(in: $0.picture).size }
      } else { paneCoverSize(of: card.video) }
    return size.map { CoverKey(card: card.id, size: $0) }
  }

  /// The covers that the pane, or the window, shows next when the person looks through the videos there.
  private var neighborCoverKeys: [CoverKey] {
    guard pane != nil, !showsPlayer, let selection = waterfall.selection else { return [] }
    return [selection + 1, selection - 1].filter((0..<waterfall.cards.count).contains).compactMap {
      paneCoverKey(of: waterfall.cards.card(at: $0))
    }
  }

  /// What is drawn of a card's cover in a frame of a size.
  func coverView(of card: Card, badge: GlyphRun?, size: Size) -> CoverView {
    let ground: CoverView.Ground
    switch coverStyle {
    case .initials: ground = .initial(of: card.video.title)
    case .blocks: ground = .color(coverColor(forID: card.video.id))
    case .pictures:
      let key = CoverKey(card: card.id, size: size)
      ground =
        covers[key].map { .picture($0) } ?? .color(covers.color(of: card.id) ?? coverColor(forID: card.video.id))
    }
    return CoverView(ground: ground, badge: badge)
  }
}

extension WaterfallScreen {
  /// The covers that are seen when the view is moved by a distance from where it is, in the order of the screen.
  fileprivate func coverKeys(by distance: Int) -> [CoverKey] {
    let metrics = metrics
    return layout.visibleElements(at: layout.clamped(offset + distance)).compactMap { element in
      guard element.kind == .item else { return nil }
      let card = layout.card(at: element.path)
      guard !cards[card].covers.isEmpty else { return nil }
      let frame = metrics.coverFrame(in: element.frame, aspect: cards.aspects[card])
      return frame.flatMap { $0.isEmpty ? nil : CoverKey(card: cards.card(at: card).id, size: $0.size) }
    }
  }
}
