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
  private(set) var isUnfinished = false
  /// The numbers of the pictures that the last frame has deleted, together with their placements. They may be in use again.
  private(set) var deletedNumbers: Set<UInt32> = []
  private var images = KittyImages()
  /// Whether the next frame may clear the screen, and pictures sent before with it.
  private var isFresh = true

  init(graphics: KittyGraphics, depth: ColorDepth, salt: UInt8, usesPlaceholders: Bool, ground: RGB? = nil) {
    self.graphics = graphics
    self.depth = depth
    self.salt = salt
    self.usesPlaceholders = usesPlaceholders
    self.ground = ground
  }

  private func name(_ index: Int) -> KittyName { KittyName(index, salt: salt, depth: depth) }

  /// Returns the picture's name if the terminal has it, and marks it as used.
  mutating func use(_ picture: PlacedPicture) -> KittyName? {
    images.use(KittyImages.Key(of: picture)).map(name)
  }

  /// Transmits missing pictures, if the canvas is at rest.
  mutating func send(_ pictures: [VisiblePicture], isAtRest: Bool) -> [UInt8] {
    images.beginFrame()
    (isUnfinished, deletedNumbers) = (false, [])
    var missing = missing(in: pictures)
    guard isAtRest, !missing.isEmpty else { return [] }
    if isFresh {
      isUnfinished = true
      return []
    }
    var bytes = makeRoom(for: missing)
    if !bytes.isEmpty { missing = self.missing(in: pictures) }
    for picture in missing {
      if bytes.count >= pictureBytesPerFrame {
        isUnfinished = true
        break
      }
      bytes += send(picture)
    }
    return bytes
  }

  private mutating func missing(in pictures: [VisiblePicture]) -> [PlacedPicture] {
    pictures.map(\.picture).filter { use($0) == nil && $0.isSupported }
  }

  /// Deletes all pictures without a placement that stays if the missing ones may not fit: later, a deletion would also remove
  /// those that are transmitted in this frame and not placed yet. It removes the ones that this frame shows again as well.
  private mutating func makeRoom(for missing: [PlacedPicture]) -> [UInt8] {
    let byteCount = missing.reduce(0) { $0 + $1.pixels.bytes.count }
    guard !usesPlaceholders, !images.hasRoom(for: missing.count, byteCount: byteCount) else { return [] }
    return delete(images.removeUnplaced())
  }

  private mutating func send(_ picture: PlacedPicture) -> [UInt8] {
    let key = KittyImages.Key(of: picture)
    // The same picture may appear twice.
    guard images.use(key) == nil else { return [] }
    let byteCount = picture.pixels.bytes.count
    var bytes = delete(images.evict(forByteCount: byteCount))
    if let index = images.add(key, byteCount: byteCount) {
      bytes += transmission(of: picture, number: name(index).number)
    }
    return bytes
  }

  /// Transparent corners show the cells below: under placeholders the background, under placements the cover in cells.
  private func transmission(of picture: PlacedPicture, number: UInt32) -> [UInt8] {
    if usesPlaceholders {
      return graphics.transmission(
        of: picture.shownPixels, number: number, placeholders: picture.frame.size, top: RoundedTop(of: picture))
    }
    return graphics.transmission(of: picture.pixels(on: ground), number: number)
  }

  /// Call it when a frame's cells are written.
  mutating func endFrame() { isFresh = false }

  var removal: [UInt8] {
    let names = images.names
    return names.isEmpty ? [] : stringTerminator + names.flatMap { graphics.deletion(of: name($0).number) }
  }

  /// Deletes the pictures that the last frame did not use, and returns the bytes for that.
  mutating func deleteHidden() -> [UInt8] {
    delete(images.removeUnused())
  }

  private mutating func delete(_ names: [Int]) -> [UInt8] {
    let numbers = names.map { name($0).number }
    deletedNumbers.formUnion(numbers)
    return numbers.flatMap(graphics.deletion)
  }

  mutating func reset() {
    images.removeAll()
    isFresh = true
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
    /// The frame that used it last, and the one before.
    var lastUse: Int
    var useBefore: Int

    mutating func use(at time: Int) { if lastUse < time { (useBefore, lastUse) = (lastUse, time) } }
  }

  /// In bytes of pixels; kitty's own limit is 320 MB.
  static let capacity = 64 << 20

  private var entries: [Key: Entry] = [:]
  private var byteCount = 0
  private var time = 0

  /// The indices of all names in use.
  var names: [Int] { entries.values.map(\.name).sorted() }

  /// Starts a frame; pictures used in it are not evicted.
  mutating func beginFrame() { time += 1 }

  /// Marks a picture as used; returns the index of its name, or nil if the terminal does not have it.
  mutating func use(_ key: Key) -> Int? {
    entries[key]?.use(at: time)
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
    entries[key] = Entry(name: name, byteCount: new, lastUse: time, useBefore: 0)
    byteCount += new
    return name
  }

  /// Removes the pictures that the last frame did not use; returns their names.
  mutating func removeUnused() -> [Int] { remove { entry, time in entry.lastUse < time } }

  /// Removes the pictures that this frame or the one before it does not use; returns their names.
  mutating func removeUnplaced() -> [Int] {
    remove { entry, time in entry.lastUse < time || entry.useBefore < time - 1 }
  }

  private mutating func remove(where isRemoved: (Entry, _ time: Int) -> Bool) -> [Int] {
    let removed = entries.filter { isRemoved($0.value, time) }
    for (key, entry) in removed {
      byteCount -= entry.byteCount
      entries[key] = nil
    }
    return removed.values.map(\.name).sorted()
  }

  /// Whether further pictures fit without evicting others.
  func hasRoom(for count: Int, byteCount new: Int) -> Bool {
    entries.count + count <= KittyName.count && byteCount + new <= Self.capacity
  }

  mutating func removeAll() {
    entries.removeAll()
    byteCount = 0
  }
}
