import WaterfallEngine

extension Tab {
  /// Counts the pages that a tab requests in vain to fill its window.
  /// A column may stay empty whatever is loaded, for example beside cards that span all others. So the requests end
  /// once as many pages as there are columns have added cards without extending the shortest column.
  struct WindowFill: Equatable, Sendable {
    private var viewport = Size.zero
    private var (shownCount, loadedCount) = (0, 0)
    /// The greatest length since the last input.
    private var length = 0
    /// The pages with cards since the last input or growth of `length`.
    private(set) var vainPageCount = 0
    /// Whether the last page had no card that the tab shows yet. The next page can wait for the debounce.
    private(set) var isSearching = false

    /// Call it after each event. `length` is the `filledLength` of the layout; `loadedCount` ignores filters.
    mutating func update(
      length: Int, in viewport: Size, shownCount: Int, loadedCount: Int, afterInput isAfterInput: Bool
    ) {
      let isAnew = isAfterInput || viewport != self.viewport || shownCount < self.shownCount
      let hasNewCards = shownCount > self.shownCount
      if isAnew || length > self.length {
        (vainPageCount, self.length) = (0, length)
      } else if hasNewCards {
        vainPageCount += 1
      }
      if isAnew || hasNewCards {
        isSearching = false
      } else if loadedCount > self.loadedCount {
        isSearching = true
      }
      (self.viewport, self.shownCount, self.loadedCount) = (viewport, shownCount, loadedCount)
    }
  }
}
