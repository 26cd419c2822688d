/// A date with a month's name in it (RFC 822, 5; RFC 850; `ctime`; JavaScript).
struct WrittenDate {
  let seconds: Int

  init?(_ bytes: [UInt8]) {
    var scanner = DateScanner(bytes)
    guard Self.skipWeekday(&scanner), var date = Self.date(&scanner) else { return nil }
    scanner.skipBlanks()
    _ = scanner.take(",")
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

  /// `Thu,`, `Thu` or nothing; what ends in a comma may be of any language. A comma stands behind its word.
  private static func skipWeekday(_ scanner: inout DateScanner) -> Bool {
    guard scanner.nextIsLetter else { return true }
    var rest = scanner
    let word = rest.word()
    _ = rest.take(".")
    if rest.take(",") {
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
    // `Oct 06 2018 00:00:00` has the year here, `Jan 4 16:29:06 2004` at its end.
    if scanner.digitCount == 4 { parts.year = scanner.number(of: 4) }
    return parts
  }

  private static func skipMarks(_ scanner: inout DateScanner) {
    _ = scanner.take(".,")
    scanner.skipBlanks()
    _ = scanner.take("-/")
    scanner.skipBlanks()
  }

  /// The `st` of `1st`.
  private static func skipOrdinalEnding(_ scanner: inout DateScanner) {
    var rest = scanner
    if ["st", "nd", "rd", "th", "º", "er"].contains(rest.word()) { scanner = rest }
  }

  /// The `at` of `at 10:00` and the `de` of `24 de setembro de 2018`.
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
