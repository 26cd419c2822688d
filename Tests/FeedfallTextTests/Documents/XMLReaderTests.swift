import TestSupport
import Testing

@testable import FeedfallText

/// The events of the document as text: `name(attribute=value)[ … ]`.
private func outline(_ text: String) -> String {
  var reader = XMLReader(Array(text.utf8), base: nil)
  var result = ""
  while let event = reader.next() {
    switch event {
    case .start(let element):
      let attributes = element.attributes.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
      result += element.name + (attributes.isEmpty ? "" : "(\(attributes))") + "["
    case .text(let characters): result += characters.text
    case .end: result += "]"
    }
  }
  return result
}

@Suite(.hangLimit) struct XMLReaderTests {
  @Test(arguments: [
    ("<a><b>x</b></a>", "a[b[x]]"), ("<a/>", "a[]"),
    ("<?xml version='1.0'?><!-- c --><a>1<!-- <b> -->2</a>", "a[12]"), ("<a><![CDATA[<b>&amp;]]></a>", "a[<b>&amp;]"),
    ("<a>&lt;&#65;&#x42;&eacute;&hellip;&amp;amp;</a>", "a[<ABé…&amp;]"),
    ("<a u='?a=1&b=2'>x & y &unknown; z</a>", "a(u=?a=1&b=2)[x & y &unknown; z]"),
    ("<a b=\"1\" c='2' d=3 e>x</a>", "a(b=1,c=2,d=3,e=)[x]"), ("<a b='x > y'>z</a>", "a(b=x > y)[z]"),
    ("<!DOCTYPE a [<!ENTITY x 'y'> <!ENTITY z SYSTEM 'file:///etc/passwd'>]><a>&x;&z;</a>", "a[y&z;]"),
    ("<A><B>x</b></A>", "a[b[x]]"),
    // Malformed documents are read as far as possible.
    ("<a><b>x</a>", "a[b[x]]"), ("<a>x</b>y</a>z", "a[xy]z"), ("<a><b>x", "a[b[x"), ("<a><b", "a[b["),
    ("<a><b c='x", "a[b(c=x)["), ("<a>1 < 2</a>", "a[1 < 2]"), ("<a><![CDATA[x", "a[x"), ("<a><!-- x", "a["),
    ("<a it's>x</a>", "a(it=,s=)[x]"), ("<a <b>x</b></a>", "a[b[x]]"),
    ("", ""), ("<", "<"), ("</", ""), ("&", "&"), ("<>", "<>"),
  ]) func `tags, texts and entities are decoded`(text: String, expected: String) {
    #expect(outline(text) == expected)
  }

  @Test func `an unclosed document type hides no text`() { #expect(outline("<!DOCTYPE a [<a>x</a>").contains("x")) }

  @Test(arguments: [
    ("[<!ENTITY a 'x]>y'>]", "<a b='&a;'>&a;</a>", "a(b=x]>y)[x]>y]"),
    ("[<!-- don't --><!ENTITY a \"'\">]", "<a>&a;</a>", "a[']"),
    ("[<!ENTITY a 'Caf&eacute; &#38;lt;'>]", "<a>&a;</a>", "a[Café <]"),
    ("[<!ENTITY copy 'mine'><!ENTITY copy 'yours'>]", "<a>&copy;</a>", "a[mine]"),
    ("[<!ENTITY amp 'x'>]", "<a>&amp;</a>", "a[&]"),
    ("[<!ENTITY % a 'x'><!ENTITY b SYSTEM 'y'><!ENTITY c PUBLIC 'z' 'z'>]", "<a>&a;&b;&c;</a>", "a[&a;&b;&c;]"),
    ("[<!ENTITY a '<b>&amp;</b>'>]", "<a>&a;<![CDATA[&a;]]></a>", "a[<b>&</b>&a;]"),
    ("[<!ENTITY s 'http://www.w3.org/2005/Atom'>]", "<a xmlns='&s;'>x</a>", "a[x]"),
    ("SYSTEM 'x.dtd' [<!ELEMENT a (b)> <!ENTITY\n a\t'x' > ]", "<a>&a;&aa;</a>", "a[x&aa;]"),
  ]) func `internal text entities are replaced`(declarations: String, text: String, expected: String) {
    #expect(outline("<!DOCTYPE a \(declarations)>" + text) == expected)
  }

  @Test func `declared entities expand to at most 64 kB, however often they are used`() {
    let letters = "abcdefghij".map { String($0) }
    // Each is ten times the one before, and as long as an entity may be.
    let laughs = letters.enumerated().map { place, letter in
      let text = place == 0 ? "ha" : String(repeating: "&\(letters[place - 1]);", count: 10)
      return "<!ENTITY \(letter) '\(text)\(String(repeating: "x", count: 900))'>"
    }
    let body = String(repeating: "&j;", count: 50_000) + "<c d='\(String(repeating: "&j;", count: 1_000))'/>"
    for others in [0, 1_000] {
      let more = (0..<others).map { "<!ENTITY n\($0) 'x'>" }.joined()
      var reader = XMLReader(Array("<!DOCTYPE a [\(laughs.joined() + more)]><a>\(body)</a>".utf8), base: nil)
      var length = 0
      while let event = reader.next() {
        if case .text(let characters) = event { length += characters.text.utf8.count }
        if case .start(let element) = event { length += element.attributes.reduce(0) { $0 + $1.value.utf8.count } }
      }
      #expect(length <= body.utf8.count + 64 * 1_024 && reader.expandedByteCount < 60_000_000)
    }
    #expect(
      outline("<!DOCTYPE a [\(laughs.joined())]><a>&b;</a>").hasPrefix("a[" + String(repeating: "&a;", count: 10)))
    let long = "<!DOCTYPE a [<!ENTITY a '\(String(repeating: "x", count: 1_025))'>]><a>&a;</a>"
    #expect(outline(long) == "a[&a;]")
  }

