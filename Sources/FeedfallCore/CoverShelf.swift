import FeedfallLoading
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// A video's cover at one size in cells.
struct CoverKey: Hashable, Sendable {
  var card: CardID
  var size: Size
}

/// Covers that should be there, the most urgent first.
struct CoverWishes: Equatable, Sendable {
  /// They are on the screen.
  var seen: [CoverKey] = []
  /// They come next where the person scrolls to.
  var ahead: [CoverKey] = []
  /// So near to the screen that they are worth going on with where they are under way.
  var nearby: [CoverKey] = []
}

/// The covers that are there, and those that are on their way.
struct CoverShelf: Sendable {
  static let maximumUnderWay = 24
  /// More than are asked for at a time: the next ones are at hand when an answer comes.
  static let maximumPerServer = 8
  /// With the holes that pictures of all sizes leave in the heap, these take 32 MB.
  static let maximumByteCount = 27 * 1_048_576
  /// After this time what could not be had may be asked for again: the network may be back. `CoverLoader` knows for
  /// itself which servers not to ask by then.
  static let retryTime = Duration.seconds(60)
  /// More colours than a person scrolls past.
  private static let maximumColors = 10_000

  private struct Kept: Sendable {
    var cover: ShownCover
    var lastUse: Int
  }

  private var kept: [CoverKey: Kept] = [:]
  /// Of what is kept.
  private(set) var byteCount = 0
  private var colors: [CardID: RGB] = [:]
  private var askedColors: Set<CardID> = []
  private var colorsUnderWay: [(ticket: Ticket, wanted: [(card: CardID, addresses: [MediaAddress])])] = []
  /// Those whose covers could not be had.
  private var failed: Set<CardID> = []
  /// For the end of the time for which they are not asked for.
  private var retryWait: Ticket?
  private var underWay: [(ticket: Ticket, key: CoverKey, server: String?)] = []
  /// What is to be asked for, the most urgent first.
  private var queue: [CoverKey] = []
  private var seen: Set<CoverKey> = []
  /// What is seen, and what comes next.
  private var wanted: Set<CoverKey> = []
  /// Of what is wanted and kept.
  private var wantedByteCount = 0
  private var uses = 0
  private var lastID = 0

  /// The cover, where it is there. O(1).
  subscript(key: CoverKey) -> ShownCover? { kept[key]?.cover }

  /// The average colour of a cover that is or was there at any size, in this run or in an earlier one.
  func color(of card: CardID) -> RGB? { colors[card] }

  /// Whether anything is still to be asked for.
  var hasWishes: Bool { !queue.isEmpty }

  /// Asks for nothing more until there are new wishes.
  mutating func pause() { queue = [] }

  /// Takes new wishes in the place of the old ones, and gives up what nobody will see soon.
  mutating func want(_ wishes: CoverWishes) -> [AppEffect] {
    seen = Set(wishes.seen)
    uses += 1
    wanted = seen.union(wishes.ahead)
    wantedByteCount = 0
    for key in wanted {
      kept[key]?.lastUse = uses
      wantedByteCount += kept[key]?.cover.picture.byteCount ?? 0
    }
    let near = wanted.union(wishes.nearby)
    let effects = cancel { !near.contains($0) }
    let coming = Set(underWay.map(\.key))
    queue = (wishes.seen + wishes.ahead).filter { key in
      kept[key] == nil && !coming.contains(key) && !failed.contains(key.card)
    }
    limitWishes()
    return effects
  }

  /// Lets what comes next take no more room than there is: it would be let go of as soon as it is there, and asked for
  /// anew the next time.
  private mutating func limitWishes() {
    if wantedByteCount > Self.maximumByteCount / 4 * 3 { queue.removeAll { !seen.contains($0) } }
  }

  /// What is most urgent, of which as much is asked for as may be under way at once.
  var nextKeys: ArraySlice<CoverKey> { queue.prefix(underWay.count < Self.maximumUnderWay ? 48 : 0) }

  /// Asks for `nextKeys`; nil stands for what is not there any more.
  mutating func ask(_ requests: [CoverRequest?], _ tickets: inout TicketOffice) -> [AppEffect] {
    var effects: [AppEffect] = []
    var left: [CoverKey] = []
    for (key, request) in zip(nextKeys, requests) {
      guard let request else { continue }
      let server = request.addresses.first?.web?.host
      guard underWay.count < Self.maximumUnderWay, mayAsk(server) else {
        left.append(key)
        continue
      }
      let ticket = tickets.next()
      underWay.append((ticket, key, server))
      effects.append(.requestCover(request, ticket))
    }
    queue.replaceSubrange(..<requests.count, with: left)
    return effects
  }

