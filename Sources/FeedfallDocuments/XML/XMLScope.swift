import FeedfallText

/// The prefixes that are bound where the reader is.
struct XMLScope {
  struct Binding {
    let prefix: [UInt8]
    /// Nil where the address is not known.
    let space: XMLNamespace?
  }

  private(set) var bindings: [Binding] = []
  private static let maximumCount = 256

  /// Takes `xmlns=` and `xmlns:prefix=`; false for other attributes.
  mutating func bind(_ attribute: [UInt8], to address: String) -> Bool {
    guard attribute.starts(with: "xmlns".utf8) else { return false }
    let rest = attribute.dropFirst(5)
    guard rest.isEmpty || rest.first == .colon else { return false }
    if bindings.count < Self.maximumCount {
      bindings.append(Binding(prefix: Array(rest.dropFirst()), space: XMLNamespace(address: address)))
    }
    return true
  }

  mutating func unbind(to count: Int) {
    if bindings.count > count { bindings.removeLast(bindings.count - count) }
  }

  /// The vocabulary of a name and the name in lower case without its prefix.
  func resolve(_ name: ArraySlice<UInt8>, isAttribute: Bool) -> (XMLNamespace, String) {
    guard let colon = name.firstIndex(of: .colon) else {
      return (isAttribute ? .rss : space(of: [])?.space ?? .rss, Self.lowercased(name))
    }
    let prefix = name[..<colon]
    let usual = XMLNamespace(usualPrefix: prefix)
    return (space(of: prefix)?.space ?? usual ?? .other, Self.lowercased(name[(colon + 1)...]))
  }

  private func space(of prefix: ArraySlice<UInt8>) -> Binding? {
    bindings.last { $0.prefix.elementsEqual(prefix) }
  }

  private static func lowercased(_ name: ArraySlice<UInt8>) -> String {
    name.contains(where: \.isASCIIUpper)
      ? String(decoding: name.map(\.lowercased), as: UTF8.self) : String(decoding: name, as: UTF8.self)
  }
}
