import FeedfallFilters
import FeedfallScreen

/// The filter of a tab, and the prompt in which it is typed.
struct TabFilter: Sendable {
  /// The filter that is being typed.
  private(set) var prompt: Prompt?
  /// The last valid filter, which the tab uses.
  private(set) var query = FilterQuery.empty
  /// The fault of the text that is being typed.
  private(set) var error: FilterError?
  /// The filter that a canceled prompt restores.
  private var previous = FilterQuery.empty
  /// The card that was selected when the prompt was opened.
  private(set) var origin: CardSlot?
  /// The pages without an included video that arrived since the last one with any, or since the user's last command for
  /// the filter or for more videos.
  var searchedPageCount = 0

  /// The pages that are searched without a further command.
  static let maximumSearchedPageCount = 10

  var isActive: Bool { !query.text.isEmpty }
  var isUsed: Bool { isActive || prompt != nil }

  /// Opens the prompt with the current filter.
  mutating func begin(at origin: CardSlot?) {
    (previous, self.origin) = (query, origin)
    prompt = Prompt(origin: 0, needle: query.text, acceptsEmptyText: true)
  }

  mutating func handle(_ key: Key) {
    switch prompt?.handle(key) {
    case nil: break
    case .changed: follow()
    // A faulty text stays open with its fault.
    case .accepted: if error == nil { finish() }
    case .cancelled:
      query = previous
      finish()
    }
  }

  mutating func paste(_ text: String) {
    prompt?.insert(text)
    follow()
  }

  mutating func clear() {
    query = .empty
    finish()
  }

  /// Adopts the typed text if it is valid.
  private mutating func follow() {
    guard let prompt else { return }
    do {
      query = try FilterQuery(prompt.needle)
      error = nil
    } catch { self.error = error }
  }

  private mutating func finish() { (prompt, error, origin) = (nil, nil, nil) }
}
