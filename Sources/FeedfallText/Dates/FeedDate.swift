extension UnixTime {
  /// Parses a date in the forms that feeds use: RFC 822, RFC 3339 and common deviations from both, `ctime`, the text
  /// forms of Java, Go and JavaScript, dates with slashes, without separators or in Chinese, Japanese and Korean, and
  /// Unix time in seconds or smaller units. A day without a time is its first second; a time without a zone is UTC.
  /// Returns nil for more than 256 bytes, if a part is out of range or unknown, and for years before 1000, which are
  /// placeholders: no date is better than a wrong one.
  public init?(feedDate text: String) {
    // Dates with the name of a zone in another script have over 100 bytes.
    guard var scanner = TimeScanner(text, limit: 256) else { return nil }
    guard let seconds = scanner.unixTime() ?? scanner.date() else { return nil }
    self.init(seconds: seconds)
  }
}

/// Returns the year that two digits denote (POSIX, `%y`).
private func fullYear(_ number: (value: Int, digits: Int)) -> Int {
  number.digits > 2 ? number.value : number.value + (number.value < 69 ? 2_000 : 1_900)
}

extension TimeScanner {
  struct Day {
    /// Nil if it follows the time.
    var year: Int?
    var month = 1
    var day = 1
    /// Whether it has no separators, so that the time needs none either.
    var isPacked = false
  }

  /// [weekday] day [separator time] *zone [year *zone], in Unix seconds; nil unless all bytes are read.
  fileprivate mutating func date() -> Int? {
    skipBlanks()
    let weekday = weekday()
    guard var day = day(on: weekday) else { return nil }
    let start = index
    guard let time = time(after: day) else { return nil }
    // `2013-01-27-01` is not a date with a zone, `2013-01-27-01:00` is one.
    if index == start, next == UInt8(ascii: "-"), !hasColonAfterSign { return nil }
    var zone = Zone()
    guard zones(&zone, hasYear: day.year != nil) else { return nil }
    if day.year == nil {
      _ = consume(",")
      skipBlanks()
      guard digitCount == 4 else { return nil }
      day.year = number(of: 4)
      guard zones(&zone, hasYear: true) else { return nil }
    }
    guard isAtEnd, let days = day.daysSince1970 else { return nil }
    return days * 86_400 + time - zone.seconds
  }

  private var hasColonAfterSign: Bool {
    var rest = self
    _ = rest.consume("-")
    return rest.number() != nil && rest.next == .colon
  }

  /// Only digits: seconds since 1970, perhaps with a fraction, or milliseconds, microseconds or nanoseconds.
  fileprivate func unixTime() -> Int? {
    var rest = self
    let count = digitCount
    switch count {
    case 9, 10:
      guard let seconds = rest.number(of: count) else { return nil }
      if rest.consume("."), rest.number() == nil { return nil }
      return rest.isAtEnd ? seconds : nil
    case 13, 16, 19:
      // Not every number of 19 digits fits into an `Int`.
      guard let seconds = rest.number(of: 10), rest.number(of: count - 10) != nil else { return nil }
      return rest.isAtEnd ? seconds : nil
    default: return nil
    }
  }

  // MARK: - Weekday

  /// word ["."] [","]: any word before a mark, otherwise a known one. 0 for Monday, nil if not English.
  private mutating func weekday() -> Int? {
    guard nextIsLetter else { return nil }
    var rest = self
    let word = rest.word()
    // `segunda-feira`
    if rest.next == UInt8(ascii: "-"), rest.second.map(Self.isLetter) == true, DateWords.isWeekday(word) {
      _ = rest.consume("-")
      _ = rest.word()
    }
    let hasPoint = rest.consume(".")
    let hasComma = rest.consume(",")
    let isKnown = DateWords.isWeekday(word)
    if !isKnown {
      guard hasPoint || hasComma, String(decoding: word, as: UTF8.self).unicodeScalars.count <= 16 else { return nil }
      if !hasComma, DateWords.month(word) != nil { return nil }
    }
    let isSeparate = rest.skipBlanks()
    guard hasComma || hasPoint || isSeparate || rest.nextIsDigit, rest.next != .comma else { return nil }
    self = rest
    return DateWords.weekday(word)
  }

  // MARK: - Day

  private typealias Number = (value: Int, digits: Int)

