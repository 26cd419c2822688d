/// The lines of an answer's head (RFC 9112, 5).
struct HTTPHeaders {
  private let lines: [Substring.UTF8View]

  init(_ head: String) {
    lines = head[...].utf8.split { $0 == 0x0D || $0 == 0x0A }
  }

  /// All values of the headers with this name, which is given in lower case, with commas between them (RFC 9110, 5.3);
  /// empty where there is none.
  subscript(name: String) -> String {
    let values = lines.compactMap { line -> String? in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
        String(Substring(line[..<colon])).lowercased() == name
      else { return nil }
      return String(Substring(line[line.index(after: colon)...].drop { $0 == 0x20 || $0 == 0x09 }))
    }
    return values.joined(separator: ", ")
  }
}
