import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallScreen
import FeedfallText

/// A card's place in the store, which never changes.
struct CardSlot: Hashable, Sendable {
  fileprivate let number: Int32

  var index: Int { Int(number) }
}

/// The facts about a card that determine its size. A card in a list keeps them when its video changes.
struct CardShape: Equatable, Sendable {
  /// The title's width in cells on one line.
  var titleWidth: Int32
  /// The number of columns that the feed asks for; 0 for none.
  var span: Int32
  /// The card's height that the feed asks for, in rows; 0 for none.
  var rows: Int32
  private(set) var isPanorama: Bool
  enum Origin: Equatable, Sendable {
    /// Neither the feed nor a picture has determined them: they are the default.
    case none
    case picture
    case feed
  }
  private(set) var origin: Origin
  /// The cover's width divided by its height.
  private(set) var aspect: Double

  init(of video: borrowing Video, _ widths: TextWidths) {
    titleWidth = Int32(widths.width(of: video.title))
    span = Int32(clamping: video.span ?? 0)
    rows = Int32(clamping: video.rows ?? 0)
    let named = video.namedAspect
    let known = named ?? video.learnedAspect
    origin = named != nil ? .feed : known != nil ? .picture : .none
    (aspect, isPanorama) = CardMetrics.proportions(
      ofAspect: known ?? video.pictureSize?.aspect ?? CardMetrics.usualAspect)
  }

  fileprivate mutating func learn(aspect: Double) {
    guard origin != .feed else { return }
    origin = .picture
    (self.aspect, isPanorama) = CardMetrics.proportions(ofAspect: aspect)
  }

  fileprivate mutating func keepProportions(of other: CardShape) {
    guard origin != .feed, other.origin == .picture else { return }
    (origin, aspect, isPanorama) = (other.origin, other.aspect, other.isPanorama)
  }

  /// A card with a title of two lines and a cover of the usual proportion.
  static let usual: CardShape = {
    var shape = CardShape(of: Video(id: "", title: "", playback: .unknown), TextWidths())
    shape.titleWidth = .max
    return shape
  }()
}

extension CardStore {
  /// Operations on a whole tab read these for every card: reading the videos instead would dominate their time.
  struct Brief: Equatable, Sendable {
    let source: SourceID
    /// The number of the channel's name, or else of the author's; equal names have equal numbers.
    fileprivate(set) var channel: Int32?
    /// The hue of a cover without a picture, before those of its neighbors.
    let hue: PlaceholderHue
  }

  enum PageRelation: Sendable {
    /// It continues their list: videos with the same ID are different if their title, page or medium differs.
    case next
    /// It repeats some of them, perhaps with changes.
    case newer
  }
}

/// All cards of the session. A card is listed while it is in its source's list.
struct CardStore: Equatable, Sendable {
  var userData = UserData() { didSet { recordRevision += 1 } }
  /// The times before which the videos of sources count as watched.
  var readBefore: [SourceID: UnixTime] = [:] { didSet { recordRevision += 1 } }
  /// The facts of recorded videos that `userData` does not hold, once they were read.
  var readFacts: [VideoKey: StoredVideo] = [:]
  private var cards = ChunkedArray<Card>() { didSet { cardRevision += 1 } }
  var zone = LocalZone.utc
  private(set) var widths = TextWidths()
  private(set) var recordRevision = 0
  private(set) var cardRevision = 0
  private(set) var lengthRevision = 0
  private var shapes: [CardShape] = []
  /// Increases with each change of a known card's shape.
  private(set) var shapeRevision = 0
  /// Increases with each change of a known card's channel.
  private(set) var channelRevision = 0
  private var briefs: [Brief] = []
  private var channels: [String: Int32] = [:]
  private(set) var (hasGroups, hasLists) = (false, false)
  /// The facts for filters about the first cards, while a filter is used.
  private var facts = VideoFacts()
  /// The indices of those whose videos have changed since.
  private var outdatedFacts: Set<Int> = []
  /// The states of the first cards, which hold for a revision of the records.
  private var (recordStates, statesRevision) = ([VideoStates](), 0)
  private var isListed: [Bool] = []
  /// The cards of each video that several sources list. Nil if each tab shows one source only.
  private var twins: Twins?
  private var slots: [CardID: Int32] = [:]
  /// The IDs that a source uses for several videos.
  private var sharedIDs: Set<CardID> = []
  /// The places of cards in their source's list, for the sources of groups.
  private var ranks: [CardSlot: Int] = [:]
  /// The slots of removed cards, for reuse.
  private var free: [CardSlot] = []

