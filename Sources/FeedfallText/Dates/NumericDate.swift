/// A date of numbers alone (ISO 8601 and what is made of it).
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
    guard scanner.take("Tt \t_"), let time = Self.time(&scanner) else { return nil }
    seconds = day * 86_400 + time
  }

  /// Behind the `T`: a time, its zone, or neither.
  private static func time(_ scanner: inout DateScanner) -> Int? {
    scanner.skipBlanks()
    if scanner.isAtEnd { return 0 }
    let time = scanner.digitCount >= 4 ? packedTime(&scanner) : scanner.timeOfDay()
    guard let time, let zone = scanner.zone() else { return nil }
    return time - zone
  }

  /// `142800` or `1428`.
  private static func packedTime(_ scanner: inout DateScanner) -> Int? {
    let hasSeconds = scanner.digitCount == 6
    guard hasSeconds || scanner.digitCount == 4, let hour = scanner.number(of: 2), hour <= 24,
      let minute = scanner.number(of: 2), minute < 60
    else { return nil }
    let second = hasSeconds ? scanner.number(of: 2) ?? 0 : 0
    guard second <= 60 else { return nil }
    if scanner.take(".,"), scanner.number() == nil { return nil }
    return hour * 3_600 + minute * 60 + min(second, 59)
  }

  /// Nothing but digits: a year, a month, a day, a second, or the seconds or milliseconds since 1970.
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

  /// Days since 1970.
  private static func day(_ scanner: inout DateScanner) -> Int? {
    // ISO 8601 of 1988 lets the century out: `-03-12`.
    let hasCentury = !scanner.take("-")
    if scanner.digitCount == 8 || scanner.digitCount == 7 { return packedDay(&scanner) }
    guard let first = scanner.number() else { return nil }
    guard scanner.take("-/.") else {
      guard scanner.isAtEnd, first.digits == 4 else { return nil }
      return day(first.value, 1, 1)
    }
    let mark = scanner.last
    guard let second = scanner.number() else { return nil }
    guard scanner.next == mark, scanner.take("-/.") else {
      return monthOrOrdinal(first, second, hasCentury: hasCentury, isAtEnd: scanner.isAtEnd)
    }
    guard hasCentury, let third = scanner.number(), third.digits <= 2 || first.digits <= 2 else { return nil }
    return day(first, second, third, isISO: mark == UInt8(ascii: "-"))
  }

  private typealias Number = (value: Int, digits: Int)

  private static func day(_ first: Number, _ second: Number, _ third: Number, isISO: Bool) -> Int? {
    // Three digits for a month are two with a zero too much.
    guard second.digits <= 3, second.value <= 31 else { return nil }
    if first.digits == 4 { return day(first.value, second.value, third.value) }
    guard first.digits <= 2 else { return nil }
    if isISO, third.digits <= 2 { return day(fullYear(first.value, digits: 2), second.value, third.value) }
    guard third.digits == 4 || third.digits == 2 else { return nil }
    let year = fullYear(third.value, digits: third.digits)
    // `31/12/2003` or `12/31/2003`: where both could be months, the day comes first outside the US, and with dots
    // always. There is no telling, so the first way that makes a day is taken.
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
