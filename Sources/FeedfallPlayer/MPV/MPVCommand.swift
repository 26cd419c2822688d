/// What mpv is told over its socket (mpv's manual, "JSON IPC").
struct MPVCommand: Equatable, Sendable {
  var value: MPVValue
  /// What its answer is recognised by; mpv numbers those that have none with 0.
  var number = 0

  init(_ words: MPVValue..., number: Int = 0) {
    value = .list(words)
    self.number = number
  }

  static func set(_ property: String, _ value: MPVValue) -> MPVCommand {
    MPVCommand("set_property", value: value, property)
  }

  private init(_ name: String, value: MPVValue, _ property: String) {
    self.value = .list([.text(name), .text(property), value])
  }

  /// In this form, by names, versions of mpv understand it that differ in the order.
  static func load(_ address: String, options: [String: String], number: Int) -> MPVCommand {
    var command = MPVCommand(number: number)
    command.value = .object([
      "name": "loadfile", "url": .text(address), "flags": "replace",
      "options": .object(options.mapValues { .text($0) }),
    ])
    return command
  }

  /// A line of JSON.
  var line: [UInt8] {
    var bytes: [UInt8] = []
    MPVValue.object(["command": value, "request_id": .number(Double(number))]).write(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}

/// A value in a command.
enum MPVValue: Equatable, Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
  case text(String)
  case number(Double)
  case flag(Bool)
  case list([MPVValue])
  case object([String: MPVValue])

  init(stringLiteral value: String) { self = .text(value) }
  init(booleanLiteral value: Bool) { self = .flag(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }

  /// As JSON (RFC 8259), names in their order.
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .text(let text): Self.write(text, to: &bytes)
    case .number(let number):
      let isWhole = number.magnitude < 1e15 && number == number.rounded()
      bytes += (isWhole ? String(Int(number)) : number.isFinite ? String(number) : "0").utf8
    case .flag(let flag): bytes += (flag ? "true" : "false").utf8
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, (name, value)) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
