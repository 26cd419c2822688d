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
    let words = members.compactMap { name, value in value.json.map { "\(name.quoted):\($0)" } }
    text = "{" + words.joined(separator: ",") + "}"
  }
}

extension JSONLine.Value {
  fileprivate var json: String? {
    switch self {
    case .text(let text): text?.quoted
    case .number(let number): number.map { "\($0)" }
    case .raw(let bytes): String(decoding: bytes, as: UTF8.self)
    case .texts(let texts): "[" + texts.map(\.quoted).joined(separator: ",") + "]"
    }
  }
}
