import FeedfallFeeds

/// The sources in the tabs of several sources: those with which the program was started and the saved ones, or those of
/// a group.
struct JoinedSources: Equatable, Sendable {
  /// In ascending order.
  private(set) var numbers: [Int]
  /// Increases with each change of the numbers or the names.
  private(set) var revision = 0
  /// Their names by their numbers, and empty ones for the other sources; none if there is only one.
  private(set) var names: [String] = []

  init(_ numbers: Range<Int>) { self.numbers = Array(numbers) }

  var areSeveral: Bool { numbers.count > 1 }

  /// O(log n).
  func contains(_ source: SourceID) -> Bool {
    var places = numbers.indices
    while !places.isEmpty {
      let middle = places.lowerBound + places.count / 2
      if numbers[middle] == source.number { return true }
      places = numbers[middle] < source.number ? middle + 1..<places.upperBound : places.lowerBound..<middle
    }
    return false
  }

  mutating func insert(_ source: SourceID) {
    if !contains(source) { numbers = (numbers + [source.number]).sorted() }
  }

  /// Inserts sources behind all others.
  mutating func append(_ new: Range<Int>) { numbers += new }

  mutating func remove(_ source: SourceID) { remove([source]) }

  mutating func remove(_ sources: Set<SourceID>) { numbers.removeAll { sources.contains(SourceID($0)) } }

  mutating func updateNames(from sources: SourceTable) {
    revision += 1
    names = areSeveral ? Array(repeating: "", count: (numbers.last ?? -1) + 1) : []
    if areSeveral { for number in numbers { names[number] = sources[number].name } }
  }

  func statuses(among all: SourceTable) -> SourceStatuses { SourceStatuses(of: all, numbers: numbers[...]) }
}

/// Sources that one tab shows by rank, such as the services of a search. They have no tabs of their own.
struct SourceGroup: Equatable, Sendable {
  let name: String
  var sources: JoinedSources
}
