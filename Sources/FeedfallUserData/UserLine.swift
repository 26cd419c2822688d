import FeedfallText

/// The lines of a log, one for each event: JSON whose members have a fixed order, without blanks.
///
/// ```
/// {"time":1763855000000,"id":"films.example 1","watched":1763855000}
/// ```
///
/// Times are in milliseconds since 1970, the values of `watched` and `downloaded` in seconds. The value of `video` is an
/// object. The name of the file is the device.
extension UserEvent {
  /// The line with its newline.
  package var line: String {
    "{\"time\":\(time),\"id\":\"\(key.text.escapedForJSON)\",\"\(value.field.rawValue)\":\(value.text)}\n"
  }
}

extension String {
  /// The text of a JSON string. It has no control characters.
  var escapedForJSON: String {
    guard utf8.contains(where: { $0 == UserLine.quote || $0 == UserLine.backslash }) else { return self }
    // Not by characters: a quote with a combining mark is another character.
    return unicodeScalars.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : "\($1)" }
  }
}

extension UserValue {
  fileprivate var text: String {
    switch self {
    case .watched(let time), .downloaded(let time): time.map { "\($0.seconds)" } ?? "null"
    case .position(let seconds), .duration(let seconds): seconds.map { "\($0)" } ?? "null"
    case .queued(let place): place.map { "\($0)" } ?? "null"
    case .hidden(let isSet), .starred(let isSet): "\(isSet)"
    case .video(let video): video?.text ?? "null"
    }
  }
}

extension UserData {
  /// In bytes; longer lines are skipped. A key may be escaped.
  package static let maximumLineLength = 2 * VideoKey.maximumLength + StoredVideo.maximumLength + 256
  /// In milliseconds.
  private static let maximumClockDifference = 86_400_000

  /// Applies the complete lines of a log and returns the count of bytes up to the last newline. Invalid lines are
  /// skipped.
  ///
  /// - Parameter now: in milliseconds since 1970. Times that are more than a day later count as 0, so that every other
  ///   change wins against one of a device with a wrong clock.
  package mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, of device: String, now: Int) -> Int {
    guard let device = number(ofDevice: device) else { return bytes.count }
    let latest = min(now + Self.maximumClockDifference, UserEvent.maximumTime)
    var line = UserLine(bytes)
    var key: [UInt8] = []
    while true {
      let start = line.place
      if let event = line.event(unescapingInto: &key), line.consume("\n") {
        apply(event, key, by: device, latest: latest)
      } else if let next = line.startOfNext(after: start) {
        line.place = next
      } else {
        return start
      }
    }
  }

  /// - Parameter key: the key if it has escapes.
  private mutating func apply(_ event: UserLine.Event, _ key: [UInt8], by device: UInt16, latest: Int) {
    let time = event.time > latest ? 0 : event.time
    if let key = event.key {
      _ = apply(key, event.field, event.content, at: time, by: device)
    } else {
      key.withUnsafeBufferPointer { _ = apply($0, event.field, event.content, at: time, by: device) }
    }
  }

  /// Prepares for a log of this length in bytes.
  package mutating func reserveCapacity(forLog byteCount: Int) {
    let lineCount = byteCount / Self.usualLineLength
    reserveCapacity(count + lineCount, byteCount: lineCount * Self.usualKeyLength)
  }

  private static let usualLineLength = 100
  private static let usualKeyLength = 48
}

/// Reads lines.
private struct UserLine {
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")

  struct Event {
    var time: Int
    /// Nil for a key with escapes.
    var key: UnsafeBufferPointer<UInt8>?
    var field: UserField
    var content: UserData.Content
  }

