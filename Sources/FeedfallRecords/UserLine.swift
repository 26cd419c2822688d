import FeedfallText

/// The lines of a log, one for each event: JSON whose members have a fixed order, without blanks.
///
/// ```
/// {"time":1763855000000,"id":"films.example 1","watched":1763855000}
/// ```
///
/// Times are in milliseconds since 1970, the values of `watched` and `downloaded` in seconds. The value of `video` is
/// an object. The name of the file is the device.
extension UserEvent {
  /// The line with its newline.
  package var line: String {
    "{\"time\":\(time),\"id\":\"\(key.text.escapedForJSON)\",\"\(value.field.name)\":\(value.text)}\n"
  }
}

extension String {
  /// The text of a JSON string. It has no control characters.
  var escapedForJSON: String {
    guard utf8.contains(where: { $0 == UserLine.quote || $0 == UserLine.backslash }) else { return self }
    // By scalars, because a quote with a combining mark is a single character.
    return unicodeScalars.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : "\($1)" }
  }
}

extension UserValue {
  fileprivate var text: String {
    switch self {
    case .watched(let time), .downloaded(let time): time.map { "\($0.seconds)" } ?? "null"
    case .position(let number), .duration(let number), .download(let number): number.map { "\($0)" } ?? "null"
    case .queued(let place): place.map { "\($0)" } ?? "null"
    case .flag(_, let isSet): "\(isSet)"
    case .video(let video): video?.text ?? "null"
    }
  }
}

extension UserData {
  /// In bytes; longer lines are skipped. A key may be escaped.
  package static let maximumLineLength = 2 * VideoKey.maximumLength + StoredVideo.maximumLength + 256
  /// In milliseconds.
  static let maximumClockDifference = 86_400_000

  /// Applies the complete lines of a log and returns the count of bytes up to the last newline. Invalid lines are
  /// skipped.
  ///
  /// Within the log of one device the last line of a field decides, whatever its time is: the clock of the device may
  /// have been set back. It competes with other devices by the latest time of the field's lines. A line of the earliest
  /// times, such as a mark of a server at the first contact, decides only where the device has no other.
  ///
  /// - Parameter now: in milliseconds since 1970. Times that are more than a day later count as 0, so that every other
  ///   change wins against one of a device with a wrong clock.
  package mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, of device: String, now: Int) -> Int {
    guard let device = number(ofDevice: device), let first = bytes.baseAddress else { return bytes.count }
    var line = UserLine(first, count: bytes.count)
    var batch = UserLine.Batch(device: device, latest: Self.latestTime(at: now))
    while true {
      let start = line.place
      if let event = line.event(unescapingInto: &batch.unescaped) {
        if batch.append(event) { apply(&batch) }
      } else if let next = line.startOfNext(after: start) {
        line.place = next
      } else {
        apply(&batch)
        return start
      }
    }
  }

  /// As `read`, but applies only the facts of the videos that `init(factsOf:)` has named.
  package mutating func readFacts(_ bytes: UnsafeBufferPointer<UInt8>, of device: String, now: Int) -> Int {
    guard let device = number(ofDevice: device), let first = bytes.baseAddress else { return bytes.count }
    var line = UserLine(first, count: bytes.count)
    var unescaped: [UInt8] = []
    var number: Int?
    while true {
      let start = line.place
      if let event = line.event(unescapingInto: &unescaped) {
        switch event.key {
        case .repeated: break
        case .plain(let key, _): number = self.number(of: key)
        case .unescaped: number = unescaped.withUnsafeBufferPointer { self.number(of: $0) }
        }
        guard let number, event.field == .video else { continue }
        let time = event.time > Self.latestTime(at: now) ? 0 : event.time
        _ = apply(number, .video, event.content, at: time, by: device, decides: Precedence(ofLineAt: event.time))
      } else if let next = line.startOfNext(after: start) {
        line.place = next
      } else {
        return start
      }
    }
  }

  /// Later times are those of a wrong clock.
  static func latestTime(at now: Int) -> Int { min(now + maximumClockDifference, UserEvent.maximumTime) }

  private mutating func apply(_ batch: inout UserLine.Batch) {
    for event in batch.events {
      if case .plain(_, let hash) = event.key { prefetch(hash) }
    }
    for event in batch.events {
      switch event.key {
      case .repeated: break
      case .plain(let key, let hash): batch.number = number(inserting: key, hash)
      case .unescaped:
        batch.number = batch.unescaped.withUnsafeBufferPointer { number(inserting: $0, KeyTable.hash($0)) }
      }
      guard let number = batch.number else { continue }
      let time = event.time > batch.latest ? 0 : event.time
      _ = apply(
        number, event.field, event.content, at: time, by: batch.device, decides: Precedence(ofLineAt: event.time))
    }
    batch.events.removeAll(keepingCapacity: true)
  }

  package mutating func reserveCapacity(forLog byteCount: Int) {
    let lineCount = byteCount / Self.usualLineLength
    reserveCapacity(count + lineCount, byteCount: lineCount * Self.usualKeyLength, textLength: byteCount / 8)
  }

  private static let usualLineLength = 90
  private static let usualKeyLength = 48
}

