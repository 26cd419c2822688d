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
  package func attribute(_ name: String) -> String? {
    attributes.first { $0.name == name && $0.space == .rss }?.value
      ?? attributes.first { $0.name == name }?.value
  }

  package var children: some Sequence<XMLElement> {
    nodes.lazy.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  package func children(_ space: XMLNamespace, _ name: String) -> [XMLElement] {
    children.filter { $0.space == space && $0.name == name }
  }

  package func first(_ space: XMLNamespace, _ name: String) -> XMLElement? {
    children.first { $0.space == space && $0.name == name }
  }

  /// The first child with this name that is of RSS or Atom.
  package func first(_ name: String) -> XMLElement? { children.first { $0.name == name && $0.space.isFeed } }

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

  package var isPlain: Bool { !nodes.contains { if case .element = $0 { true } else { false } } }

  /// The content as HTML.
  package var markup: String {
    var result = ""
    appendMarkup(to: &result)
    return result
  }

  private func appendMarkup(to result: inout String) {
    for node in nodes {
      switch node {
      case .text(let text):
        for character in text.unicodeScalars {
          switch character {
          case "&": result += "&amp;"
          case "<": result += "&lt;"
          default: result.unicodeScalars.append(character)
          }
        }
      case .element(let element):
        result += "<\(element.name)"
        for attribute in element.attributes where attribute.name == "src" {
          result += " src=\"\(attribute.value.filter { $0 != "\"" })\""
        }
        result += ">"
        element.appendMarkup(to: &result)
        result += "</\(element.name)>"
      }
    }
  }
}