  private mutating func day(on weekday: Int?) -> Day? {
    if nextIsLetter { return monthFirst() }
    // ISO 8601 of 1988 allows leaving out the century: `-03-12`.
    let hasCentury = !consume("-")
    let count = digitCount
    guard hasCentury || count == 2 else { return nil }
    if [7, 8, 12, 14].contains(count) { return packedDay(isOrdinal: count == 7) }
    guard let first = number() else { return nil }
    if first.digits == 6 { return isAtEnd ? Day(year: first.value / 100, month: first.value % 100) : nil }
    guard [1, 2, 4].contains(first.digits) else { return nil }
    if first.digits == 4, isAtEnd { return Day(year: first.value) }
    if first.digits == 4, let day = isoWeek(of: first.value) { return day }
    if consume(named: "年", "년") { return eastAsianDay(fullYear(first)) }
    if nextIsLetter { skipOrdinalEnding() }
    let mark = self.mark { "-/:".utf8.contains($0) }
    guard nextIsLetter else { return numericDay(first, mark, hasCentury: hasCentury, weekday) }
    return first.digits == 4 ? monthAndDay(fullYear(first), mark) : monthAndYear(first.value, mark)
  }

  /// `20031231` or `2003365`
  private mutating func packedDay(isOrdinal: Bool) -> Day? {
    guard let year = number(of: 4) else { return nil }
    guard !isOrdinal else { return number(of: 3).flatMap { Self.ordinalDay(year, $0) } }
    guard let month = number(of: 2), let day = number(of: 2) else { return nil }
    return Day(year: year, month: month, day: day, isPacked: true)
  }

  /// The rest of `2003-12-31`, `31.12.2003`, `12/31/2003`, `2003-12` or `2003-365`
  private mutating func numericDay(_ first: Number, _ mark: UInt8?, hasCentury: Bool, _ weekday: Int?) -> Day? {
    guard let mark, mark != .comma, mark != .colon || first.digits == 4, let second = number() else { return nil }
    var rest = self
    guard rest.mark(where: { $0 == mark }) == mark, let third = rest.number() else {
      return monthOrOrdinal(first, second, hasCentury: hasCentury)
    }
    guard hasCentury, third.digits <= 2 || first.digits <= 2 else { return nil }
    self = rest
    // A month of three digits has a leading zero too many.
    guard second.digits <= 3, second.value <= 31 else { return nil }
    if first.digits == 4 { return Day(year: first.value, month: second.value, day: third.value) }
    if mark == UInt8(ascii: "-"), third.digits <= 2 {
      return Day(year: fullYear(first), month: second.value, day: third.value)
    }
    guard third.digits == 4 || third.digits == 2 else { return nil }
    // `31/12/2003` and `12/31/2003` are both common. The weekday decides, or else the order that is usual outside the
    // US.
    let dayFirst = Day(year: fullYear(third), month: second.value, day: first.value)
    let monthFirst = Day(year: fullYear(third), month: first.value, day: second.value)
    if let weekday, dayFirst.weekday != weekday, monthFirst.weekday == weekday { return monthFirst }
    return dayFirst.daysSince1970 == nil ? monthFirst : dayFirst
  }

  private func monthOrOrdinal(_ year: Number, _ rest: Number, hasCentury: Bool) -> Day? {
    guard year.digits == (hasCentury ? 4 : 2) else { return nil }
    if rest.digits == 3 { return Self.ordinalDay(fullYear(year), rest.value) }
    return isAtEnd && rest.digits <= 2 ? Day(year: fullYear(year), month: rest.value) : nil
  }

  private static func ordinalDay(_ year: Int, _ number: Int) -> Day? {
    guard let first = CivilDate(year: year, month: 1, day: 1), number >= 1 else { return nil }
    let day = CivilDate(daysSince1970: first.daysSince1970 + number - 1)
    return day.year == year ? Day(day) : nil
  }

