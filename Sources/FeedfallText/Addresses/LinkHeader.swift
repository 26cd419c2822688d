/// The `Link` header of an answer (RFC 8288): `<https://host/list?page=2>; rel="next", <…>; rel="last"`.
package enum LinkHeader {
  /// The address of the next page; nil where the header names none.
  package static func next(in header: String, from address: WebAddress?) -> WebAddress? {
    var rest = header.utf8.prefix(65_536)[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[rest.index(after: open)...]
      guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
      let target = String(decoding: rest[..<close], as: UTF8.self)
      rest = rest[rest.index(after: close)...]
      if takeParameters(&rest).contains("next") { return WebAddress(reference: target, base: address) }
    }
    return nil
  }

  /// Takes what stands behind a target up to the comma before the next one; gives the relations named there.
  private static func takeParameters(_ rest: inout Substring.UTF8View.SubSequence) -> [String] {
    var relations: [String] = []
    var parameter: [UInt8] = []
    var isQuoted = false
    func end() {
      let pair = String(decoding: parameter, as: UTF8.self).split(separator: "=", maxSplits: 1)
      if pair.count == 2, pair[0].filter({ !$0.isWhitespace }).lowercased() == "rel" {
        relations += pair[1].split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
      }
      parameter = []
    }
    while let byte = rest.popFirst() {
      switch byte {
      case .quote: isQuoted.toggle()
      case .backslash where isQuoted: parameter += rest.popFirst().map { [$0] } ?? []
      case .comma where !isQuoted:
        end()
        return relations
      case UInt8(ascii: ";") where !isQuoted: end()
      default: parameter.append(byte)
      }
    }
    end()
    return relations
  }
}