  /// A slow server does not hold up what others would give.
  private func mayAsk(_ server: String?) -> Bool {
    server == nil || underWay.count { $0.server == server } < Self.maximumPerServer
  }

  /// Those of which no colour is known or was asked for, and that are not on their way themselves; each once.
  func withoutColor(_ keys: [CoverKey]) -> [CoverKey] {
    var known = askedColors.union(underWay.map(\.key.card)).union(queue.map(\.card))
    return keys.filter { colors[$0.card] == nil && known.insert($0.card).inserted }
  }

  /// Asks which colours are known of some cards' covers.
  mutating func askForColors(
    _ wanted: [(card: CardID, addresses: [MediaAddress])], _ tickets: inout TicketOffice
  ) -> [AppEffect] {
    if askedColors.count >= Self.maximumColors { askedColors = [] }
    askedColors.formUnion(wanted.map(\.card))
    guard wanted.contains(where: { !$0.addresses.isEmpty }) else { return [] }
    let ticket = tickets.next()
    colorsUnderWay.append((ticket, wanted))
    return [.requestCoverColors(wanted.flatMap(\.addresses), ticket)]
  }

  /// Takes colours that are known from earlier; those of covers that came meanwhile stay.
  mutating func learned(_ ticket: Ticket, _ known: [MediaAddress: RGB]) {
    guard let place = colorsUnderWay.firstIndex(where: { $0.ticket == ticket }) else { return }
    for (card, addresses) in colorsUnderWay.remove(at: place).wanted where colors[card] == nil {
      note(addresses.lazy.compactMap { known[$0] }.first, of: card)
    }
  }

  private mutating func note(_ color: RGB?, of card: CardID) {
    guard let color else { return }
    if colors.count >= Self.maximumColors { colors = [:] }
    colors[card] = color
  }

  /// Puts a cover where it belongs, if it is waited for.
  mutating func arrived(_ ticket: Ticket, _ picture: CoverPicture) {
    guard let key = end(ticket) else { return }
    lastID += 1
    kept[key] = Kept(cover: ShownCover(picture: picture, id: lastID), lastUse: uses)
    byteCount += picture.byteCount
    note(picture.average, of: key.card)
    if wanted.contains(key) { wantedByteCount += picture.byteCount }
    limitWishes()
    if byteCount > Self.maximumByteCount { evict() }
  }

  mutating func failed(_ ticket: Ticket, _ tickets: inout TicketOffice) -> [AppEffect] {
    guard let key = end(ticket) else { return [] }
    failed.insert(key.card)
    guard retryWait == nil else { return [] }
    let wait = tickets.next()
    retryWait = wait
    return [.wait(Self.retryTime, .covers(wait))]
  }

  mutating func waitElapsed(_ ticket: Ticket) {
    guard ticket == retryWait else { return }
    retryWait = nil
    forgetFailures()
  }

  /// What could not be had may be asked for again.
  mutating func forgetFailures() { failed = [] }

  /// Starts anew, for a terminal that shows covers in another way.
  mutating func removeAll() -> [AppEffect] {
    let effects = cancel { _ in true }
    let old = self
    self = CoverShelf()
    // Their numbers stand for pictures that the terminal may still have.
    (lastID, colors, askedColors, colorsUnderWay) = (old.lastID, old.colors, old.askedColors, old.colorsUnderWay)
    return effects
  }

  private mutating func cancel(_ isMeant: (CoverKey) -> Bool) -> [AppEffect] {
    let meant = underWay.filter { isMeant($0.key) }
    underWay.removeAll { isMeant($0.key) }
    return meant.map { .cancel($0.ticket) }
  }

  /// What a ticket was for; nil where it is not waited for.
  private mutating func end(_ ticket: Ticket) -> CoverKey? {
    guard let place = underWay.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return underWay.remove(at: place).key
  }

  /// Lets go of what was not seen for longest, an eighth more than must be, so that not every arrival has to look.
  private mutating func evict() {
    let unseen = kept.filter { !seen.contains($0.key) }.sorted { $0.value.lastUse < $1.value.lastUse }
    for (key, entry) in unseen where byteCount > Self.maximumByteCount / 8 * 7 {
      byteCount -= entry.cover.picture.byteCount
      kept[key] = nil
    }
  }
}