  /// The number of places, also of removed cards.
  var slotCount: Int { cards.count }

  var count: Int { slots.count }

  subscript(slot: CardSlot) -> Card { _read { yield cards[Int(slot.number)] } }

  func shape(of slot: CardSlot) -> CardShape { shapes[Int(slot.number)] }

  func brief(of slot: CardSlot) -> Brief { briefs[Int(slot.number)] }

  var revision: Int { recordRevision + cardRevision }

  func included(
    _ slots: [CardSlot], by filter: Filter, _ context: Filter.Context, _ budget: inout Filter.Budget,
    states: (CardSlot) -> VideoStates
  ) -> [CardSlot] {
    if slots.allSatisfy({ hasFacts($0) }) {
      return filter.included(slots.map(\.index), of: facts, context, &budget) { states(CardSlot(number: Int32($0))) }
        .map { CardSlot(number: Int32($0)) }
    }
    var made = VideoFacts()
    let readsTexts = filter.readsTexts
    for slot in slots { made.append(self[slot].shown, withTexts: readsTexts) }
    return filter.included(Array(slots.indices), of: made, context, &budget) { states(slots[$0]) }.map { slots[$0] }
  }

  private func hasFacts(_ slot: CardSlot) -> Bool {
    slot.index < facts.count && (outdatedFacts.isEmpty || !outdatedFacts.contains(slot.index))
  }

  /// Whether facts are prepared for a tab with a filter, also for new cards.
  var usesFacts = false {
    didSet { if !usesFacts { releaseFacts() } }
  }

  mutating func prepareUsedFacts() { if usesFacts { prepareFacts() } }

  var lacksFacts: Bool { facts.count < cards.count || !hasCurrentStates }
  private var hasCurrentStates: Bool { statesRevision == recordRevision && recordStates.count == cards.count }

  /// Prepares facts for filters: those of changed cards and of up to `count` further ones and, once none is missing,
  /// the states of all cards. O(changed cards + count), or O(all cards) if the states are outdated.
  mutating func prepareFacts(ofCount count: Int = .max) {
    if facts.isWasteful { releaseFacts() }
    // Out of the store, so that they are changed in place.
    var prepared = VideoFacts()
    swap(&prepared, &facts)
    for index in outdatedFacts { prepared.replace(at: index, with: cards[index].shown) }
    outdatedFacts = []
    if prepared.count == 0 { prepared.reserveCapacity(cards.count) }
    let missing = prepared.count..<cards.count
    for index in missing.prefix(count) { prepared.append(cards[index].shown) }
    facts = prepared
    if missing.count < count { prepareStates() }
  }

  private mutating func prepareStates() {
    guard !hasCurrentStates else { return }
    if statesRevision != recordRevision || recordStates.count > cards.count { recordStates = [] }
    let hasRecords = !readBefore.isEmpty || UserField.allCases.contains(where: userData.hasValues)
    for index in recordStates.count..<cards.count {
      recordStates.append(hasRecords ? VideoStates(record(of: CardSlot(number: Int32(index)))) : [])
    }
    statesRevision = recordRevision
  }

  private mutating func releaseFacts() { (facts, outdatedFacts, recordStates) = (VideoFacts(), [], []) }

  private mutating func videoChanged(at index: Int) {
    let former = briefs[index].channel
    videoChanged(at: index, cards[index].video)
    if briefs[index].channel != former { channelRevision += 1 }
  }

  private mutating func videoChanged(at index: Int, _ video: Video) {
    if index < facts.count { outdatedFacts.insert(index) }
    // Its date decides whether it counts as watched.
    if index < recordStates.count { recordStates[index] = VideoStates(record(of: CardSlot(number: Int32(index)))) }
    briefs[index].channel = channelNumber(video.channel ?? video.author)
    (hasGroups, hasLists) = (hasGroups || video.group != nil, hasLists || video.list != nil)
  }

