/// A regular expression in a subset without backtracking: literals, `.`, classes, groups, `|`, `*`, `+`, `?`, `{m,n}`,
/// `^`, `$`, `\b`, `\d`, `\w` and `\s`.
///
/// All alternatives are followed at once (Thompson, "Regular Expression Search Algorithm", 1968), so that the time is
/// bounded by the product of the lengths of expression and text, and by `maximumStepCount`.
struct Pattern: Equatable, Sendable {
  enum Assertion: Equatable, Sendable {
    case start, end, wordBoundary

    /// Returns whether it holds between two scalars; nil at the ends of a text.
    func holds(between previous: UInt32?, _ following: UInt32?) -> Bool {
      switch self {
      case .start: previous == nil
      case .end: following == nil
      case .wordBoundary: previous.map(ScalarSet.isWord) ?? false != following.map(ScalarSet.isWord) ?? false
      }
    }
  }

  enum Instruction: Equatable, Sendable {
    case scalar(UInt32)
    case set(Int)
    case any
    case assert(Assertion)
    case split(Int, Int)
    case jump(Int)
    case match
  }

  let ignoresCase: Bool
  let instructions: [Instruction]
  let sets: [ScalarSet]
  /// For each set, a bit for each of its scalars of ASCII.
  private let asciiSets: [UInt128]
  /// For each scalar of ASCII, whether a match may begin with it, so that most of a text is skipped.
  private(set) var beginsMatch: [Bool] = []

  /// A text that needs more steps counts as one without a match from there on.
  static let maximumStepCount = 200_000
  /// A step is one scalar with up to this many visits of instructions, as common expressions need. Each further visit is
  /// another step, so that the time of a step is bounded.
  static let visitsPerStep = 16

  init(_ source: String, ignoresCase: Bool) throws(Fault) {
    var compiler = Compiler()
    let node = try Parser(source, ignoresCase: ignoresCase).parsed()
    try compiler.emit(node)
    try compiler.append(.match)
    (self.ignoresCase, instructions, sets) = (ignoresCase, compiler.instructions, compiler.sets)
    asciiSets = sets.map { set in
      (0..<0x80).reduce(0) { bits, scalar in set.contains(scalar) ? bits | 1 << UInt128(scalar) : bits }
    }
    beginsMatch = Search.beginnings(of: self)
  }

  private func set(_ number: Int, contains scalar: UInt32) -> Bool {
    scalar < 0x80 ? asciiSets[number] >> UInt128(scalar) & 1 == 1 : sets[number].contains(scalar)
  }

  struct Search {
    private let pattern: Pattern
    /// The instructions after the previous scalar.
    private var threads: [Int] = []
    private var stack: [Int] = []
    /// For each instruction, the last step that has reached it.
    private var reached: [Int]
    private var step = 0

    init(_ pattern: Pattern) {
      (self.pattern, reached) = (pattern, Array(repeating: 0, count: pattern.instructions.count))
    }

    fileprivate static func beginnings(of pattern: Pattern) -> [Bool] {
      var search = Search(pattern)
      return (0..<UInt32(0x80)).map { scalar in
        // After the start, a letter, and a sign, because assertions differ there.
        ([nil, 0x61, 0x20] as [UInt32?]).contains { previous in
          var budget = Filter.Budget()
          search.threads.removeAll(keepingCapacity: true)
          return search.advance(from: previous, over: scalar, &budget) || !search.threads.isEmpty
        }
      }
    }

    mutating func matches(
      in facts: VideoFacts, at index: Int, _ field: VideoFacts.TextField, _ budget: inout Filter.Budget
    ) -> Bool {
      guard pattern.ignoresCase else {
        return facts.originals(of: field, at: index).contains { text in
          var text = text
          return text.withUTF8 { matches($0, &budget) }
        }
      }
      return facts.contains(field, at: index) { matches($0, &budget) }
    }

    mutating func matches(_ text: UnsafeBufferPointer<UInt8>, _ budget: inout Filter.Budget) -> Bool {
      let limit = max(0, budget.stepCount - Pattern.maximumStepCount)
      var (previous, place): (UInt32?, Int) = (nil, 0)
      threads.removeAll(keepingCapacity: true)
      while budget.stepCount > limit {
        let following = Self.scalar(in: text, &place)
        if threads.isEmpty, let following, following < 0x80, !pattern.beginsMatch[Int(following)] {
          budget.stepCount -= 1
        } else if advance(from: previous, over: following, &budget) {
          return true
        }
        guard following != nil else { return false }
        previous = following
      }
      return false
    }

    private static func scalar(in text: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> UInt32? {
      guard place < text.count else { return nil }
      let first = text[place]
      place += 1
      guard first >= 0x80 else { return UInt32(first) }
      let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      var value = UInt32(first) & (0xFF >> UInt32(length + 1))
      for _ in 1..<length {
        value = value << 6 | UInt32((place < text.count ? text[place] : 0x80) & 0x3F)
        place = min(place + 1, text.count)
      }
      return value
    }

    /// Returns whether the expression matches before the following scalar, which is nil at the end.
    private mutating func advance(
      from previous: UInt32?, over following: UInt32?, _ budget: inout Filter.Budget
    ) -> Bool {
      step += 1
      var visitCount = 0
      defer { budget.stepCount -= 1 + max(0, visitCount - Pattern.visitsPerStep) }
      swap(&stack, &threads)
      threads.removeAll(keepingCapacity: true)
      // A match may begin at each position.
      stack.append(0)
      while let index = stack.popLast() {
        visitCount += 1
        guard reached[index] != step else { continue }
        reached[index] = step
        switch pattern.instructions[index] {
        case .match:
          stack.removeAll(keepingCapacity: true)
          return true
        case .jump(let target): stack.append(target)
        case .split(let one, let other):
          stack.append(one)
          stack.append(other)
        case .assert(let assertion): if assertion.holds(between: previous, following) { stack.append(index + 1) }
        case .scalar(let wanted): if following == wanted { threads.append(index + 1) }
        case .set(let number):
          if let following, pattern.set(number, contains: following) { threads.append(index + 1) }
        case .any: if following != nil { threads.append(index + 1) }
        }
      }
      return false
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
      guard scalar >= 0x80 else { return isDigit(scalar) || (0x61...0x7A).contains(scalar | 0x20) || scalar == 0x5F }
      return Unicode.Scalar(scalar)?.properties.isAlphabetic ?? false
    }

    private static func isSpace(_ scalar: UInt32) -> Bool {
      guard scalar >= 0x80 else { return scalar == 0x20 || (0x09...0x0D).contains(scalar) }
      return Unicode.Scalar(scalar)?.properties.isWhitespace ?? false
    }
  }
}
