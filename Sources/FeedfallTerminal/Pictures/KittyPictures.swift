import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// Pictures by kitty's protocol: as placeholder characters, which are moved, clipped and covered like others, or placed
/// over the cells, and placed again when these move.
struct KittyPictures: PictureLayer {
  private let graphics: KittyGraphics
  private let depth: ColorDepth
  private let salt: UInt8
  private let usesPlaceholders: Bool
  /// The screen's background, for the rounded corners of placements; nil leaves them square.
  private let ground: RGB?
  private var images = Images()
  /// The pictures that were transmitted after the last frame.
  private var unplaced: Set<Images.Key> = []
  private var current: Images.Key?
  /// The placements of the terminal; nil where they may have moved.
  private var shown: [Place: KittyGraphics.Extent?] = [:]

  private struct Place: Hashable, Comparable {
    var number: UInt32
    var placement: Int

    static func < (one: Place, other: Place) -> Bool { (one.number, one.placement) < (other.number, other.placement) }
  }

  init(graphics: KittyGraphics, depth: ColorDepth, salt: UInt8, usesPlaceholders: Bool, ground: RGB? = nil) {
    (self.graphics, self.depth, self.salt) = (graphics, depth, salt)
    (self.usesPlaceholders, self.ground) = (usesPlaceholders, ground)
  }

  private func name(_ index: Int) -> Name { Name(index, salt: salt, depth: depth) }

  private func key(of picture: PlacedPicture) -> Images.Key {
    Images.Key(
      id: picture.id, size: picture.frame.size, hasRoundedTop: picture.hasRoundedTop, isFaded: picture.isFaded)
  }

  var hasPixels: Bool { !shown.isEmpty }
  var awaitsFrame: Bool { !unplaced.isEmpty }
  var ending: [UInt8] {
    images.names.isEmpty ? [] : stringTerminator + (current != nil || awaitsFrame ? graphics.transmissionEnd : [])
  }
  var deletions: [[UInt8]] { images.names.map { graphics.deletion(of: name($0).number) } }

  // MARK: - Frames

  mutating func prepare(_ canvas: Canvas, _ pictures: [PlacedPicture]) -> Canvas {
    guard usesPlaceholders else { return canvas }
    beginFrame()
    var prepared = canvas
    prepared.clip = canvas.bounds
    for picture in pictures {
      guard let name = use(picture) else { continue }
      for part in picture.parts {
        for y in part.minY..<part.maxY {
          for x in part.minX..<part.maxX {
            prepared[x, y] = Self.placeholder(name, x: x - picture.frame.minX, y: y - picture.frame.minY)
          }
        }
      }
    }
    return prepared
  }

  mutating func finish(_ canvas: Canvas, _ pictures: [PlacedPicture], damage: CellDamage) -> [UInt8] {
    guard !usesPlaceholders else { return [] }
    // The terminal may have moved or removed placements together with the cells.
    if damage.movesRows { shown = shown.mapValues { _ in nil } }
    guard current == nil else {
      // Only text may be sent now, and the frame shows the same pictures as the last one.
      for picture in pictures { _ = use(picture) }
      return []
    }
    beginFrame()
    let wanted = extents(of: pictures)
    var bytes: [UInt8] = []
    for place in shown.keys.sorted() where wanted[place] == nil {
      bytes += graphics.removal(of: place.number, placement: place.placement)
    }
    for (place, extent) in wanted.sorted(by: { $0.key < $1.key }) where shown[place] != extent {
      bytes += graphics.placement(of: place.number, placement: place.placement, extent)
    }
    shown = wanted
    return bytes
  }

  private mutating func beginFrame() {
    images.beginFrame()
    unplaced = []
  }

  /// Nil if the terminal does not have it.
  private mutating func use(_ picture: PlacedPicture) -> Name? {
    let key = key(of: picture)
    let index = images.use(key)
    return key == current ? nil : index.map(name)
  }

  private mutating func extents(of pictures: [PlacedPicture]) -> [Place: KittyGraphics.Extent] {
    var extents: [Place: KittyGraphics.Extent] = [:]
    var counts: [UInt32: Int] = [:]
    for picture in pictures {
      guard let name = use(picture) else { continue }
      for part in picture.parts.prefix(PlacedPicture.maximumParts) {
        let placement = counts[name.number, default: 0] + 1
        counts[name.number] = placement
        extents[Place(number: name.number, placement: placement)] = KittyGraphics.Extent(
          source: picture.pixels(under: part), cells: part)
      }
    }
    return extents
  }

