import FeedfallText

/// The lines of a log, one for each event: JSON whose members have a fixed order, without blanks.
///
/// ```
/// {"time":1763855000000,"id":"films.example 1","watched":1763855000}
/// ```
///
/// Times are in milliseconds since 1970, the values of `watched`, `played`, `downloaded` and `readBefore` in seconds. The value of
/// `video` is an object. The name of the file is the device.
extension UserEvent {
  /// The line with its newline.
  package var line: String {
    "{\"time\":\(time),\"id\":\(key.text.quoted),\"\(value.field.name)\":\(value.text)}\n"
  }
}

extension UserValue {
  var text: String {
    switch field {
    case .watched, .played, .position, .duration, .downloaded, .download, .readBefore, .missed:
      number.map { "\($0)" } ?? "null"
    case .queued: place.map { "\($0)" } ?? "null"
    case .flag: "\(isSet)"
    case .video: video?.text ?? "null"
    }
  }
}

/// The event of a line, without its key and its device.
struct UserLine {
  /// In milliseconds since 1970.
  var time: Int
  var field: UserField
  var content: UserData.Content
}

/// Parses the lines of a log, byte by byte and without making a string: the first frame waits for it.
struct UserLines {
  private(set) var start = 0
  private let bytes: UnsafeBufferPointer<UInt8>
  private let fields = Self.fields
  private var place = 0
  /// Whether the key of the last event is also that of the event before: the lines of a video often follow each other.
  private(set) var repeatsKey = false
  /// The key of the last event in its line, possibly with escapes.
  private var writtenKey = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// The key of the last event if it has escapes.
  private var unescapedKey: [UInt8]?