extension UserLine {
  /// Events that are applied together: the table of keys is larger than the processor's cache, and fetching the slots
  /// for all of them at once takes little longer than for one.
  fileprivate struct Batch {
    let device: UInt16
    /// In milliseconds since 1970. Later times count as 0.
    let latest: Int
    var events: [Event] = []
    /// The key of the last event if it has escapes.
    var unescaped: [UInt8] = []
    /// The number of the last key.
    var number: Int?

    private static let count = 16

    init(device: UInt16, latest: Int) {
      (self.device, self.latest) = (device, latest)
      events.reserveCapacity(Self.count)
    }

    /// Returns whether the batch is complete.
    mutating func append(_ event: Event) -> Bool {
      events.append(event)
      if case .unescaped = event.key { return true }
      return events.count == Self.count
    }
  }
}

/// Words of eight bytes are compared at once: a log may have hundreds of thousands of lines, and the first
/// frame waits for them.
struct UserLine {
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")

  struct Event {
    var time: Int
    var key: Key
    var field: UserField
    var content: UserData.Content
  }

  enum Key {
    case repeated
    /// Without escapes.
    case plain(UnsafeBufferPointer<UInt8>, hash: UInt32)
    case unescaped
  }

  var place = 0
  /// The key of the last event; empty if it has escapes.
  private var lastKey = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private let bytes: UnsafePointer<UInt8>
  private let count: Int

  init(_ bytes: UnsafePointer<UInt8>, count: Int) {
    (self.bytes, self.count) = (bytes, count)
  }

  /// Returns the place behind the next newline; nil if there is none.
  func startOfNext(after start: Int) -> Int? { newline(from: start, limit: count).map { $0 + 1 } }

  /// The place of the next newline before a limit, which is at most the count; nil if there is none.
  private func newline(from start: Int, limit: Int) -> Int? {
    var place = start
    while place &+ 8 <= limit, let word = word(at: place) {
      let difference = word ^ (Self.ones * UInt64(UInt8(ascii: "\n")))
      let high = (difference &- Self.ones) & ~difference & (Self.ones * 0x80)
      place &+= high.trailingZeroBitCount / 8
      if high != 0 { return place }
    }
    return (place..<max(place, limit)).first { bytes[$0] == UInt8(ascii: "\n") }
  }

  /// Reads a line with its newline; nil if it is invalid.
  @inline(__always)
  mutating func event(unescapingInto unescaped: inout [UInt8]) -> Event? {
    guard consume("{\"time\":"), let time = number(), consume(",\"id\":\"") else { return nil }
    let isRepeated = skipLastKey()
    guard let text = isRepeated ? (lastKey, true) : string(), consume(",\""), let field = field(),
      let content = content(of: field), consume("}\n")
    else { return nil }
    var key = Key.repeated
    if !isRepeated {
      guard text.isPlain || Self.unescape(text.bytes, into: &unescaped) else { return nil }
      key = text.isPlain ? .plain(text.bytes, hash: UserData.KeyTable.hash(text.bytes)) : .unescaped
      lastKey = text.isPlain ? text.bytes : UnsafeBufferPointer(rebasing: text.bytes.prefix(0))
    }
    return Event(time: time, key: key, field: field, content: content)
  }

