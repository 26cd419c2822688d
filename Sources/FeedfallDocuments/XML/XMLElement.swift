import FeedfallText

/// An element with its content.
package struct XMLElement: Sendable {
  package var space: XMLNamespace
  /// The name without its prefix, in lower case.
  package var name: String
  package var attributes: [XMLAttribute] = []
  package var nodes: [XMLNode] = []
  /// The base of relative addresses in the element.
  package var base: WebAddress?
}

package struct XMLAttribute: Sendable {
  package var space: XMLNamespace
  /// The name without its prefix, in lower case.
  package var name: String
  package var value: String
}

package enum XMLNode: Sendable {
  case text(String)
  case element(XMLElement)
}

extension XMLElement {
  /// The value of the first attribute with this name, preferring one without a namespace.
  @inlinable package func attribute(_ name: String) -> String? {
    attributes.first { $0.name == name && $0.space == .rss }?.value
      ?? attributes.first { $0.name == name }?.value
  }

  @inlinable package var children: some Sequence<XMLElement> {
    nodes.lazy.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  @inlinable package func children(_ space: XMLNamespace, _ name: String) -> [XMLElement] {
    children.filter { $0.space == space && $0.name == name }
  }

  @inlinable package func first(_ space: XMLNamespace, _ name: String) -> XMLElement? {
    for case .element(let child) in nodes where child.space == space && child.hasName(name) { return child }
    return nil
  }

  /// The first child with this name that is of RSS or Atom.
  @inlinable package func first(_ name: String) -> XMLElement? {
    for case .element(let child) in nodes where child.space.isFeed && child.hasName(name) { return child }
    return nil
  }

  /// Compares the lengths first, which differ in most cases.
  @inlinable func hasName(_ other: String) -> Bool { name.utf8.count == other.utf8.count && name == other }

  /// The text of the element and all its descendants.
  package var text: String {
    if nodes.count == 1, case .text(let text) = nodes[0] { return text }
    var result = ""
    appendText(to: &result)
    return result
  }

  private func appendText(to result: inout String) {
    for node in nodes {
      switch node {
      case .text(let text): result += text
      case .element(let element): element.appendText(to: &result)
      }
    }
  }

  @inlinable package var isPlain: Bool { !nodes.contains { if case .element = $0 { true } else { false } } }

  /// The content as HTML.
  package var markup: String {
    var result: [UInt8] = []
    appendMarkup(to: &result)
    return String(decoding: result, as: UTF8.self)
  }

  private func appendMarkup(to result: inout [UInt8]) {
    for node in nodes {
      switch node {
      case .text(let text): Self.appendEscaped(text, to: &result)
      case .element(let element):
        result.append(UInt8(ascii: "<"))
        result += element.name.utf8
        for attribute in element.attributes where attribute.name == "src" {
          result += " src=\"".utf8
          result += attribute.value.utf8.filter { $0 != .quote }
          result.append(.quote)
        }
        result.append(UInt8(ascii: ">"))
        element.appendMarkup(to: &result)
        result += "</".utf8
        result += element.name.utf8
        result.append(UInt8(ascii: ">"))
      }
    }
  }

  private static func appendEscaped(_ text: String, to result: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes in
      var rest = bytes[...]
      while let mark = rest.firstIndex(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) {
        result += rest[..<mark]
        result += bytes[mark] == UInt8(ascii: "&") ? "&amp;".utf8 : "&lt;".utf8
        rest = rest[(mark + 1)...]
      }
      result += rest
    }
  }
}
