import FeedfallText

extension Filter {
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
