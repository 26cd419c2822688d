extension CollectionLayout {
  /// Applies the differences between two versions of the data. Items that stay in their order keep their columns, in
  /// sections with up to 32 runs of neighboring changes: in others all from the first change on are packed anew. Moved
  /// sections keep their items, and a moved item keeps its size within its section. `metrics` gives the measures of new
  /// sections, `size` the sizes of items that are new in a section. Before anything has changed, an invalid size or
  /// measure is thrown, a size with the item's new number as its position, and `LayoutError.outdatedData` if the layout
  /// does not hold the old version.
  /// Returns the part of the content outside of which nothing moved. O(items × log items), O(items) where most stay in
  /// their order, and in a section O(runs of neighboring changes, at most 32, × items behind).
  @discardableResult
  public mutating func apply<Section, Item>(
    _ changes: BatchChanges<Section, Item>, metrics: (Section) -> SectionMetrics, size: (Item) -> ItemSize
  ) throws(LayoutError) -> Rect {
    let (old, new) = (changes.old, changes.new)
    guard old.map(\.items.count) == (0..<sectionCount).map({ itemCount(inSection: $0) }) else { throw .outdatedData }
    var edits: [(removed: [Int], numbers: [Int], inserted: [ItemSize], metrics: SectionMetrics?)] = []
    for (number, section) in new.enumerated() {
      let (removed, numbers) = changes.edit(ofSection: number)
      let inserted = numbers.map { item in
        changes.oldPathInSameSection(ElementPath(section: number, item: item)).map(itemSize)
          ?? size(section.items[item])
      }
      try LayoutError.check(inserted, itemCount: section.items.count - inserted.count, numbers: numbers)
      let added = changes.oldSections[section.id] == nil ? metrics(section.id) : nil
      try added?.check()
      edits.append((removed, numbers, inserted, added))
    }
    var changed = Rect.zero
    var numbers: [Int] = []
    for (section, edit) in zip(new, edits) {
      numbers.append(changes.oldSections[section.id] ?? sectionCount)
      if let metrics = edit.metrics { changed = changed.union(try appendSection(metrics)) }
    }
    changed = changed.union(selectSections(numbers))
    for (number, edit) in edits.enumerated() {
      let items = try change(number, removing: edit.removed, inserting: edit.inserted, at: edit.numbers)
      changed = changed.union(items)
    }
    return changed
  }

  /// Removes items by their old numbers and inserts others by their new ones, run by run, so that the others stay in
  /// their columns. Many runs take longer than packing the items from the first change on anew.
  private mutating func change(
    _ section: Int, removing removed: [Int], inserting sizes: [ItemSize], at numbers: [Int]
  ) throws(LayoutError) -> Rect {
    var (removals, insertions) = (runs(of: removed), runs(of: numbers))
    var sizes = sizes[...]
    let count = itemCount(inSection: section)
    if removals.count + insertions.count > 32, let first = [removed.first, numbers.first].compactMap(\.self).min() {
      let newCount = count - removed.count + numbers.count
      var (stays, isNew) = ([Bool](repeating: true, count: count), [Bool](repeating: false, count: newCount))
      for item in removed { stays[item] = false }
      for item in numbers { isNew[item] = true }
      var rest = (first..<count).lazy.filter { stays[$0] }.map { ElementPath(section: section, item: $0) }
        .makeIterator()
      sizes = (first..<newCount).map { isNew[$0] ? sizes.removeFirst() : rest.next().map(itemSize) ?? sizes[0] }[...]
      (removals, insertions) = ([first..<count], [first..<newCount])
    }
    var changed = Rect.zero
    for run in removals.reversed() { changed = changed.union(remove(items: run, fromSection: section)) }
    for run in insertions {
      let path = ElementPath(section: section, item: run.lowerBound)
      changed = changed.union(try insert(Array(sizes.prefix(run.count)), at: path))
      sizes = sizes.dropFirst(run.count)
    }
    return changed
  }
}

/// The differences between two versions of a host's sections and items, which identifiers tell apart: insertions,
/// removals and moves of both, also of items from section to section.
public struct BatchChanges<Section: Hashable & Sendable, Item: Hashable & Sendable>: Sendable {
  /// The sections in order, each with its items in order.
  public typealias Version = [(id: Section, items: [Item])]