  // MARK: - Transfers

  mutating func beginTransfer(of pictures: [PlacedPicture]) -> OutputParts? {
    let missing = pictures.filter { use($0) == nil && $0.isSupported }
    var deletions = awaitsFrame ? [] : makeRoom(for: missing)
    for picture in missing {
      let (key, byteCount) = (key(of: picture), picture.pixels.bytes.count)
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
    return images.hasRoom(for: missing.count, byteCount: byteCount) ? [] : deleteHidden()
  }

  /// Transparent corners show the cells below: under placeholders the background, under placements the cover in cells.
  private func transmission(of picture: PlacedPicture, number: UInt32) -> OutputParts {
    if usesPlaceholders {
      return graphics.transmission(
        of: picture.shownPixels, number: number, placeholders: picture.frame.size,
        top: PlacedPicture.RoundedTop(of: picture))
    }
    return graphics.transmission(of: picture.pixels(on: ground), number: number)
  }

  /// Deletes the placed pictures that the last frame did not show. Placeholders are evicted instead.
  mutating func deleteHidden() -> [UInt8] {
    guard !usesPlaceholders else { return [] }
    defer { unplaced = [] }
    return delete(images.removeUnused(or: unplaced))
  }

  private func delete(_ names: [Int]) -> [UInt8] { names.flatMap { graphics.deletion(of: name($0).number) } }

  mutating func reset() {
    images.removeAll()
    (current, unplaced, shown) = (nil, [], [:])
  }

  static let placeholderBase: UInt32 = 0x10EEEE

  static var maximumSize: Int { marks.count }

  /// kitty's Unicode placeholder: marks encode the row, the column and the highest byte of the picture's number; the
  /// color encodes the other bytes.
  static func placeholder(_ name: Name, x: Int, y: Int) -> Cell {
    var bits = UInt64(marks[y]) | UInt64(marks[x]) << 21
    if name.number >> 24 != 0 { bits |= UInt64(marks[Int(name.number >> 24)]) << 42 }
    return Cell(Glyph(base: placeholderBase, marks: bits), Style(.cover, foreground: name.color))
  }

  /// The mark for each number (kitty's rowcolumn-diacritics.txt).
  private static let marks: [UInt32] = ranges.flatMap { Array($0) }

  private static let ranges: [ClosedRange<UInt32>] = [
    0x305...0x305, 0x30D...0x30E, 0x310...0x310, 0x312...0x312, 0x33D...0x33F, 0x346...0x346, 0x34A...0x34C,
    0x350...0x352, 0x357...0x357, 0x35B...0x35B, 0x363...0x36F, 0x483...0x487, 0x592...0x595, 0x597...0x599,
    0x59C...0x5A1, 0x5A8...0x5A9, 0x5AB...0x5AC, 0x5AF...0x5AF, 0x5C4...0x5C4, 0x610...0x617, 0x657...0x65B,
    0x65D...0x65E, 0x6D6...0x6DC, 0x6DF...0x6E2, 0x6E4...0x6E4, 0x6E7...0x6E8, 0x6EB...0x6EC, 0x730...0x730,
    0x732...0x733, 0x735...0x736, 0x73A...0x73A, 0x73D...0x73D, 0x73F...0x741, 0x743...0x743, 0x745...0x745,
    0x747...0x747, 0x749...0x74A, 0x7EB...0x7F1, 0x7F3...0x7F3, 0x816...0x819, 0x81B...0x823, 0x825...0x827,
    0x829...0x82D, 0x951...0x951, 0x953...0x954, 0xF82...0xF83, 0xF86...0xF87, 0x135D...0x135F, 0x17DD...0x17DD,
    0x193A...0x193A, 0x1A17...0x1A17, 0x1A75...0x1A7C, 0x1B6B...0x1B6B, 0x1B6D...0x1B73, 0x1CD0...0x1CD2,
    0x1CDA...0x1CDB, 0x1CE0...0x1CE0, 0x1DC0...0x1DC1, 0x1DC3...0x1DC9, 0x1DCB...0x1DCC, 0x1DD1...0x1DE6,
    0x1DFE...0x1DFE, 0x20D0...0x20D1, 0x20D4...0x20D7, 0x20DB...0x20DC, 0x20E1...0x20E1, 0x20E7...0x20E7,
    0x20E9...0x20E9, 0x20F0...0x20F0, 0x2CEF...0x2CF1, 0x2DE0...0x2DFF, 0xA66F...0xA66F, 0xA67C...0xA67D,
    0xA6F0...0xA6F1, 0xA8E0...0xA8F1, 0xAAB0...0xAAB0, 0xAAB2...0xAAB3, 0xAAB7...0xAAB8, 0xAABE...0xAABF,
    0xAAC1...0xAAC1, 0xFE20...0xFE26, 0x10A0F...0x10A0F, 0x10A38...0x10A38, 0x1D185...0x1D189, 0x1D1AA...0x1D1AD,
    0x1D242...0x1D244,
  ]

  struct Name: Equatable {
    let number: UInt32
    let color: RGB

    static let count = 240

    /// `salt` distinguishes programs in the same terminal.
    init(_ index: Int, salt: UInt8, depth: ColorDepth) {
      let salt = UInt32(max(1, salt))
      if depth == .direct {
        let low = UInt32(index)
        number = salt << 16 | (salt ^ 0x5A) << 8 | low
        color = RGB(red: UInt8(salt), green: UInt8(salt ^ 0x5A), blue: UInt8(low))
      } else {
        // A palette index, above the sixteen colors that have other encodings.
        number = salt << 24 | UInt32(16 + index)
        color = ColorDepth.indexedColor(16 + index)
      }
    }
  }

  /// The pictures in the terminal's memory. The least recently used ones are evicted.
  struct Images {
    /// A picture and its size in cells, which determine its pixels.
    struct Key: Hashable {
      var id: Int
      var size: Size
      var hasRoundedTop = false
      var isFaded = false
    }

    /// In bytes of pixels; kitty's own limit is 320 MB.
    static let capacity = 64 << 20

    private var entries: [Key: (name: Int, byteCount: Int, lastUse: Int)] = [:]
    private var byteCount = 0
    private var time = 0

    var names: [Int] { entries.values.map { $0.name }.sorted() }

    /// Pictures used in the frame are not evicted.
    mutating func beginFrame() { time += 1 }

    mutating func use(_ key: Key) -> Int? {
      entries[key]?.lastUse = time
      return entries[key]?.name
    }

    mutating func evict(forByteCount new: Int) -> [Int] {
      var names: [Int] = []
      while !hasRoom(for: 1, byteCount: new),
        let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }), oldest.value.lastUse < time
      {
        names.append(oldest.value.name)
        remove(oldest.key)
      }
      return names
    }

