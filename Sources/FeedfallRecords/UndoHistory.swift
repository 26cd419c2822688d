import FeedfallText

/// The user's named changes of records, the last of which is undone first. A file stores them for the next program.
public struct UndoHistory: Equatable, Sendable {
  static let maximumCount = 100
  /// Of all changes in memory; the last one may have more.
  static let maximumEventCount = 200_000
  /// In milliseconds: older changes of earlier programs are not undone.
  private static let maximumAge = 86_400_000
  /// In characters.
  private static let maximumNameLength = 400
  /// In bytes. A longer change can only be undone by the program that made it.
  package static let maximumLineLength = 4 << 20

  private var steps: [Step] = []
  /// The number of changes that were not undone, including those that are too old for it.
  private(set) var count = 0
  private var unsaved: [Line] = []

  /// A line of the file: a change, or that it was undone. The text is made when it is written, not while a key waits.
  public struct Line: Equatable, Sendable {
    fileprivate let step: Step
    fileprivate var isUndone = false

    package var text: String {
      if isUndone { return step.start("undone") + "}" }
      let line = step.line
      return line.utf8.count <= UndoHistory.maximumLineLength ? line : step.start("time") + "}"
    }
  }

  struct Step: Equatable, Sendable {
    /// In milliseconds since 1970.
    var time: Int
    var name: String
    /// The changed fields with their former and their new values, in the same order.
    var old: [UserEvent]
    var new: [UserEvent]
  }

  mutating func append(_ step: Step) {
    steps.append(step)
    count += 1
    if steps.count > Self.maximumCount { steps.removeFirst() }
    var eventCount = steps.reduce(0) { $0 + $1.new.count }
    while steps.count > 1, eventCount > Self.maximumEventCount { eventCount -= steps.removeFirst().new.count }
    unsaved.append(Line(step: step))
  }

  mutating func popLast() -> Step? {
    guard let step = steps.popLast() else { return nil }
    count -= 1
    unsaved.append(Line(step: step, isUndone: true))
    return step
  }

  var hasUnsaved: Bool { !unsaved.isEmpty }

  mutating func dequeueUnsaved() -> [Line] {
    defer { unsaved = [] }
    return unsaved
  }

  /// Adds the changes of earlier programs. A program that still runs may undo one of them, too.
  mutating func read(_ lines: [String], now: Int) {
    steps = Self.steps(lines, now: now) + steps
    steps.removeFirst(max(0, steps.count - Self.maximumCount))
    count = max(count, steps.count)
  }

  /// The lines that a program which starts now needs.
  package static func needed(_ lines: [String], now: Int) -> [String] { steps(lines, now: now).map(\.line) }

  /// The last changes that were not undone. Those of a clock that was wrong by more than a day count as too old. Lines
  /// of another form are skipped.
  private static func steps(_ lines: [String], now: Int) -> [Step] {
    var steps: [Step] = []
    for line in lines {
      guard let object = JSONObject(document: Array(line.utf8)) else { continue }
      let name = object.line("name", limit: maximumNameLength) ?? ""
      if let time = object["undone"]?.integer {
        if let undone = steps.lastIndex(where: { $0.time == time && $0.name == name }) { steps.remove(at: undone) }
      } else if let time = object["time"]?.integer, (now - maximumAge...now + maximumAge).contains(time) {
        let (old, new) = (events(object["old"]), events(object["new"]))
        // Changes before one that cannot be undone cannot be undone either.
        if new.isEmpty { steps = [] }
        if !name.isEmpty, !new.isEmpty { steps.append(Step(time: time, name: name, old: old, new: new)) }
      }
      steps.removeFirst(max(0, steps.count - 2 * maximumCount))
    }
    return steps.suffix(maximumCount)
  }

  private static func events(_ value: JSONValue?) -> [UserEvent] {
    let lines = value?.elements()?.compactMap(\.string).map { $0 + "\n" }.joined() ?? ""
    var data = UserData()
    Array(lines.utf8).withUnsafeBufferPointer { _ = data.read($0, of: "", now: UserEvent.maximumTime) }
    return Array(data.events)
  }
}

extension UndoHistory.Step {
  fileprivate var line: String {
    start("time") + ",\"old\":\(Self.array(old)),\"new\":\(Self.array(new))}"
  }

  /// - Parameter key: the member with the time.
  fileprivate func start(_ key: String) -> String { "{\"\(key)\":\(time),\"name\":\(name.quoted)" }

  private static func array(_ events: [UserEvent]) -> String {
    "[\(events.map { String($0.line.dropLast()).quoted }.joined(separator: ","))]"
  }
}