  private mutating func channelNumber(_ name: String?) -> Int32? {
    guard let name else { return nil }
    if let number = channels[name] { return number }
    channels[name] = Int32(channels.count)
    return channels[name]
  }

  func states(of slot: CardSlot) -> VideoStates {
    let index = Int(slot.number)
    if statesRevision == recordRevision, index < recordStates.count { return recordStates[index] }
    return VideoStates(record(of: slot))
  }

  /// A video that counts as watched is watched in it.
  func record(of slot: CardSlot) -> UserRecord {
    guard !readBefore.isEmpty, let limit = readBefore[brief(of: slot).source] else { return userData[self[slot].key] }
    return userData.record(of: self[slot].key, published: self[slot].video.published, readBefore: limit)
  }

  /// Whether a mark changes the card. Call it before the change.
  mutating func isChanged(by marking: Marking, _ slot: CardSlot) -> Bool {
    let (card, limit) = (self[slot], readBefore[brief(of: slot).source])
    return userData.isChanged(by: marking, card.key, published: card.video.published, readBefore: limit)
  }

  /// Whether the video was watched before the program was started, or elsewhere.
  func isWatchedBefore(_ slot: CardSlot) -> Bool {
    states(of: slot).contains(.watched) && !userData.isWatchedHere(self[slot].key)
  }

  /// In seconds; 0 for the beginning.
  func resumeSeconds(of card: Card) -> Int { userData.resumeSeconds(of: card.video, card.key) }

  /// The first card with a key. O(n).
  func card(ofKey key: VideoKey) -> Card? { cards.first { $0.key == key } }

  func slot(of id: CardID) -> CardSlot? { slots[id].map(CardSlot.init) }

  /// Growing step by step would hash all cards again in one turn of the loop.
  mutating func reserveCapacity(_ count: Int) {
    slots.reserveCapacity(count)
    twins?.reserveCapacity(count)
  }

  func isListed(_ id: CardID) -> Bool { slots[id].map { isListed[Int($0)] } ?? false }

  func isListed(_ slot: CardSlot) -> Bool { isListed[slot.index] }

  func rank(of slot: CardSlot) -> Int? { ranks[slot] }

  /// O(n).
  mutating func setRanks(_ list: [CardSlot]) { for (rank, slot) in list.enumerated() { ranks[slot] = rank } }

  /// Finds the cards of the same videos in several lists. O(n log n).
  mutating func findTwins() {
    guard twins == nil else { return }
    var found = Twins()
    for number in slots.values.sorted() { found.insert(CardSlot(number: number), cards[Int(number)].key) }
    twins = found
  }

  var hasTwins: Bool { twins?.isEmpty == false }

  /// The sources with cards of some videos; nil if they are not known. O(keys).
  func sources(of keys: some Sequence<VideoKey>) -> Set<SourceID>? {
    twins.map { twins in Set(keys.lazy.flatMap { twins.all(of: $0) }.map { brief(of: $0).source }) }
  }

  /// O(their number).
  func listedTwins(of slot: CardSlot) -> [CardSlot] {
    guard let twins, hasTwins else { return [] }
    return twins[self[slot].key].filter { $0 != slot && isListed($0) }
  }

  /// Returns the slots of the videos that were not listed, each once; updates cards in the store. A video that shares
  /// its ID with one on another page of the feed gets a distinct ID, and the record of the other one a distinct key.
  mutating func list(_ videos: [Video], of source: SourceID, as relation: PageRelation = .next) -> [CardSlot] {
    var listed: [CardSlot] = []
    listed.reserveCapacity(videos.count)
    for video in videos {
      let id = CardID(video, of: source)
      let known = slot(of: id)
      if sharedIDs.isEmpty, video.sharedID == nil, known.map({ !isOther($0, than: video, relation) }) ?? true {
        list(video, id, known).map { listed.append($0) }
      } else if let distinct = distinguished(video, of: source, relation) {
        let id = CardID(distinct, of: source)
        list(distinct, id, slot(of: id)).map { listed.append($0) }
      }
    }
    return listed
  }