    mutating func add(_ key: Key, byteCount new: Int) -> Int? {
      guard hasRoom(for: 1, byteCount: new) else { return nil }
      let used = Set(names)
      guard let name = (0..<Name.count).first(where: { !used.contains($0) }) else { return nil }
      entries[key] = (name, new, time)
      byteCount += new
      return name
    }

    mutating func remove(_ key: Key) {
      if let entry = entries.removeValue(forKey: key) { byteCount -= entry.byteCount }
    }

    mutating func removeUnused(or others: Set<Key>) -> [Int] {
      let unused = entries.filter { $0.value.lastUse < time || others.contains($0.key) }
      for key in unused.keys { remove(key) }
      return unused.values.map { $0.name }.sorted()
    }

    func hasRoom(for count: Int, byteCount new: Int) -> Bool {
      entries.count + count <= Name.count && byteCount + new <= Self.capacity
    }

    mutating func removeAll() {
      entries.removeAll()
      byteCount = 0
    }
  }
}

struct KittyGraphics {
  var isInTmux = false

  /// The maximum of Base64 letters in one sequence.
  private static let chunk = 4096

  /// `placeholders`: the size in cells. `top` makes corners transparent. Only text may be sent between the parts.
  func transmission(
    of pixels: PixelBuffer, number: UInt32, placeholders: Size? = nil, top: PlacedPicture.RoundedTop? = nil
  ) -> OutputParts {
    let shape = placeholders.map { "a=T,U=1,c=\($0.width),r=\($0.height)" } ?? "a=t"
    let format = top == nil ? 24 : 32
    return parts(
      of: Base64.encode(top?.transparent(pixels) ?? pixels.bytes),
      keys: "\(shape),q=2,i=\(number),f=\(format),s=\(pixels.size.width),v=\(pixels.size.height),", continued: "q=2,",
      ending: transmissionEnd)
  }

