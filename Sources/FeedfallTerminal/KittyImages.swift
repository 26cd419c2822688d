import WaterfallEngine

/// Which pictures the terminal keeps by kitty's protocol; no more than it can well hold, those least lately seen
/// making room for others.
struct KittyImages {
  /// A picture, and the cells that it takes: with others it has other pixels.
  struct Key: Hashable {
    var id: Int
    var size: Size
  }

  private struct Entry {
    var name: Int
    var byteCount: Int
    var lastUse: Int
  }

  /// In bytes of pixels; kitty itself stops at 320 MB.
  static let capacity = 64 << 20

  private var entries: [Key: Entry] = [:]
  private var byteCount = 0
  private var time = 0

  /// The indices of the names that are in use.
  var names: [Int] { entries.values.map(\.name).sorted() }

  /// Begins a new frame; what is used in it stays until the next.
  mutating func beginFrame() { time += 1 }

  /// The index of a picture's name, if the terminal has it.
  mutating func use(_ key: Key) -> Int? {
    entries[key]?.lastUse = time
    return entries[key]?.name
  }

  /// Forgets pictures that this frame does not show until there is room; answers their names.
  mutating func makeRoom(forByteCount new: Int) -> [Int] {
    var names: [Int] = []
    while !hasRoom(forByteCount: new),
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }), oldest.value.lastUse < time
    {
      names.append(oldest.value.name)
      byteCount -= oldest.value.byteCount
      entries[oldest.key] = nil
    }
    return names
  }

  /// Gives a picture a name; nil when there is no room.
  mutating func add(_ key: Key, byteCount new: Int) -> Int? {
    guard hasRoom(forByteCount: new) else { return nil }
    let used = Set(entries.values.map(\.name))
    guard let name = (0..<KittyName.count).first(where: { !used.contains($0) }) else { return nil }
    entries[key] = Entry(name: name, byteCount: new, lastUse: time)
    byteCount += new
    return name
  }

  private func hasRoom(forByteCount new: Int) -> Bool {
    entries.count < KittyName.count && byteCount + new <= Self.capacity
  }

  mutating func removeAll() {
    entries.removeAll()
    byteCount = 0
  }
}