  var place = 0
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Returns the place behind the next newline; nil if there is none.
  func startOfNext(after start: Int) -> Int? { bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } }

  /// Reads a line up to its newline; nil if it is invalid.
  mutating func event(unescapingInto key: inout [UInt8]) -> Event? {
    guard consume("{\"time\":"), let time = number(), consume(",\"id\":\""), let text = string(),
      consume(",\""), let field = field(), let content = content(of: field), consume("}")
    else { return nil }
    if text.isPlain { return Event(time: time, key: text.bytes, field: field, content: content) }
    guard Self.unescape(text.bytes, into: &key) else { return nil }
    return Event(time: time, key: nil, field: field, content: content)
  }

  mutating func consume(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard place + count <= bytes.count else { return false }
    for index in 0..<count where bytes[place + index] != text.utf8Start[index] { return false }
    place += count
    return true
  }

  /// A whole number with at most 15 digits.
  private mutating func number() -> Int? {
    let start = place
    var value = 0
    while place < bytes.count, bytes[place].isASCIIDigit, place - start < 15 {
      value = value * 10 + Int(bytes[place] - UInt8(ascii: "0"))
      place += 1
    }
    return place == start ? nil : value
  }

  /// The bytes before the closing quote. `isPlain`: whether they are a key as they are.
  private mutating func string() -> (bytes: UnsafeBufferPointer<UInt8>, isPlain: Bool)? {
    let start = place
    skipPlainText()
    let isPlain = place < bytes.count && bytes[place] == Self.quote
    while place < bytes.count, bytes[place] != Self.quote, place - start <= UserData.maximumLineLength {
      place += bytes[place] == Self.backslash ? 2 : 1
    }
    guard place < bytes.count, bytes[place] == Self.quote else { return nil }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<place])
    place += 1
    return (text, isPlain && Self.lengths.contains(text.count))
  }

  private static let lengths = 1...VideoKey.maximumLength
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Skips eight bytes at a time while none is a quote, a backslash, a control character or outside of ASCII.
  private mutating func skipPlainText() {
    let raw = UnsafeRawBufferPointer(bytes)
    while place + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let (quote, backslash) = (word ^ (Self.ones * UInt64(Self.quote)), word ^ (Self.ones * UInt64(Self.backslash)))
      let delete = word ^ (Self.ones * 0x7F)
      // The high bit of a byte is set if it is outside of ASCII or less than 0x20, or after a comparison less than 1.
      let marks = word | (word &- Self.ones * 0x20) | (quote &- Self.ones) | (backslash &- Self.ones)
      guard (marks | (delete &- Self.ones)) & (Self.ones * 0x80) == 0 else { break }
      place += 8
    }
    while place < bytes.count, Self.isPlain(bytes[place]) { place += 1 }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != quote && byte != backslash
  }

  private mutating func field() -> UserField? {
    if consume("watched\":") { return .watched }
    if consume("position\":") { return .position }
    if consume("duration\":") { return .duration }
    if consume("queued\":") { return .queued }
    if consume("hidden\":") { return .hidden }
    if consume("starred\":") { return .starred }
    if consume("video\":") { return .video }
    return consume("downloaded\":") ? .downloaded : nil
  }

  private mutating func content(of field: UserField) -> UserData.Content? {
    field == .video ? storedVideo().map { .text($0) } : bits(of: field).map { .bits($0) }
  }

  /// The object up to the brace that ends the line. It is parsed when the video is shown.
  private mutating func storedVideo() -> UnsafeBufferPointer<UInt8>? {
    let rest = bytes[place...].prefix(StoredVideo.maximumLength + 2)
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")), end - place > 2, bytes[place] == UInt8(ascii: "{"),
      bytes[end - 2] == UInt8(ascii: "}")
    else { return nil }
    defer { place = end - 1 }
    return UnsafeBufferPointer(rebasing: bytes[place..<end - 1])
  }

  /// The bits of a valid value.
  private mutating func bits(of field: UserField) -> Int? {
    let value: UserValue?
    switch field {
    case .hidden: value = flag().map { .hidden($0) }
    case .starred: value = flag().map { .starred($0) }
    case .queued: value = consume("null") ? .queued(nil) : double().map { .queued($0) }
    case .watched, .position, .duration, .downloaded:
      if consume("null") { return UserValue.none }
      value = number().map { UserValue(field, bits: $0) }
    case .video: value = nil
    }
    return value.flatMap { $0.isValid ? $0.bits : nil }
  }

  private mutating func flag() -> Bool? { consume("true") ? true : consume("false") ? false : nil }

  private mutating func double() -> Double? {
    let text = bytes[place...].prefix(33).prefix { $0 != UInt8(ascii: "}") }
    place += text.count
    return text.count <= 32 ? Double(String(decoding: text, as: UTF8.self)) : nil
  }

  /// Removes the escapes; returns false if the result is no key.
  private static func unescape(_ text: UnsafeBufferPointer<UInt8>, into key: inout [UInt8]) -> Bool {
    key.removeAll(keepingCapacity: true)
    var isEscaped = false
    for byte in text {
      guard byte >= 0x20, byte != 0x7F else { return false }
      if !isEscaped, byte == backslash {
        isEscaped = true
        continue
      }
      guard !isEscaped || byte == quote || byte == backslash || byte == UInt8(ascii: "/") else { return false }
      isEscaped = false
      key.append(byte)
    }
    return !isEscaped && lengths.contains(key.count) && String(validating: key, as: UTF8.self) != nil
  }
}
