extension UnixTime {
  /// Parses a date in the forms that feeds use: RFC 822, RFC 3339 and common deviations from both, `ctime`, dates with
  /// slashes or without separators, and Unix seconds or milliseconds.
  ///
  /// A day without a time is its first second; a time without a zone is UTC. Returns nil if a part is out of range or
  /// not understood: no date is better than a wrong one.
  public init?(feedDate text: String) {
    let bytes = [UInt8](first: 96, of: text).trimmingBlanks()
    guard let first = bytes.first, !text.isEmpty else { return nil }
    let time =
      first.isASCIILetter || first >= 0x80
      ? WrittenDate(bytes)?.seconds : NumericDate(bytes)?.seconds ?? WrittenDate(bytes)?.seconds
    guard let time else { return nil }
    self.init(seconds: time)
  }
}

/// Returns the year that two digits denote (POSIX, `%y`).
func fullYear(_ year: Int, digits: Int) -> Int { digits > 2 ? year : year + (year < 69 ? 2_000 : 1_900) }

/// A date without words: ISO 8601 and common deviations from it.
struct NumericDate {
  let seconds: Int

  init?(_ bytes: [UInt8]) {
    var scanner = DateScanner(bytes)
    if bytes.allSatisfy(\.isASCIIDigit), let time = Self.digits(bytes) {
      seconds = time
      return
    }
    guard let day = Self.day(&scanner) else { return nil }
    if scanner.isAtEnd {
      seconds = day * 86_400
      return
    }
    guard scanner.consume("Tt \t_"), let time = Self.time(&scanner) else { return nil }
    seconds = day * 86_400 + time
  }

  /// Parses the optional time and zone after the `T`.
  private static func time(_ scanner: inout DateScanner) -> Int? {
    scanner.skipBlanks()
    if scanner.isAtEnd { return 0 }
    let time = scanner.digitCount >= 4 ? packedTime(&scanner) : scanner.timeOfDay()
    guard let time, let zone = scanner.zone() else { return nil }
    return time - zone
  }

  /// Parses `142800` or `1428`.
  private static func packedTime(_ scanner: inout DateScanner) -> Int? {
    let hasSeconds = scanner.digitCount == 6
    guard hasSeconds || scanner.digitCount == 4, let hour = scanner.number(of: 2), hour <= 24,
      let minute = scanner.number(of: 2), minute < 60
    else { return nil }
    let second = hasSeconds ? scanner.number(of: 2) ?? 0 : 0
    guard second <= 60 else { return nil }
    if scanner.consume(".,"), scanner.number() == nil { return nil }
    return hour * 3_600 + minute * 60 + min(second, 59)
  }

  /// Parses a text of digits only: a year, month, day or second, or the seconds or milliseconds since 1970.
  private static func digits(_ bytes: [UInt8]) -> Int? {
    var scanner = DateScanner(bytes)
    func civil(_ scanner: inout DateScanner, hasMonth: Bool, hasDay: Bool) -> Int? {
      guard let year = scanner.number(of: 4), let month = hasMonth ? scanner.number(of: 2) : 1,
        let day = hasDay ? scanner.number(of: 2) : 1
      else { return nil }
      return Self.day(year, month, day)
    }
    switch bytes.count {
    case 4: return civil(&scanner, hasMonth: false, hasDay: false).map { $0 * 86_400 }
    case 6: return civil(&scanner, hasMonth: true, hasDay: false).map { $0 * 86_400 }
    case 8: return civil(&scanner, hasMonth: true, hasDay: true).map { $0 * 86_400 }
    case 9, 10: return scanner.number()?.value
    case 13: return scanner.number().map { $0.value / 1_000 }
    case 12, 14:
      guard let day = civil(&scanner, hasMonth: true, hasDay: true), let time = packedTime(&scanner) else { return nil }
      return day * 86_400 + time
    default: return nil
    }
  }

  /// Parses a day; returns the days since 1970.
  private static func day(_ scanner: inout DateScanner) -> Int? {
    // ISO 8601 of 1988 allows leaving out the century: `-03-12`.
    let hasCentury = !scanner.consume("-")
    if scanner.digitCount == 8 || scanner.digitCount == 7 { return packedDay(&scanner) }
    guard let first = scanner.number() else { return nil }
    guard scanner.consume("-/.") else {
      guard scanner.isAtEnd, first.digits == 4 else { return nil }
      return day(first.value, 1, 1)
    }
    let mark = scanner.last
    guard let second = scanner.number() else { return nil }
    guard scanner.next == mark, scanner.consume("-/.") else {
      return monthOrOrdinal(first, second, hasCentury: hasCentury, isAtEnd: scanner.isAtEnd)
    }
    guard hasCentury, let third = scanner.number(), third.digits <= 2 || first.digits <= 2 else { return nil }
    return day(first, second, third, isISO: mark == UInt8(ascii: "-"))
  }

  private typealias Number = (value: Int, digits: Int)

  private static func day(_ first: Number, _ second: Number, _ third: Number, isISO: Bool) -> Int? {
    // A month of three digits has a leading zero too many.
    guard second.digits <= 3, second.value <= 31 else { return nil }
    if first.digits == 4 { return day(first.value, second.value, third.value) }
    guard first.digits <= 2 else { return nil }
    if isISO, third.digits <= 2 { return day(fullYear(first.value, digits: 2), second.value, third.value) }
    guard third.digits == 4 || third.digits == 2 else { return nil }
    let year = fullYear(third.value, digits: third.digits)
    // `31/12/2003` and `12/31/2003` are both common. Outside the US the day comes first, so that order is tried first.
    return day(year, second.value, first.value) ?? day(year, first.value, second.value)
  }

