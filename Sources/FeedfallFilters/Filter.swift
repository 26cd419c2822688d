import FeedfallRecords
import FeedfallText

/// The videos to show. Hidden videos are excluded unless the filter asks for them.
public struct Filter: Equatable, Sendable {
  private let conditions: [Condition]
  /// All of them as one, the cheap ones first.
  private let condition: Condition
  /// The states of the user and the session that the filter depends on.
  public let states: VideoStates

  /// Excludes only hidden videos.
  public static let everything = Filter([])

  init(_ conditions: [Condition]) {
    self.conditions = conditions
    let asked = conditions.flatMap(\.tests).reduce(into: VideoStates()) { states, test in
      if case .state(let state) = test { states.formUnion(state) }
    }
    states = asked.subtracting(.ofVideo).union(.hidden)
    let notHidden = asked.contains(.hidden) ? [] : [Condition.not(.test(.state(.hidden)))]
    condition = Condition.all(notHidden + conditions).ordered
  }

  /// Whether only hidden videos are excluded.
  public var isEmpty: Bool { conditions.isEmpty }

  /// A field that has a value in the record of each included video; nil if there may be included videos without a record.
  public var requiredField: UserField? {
    conditions.lazy.compactMap { condition in
      if case .test(.state(let states)) = condition { states.field } else { nil }
    }.first
  }

  /// Whether the texts of videos determine those that it includes.
  public var readsTexts: Bool {
    condition.tests.contains { test in
      switch test {
      case .text, .pattern, .language: true
      case .source, .sourceNamed, .tag, .length, .state, .since, .before: false
      }
    }
  }

  /// Whether the lengths of videos determine those that it includes.
  public var dependsOnLength: Bool {
    condition.tests.contains { test in
      switch test {
      case .length: true
      case .state(let states): states.contains(.short)
      case .text, .pattern, .source, .sourceNamed, .tag, .language, .since, .before: false
      }
    }
  }

  /// Whether the time may determine the videos that it includes.
  public var dependsOnTime: Bool {
    condition.tests.contains { test in
      switch test {
      case .since, .before: true
      case .text, .pattern, .source, .sourceNamed, .tag, .language, .length, .state: false
      }
    }
  }

  /// Returns the filter for the videos that both include.
  public func and(_ other: Filter) -> Filter {
    isEmpty ? other : other.isEmpty ? self : Filter(conditions + other.conditions)
  }

  /// Whether it includes no video that the other filter excludes, as far as the conditions show.
  public func isNarrower(than other: Filter) -> Bool {
    asksForHidden == other.asksForHidden
      && other.conditions.allSatisfy { wide in conditions.contains { Self.implies($0, wide) } }
  }

  /// Whether hidden videos may be included.
  public var asksForHidden: Bool { conditions.flatMap(\.tests).contains(.state(.hidden)) }

  private static func implies(_ condition: Condition, _ other: Condition) -> Bool {
    if case .test(let test) = condition, case .test(let otherTest) = other { return test.implies(otherTest) }
    return condition == other
  }

  /// Returns whether a video is shown, by default the first one of `facts`. The budget is that of all videos that are
  /// compared at once.
  public func includes(_ facts: VideoFacts, at index: Int = 0, _ context: Context, _ budget: inout Budget) -> Bool {
    !included([index], of: facts, context, &budget) { _ in context.states }.isEmpty
  }

  /// Returns the videos that are shown, in their order.
  ///
  /// - Parameter context: the facts beside theirs, apart from the states.
  /// - Complexity: O(tests · videos) without texts; a text test is linear in the length of the texts.
  public func included(
    _ indices: [Int], of facts: VideoFacts, _ context: Context, _ budget: inout Budget,
    states: (Int) -> VideoStates
  ) -> [Int] {
    withoutActuallyEscaping(states) { states in
      Comparison(facts: facts, context: context, states: states).passing(indices, condition, &budget)
    }
  }

  /// The facts that a filter needs beside those of the video.
  public struct Context: Sendable {
    /// The time in seconds since 1970; relative dates are before it.
    public var now: Int
    /// The time zone in which days begin.
    public var zone: LocalZone
    /// The folded name of the video's source.
    public var sourceName: [UInt8]
    /// The folded name without what distinguishes it from open sources of the same name; nil if they are equal.
    public var ownSourceName: [UInt8]?
    /// The folded tags of the source.
    public var tags: [[UInt8]]
    /// Those of the user and the session.
    public var states: VideoStates

    public init(
      now: UnixTime?, zone: LocalZone, sourceName: [UInt8] = [], ownSourceName: [UInt8]? = nil,
      tags: [[UInt8]] = [], states: VideoStates = []
    ) {
      (self.now, self.zone) = (now?.seconds ?? 0, zone)
      (self.sourceName, self.ownSourceName, self.states) = (sourceName, ownSourceName, states)
      self.tags = tags
    }
  }

