/// Reads the parts of a date, its time and its zone.
struct DateScanner {
  private let bytes: [UInt8]
  private(set) var index = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { index == bytes.count }
  var next: UInt8? { bytes[safe: index] }
  /// The byte before the next one.
  var last: UInt8? { bytes[safe: index - 1] }
  var nextIsDigit: Bool { next?.isASCIIDigit ?? false }
  var nextIsLetter: Bool { next.map(Self.isLetter) ?? false }

  static func isLetter(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte >= 0x80 }

  mutating func consume(_ marks: String) -> Bool {
    guard let next, marks.utf8.contains(next) else { return false }
    index += 1
    return true
  }

  mutating func skipBlanks() {
    while let next, next <= 0x20 { index += 1 }
  }

  /// Parses a number and counts its digits; nil if there are more than 18.
  mutating func number() -> (value: Int, digits: Int)? {
    let digits = bytes[index...].prefix { $0.isASCIIDigit }
    guard (1...18).contains(digits.count) else { return nil }
    index += digits.count
    return (digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }, digits.count)
  }

  /// Parses a number of `count` digits; more digits may follow.
  mutating func number(of count: Int) -> Int? {
    let digits = bytes[index...].prefix(count)
    guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    index += count
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Reads letters, with ASCII in lower case.
  mutating func word() -> String {
    let letters = bytes[index...].prefix(while: Self.isLetter)
    index += letters.count
    return String(decoding: letters.map(\.lowercased), as: UTF8.self)
  }

  /// The count of digits from here.
  var digitCount: Int { bytes[index...].prefix { $0.isASCIIDigit }.count }

  // MARK: - Time of day

  /// Parses `14:28`, `14:28:00`, `14:28:00.5` or `2:28 pm`; returns seconds, nil if a part is out of range.
  mutating func timeOfDay() -> Int? {
    guard let hour = number(), hour.digits <= 2, consume(":"), let minute = number(), minute.digits <= 2,
      minute.value < 60
    else { return nil }
    var second = 0
    if consume(":") {
      guard let value = number(), value.digits <= 2, value.value <= 60 else { return nil }
      second = min(value.value, 59)
      if consume(".,"), number() == nil { return nil }
    }
    guard let hours = hours(hour.value) else { return nil }
    return hours * 3_600 + minute.value * 60 + second
  }

  /// Converts an hour to the hour of the day; `am` or `pm` may follow.
  private mutating func hours(_ hour: Int) -> Int? {
    var rest = self
    rest.skipBlanks()
    let half = rest.word().filter { $0 != "." }
    guard half == "am" || half == "pm" else { return hour <= 24 ? hour : nil }
    self = rest
    // 14:00 PM means 14:00.
    guard hour <= 12 else { return hour < 24 ? hour : nil }
    return hour % 12 + (half == "pm" ? 12 : 0)
  }

  // MARK: - Zone

  /// Parses `Z`, `GMT`, `EST`, `+02:00`, `-0700`, `GMT+2` or nothing, which a remark in parentheses may follow; returns
  /// seconds east of Greenwich, nil if it is not a zone.
  mutating func zone() -> Int? {
    skipBlanks()
    guard let next else { return 0 }
    if next == UInt8(ascii: "(") { return 0 }
    if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { return finished(offset()) }
    guard Self.isLetter(next), let zone = TimeZoneNames.offset(of: word()) else { return nil }
    if zone == 0, self.next == UInt8(ascii: "+") || self.next == UInt8(ascii: "-") { return finished(offset()) }
    return finished(zone)
  }

  private mutating func offset() -> Int? {
    let sign = consume("-") ? -1 : 1
    if sign == 1, !consume("+") { return nil }
    guard let hours = digitCount >= 3 && digitCount != 4 ? number(of: 1) : number(of: min(2, max(1, digitCount)))
    else { return nil }
    let hasColon = consume(":")
    var minutes = 0
    if nextIsDigit {
      guard let value = number(), value.digits <= 2 else { return nil }
      minutes = value.value
    } else if hasColon {
      return nil
    }
    guard hours <= 14, minutes < 60 else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }

  private mutating func finished(_ zone: Int?) -> Int? {
    skipBlanks()
    return isAtEnd || next == UInt8(ascii: "(") ? zone : nil
  }
}
