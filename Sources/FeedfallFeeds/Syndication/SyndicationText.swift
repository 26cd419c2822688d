import FeedfallDocuments
import FeedfallText

/// Texts of feeds, in the forms in which they come.
enum SyndicationText {
  /// A text for one line; nil where it is empty.
  ///
  /// Atom says by `type` whether it holds HTML; RSS doesn't, and most that looks like HTML there is.
  static func line(_ element: XMLElement, limit: Int = 500) -> String? {
    switch element.attribute("type")?.lowercased() {
    case "text"?, "plain"?, "text/plain"?: cleanedLine(element.text, limit: limit).nonEmpty
    case _ where element.isPlain: cleanedLine(element.text, isHTML: true, limit: limit).nonEmpty
    default: cleanedLine(element.markup, isHTML: true, limit: limit).nonEmpty
    }
  }

  /// A longer text with its paragraphs; nil where it is empty.
  static func paragraphs(_ element: XMLElement) -> String? {
    cleanedText(html(element)).nonEmpty
  }

  /// The content as HTML.
  static func html(_ element: XMLElement) -> String { element.isPlain ? element.text : element.markup }

  /// A person's name: an Atom person, `Name`, or `mail@host (Name)` as RSS 2.0 has it.
  static func person(_ element: XMLElement) -> String? {
    if let name = element.first("name") { return line(name, limit: 200) }
    if !element.isPlain, let mail = element.first("email") { return line(mail, limit: 200) }
    guard let text = line(element, limit: 200) else { return nil }
    if let open = text.firstIndex(of: "("), text.hasSuffix(")"), text[..<open].contains("@") {
      return String(text[text.index(after: open)...].dropLast()).nonEmpty ?? text
    }
    return text
  }
}
