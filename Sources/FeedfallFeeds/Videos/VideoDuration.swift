import FeedfallText

/// The duration of a video.
public enum VideoDuration: Equatable, Sendable {
  case seconds(Int)
  /// The text of the feed, if it is no number.
  case text(String)
}

extension VideoDuration {
  /// The length in seconds; nil if the feed states it in words only.
  public var seconds: Int? {
    if case .seconds(let seconds) = self { seconds } else { nil }
  }

  /// The longest plausible duration: a year, in seconds.
  private static let maximumSeconds = 366 * 86_400

  /// Parses a number of seconds, or a text in any form that feeds use; other text stays as it is. Returns nil for 0 and for
  /// empty text.
  init?(_ value: JSONValue) {
    if let seconds = value.integer {
      self.init(seconds: seconds)
    } else if let text = value.string {
      self.init(text: text)
    } else {
      return nil
    }
  }

  init?(seconds: Int) {
    guard (1...Self.maximumSeconds).contains(seconds) else { return nil }
    self = .seconds(seconds)
  }

  /// Drops fractions of seconds.
  public init?(seconds: Double) {
    guard seconds.magnitude < 1e9 else { return nil }
    self.init(seconds: Int(seconds))
  }

  init?(text: String) {
    var scanner = Scanner(text)
    if let seconds = scanner?.duration() {
      self.init(seconds: seconds)
    } else {
      guard let words = cleanedLine(text, limit: 40).nonEmpty else { return nil }
      self = .text(words)
    }
  }

  /// Parses `itunes:duration`, `duration` attributes and the like; nil if the text is not a duration.
  init?(feedText text: String) {
    guard var scanner = Scanner(text), let seconds = scanner.duration() else { return nil }
    self.init(seconds: seconds)
  }
}

extension VideoDuration: CustomStringConvertible {
  /// `9:56` or `1:02:03`, or the text of the feed.
  public var description: String {
    switch self {
    case .text(let words): return words
    case .seconds(let seconds):
      let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
      return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" : "\(minutes):\(twoDigits(rest))"
    }
  }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

extension VideoDuration {
  /// Parses durations in all forms that feeds use. Each production of the grammar is a function.
  private struct Scanner {
    private let bytes: [UInt8]
    private var index = 0

    private static let maximumByteCount = 64

    /// Starts reading a text without its surrounding blanks; nil if it is empty or too long for a duration.
    init?(_ text: String) {
      var text = text
      let part: [UInt8]? = text.withUTF8 { bytes in
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }), let end = bytes.lastIndex(where: { $0 > 0x20 }),
          end - start < Self.maximumByteCount
        else { return nil }
        return Array(bytes[start...end])
      }
      guard let part else { return nil }
      bytes = (part.contains { $0 >= 0x80 } ? part.withASCIIMarks.trimmingBlanks() : part).map(\.lowercased)
    }

    /// iso / clock / 1*(number unit) / number
    ///
    /// Returns seconds without their fraction; nil unless all bytes are read.
    mutating func duration() -> Int? {
      if let count = bytes.contains(.comma) ? WrittenCount(bytes[...])?.whole : nil { return count }
      let seconds = next == UInt8(ascii: "p") ? iso() : clock() ?? written()
      guard let seconds, isAtEnd, seconds < 1e9 else { return nil }
      return Int(seconds)
    }

    // MARK: - Productions

    /// number *(":" number) [unit]: `125`, `02:05`, `1:02:03.5`, `62:30 min`, `1:30 h`
    ///
    /// Apple's rule for `itunes:duration`: one colon separates minutes and seconds, two separate hours, minutes and seconds,
    /// and further parts are ignored. Each part may have any size: `00:60:05` is an hour and five seconds.
    private mutating func clock() -> Double? {
      var rest = self
      var parts: [Double] = []
      repeat {
        guard let part = rest.number() else { return nil }
        if parts.count < 3 { parts.append(part.rounded(.down)) }
      } while rest.consume(.colon)
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

    /// 1*(number unit); the last unit may be missing: `62 min`, `1h 2m 3.5s`, `1 hour, 2 minutes and 3 seconds`, `1h30`, `62'`
    private mutating func written() -> Double? {
      var (seconds, last) = (0.0, Double.infinity)
      repeat {
        guard let number = number() else { return nil }
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
        if !isTime, consume(UInt8(ascii: "t")) { isTime = true }
        guard let number = number(), let letter = next, let unit = Self.isoUnit(letter, isTime) else { return nil }
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

    /// Reads the name of a unit; returns its seconds.
    private mutating func unit() -> Double? {
      for (mark, unit) in [("''", 1.0), ("\"", 1), ("″", 1), ("”", 1), ("'", 60), ("′", 60), ("’", 60)]
      where consume(mark) { return unit }
      let start = index
      while let byte = next, byte.isASCIILetter || byte >= 0x80 { index += 1 }
      let name = String(decoding: bytes[start..<index], as: UTF8.self)
      _ = consume(UInt8(ascii: "."))
      return Self.units[name]
    }

    private static let units: [String: Double] = {
      let names: [(Double, String)] = [
        (0.001, "ms msec msecs millisecond milliseconds millis"),
        (1, "s sec secs second seconds sek sekunde sekunden segundo segundos seconde secondes secondi сек 秒 秒钟 초"),
        (
          60,
          """
          m min mins mn minute minutes minuten minuto minutos minuti minuut minuta minuty minut мин 分 分钟 分鐘 分間 분
          """
        ),
        (
          3_600,
          """
          h hr hrs hour hours std stunde stunden hora horas heure heures ora ore uur час ч 時間 小时 小時 시간
          """
        ),
        (86_400, "d day days tag tage tagen día días jour jours 天 日"),
      ]
      return Dictionary(
        uniqueKeysWithValues: names.flatMap { unit, names in
          names.split(separator: " ").map { (String($0), unit) }
        })
    }()

    /// Skips blanks, a comma and `and` between two parts.
    private mutating func skipJoint() {
      skipBlanks()
      _ = consume(.comma)
      skipBlanks()
      for word in ["and ", "und ", "et ", "y ", "e "] where consume(word) {
        skipBlanks()
        return
      }
    }

    // MARK: - Bytes

    private var isAtEnd: Bool { index >= bytes.count }
    private var next: UInt8? { bytes[safe: index] }

    private mutating func consume(_ byte: UInt8) -> Bool {
      guard next == byte else { return false }
      index += 1
      return true
    }

    private mutating func consume(_ text: String) -> Bool {
      guard bytes[index...].starts(with: text.utf8) else { return false }
      index += text.utf8.count
      return true
    }

    private mutating func skipBlanks() {
      while let next, next <= 0x20 { index += 1 }
    }

    /// 1*digit [("." / ",") *digit]
    private mutating func number() -> Double? {
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
}
