#if canImport(FoundationXML)
  import Foundation
  import FoundationXML
  import TestSupport
  import Testing

  @testable import FeedfallText

  /// Compares the reader to Foundation's for documents without errors.
  @Suite(.hangLimit) struct XMLOracleTests {
    @Test(arguments: [
      "<a><b c='1' d=\"2\">x &amp; y</b><!-- no --><e/><![CDATA[<z>]]></a>",
      "<?xml version='1.0'?><p:a xmlns:p='http://u.example/' xmlns='http://v.example/'><p:b q:r='s' xmlns:q='http://t.example/'>&#65;&#x42;</p:b>\n<c>é</c></p:a>",
    ]) func `well-formed documents are read like Foundation does`(text: String) {
      #expect(theirs(Array(text.utf8)) == ours(Array(text.utf8)))
    }

    @Test(.needsRecordings)
    func `real feeds are read like Foundation does`() throws {
      var compared = 0
      for bytes in try SharedFiles.feeds() where !bytes.contains(sequence: "<!DOCTYPE".utf8) {
        // The two support different encodings other than UTF-8.
        guard TextEncoding.UTF8Repair.census(bytes[...]).strays == 0,
          TextEncoding.detected(in: bytes)?.encoding != .utf16(isBigEndian: true),
          !bytes.contains(0), let expected = theirs(bytes)
        else { continue }
        #expect(ours(bytes) == expected)
        compared += 1
      }
      #expect(compared > 400)
    }

    private func ours(_ bytes: [UInt8]) -> [String] {
      var reader = XMLReader(DocumentText.utf8Bytes(bytes), base: nil)
      var log = EventLog()
      while let event = reader.next() {
        switch event {
        case .start(let element):
          log.start(element.name, element.attributes.map { ($0.name, $0.value) })
        case .text(let characters): log.text += characters.text
        case .end: log.end()
        }
      }
      return log.lines
    }

    /// Returns nil if Foundation's parser reports an error.
    private func theirs(_ bytes: [UInt8]) -> [String]? {
      let parser = XMLParser(data: Data(bytes))
      let delegate = LoggingDelegate()
      parser.delegate = delegate
      guard parser.parse(), !delegate.hasFailed else { return nil }
      return delegate.log.lines
    }
  }

  /// The events, with white space folded.
  private struct EventLog {
    var lines: [String] = []
    var text = ""

    mutating func start(_ name: String, _ attributes: [(name: String, value: String)]) {
      endText()
      let listed = attributes.filter { !$0.name.hasPrefix("xmlns") }.map { "\(local($0.name))=\(folded($0.value))" }
      lines.append("\(local(name)) \(listed.sorted())")
    }

    mutating func end() {
      endText()
      lines.append("/")
    }

    private mutating func endText() {
      let words = folded(text)
      if !words.isEmpty { lines.append("'\(words)'") }
      text = ""
    }

    private func local(_ name: String) -> String {
      name.split(separator: ":").last.map { $0.lowercased() } ?? ""
    }

    private func folded(_ text: String) -> String {
      text.unicodeScalars.split { " \t\r\n".unicodeScalars.contains($0) }.map { String($0) }.joined(separator: " ")
    }
  }

  private final class LoggingDelegate: NSObject, XMLParserDelegate {
    var log = EventLog()
    var hasFailed = false

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      log.start(name, attributes.map { ($0.key, $0.value) })
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      log.end()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { log.text += text }

    func parser(_ parser: XMLParser, foundCDATA data: Data) { log.text += String(decoding: data, as: UTF8.self) }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) { hasFailed = true }
  }
#endif
