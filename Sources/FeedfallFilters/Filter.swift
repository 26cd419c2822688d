import FeedfallText
import FeedfallUserData

/// One question about a video.
enum FilterTest: Equatable, Sendable {
  /// The field contains this folded text.
  case text(TextField, [UInt8])
  case pattern(TextField, Pattern)
  /// The folded name of the source contains this folded text.
  case source([UInt8])
  case language(LanguageCode)
  /// The duration in seconds.
  case length(ClosedRange<Int>)
  case state(VideoStates)
  case since(DateLimit)
  case before(DateLimit)

  /// The order in which tests that must all hold are made: cheap ones first.
  fileprivate var cost: Int {
    switch self {
    case .length, .state, .since, .before: 0
    case .source, .language: 1
    case .text: 2
    case .pattern: 3
    }
  }

  /// Whether each video that passes passes the other test as well.
  fileprivate func implies(_ other: FilterTest) -> Bool {
    switch (self, other) {
    case (.text(let field, let text), .text(let otherField, let otherText)):
      (field == otherField || otherField == .any) && text.contains(otherText, in: text.indices)
    case (.source(let name), .source(let otherName)): name.contains(otherName, in: name.indices)
    case (.length(let range), .length(let otherRange)):
      otherRange.contains(range.lowerBound) && otherRange.contains(range.upperBound)
    default: self == other
    }
  }
}

/// A point in time, absolute or before now.
enum DateLimit: Equatable, Sendable {
  /// In seconds since 1970.
  case absolute(Int)
  case secondsAgo(Int)

  func seconds(at now: Int) -> Int {
    switch self {
    case .absolute(let seconds): seconds
    case .secondsAgo(let age): now - age
    }
  }
}

/// Tests combined by and, or and not.
indirect enum FilterCondition: Equatable, Sendable {
  case test(FilterTest)
  case not(FilterCondition)
  case all([FilterCondition])
  case any([FilterCondition])

  fileprivate var cost: Int {
    switch self {
    case .test(let test): test.cost
    case .not(let condition): condition.cost
    case .all(let conditions), .any(let conditions): conditions.reduce(0) { max($0, $1.cost) }
    }
  }

  fileprivate var tests: [FilterTest] {
    switch self {
    case .test(let test): [test]
    case .not(let condition): condition.tests
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.tests)
    }
  }
}

/// The facts that a filter needs beside those of the video.
public struct FilterContext: Sendable {
  /// The time in seconds since 1970; relative dates are before it.
  public var now: Int
  /// The folded name of the video's source.
  public var sourceName: [UInt8]
  /// Those of the user and the session.
  public var states: VideoStates

  public init(now: UnixTime?, sourceName: [UInt8] = [], states: VideoStates = []) {
    self.now = now?.seconds ?? 0
    self.sourceName = sourceName
    self.states = states
  }
}

/// The videos to show. Hidden videos are excluded unless the filter asks for them.
///
/// The conditions are compiled to a flat program: each step is a test with the steps that follow it.
public struct Filter: Equatable, Sendable {
  private struct Step: Equatable, Sendable {
    var test: FilterTest
    var ifTrue: Int
    var ifFalse: Int
  }

  /// The conditions that must all hold.
  private let conditions: [FilterCondition]
  private let steps: [Step]
  private let entry: Int
  /// The states of the user and the session that the filter depends on.
  public let states: VideoStates

  private static let accepted = -1
  private static let rejected = -2

  /// Excludes only hidden videos.
  public static let everything = Filter([])

  init(_ conditions: [FilterCondition]) {
    self.conditions = conditions
    let asked = conditions.flatMap(\.tests).reduce(into: VideoStates()) { states, test in
      if case .state(let state) = test { states.formUnion(state) }
    }
    states = asked.subtracting(.ofVideo).union(.hidden)
    let notHidden = asked.contains(.hidden) ? [] : [FilterCondition.not(.test(.state(.hidden)))]
    var steps: [Step] = []
    entry = Self.compile(.all(notHidden + conditions), Self.accepted, Self.rejected, &steps)
    self.steps = steps
  }

