extension Pattern {
  struct Fault: Error, Equatable {
    /// The index of the character, from 0.
    var offset: Int
    /// The reason, as a part of a sentence.
    var reason: String
  }

  indirect enum Node {
    case scalar(UInt32)
    case set(ScalarSet)
    case any
    case assert(Assertion)
    case sequence([Node])
    case choice([Node])
    /// `maximum` is nil for any count.
    case repetition(Node, minimum: Int, maximum: Int?)
  }

  /// With `ignoresCase`, literals are folded like the text.
  struct Parser {
    private let characters: [Unicode.Scalar]
    private let ignoresCase: Bool
    private var position = 0
    private var depth = 0

    private static let maximumDepth = 50
    private static let maximumCount = 1_000
    /// Single letters of a range are folded up to this length.
    private static let maximumFoldedRange = 1_000

    init(_ source: String, ignoresCase: Bool) {
      characters = Array(source.unicodeScalars)
      self.ignoresCase = ignoresCase
    }

    func parsed() throws(Fault) -> Node {
      var parser = self
      let node = try parser.choice()
      guard parser.current == nil else { throw parser.error("a parenthesis is not opened") }
      return node
    }

    private var current: Unicode.Scalar? { position < characters.count ? characters[position] : nil }

    private func error(_ reason: String) -> Fault { Fault(offset: position, reason: reason) }

    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
      guard current == scalar else { return false }
      position += 1
      return true
    }

    // MARK: - Structure