  /// Skips the last key with the closing quote: the lines of a video often follow each other.
  @inline(__always)
  private mutating func skipLastKey() -> Bool {
    let end = place &+ lastKey.count
    guard !lastKey.isEmpty, end < count, bytes[end] == Self.quote,
      haveSameBytes(UnsafeRawBufferPointer(lastKey), UnsafeRawBufferPointer(text(from: place, to: end)))
    else { return false }
    place = end &+ 1
    return true
  }

  /// The eight bytes from a place on, the first one lowest; nil near the end.
  @inline(__always)
  private func word(at place: Int) -> UInt64? {
    guard place &+ 8 <= count else { return nil }
    return UInt64(littleEndian: UnsafeRawPointer(bytes + place).loadUnaligned(as: UInt64.self))
  }

  /// Consumes a text of at most eight bytes.
  @inline(__always)
  private mutating func consume(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    if let word = word(at: place) {
      guard (word ^ Self.word(of: text)) << UInt64(8 * (8 - length)) == 0 else { return false }
    } else {
      guard isNext(text) else { return false }
    }
    place &+= length
    return true
  }

  /// A constant, because the text is one.
  @inline(__always)
  private static func word(of text: StaticString) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<text.utf8CodeUnitCount { word |= UInt64(text.utf8Start[index]) << UInt64(8 * index) }
    return word
  }

  @inline(never)
  private func isNext(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    return length <= count - place && (0..<length).allSatisfy { bytes[place + $0] == text.utf8Start[$0] }
  }

  /// A whole number with at most 15 digits.
  @inline(__always)
  private mutating func number() -> Int? {
    guard let first = word(at: place), let second = word(at: place &+ 8) else { return numberAtEnd() }
    let count = Self.digitCount(first)
    if count < 8 {
      place &+= count
      return count > 0 ? Self.number(first << UInt64(64 &- 8 &* count)) : nil
    }
    let rest = min(Self.digitCount(second), 7)
    place &+= 8 &+ rest
    // Shifts make the digits the last of sixteen; zeros precede them.
    let (high, low) = (UInt64(64 &- 8 &* rest), UInt64(8 &* rest))
    return Self.number(first << high) &* 100_000_000 &+ Self.number(second << high | first >> low)
  }

  private mutating func numberAtEnd() -> Int? {
    let start = place
    var value = 0
    while place < count, bytes[place].isASCIIDigit, place - start < 15 {
      value = value * 10 + Int(bytes[place] - UInt8(ascii: "0"))
      place += 1
    }
    return place == start ? nil : value
  }

  /// The number of digits before the first other byte.
  @inline(__always)
  private static func digitCount(_ word: UInt64) -> Int {
    let digits = word ^ (ones * 0x30)
    // The high bit of a byte is set if it is greater than 9. A carry changes only bytes behind one with this bit.
    return (((digits &+ ones * 0x76) | digits) & (ones * 0x80)).trailingZeroBitCount / 8
  }

  /// The number of eight digits, of which the first ones may be zero bytes. Joins digits to pairs, pairs to quadruples,
  /// and these to the number.
  @inline(__always)
  private static func number(_ word: UInt64) -> Int {
    let digits = word & (ones * 0x0F)
    let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
    let quadruples = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
    return Int((quadruples &* 10_000 &+ quadruples >> 32) & 0xFFFF_FFFF)
  }

  /// The bytes before the closing quote. `isPlain`: whether they are a key without escapes.
  @inline(__always)
  private mutating func string() -> (bytes: UnsafeBufferPointer<UInt8>, isPlain: Bool)? {
    let start = place
    skipPlainText()
    let isPlain = place < count && bytes[place] == Self.quote
    if !isPlain { skipText(from: start) }
    guard place < count, bytes[place] == Self.quote else { return nil }
    let text = text(from: start, to: place)
    place &+= 1
    return (text, isPlain && Self.lengths.contains(text.count))
  }

  private mutating func skipText(from start: Int) {
    while place < count, bytes[place] != Self.quote, place - start <= UserData.maximumLineLength {
      place += bytes[place] == Self.backslash ? 2 : 1
    }
  }

  private func text(from start: Int, to end: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + start, count: end &- start)
  }

  private static let lengths = 1...VideoKey.maximumLength
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Skips text before a quote, a backslash, a control character or a byte outside of ASCII.
  @inline(__always)
  private mutating func skipPlainText() {
    while let word = word(at: place) {
      let (quote, backslash) = (word ^ (Self.ones * UInt64(Self.quote)), word ^ (Self.ones * UInt64(Self.backslash)))
      // The high bit of a byte is set if it is outside of ASCII, 0x7F or less than 0x20, or after a comparison less
      // than
      // 1. A carry or borrow changes only bytes behind one with this bit.
      let marks = word | (word &+ Self.ones) | (word &- Self.ones * 0x20)
      let high = (marks | (quote &- Self.ones) | (backslash &- Self.ones)) & (Self.ones * 0x80)
      place &+= high.trailingZeroBitCount / 8
      if high != 0 { return }
    }
    while place < count, Self.isPlain(bytes[place]) { place += 1 }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != quote && byte != backslash
  }

  @inline(__always)
  private mutating func field() -> UserField? {
    if consume("watched\"") { return consume(":") ? .watched : nil }
    if consume("position") { return consume("\":") ? .position : nil }
    if consume("duration") { return consume("\":") ? .duration : nil }
    if consume("queued\":") { return .queued }
    if consume("video\":") { return .video }
    if consume("download") { return consume("ed\":") ? .downloaded : nil }
    let rest = UnsafeBufferPointer(start: bytes + place, count: count &- place)
    guard let flag = Self.flags.first(where: { rest.starts(with: $0.name) }) else { return nil }
    place &+= flag.name.count
    return flag.field
  }

  /// The other fields, with the rest of their members before the value.
  private static let flags = UserField.allCases.compactMap { field in
    if case .flag(let mark) = field { (name: Array("\(mark.name)\":".utf8), field: field) } else { nil }
  }

  @inline(__always)
  private mutating func content(of field: UserField) -> UserData.Content? {
    field == .video ? storedVideo().map { .text($0) } : bits(of: field).map { .bits($0) }
  }

  /// The object before the last brace of the line. It is parsed when the video is shown.
  private mutating func storedVideo() -> UnsafeBufferPointer<UInt8>? {
    guard let end = newline(from: place, limit: min(count, place + StoredVideo.maximumLength + 2)), end - place > 2,
      bytes[place] == UInt8(ascii: "{"), bytes[end - 2] == UInt8(ascii: "}")
    else { return nil }
    let start = place
    place = end - 1
    return text(from: start, to: place)
  }

  /// The bits of a valid value.
  @inline(__always)
  private mutating func bits(of field: UserField) -> Int? {
    switch field {
    case .watched, .position, .duration, .downloaded:
      if let bits = number() { return field.numbers.contains(bits) ? bits : nil }
      return consume("null") ? UserValue.none : nil
    case .flag: return consume("true") ? 1 : consume("false") ? 0 : nil
    case .queued:
      if consume("null") { return UserValue.none }
      return double().map(UserValue.queued).flatMap { $0.isValid ? $0.bits : nil }
    case .video, .download: return nil
    }
  }

  private mutating func double() -> Double? {
    let rest = UnsafeBufferPointer(start: bytes + place, count: min(33, count - place))
    let text = rest.prefix { $0 != UInt8(ascii: "}") }
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