  private static let fields = UserField.allCases.filter { $0 != .download }.map { ($0.name, $0) }

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  func withKey<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    unescapedKey.map { $0.withUnsafeBufferPointer(body) } ?? body(writtenKey)
  }

  /// Returns the next line that ends with a newline, with its event unless it is invalid; nil if there is none.
  mutating func next() -> (range: Range<Int>, event: UserLine?)? {
    place = start
    let event = event()
    // The next event need not follow that of its key.
    if event == nil { writtenKey = UnsafeBufferPointer(start: nil, count: 0) }
    guard let end = event == nil ? newline(in: start..<bytes.count).map({ $0 + 1 }) : place else { return nil }
    defer { start = end }
    return (start..<end, event)
  }

  private mutating func event() -> UserLine? {
    guard consume("{\"time\":"), let time = number(), consume(",\"id\":\""), parseKey(), consume(",\""),
      let field = field(), let content = content(of: field), consume("}\n")
    else { return nil }
    return UserLine(time: time, field: field, content: content)
  }

  private func newline(in range: Range<Int>) -> Int? {
    UnsafeRawBufferPointer(bytes).firstIndex(of: UInt8(ascii: "\n"), in: range)
  }

  private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// Inlined, so that a constant text is compared in few instructions.
  @inline(__always)
  private mutating func consume(_ text: StaticString) -> Bool {
    guard text.utf8CodeUnitCount <= bytes.count &- place else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[place &+ index] != text.utf8Start[index] { return false }
    place &+= text.utf8CodeUnitCount
    return true
  }

  private mutating func number() -> Int? {
    var (end, value) = (place, 0)
    while end < bytes.count, bytes[end].isASCIIDigit, end - place < 15 {
      value = value &* 10 &+ Int(bytes[end] &- UInt8(ascii: "0"))
      end &+= 1
    }
    defer { place = end }
    return place == end ? nil : value
  }

  private mutating func parseKey() -> Bool {
    let (start, shared) = (place, sharedLength)
    place += shared
    repeatsKey = shared > 0 && shared == writtenKey.count && consume("\"")
    if repeatsKey { return true }
    // The start of a key without escapes is plain.
    var end = unescapedKey == nil ? place : start
    while end < bytes.count, Self.isPlain(bytes[end]) { end &+= 1 }
    let isPlain = end < bytes.count && bytes[end] == .quote
    while end < bytes.count, bytes[end] != .quote, bytes[end] >= 0x20 { end += bytes[end] == .backslash ? 2 : 1 }
    place = min(end, bytes.count)
    writtenKey = UnsafeBufferPointer(rebasing: bytes[start..<place])
    unescapedKey = isPlain ? nil : Self.unescaped(writtenKey)
    guard consume("\""), isPlain || unescapedKey != nil else { return false }
    return (1...VideoKey.maximumLength).contains(unescapedKey?.count ?? writtenKey.count)
  }

  /// The length of what a key and the last one have in common: often most of an address.
  private var sharedLength: Int {
    let limit = min(writtenKey.count, bytes.count - place)
    let (key, line) = (UnsafeRawBufferPointer(writtenKey), UnsafeRawBufferPointer(bytes))
    var length = 0
    while length + 8 <= limit {
      let word = line.loadUnaligned(fromByteOffset: place + length, as: UInt64.self)
      guard word == key.loadUnaligned(fromByteOffset: length, as: UInt64.self) else { break }
      length += 8
    }
    while length < limit, key[length] == line[place + length] { length += 1 }
    return length
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != .quote && byte != .backslash
  }

  private static func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var (key, isEscaped): ([UInt8], Bool) = ([], false)
    for byte in text {
      guard byte >= 0x20, byte != 0x7F else { return nil }
      if !isEscaped, byte == .backslash {
        isEscaped = true
        continue
      }
      guard !isEscaped || byte == .quote || byte == .backslash || byte == .slash else { return nil }
      isEscaped = false
      key.append(byte)
    }
    return isEscaped || String(validating: key, as: UTF8.self) == nil ? nil : key
  }

  private mutating func field() -> UserField? {
    let start = place
    for index in fields.indices {
      if consume(fields[index].0), consume("\":") { return fields[index].1 }
      place = start
    }
    return nil
  }

  private mutating func content(of field: UserField) -> UserData.Content? {
    switch field {
    case .video: return storedVideo().map { .text($0) }
    case .flag: return consume("true") ? .bits(1) : consume("false") ? .bits(0) : nil
    case .queued:
      if consume("null") { return .bits(UserValue.none) }
      return double().map(UserValue.queued).flatMap { $0.isValid ? .bits($0.bits) : nil }
    case .watched, .played, .position, .duration, .downloaded, .download, .readBefore, .missed:
      if let number = number() { return field.numbers.contains(number) ? .bits(number) : nil }
      return consume("null") ? .bits(UserValue.none) : nil
    }
  }

  private mutating func double() -> Double? {
    let text = bytes[place...].prefix(33).prefix { $0 != UInt8(ascii: "}") }
    place += text.count
    return text.count <= 32 ? Double(String(decoding: text, as: UTF8.self)) : nil
  }

  /// The object before the last brace of the line. It is parsed when the video is shown.
  private mutating func storedVideo() -> UnsafeBufferPointer<UInt8>? {
    guard byte == UInt8(ascii: "{"),
      let newline = newline(in: place..<min(bytes.count, place + StoredVideo.maximumLength + 2)),
      newline - place > 2, bytes[newline - 2] == UInt8(ascii: "}")
    else { return nil }
    defer { place = newline - 1 }
    return UnsafeBufferPointer(rebasing: bytes[place..<newline - 1])
  }
}

extension UserData {
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
    guard let device = number(ofDevice: device) else { return bytes.count }
    let latest = Self.latestTime(at: now)
    var lines = UserLines(bytes)
    var number: Int?
    while let (_, line) = lines.next() {
      guard let line else { continue }
      if !lines.repeatsKey { number = lines.withKey { self.number(of: $0) } }
      guard let number, !readsFactsOnly || line.field == .video else { continue }
      let precedence = line.time > UserEvent.earliestTime ? Precedence.laterLine : .earlierLine
      apply(number, line.field, line.content, at: line.time > latest ? 0 : line.time, by: device, precedence)
    }
    return lines.start
  }

  /// Later times are those of a wrong clock.
  static func latestTime(at now: Int) -> Int { min(now + maximumClockDifference, UserEvent.maximumTime) }
}
