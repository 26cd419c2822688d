import FeedfallDocuments
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

  /// Parses seconds as a number or text, `mm:ss` or `h:mm:ss`; other text stays as it is. Returns nil for 0 and for
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
    let words = cleanedLine(text, limit: 40)
    if let seconds = Self.seconds(words) {
      self.init(seconds: seconds)
    } else if words.isEmpty {
      return nil
    } else {
      self = .text(words)
    }
  }

  /// Parses `itunes:duration` and `duration` attributes; nil if the text is no duration.
  init?(feedText text: String) {
    if case .seconds(let seconds)? = VideoDuration(text: text) {
      self = .seconds(seconds)
    } else {
      self.init(iso8601: text)
    }
  }

  /// Parses `125`, `125.5`, `02:05` or `1:02:05`; only the seconds after a colon are below 60.
  private static func seconds(_ text: String) -> Int? {
    let parts = text.utf8.split(separator: .colon, omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0
    for (index, part) in parts.enumerated() {
      var digits = part
      if index == parts.count - 1, let point = part.firstIndex(of: UInt8(ascii: ".")) {
        guard part[point...].dropFirst().allSatisfy(\.isASCIIDigit) else { return nil }
        digits = part[..<point]
      }
      guard (1...8).contains(digits.count), digits.allSatisfy(\.isASCIIDigit) else { return nil }
      let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      // Some feeds write `00:60:05` for an hour.
      if index > 0, index == parts.count - 1, number >= 60 { return nil }
      seconds = seconds * 60 + number
    }
    return seconds
  }
}

extension VideoDuration {
  /// Parses a duration such as `PT1H2M3.5S` or `P1DT2H` (ISO 8601, 4.4.3.2); fractions are dropped.
  init?(iso8601 text: String) {
    let bytes = Array(text.utf8).trimmingBlanks()
    guard bytes.first?.lowercased == UInt8(ascii: "p"), bytes.count <= 40 else { return nil }
    var seconds = 0
    var number: Int?
    var isFraction = false
    for byte in bytes.dropFirst().map(\.lowercased) {
      if byte.isASCIIDigit {
        guard !isFraction else { continue }
        let value = (number ?? 0) * 10 + Int(byte - 0x30)
        guard value < 100_000_000 else { return nil }
        number = value
      } else if byte == UInt8(ascii: ".") || byte == .comma {
        isFraction = true
      } else if byte != UInt8(ascii: "t") {
        guard let value = number, let unit = Self.unit(byte) else { return nil }
        seconds += value * unit
        (number, isFraction) = (nil, false)
      }
    }
    guard number == nil else { return nil }
    self.init(seconds: seconds)
  }

  private static func unit(_ letter: UInt8) -> Int? {
    switch letter {
    case UInt8(ascii: "w"): 604_800
    case UInt8(ascii: "d"): 86_400
    case UInt8(ascii: "h"): 3_600
    case UInt8(ascii: "m"): 60
    case UInt8(ascii: "s"): 1
    default: nil
    }
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
