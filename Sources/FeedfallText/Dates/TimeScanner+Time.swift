// Times of day and zones.

extension TimeScanner {
  private enum Half {
    case morning
    case afternoon
  }

  /// [separator time], in seconds: ` 14:28`, `T14:28:00Z`, ` - 2:28 pm`, ` 下午2时28分`, `T142800`; 0 without a time.
  mutating func time(after day: Day) -> Int? {
    var half: Half?
    let hasT = skipSeparator(&half, isPacked: day.isPacked)
    guard nextIsDigit, !(day.year == nil && digitCount == 4) else { return half == nil ? 0 : nil }
    return digitCount >= 4 ? packedTime() : timeOfDay(half, isISO: hasT)
  }

  /// Skips at most three marks and the words between them; returns whether the last one is `T`.
  private mutating func skipSeparator(_ half: inout Half?, isPacked: Bool) -> Bool {
    var (marks, words, hasT) = (0, 0, false)
    skipBlanks()
    while let next, marks < 3, words < 4 {
      if Self.isLetter(next) {
        var rest = self
        let word = rest.word()
        hasT = word == [UInt8(ascii: "t")]
        half = Self.half(named: word) ?? half
        guard hasT || Self.half(named: word) != nil || DateWords.joins(word) || DateWords.isWeekday(word) else {
          return false
        }
        _ = rest.consume(".")
        self = rest
        words += 1
      } else if next == UInt8(ascii: "(") {
        skipBrackets()
        words += 1
      } else if next == UInt8(ascii: "-") {
        // Not the sign of `+02:00` or `-01`.
        guard let second, second <= 0x20 || isPacked && second.isASCIIDigit else { return false }
        _ = consume("-")
        marks += 1
      } else {
        guard consume(any: ",._|@;:") else { return hasT }
        marks += 1
      }
      skipBlanks()
    }
    return hasT
  }

  private static func half(named word: [UInt8]) -> Half? {
    if ["上午", "午前", "오전"].contains(where: { word.elementsEqual($0.utf8) }) { return .morning }
    return ["下午", "午後", "오후"].contains { word.elementsEqual($0.utf8) } ? .afternoon : nil
  }

  /// hour mark minute [mark second [fraction]] [half]: `14:28`, `14:28:00.5`, `2:28 pm`, `14h28`, `14.28`. An hour may
  /// be alone after the `T` of ISO 8601, and with its half of the day.
  private mutating func timeOfDay(_ before: Half?, isISO: Bool) -> Int? {
    guard let hour = part(upTo: 24) else { return nil }
    var (minute, second) = (0, 0)
    let mark = next
    let hasMinute = consume(any: ":.hH")
    if !hasMinute, consume(named: "時", "时", "시", "点", "點") { return eastAsianTime(hour, before) }
    if hasMinute, nextIsDigit || mark?.lowercased != UInt8(ascii: "h") {
      guard let value = part(upTo: 59) else { return nil }
      minute = value
      if next == mark, consume(any: ":.") {
        guard let value = part(upTo: 60) else { return nil }
        second = min(value, 59)
        if consume(any: ".,"), number() == nil { return nil }
      }
    }
    let half = before ?? half()
    guard hasMinute || isISO || half != nil, let hours = Self.hours(hour, half) else { return nil }
    return hours * 3_600 + minute * 60 + second
  }

  /// The rest of `14時28分00秒`, whose parts may have blanks between them.
  private mutating func eastAsianTime(_ hour: Int, _ half: Half?) -> Int? {
    guard let hours = Self.hours(hour, half) else { return nil }
    var seconds = hours * 3_600
    skipBlanks()
    guard nextIsDigit else { return seconds }
    guard let minute = part(upTo: 59), consume(named: "分", "분") else { return nil }
    seconds += minute * 60
    skipBlanks()
    guard nextIsDigit else { return seconds }
    guard let second = part(upTo: 60), consume(named: "秒", "초") else { return nil }
    return seconds + min(second, 59)
  }

  /// `142800`, `142800.5` or `1428`
  private mutating func packedTime() -> Int? {
    let hasSeconds = digitCount == 6
    guard hasSeconds || digitCount == 4, let hour = number(of: 2), hour <= 24, let minute = number(of: 2), minute < 60
    else { return nil }
    let second = hasSeconds ? number(of: 2) ?? 0 : 0
    guard second <= 60 else { return nil }
    if consume(any: ".,"), number() == nil { return nil }
    return hour * 3_600 + minute * 60 + min(second, 59)
  }