  /// Gives a video a distinct ID if its source uses the ID for several videos; returns nil for a repetition.
  private mutating func distinguished(_ video: Video, of source: SourceID, _ relation: PageRelation) -> Video? {
    let shared = sharedID(of: video, source)
    if sharedIDs.contains(shared), let own = slot(of: CardID(distinct(video), of: source)) {
      return isListed(own) ? nil : distinct(video)
    }
    let first = slot(of: shared)
    if let first, !isOther(first, than: video, relation) {
      guard !isListed(first) else { return nil }
      var same = video
      same.id = shared.video
      return same
    }
    guard first != nil || video.sharedID != nil || sharedIDs.contains(shared) else { return video }
    sharedIDs.insert(shared)
    let distinct = distinct(video)
    if let first { separateRecord(of: first, from: distinct) }
    return distinct
  }

  private func sharedID(of video: Video, _ source: SourceID) -> CardID {
    CardID(source: source, video: video.sharedID ?? video.id, scope: video.scope)
  }

  private func distinct(_ video: Video) -> Video {
    var distinct = video
    if video.sharedID == nil { distinct.id = video.distinctID }
    return distinct
  }

  func slot(of video: Video, of source: SourceID) -> CardSlot? {
    guard !sharedIDs.isEmpty || video.sharedID != nil else { return slot(of: CardID(video, of: source)) }
    let shared = sharedID(of: video, source)
    let own = sharedIDs.contains(shared) ? slot(of: CardID(distinct(video), of: source)) : nil
    return own ?? slot(of: shared)
  }

  private func isOther(_ slot: CardSlot, than video: Video, _ relation: PageRelation) -> Bool {
    let card = self[slot]
    // Details may have changed each fact of the card.
    if card.isAsListed, relation == .next && isListed(slot) || video.sharedID != nil {
      return Video.Digest.ofPage(card.video) != Video.Digest.ofPage(video)
    }
    if card.listed.title == video.title, card.listed.pageURL == video.pageURL { return false }
    return Video.Digest.ofPage(card.listed).contradicts(.ofPage(video))
  }

  /// Assigns the key of its distinct ID to a card whose ID is shared, so that keys do not depend on the order of
  /// videos. The card keeps the record under its present key, unless that is the record of the other video.
  private mutating func separateRecord(of slot: CardSlot, from other: Video) {
    let card = self[slot]
    guard card.isAsListed, !userData.hasRecord(of: card.key) || userData.key(of: other) == card.key else { return }
    var own = card.video
    own.id = own.distinctID
    let key = userData.key(of: own)
    guard key != card.key else { return }
    assign(key, to: slot)
    recordStates = []
  }

  private mutating func assign(_ key: VideoKey, to slot: CardSlot) {
    let old = self[slot].key
    twins?.remove(slot, old)
    cards[slot.index].key = key
    twins?.insert(slot, key)
  }

  private mutating func list(_ video: Video, _ id: CardID, _ known: CardSlot?) -> CardSlot? {
    guard let known else { return add(Card(video: video, source: id.source, key: userData.key(of: video)), id) }
    let index = Int(known.number)
    guard !isListed[index] else { return nil }
    isListed[index] = true
    var card = cards[index]
    card.update(from: video)
    // A refresh mostly repeats cards, and each change makes what depends on the cards outdated.
    guard card != cards[index] else { return known }
    let (cover, shape) = (cards[index].video.covers.first?.url, shapes[index])
    cards[index] = card
    videoChanged(at: index)
    shapes[index] = CardShape(of: video, widths)
    shapeRevision += 1
    if cards[index].betterTitle != nil { measureTitle(at: index) }
    if video.covers.first?.url == cover { shapes[index].keepProportions(of: shape) }
    return known
  }

  /// Measures all titles again. O(n).
  mutating func setWidths(_ widths: TextWidths) {
    self.widths = widths
    for index in cards.indices { measureTitle(at: index) }
  }

  private mutating func measureTitle(at index: Int) {
    shapes[index].titleWidth = Int32(widths.width(of: cards[index].title))
    shapeRevision += 1
  }

  /// Returns whether the card has had another title on the screen.
  mutating func setTitle(_ title: String, of slot: CardSlot) -> Bool {
    guard cards[slot.index].title != title else { return false }
    cards[slot.index].betterTitle = title
    measureTitle(at: slot.index)
    videoChanged(at: slot.index)
    return true
  }

