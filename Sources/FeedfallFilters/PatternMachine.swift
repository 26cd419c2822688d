/// The deterministic automaton of a regular expression. Its states are made when a text reaches them first, so that most
/// texts cost one look-up for each byte.
struct PatternMachine: Sendable {
  /// The kind of the scalar before the current position.
  private enum Previous: Sendable { case none, word, other }

  /// The instructions that the alternatives reached, before those that need no scalar are followed.
  private struct State: Hashable, Sendable {
    var threads: [Int]
    var previous: Previous
  }

  private let instructions: [Pattern.Instruction]
  private let sets: [ScalarSet]
  private var classes: ScalarClasses
  private var states: [State] = []
  private var numbers: [State: Int] = [:]
  /// For each state, its successors for the classes of scalars and for the end.
  private var successors: [Int32] = []
  /// The successors for scalars without a class, by state and scalar.
  private var wideSuccessors: [UInt64: Int32] = [:]
  /// For each instruction, the last step that has reached it.
  private var reached: [Int]
  private var stack: [Int] = []
  private var step = 0

  private static let maximumStateCount = 500
  private static let maximumWideCount = 10_000
  /// The cost of a new successor, of each instruction that it follows, and of a scalar without a class, in look-ups.
  private static let (successorCost, instructionCost, wideCost) = (100, 4, 20)

  private static let unknown: Int32 = -1
  private static let matched: Int32 = -2
  private static let failed: Int32 = -3

  init(_ pattern: Pattern) {
    (instructions, sets, classes) = (pattern.instructions, pattern.sets, ScalarClasses(of: pattern))
    reached = Array(repeating: 0, count: instructions.count)
    reset()
  }

  /// Returns whether the expression matches anywhere in a text in valid UTF-8, and the steps made. A text that needs
  /// more has no match from there on.
  mutating func search(_ text: UnsafeBufferPointer<UInt8>, maximumStepCount: Int) -> (isMatch: Bool, stepCount: Int) {
    var (state, place, stepCount) = (0, 0, 1)
    while stepCount < maximumStepCount {
      let start = place
      follow(text, &state, &place, limit: start + maximumStepCount - stepCount)
      stepCount += place - start + 1
      guard place < text.count else {
        let target = successor(of: state, nil, &stepCount)
        return (target == Self.matched, stepCount)
      }
      let scalar = Self.scalar(in: text, &place)
      let target = successor(of: state, scalar, &stepCount)
      if target == Self.matched { return (true, stepCount) }
      state = Int(target)
    }
    return (false, stepCount)
  }

  /// Follows the known successors of scalars of ASCII.
  private func follow(_ text: UnsafeBufferPointer<UInt8>, _ state: inout Int, _ place: inout Int, limit: Int) {
    let end = min(text.count, limit)
    let bits = classes.bits
    successors.withUnsafeBufferPointer { successors in
      classes.numbers.withUnsafeBufferPointer { classes in
        while place < end, text[place] < 0x80 {
          let target = successors[state << bits | Int(classes[Int(text[place])])]
          guard target >= 0 else { return }
          state = Int(target)
          place += 1
        }
      }
    }
  }

