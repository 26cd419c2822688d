/// Finds a feed after other text, such as a PHP warning, HTTP headers or a stray letter.
package enum LateXML {
  /// The length of the searched part of a document, in bytes.
  package static let byteCount = 64 * 1_024

  private static let declarationName = Array("?xml".utf8)
  /// Without their prefixes.
  private static let roots = ["rss", "feed", "rdf", "opml", "playlist", "asx"].map { Array($0.utf8) }
  private static let longestPrefix = 16
  /// The first elements of web pages, which may show the source of a feed. Error messages begin with others, such as `br`.
  private static let pageElements: Set<String> = [
    "html", "head", "body", "base", "link", "meta", "noscript", "script", "style", "template", "title", "frameset",
  ]

  /// The index of the XML declaration or the root element; nil at the start of the document, and in web pages and other
  /// formats.
  /// - Complexity: O(n) in the first 64 kB.
  package static func start(in document: [UInt8]) -> Int? {
    let bytes = Array(document.prefix(byteCount))
    var declaration: Int?
    var firstElement: Int?
    var index = 0
    while let open = bytes.firstIndex(of: UInt8(ascii: "<"), in: index..<bytes.count) {
      if isName(declarationName, bytes, open + 1) {
        declaration = open
      } else if bytes[safe: open + 1]?.isASCIILetter == true {
        if isRoot(bytes, open + 1) {
          let start = declaration ?? open
          let isOther = isPage(bytes) || firstElement.map { declaresNamespace(bytes, $0) } ?? false
          return hasText(bytes[..<start]) && !isOther ? start : nil
        }
        firstElement = firstElement ?? open
        // A message can also follow the declaration.
        declaration = nil
      }
      index = open + 1
    }
    return nil
  }

  private static func hasText(_ bytes: ArraySlice<UInt8>) -> Bool { DocumentText.firstMark(Array(bytes)) != nil }

  private static func isPage(_ bytes: [UInt8]) -> Bool {
    XMLReader.rootName(of: bytes).map(pageElements.contains) ?? false
      || bytes.firstIndex(of: "<!doctype html", from: 0) != nil
  }

  /// Whether the element is the root of another format, such as SVG, which may contain RDF. Messages declare nothing.
  private static func declaresNamespace(_ bytes: [UInt8], _ element: Int) -> Bool {
    Array(bytes[element...].prefix { $0 != UInt8(ascii: ">") }).firstIndex(of: "xmlns", from: 0) != nil
  }

  private static func isRoot(_ bytes: [UInt8], _ start: Int) -> Bool {
    let prefix = bytes[start...].prefix(longestPrefix).prefix { $0.isASCIILetter || $0.isASCIIDigit }
    let name = bytes[safe: prefix.endIndex] == .colon ? prefix.endIndex + 1 : start
    return roots.contains { isName($0, bytes, name) }
  }

  private static func isName(_ name: [UInt8], _ bytes: [UInt8], _ start: Int) -> Bool {
    guard start + name.count < bytes.count else { return false }
    let end = bytes[start + name.count]
    return (end <= .space || end == UInt8(ascii: ">"))
      && bytes[start..<(start + name.count)].elementsEqual(name) { $0.lowercased == $1 }
  }
}