  /// Ends an incomplete transmission: the terminal drops a picture with too few pixels.
  var transmissionEnd: [UInt8] { command("q=2,m=0") }

  private func parts(of letters: [UInt8], keys: String, continued: String, ending: [UInt8]) -> OutputParts {
    var keys = keys
    var parts = OutputParts(ending: ending, isInterruptible: true)
    parts.bytes.reserveCapacity(letters.count + letters.count / 64 + 256)
    for start in stride(from: 0, to: letters.count, by: Self.chunk) {
      let end = min(start + Self.chunk, letters.count)
      parts.bytes += command("\(keys)m=\(end < letters.count ? 1 : 0)", payload: letters[start..<end])
      parts.ends.append(parts.bytes.count)
      keys = continued
    }
    return parts
  }

  /// Asks whether the terminal can read an object of shared memory with one pixel.
  func sharedQuery(_ name: String, number: Int) -> [UInt8] {
    command("a=q,i=\(number),f=24,s=1,v=1,t=s", payload: Base64.encode(Array(name.utf8))[...])
  }

  /// Transmits a video frame in an object of shared memory, which the terminal removes: as a new picture, or in place
  /// of another one's pixels, whose placements stay. The terminal answers only if the command fails.
  func frame(of size: Size, number: UInt32, sharedName name: String, replaces: Bool) -> [UInt8] {
    let action = replaces ? "a=f,i=\(number),r=1" : "a=t,i=\(number)"
    return command(
      "\(action),f=24,s=\(size.width),v=\(size.height),t=s,q=1", payload: Base64.encode(Array(name.utf8))[...])
  }

  /// The same as text, in sequences between which it may be cut.
  func frame(_ pixels: PixelBuffer, number: UInt32, replaces: Bool) -> OutputParts {
    let action = replaces ? "a=f,i=\(number),r=1," : ""
    return parts(
      of: Base64.encode(pixels.bytes),
      keys: "\(replaces ? action : "a=t,i=\(number),")q=1,f=24,s=\(pixels.size.width),v=\(pixels.size.height),",
      continued: "\(action)q=1,", ending: command("\(action)q=2,m=0"))
  }

  struct Extent: Equatable {
    /// In pixels of the picture.
    var source: Rect
    var cells: Rect
  }

  /// Shows a part of a picture over cells, or moves the existing placement. The cursor does not move.
  func placement(of number: UInt32, placement: Int, _ extent: Extent) -> [UInt8] {
    let (source, cells) = (extent.source, extent.cells)
    let keys =
      "a=p,i=\(number),p=\(placement),x=\(source.minX),y=\(source.minY),w=\(source.width),h=\(source.height),"
      + "c=\(cells.width),r=\(cells.height),C=1,z=1,q=2"
    return Array("\u{1B}7\u{1B}[\(cells.minY + 1);\(cells.minX + 1)H".utf8) + command(keys) + Array("\u{1B}8".utf8)
  }

  /// Removes a placement; the terminal keeps the pixels.
  func removal(of number: UInt32, placement: Int) -> [UInt8] { command("a=d,d=i,i=\(number),p=\(placement),q=2") }

  func deletion(of number: UInt32) -> [UInt8] { command("a=d,d=I,i=\(number),q=2") }

  private func command(_ keys: String, payload: ArraySlice<UInt8> = []) -> [UInt8] {
    let escape: [UInt8] = isInTmux ? [0x1B, 0x1B] : [0x1B]
    var bytes = escape + Array("_G\(keys)".utf8)
    if !payload.isEmpty { bytes += [UInt8(ascii: ";")] + payload }
    bytes += escape + [UInt8(ascii: "\\")]
    return isInTmux ? TerminalProfile.passthroughStart + bytes + stringTerminator : bytes
  }
}
