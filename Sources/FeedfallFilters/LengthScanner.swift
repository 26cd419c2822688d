extension FilterParser {
  /// Parses durations of up to a year in the characters of a filter: `90s`, `90 min`, `1.5h`, `1h 30m` or `1:02:03`.
  struct LengthScanner {
    /// A duration, or a number whose unit follows elsewhere.
    enum Length: Equatable {
      case seconds(Int)
      case thousandths(Int)

      func seconds(in unit: Int?) -> Int? {
        switch self {
        case .seconds(let seconds): seconds
        case .thousandths(let number): unit.map { number * $0 / 1_000 }
        }
      }
    }

    private let characters: [Character]
    var position: Int
    /// The unit of the last duration, in seconds, if it has only one.
    private(set) var unit: Int?

    static let maximumSeconds = 366 * 86_400
    private static let maximumDigits = 9

    init(_ characters: [Character], at position: Int) { (self.characters, self.position) = (characters, position) }

    private var current: Character? { position < characters.count ? characters[position] : nil }

    /// Whether a word ends here, or a range continues.
    private var isAtEnd: Bool {
      guard let current else { return true }
      return current.isWhitespace || "|()".contains(current) || current == "-" || isAtDots
    }

    private var isAtDots: Bool {
      current == "." && position + 1 < characters.count && characters[position + 1] == "."
    }

    /// The length of the range operator here, `..` or, after a duration, `-`; nil if there is none.
    func rangeSignLength(isAtStart: Bool) -> Int? { isAtDots ? 2 : current == "-" && !isAtStart ? 1 : nil }

    /// Consumes the duration that begins here and ends where a word ends; nil if there is none.
    mutating func length() -> Length? {
      let start = position
      if let length = readLength() { return length }
      position = start
      return nil
    }

    private mutating func readLength() -> Length? {
      unit = nil
      guard let number = number() else { return nil }
      if current == ":" { return number % 1_000 == 0 ? clock(from: number / 1_000) : nil }
      guard let first = unitAfterBlanks() else { return isAtEnd ? .thousandths(number) : nil }
      var (sum, last, count) = (number * first / 1_000, first, 1)
      while let part = part(after: last) {
        sum += part.seconds
        (last, count) = (part.unit, count + 1)
        guard sum <= Self.maximumSeconds else { return nil }
      }
      guard isAtEnd, sum <= Self.maximumSeconds else { return nil }
      unit = count == 1 ? first : nil
      return .seconds(sum)
    }

    /// After blanks, a part must have a smaller unit than the one before.
    private mutating func part(after last: Int) -> (seconds: Int, unit: Int)? {
      let start = position
      skipBlanks()
      let isSeparate = position > start
      if let number = number() {
        let attached = position
        if let unit = unitAfterBlanks(), !isSeparate || unit < last && isAtEnd { return (number * unit / 1_000, unit) }
        position = attached
        // `1h30` is an hour and 30 minutes.
        if !isSeparate, isAtEnd, let unit = [3_600: 60, 60: 1][last] { return (number * unit / 1_000, unit) }
      }
      position = start
      return nil
    }

    private mutating func skipBlanks() { while current?.isWhitespace == true { position += 1 } }

    /// In thousandths.
    private mutating func number() -> Int? {
      guard let whole = digits() else { return nil }
      guard current == "." || current == ",", position + 1 < characters.count,
        Self.digit(characters[position + 1]) != nil
      else { return whole.value * 1_000 }
      position += 1
      guard let fraction = digits() else { return nil }
      return whole.value * 1_000 + (fraction.value * 1_000_000_000 / Self.power(fraction.count)) / 1_000_000
    }

    private static func power(_ count: Int) -> Int { (0..<count).reduce(1) { power, _ in power * 10 } }

    private mutating func digits() -> (value: Int, count: Int)? {
      let start = position
      var value = 0
      while let digit = current.flatMap(Self.digit) {
        guard position - start < Self.maximumDigits else { return nil }
        value = value * 10 + digit
        position += 1
      }
      return position > start ? (value, position - start) : nil
    }

    private static func digit(_ character: Character) -> Int? { character.isASCII ? character.wholeNumberValue : nil }

    private mutating func unitAfterBlanks() -> Int? {
      let start = position
      skipBlanks()
      let first = position
      while let character = current, character.isASCII, character.isLetter { position += 1 }
      if let unit = Self.seconds(ofUnit: characters[first..<position]), first == start || isAtEnd { return unit }
      position = start
      return nil
    }

    private static func seconds(ofUnit name: ArraySlice<Character>) -> Int? {
      guard name.count <= 7 else { return nil }
      return switch String(name).lowercased() {
      case "s", "sec", "secs", "second", "seconds": 1
      case "m", "min", "mins", "minute", "minutes": 60
      case "h", "hr", "hrs", "hour", "hours": 3_600
      case "d", "day", "days": 86_400
      default: nil
      }
    }

    /// Parses the rest of `1:02:03` or `2:03`.
    private mutating func clock(from first: Int) -> Length? {
      guard first < 100 else { return nil }
      var (seconds, count) = (first, 1)
      while current == ":" {
        position += 1
        guard count < 3, let part = digits(), part.count <= 2 else { return nil }
        seconds = seconds * 60 + part.value
        count += 1
      }
      return isAtEnd ? .seconds(seconds) : nil
    }
  }
}