  /// The rest of `2003-W52-3`, `2003W523` or `2003-W52`; the first week has the first Thursday of the year.
  private mutating func isoWeek(of year: Int) -> Day? {
    var rest = self
    _ = rest.consume("-")
    guard rest.consume("W"), let week = rest.number(of: 2), (1...53).contains(week),
      let first = CivilDate(year: year, month: 1, day: 4)?.daysSince1970
    else { return nil }
    var day = 1
    if rest.nextIsDigit || rest.next == UInt8(ascii: "-") {
      _ = rest.consume("-")
      guard let value = rest.number(of: 1), (1...7).contains(value) else { return nil }
      day = value
    }
    self = rest
    let monday = first - ((first + 3) % 7 + 7) % 7
    return Day(CivilDate(daysSince1970: monday + (week - 1) * 7 + day - 1))
  }

  /// The rest of `2003年12月31日` or `2003년 12월 31일`
  private mutating func eastAsianDay(_ year: Int) -> Day? {
    skipBlanks()
    guard let month = part(upTo: 12), consume(named: "月", "월") else { return nil }
    skipBlanks()
    guard nextIsDigit else { return isAtEnd ? Day(year: year, month: month) : nil }
    guard let day = part(upTo: 31), consume(named: "日", "号", "號", "일") else { return nil }
    return Day(year: year, month: month, day: day)
  }

  /// The rest of `31 December 2003`, `31-Dec-03` or `31 de diciembre de 2003`
  private mutating func monthAndYear(_ day: Int, _ mark: UInt8?) -> Day? {
    skipJoiningWord()
    guard let month = DateWords.month(word()) else { return nil }
    _ = self.mark { $0 == mark }
    skipJoiningWord()
    guard let year = number(), year.digits == 2 || year.digits == 4 else { return nil }
    return Day(year: fullYear(year), month: month, day: day)
  }

  /// The rest of `2003 Dec 31` or `2003-Dec-31`
  private mutating func monthAndDay(_ year: Int, _ mark: UInt8?) -> Day? {
    guard let month = DateWords.month(word()) else { return nil }
    _ = self.mark { $0 == mark }
    guard let day = part(upTo: 31) else { return nil }
    skipOrdinalEnding()
    return Day(year: year, month: month, day: day)
  }

  /// `Dec 31 2003`, `December 31st, 2003`, `December 2003`, or `Dec 31` of a date with the year at its end.
  private mutating func monthFirst() -> Day? {
    guard let month = DateWords.month(word()) else { return nil }
    let mark = self.mark { $0 == UInt8(ascii: "-") || $0 == .slash }
    if digitCount == 4 {
      let year = number(of: 4)
      return isAtEnd ? Day(year: year, month: month) : nil
    }
    guard let day = part(upTo: 31) else { return nil }
    skipOrdinalEnding()
    let start = self
    _ = self.mark { $0 == mark }
    guard digitCount == 4 else {
      self = start
      return Day(month: month, day: day)
    }
    return Day(year: number(of: 4), month: month, day: day)
  }

  // MARK: - Marks

  /// Reads blanks and at most three points, commas and one stroke; returns the last one. After the first mark of a date
  /// only the same stroke counts: another one may be the sign of a year.
  private mutating func mark(where isStroke: (UInt8) -> Bool) -> UInt8? {
    var found: UInt8?
    var hasStroke = false
    for _ in 0..<3 {
      skipBlanks()
      if consume(".") {
        found = UInt8(ascii: ".")
      } else if consume(",") {
        found = .comma
      } else {
        guard !hasStroke, let stroke = next, isStroke(stroke) else { return found }
        index += 1
        (found, hasStroke) = (stroke, true)
      }
    }
    skipBlanks()
    return found
  }

  private mutating func skipOrdinalEnding() {
    guard nextIsLetter else { return }
    var rest = self
    let word = rest.word()
    if ["st", "nd", "rd", "th", "º", "er"].contains(where: { word.elementsEqual($0.utf8) }) { self = rest }
  }

  private mutating func skipJoiningWord() {
    guard nextIsLetter else { return }
    var rest = self
    guard DateWords.joins(rest.word()) else { return }
    rest.skipBlanks()
    self = rest
  }
}

extension TimeScanner.Day {
  fileprivate init(_ date: CivilDate) { self.init(year: date.year, month: date.month, day: date.day) }

  fileprivate var daysSince1970: Int? {
    guard let year, year >= 1_000 else { return nil }
    return CivilDate(year: year, month: month, day: day)?.daysSince1970
  }

  /// 0 for Monday.
  fileprivate var weekday: Int? { daysSince1970.map { (($0 + 3) % 7 + 7) % 7 } }
}
