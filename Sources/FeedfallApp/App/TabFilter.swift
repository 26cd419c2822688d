import FeedfallFilters
import FeedfallScreen

struct TabFilter: Equatable, Sendable {
  private(set) var prompt: Prompt?
  /// The last valid one.
  private(set) var query = FilterQuery.empty
  private(set) var error: FilterError?
  private(set) var completions: [String] = []
  private var previous = FilterQuery.empty
  private(set) var origin: CardSlot?
  /// The pages without an included video since the last one with any, or since the user's last command for more.
  var searchedPageCount = 0

  static let maximumSearchedPageCount = 10

  var isActive: Bool { !query.text.isEmpty }
  var isUsed: Bool { isActive || hasPrompt }
  var hasPrompt: Bool { prompt != nil }

  mutating func begin(at origin: CardSlot?, _ history: Prompt.History) {
    (previous, self.origin) = (query, origin)
    prompt = Prompt(needle: query.text, history: history, acceptsEmptyText: true)
  }

  mutating func handle(_ input: Prompt.Input) {
    switch prompt?.handle(input) {
    case nil: break
    case .changed: follow()
    case .accepted:
      adopt()
      // A faulty text stays open with its fault.
      if error == nil { finish() }
    case .cancelled: set(previous)
    }
  }

  mutating func paste(_ text: String) {
    prompt?.paste(text)
    follow()
  }

  mutating func clear() { set(.empty) }

  mutating func set(_ query: FilterQuery) {
    self.query = query
    finish()
  }

  mutating func setOrder(_ order: VideoOrder) { query = query.ordered(by: order) ?? query }

  /// Adopts the typed text if it is valid, without a last word that may become a keyword: as a text, it would include
  /// almost no video.
  private mutating func follow() {
    guard let prompt else { return }
    guard prompt.isCursorAtEnd, let word = FilterLanguage.UnfinishedKeyword(endOf: prompt.needle) else {
      return adopt()
    }
    (error, completions) = (nil, word.completions)
    if let query = try? FilterQuery(word.rest) { self.query = query }
  }

  private mutating func adopt() {
    guard let prompt else { return }
    completions = []
    do {
      query = try FilterQuery(prompt.needle)
      error = nil
    } catch { self.error = error }
  }

  private mutating func finish() { (prompt, error, completions, origin) = (nil, nil, [], nil) }
}