  /// The steps that regular expressions may make while many videos are compared with a filter. Afterwards they match no
  /// text, so that a key in the prompt is answered soon even if the expression is slow and the videos are many.
  public struct Budget: Sendable {
    var stepCount = 20_000_000

    public init() {}

    /// Whether texts may have been compared with no expression.
    public var isExhausted: Bool { stepCount <= 0 }
  }

  indirect enum Condition: Equatable, Sendable {
    case test(Test)
    case not(Condition)
    case all([Condition])
    case any([Condition])

    fileprivate var cost: Int {
      switch self {
      case .test(let test): test.cost
      case .not(let condition): condition.cost
      case .all(let conditions), .any(let conditions): conditions.reduce(0) { max($0, $1.cost) }
      }
    }

    fileprivate var ordered: Condition {
      switch self {
      case .test: self
      case .not(let condition): .not(condition.ordered)
      case .all(let conditions): .all(Self.ordered(conditions))
      case .any(let conditions): .any(Self.ordered(conditions))
      }
    }

    private static func ordered(_ conditions: [Condition]) -> [Condition] {
      conditions.enumerated().sorted { one, other in
        (one.element.cost, one.offset) < (other.element.cost, other.offset)
      }.map(\.element.ordered)
    }

    fileprivate var tests: [Test] {
      switch self {
      case .test(let test): [test]
      case .not(let condition): condition.tests
      case .all(let conditions), .any(let conditions): conditions.flatMap(\.tests)
      }
    }
  }

  enum Test: Equatable, Sendable {
    case text(VideoFacts.TextField, [UInt8])
    case pattern(VideoFacts.TextField, Pattern)
    case source([UInt8])
    /// This is the folded name of the source, without its distinction.
    case sourceNamed([UInt8])
    /// A part of a tag of the source, or a whole one.
    case tag([UInt8], isWhole: Bool)
    case language(Language)
    /// In seconds.
    case length(ClosedRange<Int>)
    case state(VideoStates)
    case since(DateLimit)
    case before(DateLimit)

    fileprivate var cost: Int {
      switch self {
      case .length, .state, .since, .before: 0
      case .source, .sourceNamed, .tag, .language: 1
      case .text: 2
      case .pattern: 3
      }
    }

    fileprivate func implies(_ other: Test) -> Bool {
      switch (self, other) {
      case (.text(let field, let text), .text(let otherField, let otherText)):
        (field == otherField || otherField == .any) && text.contains(otherText, in: text.indices)
      case (.source(let name), .source(let otherName)), (.sourceNamed(let name), .source(let otherName)):
        name.contains(otherName, in: name.indices)
      case (.tag(let tag, _), .tag(let otherTag, isWhole: false)): tag.contains(otherTag, in: tag.indices)
      case (.length(let range), .length(let otherRange)):
        otherRange.contains(range.lowerBound) && otherRange.contains(range.upperBound)
      default: self == other
      }
    }
  }

  private struct Comparison {
    let facts: VideoFacts
    let context: Context
    let states: (Int) -> VideoStates

    /// Each test is made for all videos before the next one: that takes less time than all tests for one video.
    func passing(_ indices: [Int], _ condition: Condition, _ budget: inout Budget) -> [Int] {
      switch condition {
      case .test(let test): return passing(indices, test, &budget)
      case .not(let condition): return indices.removing(passing(indices, condition, &budget))
      case .all(let conditions): return conditions.reduce(indices) { passing($0, $1, &budget) }
      case .any(let conditions):
        let rest = conditions.reduce(indices) { $0.removing(passing($0, $1, &budget)) }
        return indices.removing(rest)
      }
    }

    private func passing(_ indices: [Int], _ test: Test, _ budget: inout Budget) -> [Int] {
      switch test {
      case .text(let field, let text): return indices.filter { facts.contains(text, in: field, at: $0) }
      case .pattern(let field, let pattern):
        var search = Pattern.Search(pattern)
        return indices.filter { search.matches(in: facts, at: $0, field, &budget) }
      case .source(let name): return context.sourceName.contains(name, in: context.sourceName.indices) ? indices : []
      case .sourceNamed(let name): return (context.ownSourceName ?? context.sourceName) == name ? indices : []
      case .tag(let tag, let isWhole):
        let hasTag = context.tags.contains { isWhole ? $0 == tag : $0.contains(tag, in: $0.indices) }
        return hasTag ? indices : []
      case .language(let language):
        return indices.filter { facts.languages(at: $0).map(language.matches) ?? false }
      case .length(let range): return indices.filter { facts.seconds(at: $0).map(range.contains) ?? false }
      case .state(let state) where state.isSubset(of: .ofVideo):
        return indices.filter { !facts.states(at: $0).isDisjoint(with: state) }
      case .state(let state):
        return indices.filter { !facts.states(at: $0).union(states($0)).isDisjoint(with: state) }
      case .since(let limit):
        let isAfter = limit.isAfter(in: context)
        return indices.filter { facts.published(at: $0).map { !isAfter($0) } ?? false }
      case .before(let limit):
        let isAfter = limit.isAfter(in: context)
        return indices.filter { facts.published(at: $0).map(isAfter) ?? false }
      }
    }
  }

