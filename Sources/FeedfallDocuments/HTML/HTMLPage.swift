import FeedfallText

/// Web pages, as far as they matter to readers of other documents.
package enum HTMLPage {
  /// Whether this is a web page, whatever it was called: its first element is one of HTML.
  package static func isStarted(by body: [UInt8]) -> Bool {
    guard DocumentText.firstMark(body) == UInt8(ascii: "<") else { return false }
    let start = Array(body.prefix(8_192))
    var tokens = XMLTokenizer(start)
    while let token = tokens.next() {
      guard case .start(let name, _, _) = token else { continue }
      let local = String(decoding: start[name].map(\.lowercased), as: UTF8.self)
      return ["html", "head", "body", "script", "meta", "title", "style", "center", "p", "h1"].contains(local)
    }
    return start.firstIndex(of: "<!doctype html", from: 0) != nil
  }

  /// The page's title, cleaned, at most 80 characters.
  package static func title(of body: [UInt8]) -> String? {
    let start = Array(body.prefix(65_536))
    guard let tag = start.firstIndex(of: "<title", from: 0),
      let open = start[tag...].firstIndex(of: UInt8(ascii: ">")),
      let close = start.firstIndex(of: "</title", from: open)
    else { return nil }
    return cleanedLine(String(decoding: start[(open + 1)..<close], as: UTF8.self), isHTML: true, limit: 80)
      .nonEmpty
  }

  /// The address of the first `<img>`, but for the single pixels that count readers.
  package static func firstPicture(in html: String) -> String? {
    var tokens = XMLTokenizer(Array(html.utf8.prefix(256 * 1_024)))
    while let token = tokens.next() {
      guard case .start(let name, let range, _) = token,
        tokens.bytes[name].map(\.lowercased).elementsEqual("img".utf8)
      else { continue }
      let attributes = XMLText.attributes(tokens.bytes, range)
      func value(_ name: String) -> String? {
        attributes.first { $0.name.map(\.lowercased).elementsEqual(name.utf8) }?.value
      }
      guard value("width") != "1", value("height") != "1", let source = value("src"), !source.isEmpty,
        !source.hasPrefix("data:")
      else { continue }
      return source
    }
    return nil
  }
}
