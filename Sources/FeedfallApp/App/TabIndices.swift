import FeedfallRecords

/// The indices of the tabs: All, if there are several sources, the sources, the views, and the tabs that the user has
/// opened. An index stays valid: closing a tab only hides it.
struct TabIndices: Sendable {
  /// The number of tabs, including hidden ones.
  private(set) var count: Int
  private(set) var selection = 0
  /// The tabs in the bar, in ascending order.
  private(set) var visible: [Int]

  private let sourceCount: Int
  /// The number of tabs with which the program was started.
  private let startCount: Int
  /// The tabs that are only shown while a record has a value in a field.
  private let recordTabs: [(index: Int, field: UserField)]

  init(settings: AppSettings) {
    sourceCount = settings.sources.count
    let firstView = sourceCount + (sourceCount > 1 ? 1 : 0)
    startCount = firstView + settings.allViews.count
    count = startCount
    recordTabs = settings.allViews.enumerated().compactMap { number, view in
      view.field.map { (firstView + number, $0) }
    }
    visible = Array((0..<startCount).dropLast(recordTabs.count))
    if settings.startsWithView, startCount > firstView { selection = firstView }
  }

  var hasAll: Bool { sourceCount > 1 }

  /// The tab of a source with which the program was started; nil for others.
  func index(of source: SourceID) -> Int? {
    source.number < sourceCount ? source.number + (hasAll ? 1 : 0) : nil
  }

  /// The tabs that show several sources.
  var mixed: [Int] {
    (0..<startCount).filter { hasAll && $0 == 0 || $0 >= sourceCount + (hasAll ? 1 : 0) }
  }

  /// The tabs that show a source together with others. Each of them may show cards of records.
  func mixed(with source: SourceID) -> [Int] { source.number < sourceCount || source == .records ? mixed : [] }

  // MARK: - Changes

  /// Shows the tabs of records while there are any. The selected one stays.
  mutating func updateVisibility(_ records: UserData) {
    for (index, field) in recordTabs {
      let isVisible = index == selection || records.hasValues(of: field)
      // Compared first, because this runs after every event.
      guard isVisible != visible.contains(index) else { continue }
      if isVisible { visible = (visible + [index]).sorted() } else { visible.removeAll { $0 == index } }
    }
  }

  mutating func select(_ index: Int) { selection = index }

  var openedCount: Int { visible.count { $0 >= startCount } }

  var isSelectedOpened: Bool { selection >= startCount }

  /// Adds a tab that the user has opened, and returns its index.
  mutating func open() -> Int {
    visible.append(count)
    count += 1
    return count - 1
  }

  /// The tab before the selected one in the bar, or else the first.
  var neighbor: Int {
    let place = visible.firstIndex(of: selection) ?? 0
    return visible.indices.contains(place - 1) ? visible[place - 1] : 0
  }

  mutating func hide(_ index: Int) { visible.removeAll { $0 == index } }
}