  enum DateLimit: Equatable, Sendable {
    /// The number of days since 1970-01-01.
    case day(Int)
    case daysAgo(Int)
    case secondsAgo(Int)

    /// Returns whether a time in seconds since 1970 is before the limit.
    func isAfter(in context: Context) -> (Int) -> Bool {
      let now = UnixTime(seconds: context.now)
      switch self {
      case .day(let number): return Self.isBefore(day: number, in: context.zone)
      case .daysAgo(let count): return Self.isBefore(day: context.zone.dayNumber(at: now) - count, in: context.zone)
      case .secondsAgo(let age): return { $0 < context.now - age }
      }
    }

    private static func isBefore(day number: Int, in zone: LocalZone) -> (Int) -> Bool {
      let (start, startInUTC) = (zone.start(ofDay: number).seconds, LocalZone.utc.start(ofDay: number).seconds)
      return { LocalZone.isDate($0) ? $0 < startInUTC : $0 < start }
    }
  }

  /// A language, whose code has two letters in some feeds and three in others (ISO 639-1, 639-2/T and 639-2/B).
  struct Language: Equatable, Sendable {
    private let codes: [String]

    private static let known = [
      "ar ara", "bg bul", "ca cat", "cs ces cze", "da dan", "de deu ger", "el ell gre", "en eng", "eo epo", "es spa",
      "et est", "eu eus baq", "fa fas per", "fi fin", "fr fra fre", "ga gle", "gl glg", "he heb", "hi hin", "hr hrv",
      "hu hun", "id ind", "is isl ice", "it ita", "ja jpn", "ko kor", "lt lit", "lv lav", "nb nob", "nl nld dut",
      "no nor", "pl pol", "pt por", "ro ron rum", "ru rus", "sk slk slo", "sl slv", "sr srp", "sv swe", "th tha",
      "tr tur", "uk ukr", "vi vie", "zh zho chi",
    ].map { $0.split(separator: " ").map(String.init) }

    /// Parses a code of two or three letters, and ignores a region: `de`, `deu`, `de-AT`.
    init?(_ text: String) {
      let code = text.lowercased().prefix { $0 != "-" && $0 != "_" }
      guard (2...3).contains(code.utf8.count), code.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
      codes = Self.known.first { $0.contains(String(code)) } ?? [String(code)]
    }

    /// Returns whether a list of codes in lower case, such as `deu-eng`, contains the language.
    func matches(_ list: String) -> Bool {
      list.split { !$0.isLetter }.contains { part in codes.contains { $0 == part } }
    }
  }
}

extension [Int] {
  /// Returns the others, if `removed` are some of these in the same order.
  fileprivate func removing(_ removed: [Int]) -> [Int] {
    if removed.isEmpty { return self }
    var result: [Int] = []
    result.reserveCapacity(count - removed.count)
    var place = 0
    for element in self {
      if place < removed.count, removed[place] == element { place += 1 } else { result.append(element) }
    }
    return result
  }
}

extension Filter.DateLimit {
  private static let maximumAge = 200 * 365 * 86_400

  /// Parses a day, month or year as its start, `today`, `yesterday`, or an age such as `12h`, `3d`, `2w`, `6m` or `1y`.
  init?(_ text: String) {
    switch text {
    case "today": self = .daysAgo(0)
    case "yesterday": self = .daysAgo(1)
    default:
      guard let limit = Self.dayNumber(text).map(Self.day) ?? Self.age(text).map(Self.secondsAgo) else { return nil }
      self = limit
    }
  }

  private static func age(_ text: String) -> Int? {
    var rest = text[...]
    var sum = 0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest[digits.endIndex...]
      let unit = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest[unit.endIndex...]
      guard digits.utf8.count <= 9, let number = Int(digits), let factor = seconds(ofUnit: unit) else { return nil }
      sum += number * factor
      guard sum <= maximumAge else { return nil }
    }
    return sum
  }

  private static func seconds(ofUnit unit: Substring) -> Int? {
    switch unit {
    case "h": 3_600
    case "d": 86_400
    case "w": 7 * 86_400
    case "m": 30 * 86_400
    case "y": 365 * 86_400
    default: nil
    }
  }

  private static func dayNumber(_ text: String) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let year = number(parts[0], digits: 4...4) else { return nil }
    var numbers = [1, 1]
    for (index, part) in parts.dropFirst().enumerated() {
      guard let number = number(part, digits: 1...2) else { return nil }
      numbers[index] = number
    }
    return CivilDate(year: year, month: numbers[0], day: numbers[1]).map(\.daysSince1970)
  }

  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }
}
