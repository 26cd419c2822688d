/// The steps that regular expressions may make while many videos are compared with a filter. Afterwards they match no
/// text, so that a key in the prompt is answered soon even if the expression is slow and the videos are many.
public struct PatternBudget: Sendable {
  fileprivate var stepCount: Int
  /// The automata of the expressions, which keep the states that the texts before have reached.
  fileprivate var machines: [(pattern: Pattern, machine: PatternMachine)] = []

  public init() { self.init(stepCount: 20_000_000) }

  init(stepCount: Int) { self.stepCount = stepCount }

  /// Whether texts may have been compared with no expression.
  public var isExhausted: Bool { stepCount <= 0 }
}

/// A regular expression in a subset without backtracking: literals, `.`, classes, groups, `|`, `*`, `+`, `?`, `{m,n}`,
/// `^`, `$`, `\b`, `\d`, `\w` and `\s`.
///
/// All alternatives are followed at once (Thompson, "Regular Expression Search Algorithm", 1968), so that the time is
/// bounded by the product of the lengths of expression and text, and by `maximumStepCount`.
struct Pattern: Equatable, Sendable {
  enum Assertion: Equatable, Sendable { case start, end, wordBoundary }

  enum Instruction: Equatable, Sendable {
    case scalar(UInt32)
    case set(Int)
    case any
    case assert(Assertion)
    case split(Int, Int)
    case jump(Int)
    case match
  }

  let source: String
  let ignoresCase: Bool
  let instructions: [Instruction]
  let sets: [ScalarSet]

  /// A longer text counts as one without a match from there on.
  static let maximumStepCount = 200_000

  init(_ source: String, ignoresCase: Bool) throws(PatternError) {
    var compiler = PatternCompiler()
    let node = try PatternParser(source, ignoresCase: ignoresCase).parsed()
    try compiler.emit(node)
    try compiler.append(.match)
    (self.source, self.ignoresCase) = (source, ignoresCase)
    (instructions, sets) = (compiler.instructions, compiler.sets)
  }

  static func == (one: Pattern, other: Pattern) -> Bool {
    one.source == other.source && one.ignoresCase == other.ignoresCase
  }

  func matches(in facts: VideoFacts, at index: Int, _ field: TextField, _ budget: inout PatternBudget) -> Bool {
    guard ignoresCase else {
      return facts.originals(of: field, at: index).contains { text in
        var text = text
        return text.withUTF8 { matches($0, &budget) }
      }
    }
    return facts.contains(field, at: index) { matches($0, &budget) }
  }

  /// Returns whether the expression matches anywhere in a text in valid UTF-8.
  func matches(_ text: UnsafeBufferPointer<UInt8>, _ budget: inout PatternBudget) -> Bool {
    guard budget.stepCount > 0 else { return false }
    let place = budget.machines.firstIndex { $0.pattern == self } ?? budget.machines.count
    if place == budget.machines.count { budget.machines.append((self, PatternMachine(self))) }
    let limit = min(Self.maximumStepCount, budget.stepCount)
    let (isMatch, stepCount) = budget.machines[place].machine.search(text, maximumStepCount: limit)
    budget.stepCount -= stepCount
    return isMatch
  }
}

struct ScalarSet: Hashable, Sendable {
  var ranges: [ClosedRange<UInt32>] = []
  /// `\w` and `\s` beyond ASCII, each also negated.
  var kinds: [Kind] = []
  var isNegated = false

  enum Kind: Equatable, Sendable { case digit, word, space, nonDigit, nonWord, nonSpace }

  func contains(_ scalar: UInt32) -> Bool {
    (ranges.contains { $0.contains(scalar) } || kinds.contains { Self.belongs(scalar, to: $0) }) != isNegated
  }

  private static func belongs(_ scalar: UInt32, to kind: Kind) -> Bool {
    switch kind {
    case .digit: isDigit(scalar)
    case .nonDigit: !isDigit(scalar)
    case .word: isWord(scalar)
    case .nonWord: !isWord(scalar)
    case .space: isSpace(scalar)
    case .nonSpace: !isSpace(scalar)
    }
  }

  private static func isDigit(_ scalar: UInt32) -> Bool { (0x30...0x39).contains(scalar) }

  static func isWord(_ scalar: UInt32) -> Bool {
    guard scalar >= 0x80 else {
      return isDigit(scalar) || (0x61...0x7A).contains(scalar | 0x20) || scalar == 0x5F
    }
    return Unicode.Scalar(scalar)?.properties.isAlphabetic ?? false
  }

  private static func isSpace(_ scalar: UInt32) -> Bool {
    guard scalar >= 0x80 else { return scalar == 0x20 || (0x09...0x0D).contains(scalar) }
    return Unicode.Scalar(scalar)?.properties.isWhitespace ?? false
  }
}