  private static func monthOrOrdinal(_ year: Number, _ rest: Number, hasCentury: Bool, isAtEnd: Bool) -> Int? {
    let full = hasCentury ? year.value : fullYear(year.value, digits: year.digits)
    guard year.digits == (hasCentury ? 4 : 2) else { return nil }
    if rest.digits == 3 { return ordinalDay(full, rest.value) }
    return isAtEnd && rest.digits <= 2 ? day(full, rest.value, 1) : nil
  }

  private static func packedDay(_ scanner: inout DateScanner) -> Int? {
    let isOrdinal = scanner.digitCount == 7
    guard let year = scanner.number(of: 4) else { return nil }
    if isOrdinal { return scanner.number(of: 3).flatMap { ordinalDay(year, $0) } }
    guard let month = scanner.number(of: 2), let day = scanner.number(of: 2) else { return nil }
    return Self.day(year, month, day)
  }

  private static func ordinalDay(_ year: Int, _ number: Int) -> Int? {
    guard let first = day(year, 1, 1), let next = day(year + 1, 1, 1), number >= 1, first + number - 1 < next else {
      return nil
    }
    return first + number - 1
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    CivilDate(year: year, month: month, day: day)?.daysSince1970
  }
}

/// A date with the name of a month (RFC 822, 5; RFC 850; `ctime`; JavaScript).
struct WrittenDate {
  let seconds: Int

  init?(_ bytes: [UInt8]) {
    var scanner = DateScanner(bytes)
    guard Self.skipWeekday(&scanner), var date = Self.date(&scanner) else { return nil }
    scanner.skipBlanks()
    _ = scanner.consume(",")
    scanner.skipBlanks()
    Self.skipJoiningWord(&scanner)
    var time = 0
    if scanner.nextIsDigit, !(date.year == nil && scanner.digitCount == 4) {
      guard let value = scanner.timeOfDay() else { return nil }
      time = value
    }
    scanner.skipBlanks()
    var zone = 0
    if date.year == nil {
      // `16:29:06 PST 2004`
      if scanner.nextIsLetter {
        guard let named = TimeZoneNames.offset(of: scanner.word()) else { return nil }
        zone = named
      }
      date.year = Self.trailingYear(&scanner)
    }
    guard let written = scanner.zone() else { return nil }
    zone += written
    guard let year = date.year, let civil = CivilDate(year: year, month: date.month, day: date.day) else { return nil }
    seconds = civil.daysSince1970 * 86_400 + time - zone
  }

  private struct Parts {
    var day: Int
    var month: Int
    var year: Int?
  }

  /// Skips `Thu,`, `Thu` or nothing; a word before a comma may be of any language. Returns false if this is no date.
  private static func skipWeekday(_ scanner: inout DateScanner) -> Bool {
    guard scanner.nextIsLetter else { return true }
    var rest = scanner
    let word = rest.word()
    _ = rest.consume(".")
    if rest.consume(",") {
      guard word.unicodeScalars.count <= 16 else { return false }
    } else if DateWords.isWeekday(word) {
      guard let next = rest.next, next <= 0x20 || next.isASCIIDigit else { return false }
      var behind = rest
      behind.skipBlanks()
      if behind.next == .comma { return false }
    } else {
      return DateWords.month(word) != nil
    }
    rest.skipBlanks()
    scanner = rest
    return true
  }

  private static func date(_ scanner: inout DateScanner) -> Parts? {
    if scanner.nextIsDigit {
      guard let day = scanner.number(), day.digits <= 2 else { return nil }
      skipOrdinalEnding(&scanner)
      skipMarks(&scanner)
      skipJoiningWord(&scanner)
      guard let month = DateWords.month(scanner.word()) else { return nil }
      skipMarks(&scanner)
      skipJoiningWord(&scanner)
      guard let year = scanner.number(), year.digits == 2 || year.digits == 4 else { return nil }
      return Parts(day: day.value, month: month, year: fullYear(year.value, digits: year.digits))
    }
    guard let month = DateWords.month(scanner.word()) else { return nil }
    skipMarks(&scanner)
    guard let day = scanner.number(), day.digits <= 2 else { return nil }
    skipOrdinalEnding(&scanner)
    skipMarks(&scanner)
    var parts = Parts(day: day.value, month: month, year: nil)
    // `Oct 06 2018 00:00:00` has the year here, `Jan 4 16:29:06 2004` at the end.
    if scanner.digitCount == 4 { parts.year = scanner.number(of: 4) }
    return parts
  }

  private static func skipMarks(_ scanner: inout DateScanner) {
    _ = scanner.consume(".,")
    scanner.skipBlanks()
    _ = scanner.consume("-/")
    scanner.skipBlanks()
  }

  /// Skips the `st` of `1st`.
  private static func skipOrdinalEnding(_ scanner: inout DateScanner) {
    var rest = scanner
    if ["st", "nd", "rd", "th", "º", "er"].contains(rest.word()) { scanner = rest }
  }

  /// Skips the `at` of `at 10:00` and the `de` of `24 de setembro de 2018`.
  private static func skipJoiningWord(_ scanner: inout DateScanner) {
    var rest = scanner
    guard ["at", "de", "of", "um", "à", "t"].contains(rest.word()) else { return }
    rest.skipBlanks()
    scanner = rest
  }

  private static func trailingYear(_ scanner: inout DateScanner) -> Int? {
    scanner.skipBlanks()
    return scanner.digitCount == 4 ? scanner.number(of: 4) : nil
  }
}
