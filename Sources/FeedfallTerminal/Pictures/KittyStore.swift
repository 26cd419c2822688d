import FeedfallScreen
import WaterfallEngine

/// Transmits pictures by kitty's protocol, for placeholders and placements.
struct KittyStore {
  let graphics: KittyGraphics
  private let depth: ColorDepth
  private let salt: UInt8
  private let usesPlaceholders: Bool
  /// The screen's background, for the rounded corners of placements; nil leaves them square.
  private let ground: RGB?
  /// The pictures that were transmitted after the last frame.
  private var unplaced: Set<KittyImages.Key> = []
  private var images = KittyImages()
  /// The picture that is partly transmitted.
  private var current: KittyImages.Key?

  init(graphics: KittyGraphics, depth: ColorDepth, salt: UInt8, usesPlaceholders: Bool, ground: RGB? = nil) {
    self.graphics = graphics
    self.depth = depth
    self.salt = salt
    self.usesPlaceholders = usesPlaceholders
    self.ground = ground
  }

  private func name(_ index: Int) -> KittyName { KittyName(index, salt: salt, depth: depth) }

  var isTransferring: Bool { current != nil }
  /// Whether pictures were transmitted that no frame has shown.
  var awaitsFrame: Bool { !unplaced.isEmpty }

  /// Pictures used in the frame are not evicted.
  mutating func beginFrame() {
    images.beginFrame()
    unplaced = []
  }

  /// Returns the picture's name if the terminal has it, and marks it as used.
  mutating func use(_ picture: PlacedPicture) -> KittyName? {
    let key = KittyImages.Key(of: picture)
    let index = images.use(key)
    return key == current ? nil : index.map(name)
  }

  /// Returns the bytes that transmit the first missing picture for which there is room; nil if there is none.
  mutating func beginTransfer(of pictures: [VisiblePicture]) -> OutputParts? {
    let missing = pictures.map(\.picture).filter { use($0) == nil && $0.isSupported }
    var deletions = awaitsFrame ? [] : makeRoom(for: missing)
    for picture in missing {
      let (key, byteCount) = (KittyImages.Key(of: picture), picture.pixels.bytes.count)
      if usesPlaceholders { deletions += delete(images.evict(forByteCount: byteCount)) }
      guard let index = images.add(key, byteCount: byteCount) else { continue }
      current = key
      var parts = transmission(of: picture, number: name(index).number)
      parts.prepend(deletions)
      return parts
    }
    return deletions.isEmpty ? nil : OutputParts(bytes: deletions, ends: [deletions.count])
  }

  mutating func endTransfer(isComplete: Bool) {
    guard let key = current else { return }
    current = nil
    if isComplete { unplaced.insert(key) } else { images.remove(key) }
  }

  /// Deletes all hidden pictures if the missing ones may not fit. A later deletion would also remove pictures that are
  /// transmitted but not placed yet.
  private mutating func makeRoom(for missing: [PlacedPicture]) -> [UInt8] {
    let byteCount = missing.reduce(0) { $0 + $1.pixels.bytes.count }
    guard !usesPlaceholders, !images.hasRoom(for: missing.count, byteCount: byteCount) else { return [] }
    return deleteHidden()
  }

  /// Transparent corners show the cells below: under placeholders the background, under placements the cover in cells.
  private func transmission(of picture: PlacedPicture, number: UInt32) -> OutputParts {
    if usesPlaceholders {
      return graphics.transmission(
        of: picture.shownPixels, number: number, placeholders: picture.frame.size, top: RoundedTop(of: picture))
    }
    return graphics.transmission(of: picture.pixels(on: ground), number: number)
  }

  var ending: [UInt8] {
    images.names.isEmpty ? [] : stringTerminator + (isTransferring || awaitsFrame ? graphics.transmissionEnd : [])
  }
  var deletions: [[UInt8]] { images.names.map { graphics.deletion(of: name($0).number) } }

  /// Deletes the pictures that the last frame did not show, and returns the bytes for that.
  mutating func deleteHidden() -> [UInt8] {
    defer { unplaced = [] }
    return delete(images.removeUnused(or: unplaced))
  }

  private mutating func delete(_ names: [Int]) -> [UInt8] {
    names.flatMap { graphics.deletion(of: name($0).number) }
  }

  mutating func reset() {
    images.removeAll()
    (current, unplaced) = (nil, [])
  }
}

/// The pictures in the terminal's memory. The least recently used ones are evicted.
struct KittyImages {
  /// A picture and its size in cells, which determine its pixels.
  struct Key: Hashable {
    var id: Int
    var size: Size
    var hasRoundedTop = false
    var isFaded = false

    init(id: Int, size: Size) { (self.id, self.size) = (id, size) }

    init(of picture: PlacedPicture) {
      self.init(id: picture.id, size: picture.frame.size)
      (hasRoundedTop, isFaded) = (picture.hasRoundedTop, picture.isFaded)
    }
  }

  private struct Entry {
    var name: Int
    var byteCount: Int
    /// The frame that used it last.
    var lastUse: Int
  }

  /// In bytes of pixels; kitty's own limit is 320 MB.
  static let capacity = 64 << 20

  private var entries: [Key: Entry] = [:]
  private var byteCount = 0
  private var time = 0

  /// The indices of all names in use.
  var names: [Int] { entries.values.map(\.name).sorted() }

  /// Pictures used in the frame are not evicted.
  mutating func beginFrame() { time += 1 }

  /// Marks a picture as used; returns the index of its name, or nil if the terminal does not have it.
  mutating func use(_ key: Key) -> Int? {
    entries[key]?.lastUse = time
    return entries[key]?.name
  }

  /// Evicts pictures that this frame does not use until there is room; returns their names.
  mutating func evict(forByteCount new: Int) -> [Int] {
    var names: [Int] = []
    while !hasRoom(for: 1, byteCount: new),
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }), oldest.value.lastUse < time
    {
      names.append(oldest.value.name)
      byteCount -= oldest.value.byteCount
      entries[oldest.key] = nil
    }
    return names
  }

  /// Adds a picture; returns its name's index, or nil if there is no room.
  mutating func add(_ key: Key, byteCount new: Int) -> Int? {
    guard hasRoom(for: 1, byteCount: new) else { return nil }
    let used = Set(entries.values.map(\.name))
    guard let name = (0..<KittyName.count).first(where: { !used.contains($0) }) else { return nil }
    entries[key] = Entry(name: name, byteCount: new, lastUse: time)
    byteCount += new
    return name
  }

  mutating func remove(_ key: Key) {
    if let entry = entries.removeValue(forKey: key) { byteCount -= entry.byteCount }
  }

  /// Removes these pictures, and all that the last frame did not use; returns their names.
  mutating func removeUnused(or others: Set<Key>) -> [Int] {
    let unused = entries.filter { $0.value.lastUse < time || others.contains($0.key) }
    for key in unused.keys { remove(key) }
    return unused.values.map(\.name).sorted()
  }

  func hasRoom(for count: Int, byteCount new: Int) -> Bool {
    entries.count + count <= KittyName.count && byteCount + new <= Self.capacity
  }

  mutating func removeAll() {
    entries.removeAll()
    byteCount = 0
  }
}