  /// `am`, `PM`, `p.m.` or `p. m.`
  private mutating func half() -> Half? {
    var rest = self
    rest.skipBlanks()
    let first = rest.next?.lowercased
    guard first == UInt8(ascii: "a") || first == UInt8(ascii: "p"), rest.consume(any: "apAP") else { return nil }
    if rest.consume(".") { rest.skipBlanks() }
    guard rest.consume(any: "mM"), !rest.nextIsLetter else { return nil }
    _ = rest.consume(".")
    self = rest
    return first == UInt8(ascii: "a") ? .morning : .afternoon
  }

  /// 14:00 PM means 14:00.
  private static func hours(_ hour: Int, _ half: Half?) -> Int? {
    guard let half else { return hour }
    guard hour <= 12 else { return hour < 24 ? hour : nil }
    return hour % 12 + (half == .afternoon ? 12 : 0)
  }

  /// An offset takes precedence over a name.
  struct Zone {
    /// Seconds east of Greenwich.
    fileprivate var offset: Int?
    fileprivate var named: Int?

    var seconds: Int { offset ?? named ?? 0 }
  }

  /// *zone: `Z`, `GMT`, `EST`, `+02:00`, `-0700`, `GMT+2`, `+0200 CEST`, `+02:00[Europe/Berlin]`, `+0000 (UTC)`,
  /// ` 02:00`. False for other text and for two different offsets. A year may follow unless the date `hasYear`.
  mutating func zones(_ zone: inout Zone, hasYear: Bool) -> Bool {
    while true {
      let isSeparate = skipBlanks()
      guard let next else { return true }
      switch next {
      case UInt8(ascii: "("), .openBracket: skipBrackets()
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        guard let offset = offset(), zone.offset ?? offset == offset else { return false }
        zone.offset = offset
      case 0x30...0x39:
        guard isSeparate, zone.offset == nil, let offset = offsetWithoutSign(hasYear: hasYear) else { return true }
        zone.offset = offset
      case .comma where !hasYear: return true
      default:
        if zone.offset == nil, zone.named == nil, let named = namedZone() {
          zone.named = named
        } else {
          guard isSeparate, zone.offset != nil, skipZoneName() else { return false }
        }
      }
    }
  }

  private mutating func namedZone() -> Int? {
    var rest = self
    guard nextIsLetter, let seconds = DateWords.zoneOffset(of: rest.word()) else { return nil }
    self = rest
    return seconds
  }

  /// `+02:00`, `+0200`, `+02`, `+2` or `+02:00:00`
  private mutating func offset() -> Int? {
    let sign = consume("-") ? -1 : 1
    if sign == 1, !consume("+") { return nil }
    guard let hours = digitCount >= 3 && digitCount != 4 ? number(of: 1) : number(of: min(2, max(1, digitCount)))
    else { return nil }
    let hasColon = consume(":")
    var (minutes, seconds) = (0, 0)
    if nextIsDigit {
      guard let value = part(upTo: 59) else { return nil }
      minutes = value
      if hasColon, consume(":") {
        guard let value = part(upTo: 59) else { return nil }
        seconds = value
      }
    } else if hasColon {
      return nil
    }
    guard hours <= 14 else { return nil }
    return sign * (hours * 3_600 + minutes * 60 + seconds)
  }

  /// `02:00` or `0200` with a blank in place of the plus. Four digits may instead be the year.
  private mutating func offsetWithoutSign(hasYear: Bool) -> Int? {
    var rest = self
    let digits = digitCount
    guard digits == 4 || digits == 2, let hours = rest.number(of: 2), hours <= 14, digits == 4 || rest.consume(":"),
      rest.digitCount == 2, let minutes = rest.part(upTo: 59)
    else { return nil }
    if !hasYear, digits == 4 {
      var year = rest
      year.skipBlanks()
      guard year.digitCount == 4 else { return nil }
    }
    self = rest
    return hours * 3_600 + minutes * 60
  }

  /// The name of a zone whose offset is known: `CEST`, `Europe/Berlin`, `Central European Summer Time`, or the `m=+0.1`
  /// of a clock in Go. Returns false for other words.
  private mutating func skipZoneName() -> Bool {
    if consume(word: "m=") {
      guard consume(any: "+-"), number() != nil, consume("."), number() != nil else { return false }
      return true
    }
    var rest = self
    for count in 1...5 {
      let name = rest.word()
      guard !name.isEmpty else { return false }
      var isRegion = false
      while rest.consume(any: "/_") {
        isRegion = true
        guard !rest.word().isEmpty else { return false }
      }
      if isRegion || count == 1 && name.count <= 5 || count > 1 && name == Array("time".utf8) {
        self = rest
        return true
      }
      rest.skipBlanks()
    }
    return false
  }
}
