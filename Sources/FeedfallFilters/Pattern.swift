/// The steps that regular expressions may make while many videos are compared with a filter. Afterwards they match no
/// text, so that a key in the prompt is answered soon even if the expression is slow and the videos are many.
public struct PatternBudget: Sendable {
  fileprivate var stepCount: Int

  public init() { self.init(stepCount: 20_000_000) }

  init(stepCount: Int) { self.stepCount = stepCount }
}

/// A regular expression in a subset without backtracking: literals, `.`, classes, groups, `|`, `*`, `+`, `?`, `{m,n}`,
/// `^`, `$`, `\b`, `\d`, `\w` and `\s`.
///
/// The program simulates all alternatives at once (Thompson, "Regular Expression Search Algorithm", 1968), so that the
/// time is bounded by the product of the lengths of expression and text, and by `maximumStepCount`.
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

  /// The source, for comparison.
  let source: String
  let ignoresCase: Bool
  private let instructions: [Instruction]
  private let sets: [ScalarSet]

  /// A longer text counts as one without a match from there on.
  static let maximumStepCount = 200_000

  /// Parses an expression.
  init(_ source: String, ignoresCase: Bool) throws(PatternError) {
    var compiler = PatternCompiler()
    let node = try PatternParser(source, ignoresCase: ignoresCase).parsed()
    try compiler.emit(node)
    try compiler.append(.match)
    (self.source, self.ignoresCase) = (source, ignoresCase)
    (instructions, sets) = (compiler.instructions, compiler.sets)
  }

  func matches(in facts: VideoFacts, at index: Int, _ field: TextField, _ budget: inout PatternBudget) -> Bool {
    guard ignoresCase else {
      return facts.originals(of: field, at: index).contains { matches(Array($0.utf8)[...], &budget) }
    }
    return facts.foldedTexts(of: field, at: index).contains { matches($0, &budget) }
  }

  /// Returns whether the expression matches anywhere in a text in valid UTF-8.
  func matches(_ text: ArraySlice<UInt8>, _ budget: inout PatternBudget) -> Bool {
    var search = Search(
      instructions: instructions, sets: sets, maximumStepCount: min(Self.maximumStepCount, budget.stepCount))
    defer { budget.stepCount -= min(search.stepCount, budget.stepCount) }
    return search.run(text)
  }
}

extension Pattern {
  /// The threads of one search.
  private struct Search {
    let instructions: [Instruction]
    let sets: [ScalarSet]
    /// The threads at the current position, and those at the next one.
    private var current: [Int] = []
    private var next: [Int] = []
    /// For each instruction, the position for which a thread was added last, from 1.
    private var added: [Int]
    private var stack: [Int] = []
    private let maximumStepCount: Int
    private(set) var stepCount = 0

    /// The scalars before and after the current position; nil at the ends.
    private struct Surroundings {
      var previous: UInt32?
      var following: UInt32?

      func allow(_ assertion: Assertion) -> Bool {
        switch assertion {
        case .start: previous == nil
        case .end: following == nil
        case .wordBoundary: previous.map(ScalarSet.isWord) ?? false != following.map(ScalarSet.isWord) ?? false
        }
      }
    }

    init(instructions: [Instruction], sets: [ScalarSet], maximumStepCount: Int) {
      (self.instructions, self.sets, self.maximumStepCount) = (instructions, sets, maximumStepCount)
      added = Array(repeating: 0, count: instructions.count)
    }

    mutating func run(_ text: ArraySlice<UInt8>) -> Bool {
      var scalars = Scalars(rest: text)
      var place = Surroundings(previous: nil, following: scalars.next())
      var position = 1
      while stepCount < maximumStepCount {
        // A match may begin at each position.
        if add(0, at: position, place) { return true }
        guard let scalar = place.following else { return false }
        place = Surroundings(previous: scalar, following: scalars.next())
        position += 1
        for thread in current where accepts(scalar, instructions[thread]) {
          if add(thread + 1, toNext: true, at: position, place) { return true }
        }
        swap(&current, &next)
        next.removeAll(keepingCapacity: true)
      }
      return false
    }

    private func accepts(_ scalar: UInt32, _ instruction: Instruction) -> Bool {
      switch instruction {
      case .scalar(let wanted): scalar == wanted
      case .set(let index): sets[index].contains(scalar)
      case .any: true
      case .assert, .split, .jump, .match: false
      }
    }

    /// Adds the threads that are reached without a scalar. Returns whether the expression has matched.
    private mutating func add(_ start: Int, toNext isNext: Bool = false, at position: Int, _ place: Surroundings)
      -> Bool
    {
      stack.append(start)
      while let index = stack.popLast() {
        stepCount += 1
        guard added[index] != position else { continue }
        added[index] = position
        switch instructions[index] {
        case .match:
          stack.removeAll()
          return true
        case .jump(let target): stack.append(target)
        case .split(let one, let other): stack += [other, one]
        case .assert(let assertion): if place.allow(assertion) { stack.append(index + 1) }
        case .scalar, .set, .any: if isNext { next.append(index) } else { current.append(index) }
        }
      }
      return false
    }
  }

  /// Decodes valid UTF-8.
  private struct Scalars {
    var rest: ArraySlice<UInt8>

    mutating func next() -> UInt32? {
      guard let first = rest.popFirst() else { return nil }
      guard first >= 0x80 else { return UInt32(first) }
      let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      var value = UInt32(first) & (0xFF >> UInt32(length + 1))
      for _ in 1..<length { value = value << 6 | UInt32((rest.popFirst() ?? 0x80) & 0x3F) }
      return value
    }
  }
}

/// A set of Unicode scalars.
struct ScalarSet: Equatable, Sendable {
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
