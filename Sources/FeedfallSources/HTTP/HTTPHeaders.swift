import FeedfallText

/// The headers of an answer.
struct HTTPHeaders: Equatable, Sendable {
  private struct Field: Equatable, Sendable {
    /// In lower case.
    var name: String
    var value: String
  }
  private var fields: [Field] = []

  /// Reads a line for each header; what is none, such as the line of the status, is left out.
  init(lines: String) {
    for line in lines.utf8.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { continue }
      let name = String(decoding: line[..<colon], as: UTF8.self)
      let value = String(decoding: Array(line[line.index(after: colon)...]).trimmingBlanks(), as: UTF8.self)
      fields.append(Field(name: name.lowercased(), value: value))
    }
  }

  /// The values of a header, named in lower case, with commas between them; nil where it is missing.
  subscript(name: String) -> String? {
    let values = fields.filter { $0.name == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}