  let old: Version
  let new: Version
  let oldSections: [Section: Int]
  private let newSections: [Section: Int]
  private let oldPaths: [Item: ElementPath]
  private let newPaths: [Item: ElementPath]

  /// The differences between two versions. Two sections of a version with one identifier are a
  /// `LayoutError.duplicateSection`, and two items, even of different sections, a `LayoutError.duplicateItem`.
  /// O(items).
  public init(from old: Version, to new: Version) throws(LayoutError) {
    (self.old, self.new) = (old, new)
    (oldSections, oldPaths) = try Self.places(in: old)
    (newSections, newPaths) = try Self.places(in: new)
  }

  /// Returns an old item's path after the change, nil if it was removed or the old version has no such path. O(1).
  public func newPath(of path: ElementPath) -> ElementPath? { Self.item(at: path, in: old).flatMap { newPaths[$0] } }

  /// Returns a new item's path before the change, nil if it was inserted or the new version has no such path. O(1).
  public func oldPath(of path: ElementPath) -> ElementPath? { Self.item(at: path, in: new).flatMap { oldPaths[$0] } }

  /// Returns an old section's number after the change, nil if it was removed or the old version has no such section.
  /// O(1).
  public func newSection(of section: Int) -> Int? {
    old.indices.contains(section) ? newSections[old[section].id] : nil
  }

  /// Returns a new section's number before the change, nil if it was inserted or the new version has no such section.
  /// O(1).
  public func oldSection(of section: Int) -> Int? {
    new.indices.contains(section) ? oldSections[new[section].id] : nil
  }

  private static func item(at path: ElementPath, in version: Version) -> Item? {
    guard version.indices.contains(path.section), version[path.section].items.indices.contains(path.item) else {
      return nil
    }
    return version[path.section].items[path.item]
  }

  private static func places(in version: Version) throws(LayoutError) -> ([Section: Int], [Item: ElementPath]) {
    var (sections, paths): ([Section: Int], [Item: ElementPath]) = ([:], [:])
    paths.reserveCapacity(version.reduce(0) { $0 + $1.items.count })
    for (number, section) in version.enumerated() {
      guard sections.updateValue(number, forKey: section.id) == nil else { throw .duplicateSection(number) }
      for (item, id) in section.items.enumerated() {
        let path = ElementPath(section: number, item: item)
        guard paths.updateValue(path, forKey: id) == nil else { throw .duplicateItem(path) }
      }
    }
    return (sections, paths)
  }

  fileprivate func oldPathInSameSection(_ path: ElementPath) -> ElementPath? {
    oldPath(of: path).flatMap { $0.section == oldSections[new[path.section].id] ? $0 : nil }
  }

  /// Returns the old numbers of the items to remove from a new section and the new numbers of those to insert: as few
  /// as possible, by the longest sequence of items that stay in their order. O(items × log items).
  fileprivate func edit(ofSection section: Int) -> (removed: [Int], inserted: [Int]) {
    let oldSection = oldSections[new[section].id]
    let numbers = new[section].items.map { id in
      oldPaths[id].flatMap { $0.section == oldSection ? $0.item : nil }
    }
    // The new numbers at which the sequences of every length end that have the least old number there.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: numbers.count)
    for (number, old) in numbers.enumerated() {
      guard let old else { continue }
      let isNext = ends.last.map { numbers[$0] ?? 0 < old } ?? true
      let length = isNext ? ends.count : ends.indices.partitioningIndex { numbers[ends[$0]] ?? 0 >= old }
      previous[number] = length > 0 ? ends[length - 1] : nil
      if length == ends.count { ends.append(number) } else { ends[length] = number }
    }
    var stays = [Bool](repeating: false, count: numbers.count)
    var isRemoved = [Bool](repeating: true, count: oldSection.map { old[$0].items.count } ?? 0)
    var next = ends.last
    while let number = next, let old = numbers[number] {
      (stays[number], isRemoved[old]) = (true, false)
      next = previous[number]
    }
    return (isRemoved.indices.filter { isRemoved[$0] }, stays.indices.filter { !stays[$0] })
  }
}

/// The runs of ascending offsets that follow each other without a gap.
private func runs(of offsets: [Int]) -> [Range<Int>] {
  offsets.reduce(into: []) { runs, offset in
    if let last = runs.last, last.upperBound == offset {
      runs[runs.count - 1] = last.lowerBound..<offset + 1
    } else {
      runs.append(offset..<offset + 1)
    }
  }
}