    private mutating func choice() throws(Fault) -> Node {
      var choices = [try sequence()]
      while consume("|") { choices.append(try sequence()) }
      return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func sequence() throws(Fault) -> Node {
      var nodes: [Node] = []
      while let scalar = current, scalar != "|", scalar != ")" {
        let start = position
        var node = try atom()
        var count = 0
        while let (minimum, maximum) = try repetition() {
          if case .assert = node { throw Fault(offset: start, reason: "“^”, “$” and “\\b” cannot be repeated") }
          count += 1
          guard count <= 2 else { throw error("too many repetitions of one item") }
          node = .repetition(node, minimum: minimum, maximum: maximum)
        }
        nodes.append(node)
      }
      return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func repetition() throws(Fault) -> (Int, Int?)? {
      if consume("*") { return (0, nil) }
      if consume("+") { return (1, nil) }
      if consume("?") { return (0, 1) }
      guard current == "{" else { return nil }
      position += 1
      guard let minimum = number() else { throw error("expected a number after “{”") }
      let maximum = consume(",") ? number() : minimum
      guard consume("}") else { throw error("expected “}”") }
      guard minimum <= Self.maximumCount, maximum ?? 0 <= Self.maximumCount, maximum ?? minimum >= minimum else {
        throw error("expected “{m,n}” with m ≤ n ≤ \(Self.maximumCount)")
      }
      return (minimum, maximum)
    }

    private mutating func number() -> Int? {
      var value: Int?
      while let scalar = current, ("0"..."9").contains(scalar) {
        value = min((value ?? 0) * 10 + Int(scalar.value - 0x30), Self.maximumCount + 1)
        position += 1
      }
      return value
    }

    private mutating func atom() throws(Fault) -> Node {
      guard let scalar = current else { throw error("the expression ends too early") }
      if ["*", "+", "?", "{"].contains(scalar) { throw error("nothing to repeat before “\(scalar)”") }
      position += 1
      return switch scalar {
      case "(": try group()
      case "[": .set(try set())
      case ".": .any
      case "^": .assert(.start)
      case "$": .assert(.end)
      case "\\": try escape()
      default: literal(scalar)
      }
    }

    private mutating func group() throws(Fault) -> Node {
      let start = position - 1
      if consume("?") { guard consume(":") else { throw error("expected “(?:” or “(”") } }
      depth += 1
      guard depth <= Self.maximumDepth else { throw error("more than \(Self.maximumDepth) nested parentheses") }
      let node = try choice()
      depth -= 1
      guard consume(")") else { throw Fault(offset: start, reason: "a parenthesis is not closed") }
      return node
    }

    private func literal(_ scalar: Unicode.Scalar) -> Node {
      let scalars = folded(scalar)
      return scalars.count == 1 ? .scalar(scalars[0]) : .sequence(scalars.map(Node.scalar))
    }

    private func folded(_ scalar: Unicode.Scalar) -> [UInt32] {
      guard ignoresCase else { return [scalar.value] }
      return String(decoding: FeedfallFilters.folded(String(scalar)), as: UTF8.self).unicodeScalars.map(\.value)
    }

    // MARK: - Escapes and classes

    private static let kinds: [Unicode.Scalar: ScalarSet.Kind] = [
      "d": .digit, "D": .nonDigit, "w": .word, "W": .nonWord, "s": .space, "S": .nonSpace,
    ]

    private mutating func escape() throws(Fault) -> Node {
      guard let scalar = current else { throw error("expected a character after “\\”") }
      if scalar == "b" {
        position += 1
        return .assert(.wordBoundary)
      }
      if let kind = Self.kinds[scalar] {
        position += 1
        return .set(ScalarSet(kinds: [kind]))
      }
      return literal(try escapedLiteral())
    }

    private mutating func escapedLiteral() throws(Fault) -> Unicode.Scalar {
      guard let scalar = current else { throw error("expected a character after “\\”") }
      let isLetter = (0x61...0x7A).contains(scalar.value | 0x20) || (0x30...0x39).contains(scalar.value)
      guard !isLetter else { throw error("“\\\(scalar)” is not supported") }
      position += 1
      return scalar
    }

    private mutating func set() throws(Fault) -> ScalarSet {
      let start = position - 1
      var set = ScalarSet(isNegated: consume("^"))
      var isFirst = true
      while let scalar = current, isFirst || scalar != "]" {
        isFirst = false
        if scalar == "\\", position + 1 < characters.count, let kind = Self.kinds[characters[position + 1]] {
          position += 2
          set.kinds.append(kind)
          continue
        }
        let first = try setScalar()
        var last = first
        if current == "-", position + 1 < characters.count, characters[position + 1] != "]" {
          position += 1
          last = try setScalar()
        }
        guard first <= last else { throw error("the range begins after its end") }
        insert(first...last, in: &set)
      }
      guard consume("]") else { throw Fault(offset: start, reason: "“[” is not closed") }
      return set
    }

    private mutating func setScalar() throws(Fault) -> Unicode.Scalar {
      if consume("\\") { return try escapedLiteral() }
      guard let scalar = current else { throw error("“[” is not closed") }
      position += 1
      return scalar
    }

    private func insert(_ range: ClosedRange<Unicode.Scalar>, in set: inout ScalarSet) {
      let values = range.lowerBound.value...range.upperBound.value
      set.ranges.append(values)
      guard ignoresCase, values.count <= Self.maximumFoldedRange else { return }
      for scalar in values.compactMap({ Unicode.Scalar($0) }) {
        let folded = folded(scalar)
        if folded.count == 1, !values.contains(folded[0]) { set.ranges.append(folded[0]...folded[0]) }
      }
    }
  }

  struct Compiler {
    private(set) var instructions: [Instruction] = []
    private(set) var sets: [ScalarSet] = []
    private var setNumbers: [ScalarSet: Int] = [:]

    private static let maximumInstructionCount = 1_000

    mutating func append(_ instruction: Instruction) throws(Fault) {
      guard instructions.count < Self.maximumInstructionCount else {
        throw Fault(offset: 0, reason: "the expression is too large")
      }
      instructions.append(instruction)
    }

    mutating func emit(_ node: Node) throws(Fault) {
      switch node {
      case .scalar(let value): try append(.scalar(value))
      case .any: try append(.any)
      case .assert(let assertion): try append(.assert(assertion))
      case .set(let set):
        if setNumbers[set] == nil {
          setNumbers[set] = sets.count
          sets.append(set)
        }
        try append(.set(setNumbers[set] ?? 0))
      case .sequence(let nodes): for node in nodes { try emit(node) }
      case .choice(let nodes): try emit(choice: nodes)
      case .repetition(let node, let minimum, let maximum): try emit(node, minimum: minimum, maximum: maximum)
      }
    }

    private mutating func emit(choice nodes: [Node]) throws(Fault) {
      var ends: [Int] = []
      for node in nodes.dropLast() {
        let split = instructions.count
        try append(.split(split + 1, 0))
        try emit(node)
        ends.append(instructions.count)
        try append(.jump(0))
        instructions[split] = .split(split + 1, instructions.count)
      }
      if let last = nodes.last { try emit(last) }
      for end in ends { instructions[end] = .jump(instructions.count) }
    }

    private mutating func emit(_ node: Node, minimum: Int, maximum: Int?) throws(Fault) {
      let start = instructions.count
      for _ in 0..<minimum {
        try emit(node)
        // Repeating nothing would take time without an end.
        if instructions.count == start { return }
      }
      guard let maximum else { return try emitLoop(node) }
      var splits: [Int] = []
      for _ in minimum..<maximum {
        splits.append(instructions.count)
        try append(.split(instructions.count + 1, 0))
        try emit(node)
      }
      for split in splits { instructions[split] = .split(split + 1, instructions.count) }
    }

    private mutating func emitLoop(_ node: Node) throws(Fault) {
      let split = instructions.count
      try append(.split(split + 1, 0))
      try emit(node)
      try append(.jump(split))
      instructions[split] = .split(split + 1, instructions.count)
    }
  }
}
