/// Parses the `Link` header of an answer (RFC 8288): `<https://host/list?page=2>; rel="next", <…>; rel="last"`.
package enum LinkHeader {
  /// The prefix of the addresses of registered relations, which are equivalent to their names (RFC 4287, 4.2.7.2).
  private static let registry = "http://www.iana.org/assignments/relation/"

  package static func name(ofRelation relation: String) -> String {
    let name = relation.lowercased()
    return name.hasPrefix(registry) ? String(name.dropFirst(registry.count)) : name
  }

  package static func target(of relation: String, in header: String, from address: WebAddress?) -> WebAddress? {
    var rest = header.utf8.prefix(65_536)[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[rest.index(after: open)...]
      guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
      let target = String(decoding: rest[..<close], as: UTF8.self)
      rest = rest[rest.index(after: close)...]
      if parseRelations(&rest).contains(relation) { return WebAddress(reference: target, base: address) }
    }
    return nil
  }

  /// Parses the parameters of a target up to the comma before the next target; returns the relations among them.
  private static func parseRelations(_ rest: inout Substring.UTF8View.SubSequence) -> [String] {
    var relations: [String] = []
    var parameter: [UInt8] = []
    var isQuoted = false
    func end() {
      let pair = String(decoding: parameter, as: UTF8.self).split(separator: "=", maxSplits: 1)
      if pair.count == 2, pair[0].filter({ !$0.isWhitespace }).lowercased() == "rel" {
        relations += pair[1].split(whereSeparator: \.isWhitespace).map { name(ofRelation: String($0)) }
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
