import FeedfallText

/// A JSON object on one line, whose members have a fixed order. Members without a value are omitted.
package struct JSONLine {
  package enum Value {
    case text(String?)
    case number(Int?)
    /// A value in JSON.
    case raw([UInt8])
    case texts([String])
  }

  package let text: String

  package init(_ members: [(name: String, value: Value)]) {
    let words = members.compactMap { name, value in value.json.map { "\(Self.quoted(name)):\($0)" } }
    text = "{" + words.joined(separator: ",") + "}"
  }

  fileprivate static func quoted(_ text: String) -> String {
    // Not by characters: a quote with a combining mark is another character.
    text.unicodeScalars.reduce(into: "\"") { result, scalar in
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\u{0}"..<" ": result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}

extension JSONLine.Value {
  fileprivate var json: String? {
    switch self {
    case .text(let text): text.map(JSONLine.quoted)
    case .number(let number): number.map { "\($0)" }
    case .raw(let bytes): String(decoding: bytes, as: UTF8.self)
    case .texts(let texts): "[" + texts.map(JSONLine.quoted).joined(separator: ",") + "]"
    }
  }
}