  public static func == (one: Filter, other: Filter) -> Bool { one.conditions == other.conditions }

  /// Whether only hidden videos are excluded.
  public var isEmpty: Bool { conditions.isEmpty }

  /// A field that has a value in the record of each included video; nil if there may be included videos without a record.
  public var requiredField: UserField? {
    conditions.lazy.compactMap { condition in
      if case .test(.state(let states)) = condition { states.field } else { nil }
    }.first
  }

  /// Whether it excludes videos whose length is unknown.
  public var dependsOnLength: Bool {
    steps.contains { if case .length = $0.test { true } else { false } }
  }

  /// Returns the filter for the videos that both include.
  public func and(_ other: Filter) -> Filter {
    isEmpty ? other : other.isEmpty ? self : Filter(conditions + other.conditions)
  }

  /// Whether it includes no video that the other filter excludes, as far as the conditions show.
  public func isNarrower(than other: Filter) -> Bool {
    mentionsHidden == other.mentionsHidden
      && other.conditions.allSatisfy { wide in conditions.contains { Self.implies($0, wide) } }
  }

  private var mentionsHidden: Bool { conditions.flatMap(\.tests).contains(.state(.hidden)) }

  private static func implies(_ condition: FilterCondition, _ other: FilterCondition) -> Bool {
    if case .test(let test) = condition, case .test(let otherTest) = other { return test.implies(otherTest) }
    return condition == other
  }

  /// Adds the steps of a condition, the first ones last, and returns its entry.
  private static func compile(
    _ condition: FilterCondition, _ ifTrue: Int, _ ifFalse: Int, _ steps: inout [Step]
  ) -> Int {
    switch condition {
    case .test(let test):
      steps.append(Step(test: test, ifTrue: ifTrue, ifFalse: ifFalse))
      return steps.count - 1
    case .not(let condition): return compile(condition, ifFalse, ifTrue, &steps)
    case .all(let conditions):
      return ordered(conditions).reversed().reduce(ifTrue) { compile($1, $0, ifFalse, &steps) }
    case .any(let conditions):
      return ordered(conditions).reversed().reduce(ifFalse) { compile($1, ifTrue, $0, &steps) }
    }
  }

  private static func ordered(_ conditions: [FilterCondition]) -> [FilterCondition] {
    conditions.enumerated().sorted { one, other in
      (one.element.cost, one.offset) < (other.element.cost, other.offset)
    }.map(\.element)
  }

  /// Returns whether a video is shown, by default the first one of `facts`.
  ///
  /// - Parameter budget: that of all videos that are compared at once.
  /// - Complexity: O(number of tests) without texts; a text test is linear in the length of the texts.
  public func includes(
    _ facts: VideoFacts, at index: Int = 0, _ context: FilterContext, _ budget: inout PatternBudget
  ) -> Bool {
    var step = entry
    while step >= 0 {
      let passes = Self.passes(steps[step].test, facts, index, context, &budget)
      step = passes ? steps[step].ifTrue : steps[step].ifFalse
    }
    return step == Self.accepted
  }

  private static func passes(
    _ test: FilterTest, _ facts: VideoFacts, _ index: Int, _ context: FilterContext, _ budget: inout PatternBudget
  ) -> Bool {
    switch test {
    case .text(let field, let text): facts.contains(text, in: field, at: index)
    case .pattern(let field, let pattern): pattern.matches(in: facts, at: index, field, &budget)
    case .source(let name): context.sourceName.contains(name, in: context.sourceName.indices)
    case .language(let language): facts.languages(at: index).map(language.matches) ?? false
    case .length(let range): facts.seconds(at: index).map(range.contains) ?? false
    case .state(let state): !facts.states(at: index).union(context.states).isDisjoint(with: state)
    case .since(let limit): facts.published(at: index).map { $0 >= limit.seconds(at: context.now) } ?? false
    case .before(let limit): facts.published(at: index).map { $0 < limit.seconds(at: context.now) } ?? false
    }
  }
}