  private static func scalar(in text: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> UInt32 {
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

  /// The number of the state after a scalar, or at the end of the text; else `matched` or `failed`.
  private mutating func successor(of state: Int, _ scalar: UInt32?, _ stepCount: inout Int) -> Int32 {
    guard let scalar else { return successor(of: state, nil, inClass: classes.end, &stepCount) }
    if let number = classes.number(of: scalar) { return successor(of: state, scalar, inClass: number, &stepCount) }
    let key = UInt64(state) << 32 | UInt64(scalar)
    stepCount += Self.wideCost
    if let known = wideSuccessors[key] { return known }
    let (target, isReset) = newSuccessor(of: states[state], scalar, &stepCount)
    if !isReset, wideSuccessors.count < Self.maximumWideCount { wideSuccessors[key] = target }
    return target
  }

  private mutating func successor(
    of state: Int, _ scalar: UInt32?, inClass number: Int, _ stepCount: inout Int
  ) -> Int32 {
    let place = state << classes.bits | number
    if successors[place] != Self.unknown { return successors[place] }
    let (target, isReset) = newSuccessor(of: states[state], scalar, &stepCount)
    if !isReset { successors[place] = target }
    return target
  }

  /// `isReset`: whether the states were forgotten, because there were too many.
  private mutating func newSuccessor(
    of state: State, _ scalar: UInt32?, _ stepCount: inout Int
  ) -> (target: Int32, isReset: Bool) {
    step += 1
    stepCount += Self.successorCost
    var threads: [Int] = []
    for start in [0] + state.threads {
      stack.append(start)
      while let index = stack.popLast() {
        stepCount += Self.instructionCost
        guard reached[index] != step else { continue }
        reached[index] = step
        switch instructions[index] {
        case .match:
          stack.removeAll()
          return (Self.matched, false)
        case .jump(let target): stack.append(target)
        case .split(let one, let other): stack += [other, one]
        case .assert(let assertion): if allows(assertion, state.previous, scalar) { stack.append(index + 1) }
        case .scalar, .set, .any: if let scalar, accepts(scalar, instructions[index]) { threads.append(index + 1) }
        }
      }
    }
    guard let scalar else { return (Self.failed, false) }
    return number(of: State(threads: threads.sorted(), previous: ScalarSet.isWord(scalar) ? .word : .other))
  }

  private func allows(_ assertion: Pattern.Assertion, _ previous: Previous, _ following: UInt32?) -> Bool {
    switch assertion {
    case .start: previous == .none
    case .end: following == nil
    case .wordBoundary: (previous == .word) != (following.map(ScalarSet.isWord) ?? false)
    }
  }

  private func accepts(_ scalar: UInt32, _ instruction: Pattern.Instruction) -> Bool {
    switch instruction {
    case .scalar(let wanted): scalar == wanted
    case .set(let index): sets[index].contains(scalar)
    case .any: true
    case .assert, .split, .jump, .match: false
    }
  }

  private mutating func number(of state: State) -> (target: Int32, isReset: Bool) {
    if let number = numbers[state] { return (Int32(number), false) }
    let isReset = states.count >= Self.maximumStateCount
    if isReset { reset() }
    return (Int32(insert(state)), isReset)
  }

  /// Forgets all states but that at the start of a text, which is the first.
  private mutating func reset() {
    states.removeAll(keepingCapacity: true)
    successors.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    wideSuccessors.removeAll(keepingCapacity: true)
    _ = insert(State(threads: [], previous: .none))
  }

  private mutating func insert(_ state: State) -> Int {
    let number = states.count
    states.append(state)
    numbers[state] = number
    successors.append(contentsOf: repeatElement(Self.unknown, count: 1 << classes.bits))
    return number
  }
}

/// The scalars in classes: from each state of an expression, those of one class lead to the same one. With few classes,
/// all states stay in the processor's first cache.
private struct ScalarClasses: Sendable {
  /// The class of each scalar of ASCII.
  let numbers: [UInt8]
  /// The number behind these classes, for the end of a text. The classes of other scalars follow.
  let end: Int
  /// The bits of a number.
  let bits: Int
  /// The classes of scalars beyond ASCII, as far as texts have had them: 0 before, `none` where there is no class left.
  private var wideNumbers: [UInt8] = []
  /// What distinguishes the classes beyond ASCII, in the order of their numbers.
  private var wideKinds: [Kind: UInt8] = [:]
  private let maximumWideCount: Int
  private let scalars: Set<UInt32>
  private let sets: [ScalarSet]

  /// What an expression may ask about a scalar.
  private struct Kind: Hashable, Sendable {
    /// The scalar itself if the expression has it.
    var scalar: UInt32?
    var isWord: Bool
    /// For each set of the expression, whether it contains the scalar.
    var memberships: [Bool]
  }

  private static let ascii = UInt32(0)..<0x80
  private static let none = UInt8.max
  /// With more sets, each scalar has a class of its own: comparing them would take longer.
  private static let maximumSetCount = 200
  /// The classes beyond ASCII, apart from those of scalars that the expression has.
  private static let usualWideCount = 6
  private static let wideLimit = 64

  init(of pattern: Pattern) {
    var numbers = [UInt8](repeating: 0, count: Self.ascii.count)
    var count = 1
    // Divides each class into the scalars that belong to a set and the others.
    func divide(_ contains: (UInt32) -> Bool) {
      var parts: [Int: UInt8] = [:]
      for scalar in Self.ascii {
        let key = Int(numbers[Int(scalar)]) << 1 | (contains(scalar) ? 1 : 0)
        if parts[key] == nil {
          let isFirst = parts[key ^ 1] == nil
          parts[key] = isFirst ? numbers[Int(scalar)] : UInt8(count)
          count += isFirst ? 0 : 1
        }
        numbers[Int(scalar)] = parts[key] ?? 0
      }
    }
    divide(ScalarSet.isWord)
    var scalars: Set<UInt32> = []
    for case .scalar(let scalar) in pattern.instructions { scalars.insert(scalar) }
    for scalar in scalars { divide { $0 == scalar } }
    let hasFewSets = pattern.sets.count <= Self.maximumSetCount
    if hasFewSets {
      for set in pattern.sets { divide(set.contains) }
    } else {
      (numbers, count) = (Self.ascii.map { UInt8($0) }, Self.ascii.count)
    }
    (self.numbers, end, self.scalars, sets) = (numbers, count, scalars, pattern.sets)
    let wideCount = Self.usualWideCount + scalars.count { $0 >= 0x80 }
    maximumWideCount = hasFewSets ? min(wideCount, Self.wideLimit) : 0
    bits = Int.bitWidth - (count + maximumWideCount).leadingZeroBitCount
  }

  /// The class of a scalar; nil if there are too many.
  mutating func number(of scalar: UInt32) -> Int? {
    if scalar < 0x80 { return Int(numbers[Int(scalar)]) }
    guard scalar <= 0xFFFF, maximumWideCount > 0 else { return nil }
    if wideNumbers.isEmpty { wideNumbers = [UInt8](repeating: 0, count: 0x1_0000) }
    if wideNumbers[Int(scalar)] == 0 { wideNumbers[Int(scalar)] = wideNumber(of: scalar) }
    let number = wideNumbers[Int(scalar)]
    return number == Self.none ? nil : Int(number)
  }

  private mutating func wideNumber(of scalar: UInt32) -> UInt8 {
    let kind = Kind(
      scalar: scalars.contains(scalar) ? scalar : nil, isWord: ScalarSet.isWord(scalar),
      memberships: sets.map { $0.contains(scalar) })
    if let known = wideKinds[kind] { return known }
    guard wideKinds.count < maximumWideCount else { return Self.none }
    let number = UInt8(end + 1 + wideKinds.count)
    wideKinds[kind] = number
    return number
  }
}
