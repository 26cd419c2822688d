/// Parses dates, times and durations. Each production of their grammars is a function.
package struct TimeScanner {
  let bytes: [UInt8]
  var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a text without its surrounding blanks; nil if it is empty or has more bytes than `limit`.
  init?(_ text: String, limit: Int) {
    var text = text
    let part: [UInt8]? = text.withUTF8 { bytes in
      guard let start = bytes.firstIndex(where: { $0 > 0x20 }), let end = bytes.lastIndex(where: { $0 > 0x20 }),
        end - start < limit
      else { return nil }
      return Array(bytes[start...end])
    }
    guard let part else { return nil }
    bytes = part.contains { $0 >= 0x80 } ? part.withASCIIMarks : part
  }

  var isAtEnd: Bool { index == bytes.count }
  var next: UInt8? { bytes[safe: index] }
  /// The byte after the next one.
  var second: UInt8? { bytes[safe: index + 1] }
  var nextIsDigit: Bool { next?.isASCIIDigit ?? false }
  var nextIsLetter: Bool { next.map(Self.isLetter) ?? false }

  static func isLetter(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte >= 0x80 }

  mutating func consume(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    index += 1
    return true
  }

  mutating func consume(any marks: StaticString) -> Bool {
    guard let next, UnsafeBufferPointer(start: marks.utf8Start, count: marks.utf8CodeUnitCount).contains(next) else {
      return false
    }
    index += 1
    return true
  }

  mutating func consume(word text: String) -> Bool {
    guard bytes[index...].starts(with: text.utf8) else { return false }
    index += text.utf8.count
    return true
  }

  /// Consumes the name of a unit in Chinese, Japanese or Korean, with the blanks before it.
  mutating func consume(named names: String...) -> Bool {
    var rest = self
    rest.skipBlanks()
    guard let next = rest.next, next >= 0x80, names.contains(where: { rest.consume(word: $0) }) else { return false }
    self = rest
    return true
  }

  /// Returns whether there were any.
  @discardableResult mutating func skipBlanks() -> Bool {
    let start = index
    while let next, next <= 0x20 { index += 1 }
    return index > start
  }

  /// Skips a remark in brackets, to the end if they are not closed.
  mutating func skipBrackets() {
    var depth = 0
    while let next {
      index += 1
      if next == UInt8(ascii: "(") || next == .openBracket { depth += 1 }
      if next == UInt8(ascii: ")") || next == .closeBracket { depth -= 1 }
      if depth == 0 { return }
    }
  }

  var digitCount: Int { bytes[index...].prefix { $0.isASCIIDigit }.count }

  mutating func number() -> (value: Int, digits: Int)? {
    let count = digitCount
    guard (1...18).contains(count), let value = number(of: count) else { return nil }
    return (value, count)
  }

  /// Parses a number of `count` digits; more digits may follow.
  mutating func number(of count: Int) -> Int? {
    let digits = bytes[index...].prefix(count)
    guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    index += count
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  mutating func part(upTo maximum: Int) -> Int? {
    guard let number = number(), number.digits <= 2, number.value <= maximum else { return nil }
    return number.value
  }

  mutating func word() -> [UInt8] {
    let letters = bytes[index...].prefix(while: Self.isLetter)
    index += letters.count
    guard letters.contains(where: { $0 >= 0x80 }) else { return letters.map(\.lowercased) }
    return Array(String(decoding: letters, as: UTF8.self).lowercased().utf8)
  }

  /// Returns the whole seconds of a duration; nil for another text.
  package static func duration(of text: String) -> Int? {
    guard let written = TimeScanner(text, limit: 64) else { return nil }
    var scanner = TimeScanner(written.bytes.trimmingBlanks().map(\.lowercased))
    return scanner.duration()
  }

  /// iso / clock / 1*(number unit) / number, in seconds without their fraction; nil unless all bytes are read.
  private mutating func duration() -> Int? {
    if let count = bytes.contains(.comma) ? WrittenCount(bytes[...])?.whole : nil { return count }
    let seconds = next == UInt8(ascii: "p") ? iso() : clock() ?? written()
    guard let seconds, isAtEnd, seconds < 1e9 else { return nil }
    return Int(seconds)
  }

  // MARK: - Productions

  /// number *(":" number) [unit]: `125`, `02:05`, `1:02:03.5`, `62:30 min`, `1:30 h`. Apple's rule for
  /// `itunes:duration`: one colon separates minutes and seconds, two separate hours, minutes and seconds, and further
  /// parts are ignored. Each part may have any size: `00:60:05` is an hour and five seconds.
  private mutating func clock() -> Double? {
    var rest = self
    var parts: [Double] = []
    repeat {
      guard let part = rest.decimal() else { return nil }
      if parts.count < 3 { parts.append(part.rounded(.down)) }
    } while rest.consume(":")
    let seconds = parts.reduce(0) { $0 * 60 + $1 }
    rest.skipBlanks()
    if rest.isAtEnd {
      self = rest
      return seconds
    }
    switch (rest.unit(), parts.count) {
    case (60, 2), (3_600, 3): self = rest
    case (3_600, 2):
      self = rest
      return seconds * 60
    default: return nil
    }
    return seconds
  }

  /// 1*(number unit); the last unit may be missing: `62 min`, `1h 2m 3.5s`, `1 hour, 2 minutes and 3 seconds`, `1h30`,
  /// `62'`
  private mutating func written() -> Double? {
    var (seconds, last) = (0.0, Double.infinity)
    repeat {
      guard let number = decimal() else { return nil }
      skipBlanks()
      // Units descend. `1h30` lacks the unit of the minutes, `2m30` that of the seconds.
      let unit = isAtEnd && (last == 3_600 || last == 60) ? last / 60 : unit()
      guard let unit, unit < last else { return nil }
      (seconds, last) = (seconds + number * unit, unit)
      skipJoint()
    } while !isAtEnd
    return seconds
  }

  /// `PT1H2M3.5S`, `P1DT2H`, `P0Y0M0DT62M` (ISO 8601, 4.4.3.2). Years and months must be 0.
  private mutating func iso() -> Double? {
    index += 1
    var (seconds, isTime, count) = (0.0, false, 0)
    while !isAtEnd {
      if !isTime, consume("t") { isTime = true }
      guard let number = decimal(), let letter = next, let unit = Self.isoUnit(letter, isTime) else { return nil }
      guard unit > 0 || number == 0 else { return nil }
      index += 1
      seconds += number * unit
      count += 1
    }
    return count > 0 ? seconds : nil
  }

  private static func isoUnit(_ letter: UInt8, _ isTime: Bool) -> Double? {
    switch (letter, isTime) {
    case (UInt8(ascii: "y"), false), (UInt8(ascii: "m"), false): 0
    case (UInt8(ascii: "w"), false): 604_800
    case (UInt8(ascii: "d"), false): 86_400
    case (UInt8(ascii: "h"), true): 3_600
    case (UInt8(ascii: "m"), true): 60
    case (UInt8(ascii: "s"), true): 1
    default: nil
    }
  }

  // MARK: - Words

  private mutating func unit() -> Double? {
    for (mark, unit) in [("''", 1.0), ("\"", 1), ("″", 1), ("”", 1), ("'", 60), ("′", 60), ("’", 60)]
    where consume(word: mark) { return unit }
    let start = index
    while let byte = next, byte.isASCIILetter || byte >= 0x80 { index += 1 }
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    _ = consume(".")
    return Self.durationUnits[name]
  }

  private static let durationUnits: [String: Double] = {
    let names: [(Double, String)] = [
      (0.001, "ms msec msecs millisecond milliseconds millis"),
      (1, "s sec secs second seconds sek sekunde sekunden segundo segundos seconde secondes secondi сек 秒 秒钟 초"),
      (60, "m min mins mn minute minutes minuten minuto minutos minuti minuut minuta minuty minut мин 分 分钟 分鐘 分間 분"),
      (3_600, "h hr hrs hour hours std stunde stunden hora horas heure heures ora ore uur час ч 時間 小时 小時 시간"),
      (86_400, "d day days tag tage tagen día días jour jours 天 日"),
    ]
    return Dictionary(
      uniqueKeysWithValues: names.flatMap { unit, names in
        names.split(separator: " ").map { (String($0), unit) }
      })
  }()

  private mutating func skipJoint() {
    skipBlanks()
    _ = consume(",")
    skipBlanks()
    for word in ["and ", "und ", "et ", "y ", "e "] where consume(word: word) {
      skipBlanks()
      return
    }
  }

  /// 1*digit [("." / ",") *digit]
  private mutating func decimal() -> Double? {
    guard let first = next, first.isASCIIDigit else { return nil }
    var value = 0.0
    while let byte = next, byte.isASCIIDigit {
      value = min(value * 10 + Double(byte - 0x30), 1e12)
      index += 1
    }
    guard let mark = next, mark == UInt8(ascii: ".") || mark == .comma else { return value }
    // A comma before a blank ends a part.
    if mark == .comma, bytes[safe: index + 1]?.isASCIIDigit != true { return value }
    index += 1
    var place = 0.1
    while let byte = next, byte.isASCIIDigit {
      value += place * Double(byte - 0x30)
      place /= 10
      index += 1
    }
    return value
  }
}

extension [UInt8] {
  /// With ASCII digits, blanks and marks in place of those of other scripts, without invisible characters.
  fileprivate var withASCIIMarks: [UInt8] {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: self, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0..<0x80: text.append(scalar)
      case 0x200B...0x200F, 0xFEFF: continue
      case 0x2010...0x2015, 0x2212, 0xFF0D: text.append("-")
      case 0xFF01...0xFF5E: text.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
      case 0x3001, 0xB7, 0x2022: text.append(",")
      default:
        if scalar.properties.isWhitespace {
          text.append(" ")
        } else if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
          text.append(Unicode.Scalar(0x30 + UInt8(value)))
        } else {
          text.append(scalar)
        }
      }
    }
    return Array(String(text).utf8)
  }
}

/// Times of day and zones.
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