  /// A film's size counts only if no other proportions are known. Returns the card's slot if its shape has changed.
  mutating func learnSize(_ size: PixelSize, of id: CardID, isFilm: Bool) -> CardSlot? {
    guard let slot = slot(of: id), let aspect = size.aspect else { return nil }
    if isFilm, shapes[slot.index].origin != .none || self[slot].video.hasPictureBeside { return nil }
    let before = shapes[slot.index]
    shapes[slot.index].learn(aspect: aspect)
    shapeRevision += 1
    return shapes[slot.index].aspect != before.aspect || shapes[slot.index].isPanorama != before.isPanorama ? slot : nil
  }

  /// Handles cards of files that have become known as downloads. Returns whether any card has changed. O(n).
  mutating func assignKeysOfDownloadedVideos() -> Bool {
    let changed = cards.indices.compactMap { index -> (Int, VideoKey)? in
      guard let key = userData.original(of: cards[index].video), key != cards[index].key,
        slots[cards[index].id] == Int32(index)
      else { return nil }
      return (index, key)
    }
    for (index, key) in changed { assign(key, to: CardSlot(number: Int32(index))) }
    return !changed.isEmpty
  }

  /// A downloaded file is no news. O(1).
  func isCopy(_ slot: CardSlot) -> Bool { userData.original(of: self[slot].video) != nil }

  /// Builds the card of a record whose video has left its feed from the stored facts or else `known`.
  mutating func restore(_ key: VideoKey, of source: SourceID, known: (VideoKey) -> Video? = { _ in nil }) -> CardSlot? {
    let id = CardID(source: source, video: key.text)
    if let known = slot(of: id) { return known }
    guard var video = (userData.storedVideo(key) ?? readFacts[key])?.video(key) ?? known(key) else { return nil }
    // The player may have found the length later.
    video.duration = video.duration ?? userData[key].duration.flatMap { VideoDuration(seconds: Double($0)) }
    return add(Card(video: video, source: source, key: key), id)
  }

  private mutating func add(_ card: Card, _ id: CardID) -> CardSlot {
    let slot: CardSlot
    let video = card.video
    let brief = Brief(source: card.source, hue: PlaceholderHue(forID: video.id))
    if let reused = free.popLast() {
      slot = reused
      let index = Int(slot.number)
      (cards[index], shapes[index], briefs[index], isListed[index]) = (
        card, CardShape(of: video, widths), brief, true
      )
    } else {
      slot = CardSlot(number: Int32(cards.count))
      cards.append(card)
      shapes.append(CardShape(of: video, widths))
      briefs.append(brief)
      isListed.append(true)
    }
    videoChanged(at: Int(slot.number), video)
    slots[id] = slot.number
    twins?.insert(slot, card.key)
    return slot
  }

  /// Removes cards from their source's list. They stay in the store for the tabs that still show them.
  mutating func unlist(_ slots: [CardSlot]) { for slot in slots { isListed[Int(slot.number)] = false } }

  mutating func relist(_ slots: [CardSlot]) -> [CardSlot] {
    let unlisted = slots.filter { !isListed[Int($0.number)] }
    for slot in unlisted { isListed[Int(slot.number)] = true }
    return unlisted
  }

  /// - Complexity: O(n) in the number of all cards.
  mutating func removeUnlisted(keeping used: Set<CardSlot>) {
    let unused = slots.filter { !isListed[Int($0.value)] && !used.contains(CardSlot(number: $0.value)) }
    for (id, number) in unused {
      slots[id] = nil
      ranks[CardSlot(number: number)] = nil
      twins?.remove(CardSlot(number: number), cards[Int(number)].key)
      free.append(CardSlot(number: number))
    }
  }

  mutating func addDuration(_ seconds: Double, to id: CardID) -> Bool {
    guard let slot = slot(of: id), let duration = VideoDuration(seconds: seconds), self[slot].lacks(duration) else {
      return false
    }
    cards[Int(slot.number)].addDuration(duration)
    lengthRevision += 1
    videoChanged(at: Int(slot.number))
    return true
  }

  /// Adds the details to a card; its title stays, so that the card keeps its height.
  mutating func complete(_ id: CardID, with video: Video) {
    guard let slot = slot(of: id) else { return }
    cards[Int(slot.number)].complete(with: video)
    lengthRevision += 1
    videoChanged(at: Int(slot.number))
  }
}