  @Test func `random documents are read to their end`() {
    let declarations = [
      "<!DOCTYPE a [", "<!ENTITY ", "x", " 'y'", " \"z\"", ">", "]>", "]", "&x;", "&", ";", "<!--", "-->", "<a>",
      "</a>", "'", "\"", "%", " SYSTEM ", "&#38;", "<b c='&x;'>",
    ]
    let marks = [
      "<", ">", "/", "a", "b:c", "=", "\"", "'", "&", ";", "amp", "<![CDATA[", "]]>", "<!--", "-->", "<?", "?>",
      "<!DOCTYPE", "[", "]", " ", "\u{0}", "xmlns:", "é", "<a>", "</a>", "<item>", "</item>",
    ]
    var random = SeededGenerator(seed: 21)
    for number in 0..<6_000 {
      let parts = number.isMultiple(of: 2) ? declarations : marks
      let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
      var reader = XMLReader(Array(text.joined().utf8), base: nil)
      while let event = reader.next() { if case .text(let characters) = event { _ = characters.text } }
      #expect(reader.isAtEnd)
    }
  }

  @Test func `names are resolved by namespace address or by the usual prefix`() {
    func space(_ text: String) -> XMLNamespace? {
      var reader = XMLReader(Array(text.utf8), base: nil)
      guard case .start(let element)? = reader.next() else { return nil }
      return element.space
    }
    #expect(space("<m:x xmlns:m='http://search.yahoo.com/mrss'/>") == .media)
    #expect(space("<x xmlns='http://www.w3.org/2005/Atom'/>") == .atom)
    #expect(space("<itunes:x xmlns:itunes='http://www.itunes.com/DTDs/Podcast-1.0.dtd'/>") == .itunes)
    #expect(space("<media:x/>") == .media)
    #expect(space("<media:x xmlns:media='http://unknown.example/'/>") == .media)
    #expect(space("<q:x/>") == .other)
    #expect(space("<x xmlns='http://unknown.example/'/>") == .rss)
  }

  @Test func `elements nested too deep are ignored without losing the place`() {
    let deep = String(repeating: "<d>", count: 100_000) + "x" + String(repeating: "</d>", count: 100_000)
    var reader = XMLReader(Array("<a>\(deep)<b>y</b></a>".utf8), base: nil)
    var names: [String] = []
    while let event = reader.next() {
      if case .start(let element) = event, element.name != "d" { names.append(element.name) }
      #expect(reader.depth <= XMLReader.maximumDepth)
    }
    #expect(names == ["a", "b"])
  }

  @Test func `the base of addresses is inherited and resolved`() {
    let text = "<a xml:base='http://a.example/x/'><b xml:base='y/'><c/></b><d/></a>"
    var reader = XMLReader(Array(text.utf8), base: nil)
    var bases: [String?] = []
    while let event = reader.next() {
      if case .start(let element) = event { bases.append(element.base?.text) }
    }
    #expect(
      bases == ["http://a.example/x/", "http://a.example/x/y/", "http://a.example/x/y/", "http://a.example/x/"])
  }
}
