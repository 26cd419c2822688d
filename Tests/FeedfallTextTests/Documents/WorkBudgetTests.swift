import TestSupport
import Testing

@testable import FeedfallText

/// The work of reading a document to its end, or until its budget is exceeded.
private func work(_ text: String, base: WebAddress? = nil) -> WorkBudget {
  var reader = XMLReader(Array(text.utf8), base: base)
  while reader.next() != nil {}
  return reader.work
}

private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

@Suite(.hangLimit) struct WorkBudgetTests {
  /// Documents with a costly part that is repeated, by name.
  private static let documents: [String: @Sendable (Int) -> String] = [
    "nested bases": { "<feed>" + repeated("<a xml:base='x/'>", $0) },
    "bases side by side": { "<feed xml:base='http://h.example/'>" + repeated("<a xml:base='x/'><b/></a>", $0) },
    "nested namespaces": { "<feed>" + repeated("<p:a xmlns:p='http://h.example/' p:b='c'>", $0) },
    "many namespaces": { count in
      "<feed>" + (0..<count).map { "<a xmlns:p\($0)='http://h.example/'>" }.joined() + repeated("<p1:a/>", count)
    },
    "unmatched end tags": { repeated("<abcdefg>", 128) + repeated("</abcdefh>", $0) },
    "many attributes": { "<a " + repeated("b='c' ", $0) + "/>" },
    "deep nesting": { repeated("<a>", $0) + repeated("</a>", $0) },
    "entities": { "<a>" + repeated("&amp;&unknown;&#x41;", $0) },
  ]

  @Test(arguments: documents.keys.sorted()) func `the work is linear in the document`(name: String) throws {
    let document = try #require(Self.documents[name])
    let (some, more) = (work(document(2_000)), work(document(8_000)))
    #expect(more.nodeCount <= some.nodeCount * 4 + 1_000)
    #expect(more.byteCount <= some.byteCount * 4 + 100_000)
    #expect(!more.isExceeded)
  }

  @Test func `elements with a long base stop the reader`() {
    let base = "http://h.example/" + repeated("x/", 500)
    let text = "<feed xml:base='\(base)'>" + repeated("<a/>", 100_000)
    let work = work(text)
    #expect(work.isExceeded)
    #expect(work.nodeCount < 50_000)
  }

  @Test func `a base that is too long leaves the outer one in place`() throws {
    let address = try #require(WebAddress("http://h.example/a"))
    var reader = XMLReader(Array("<a xml:base='\(repeated("x/", 600))'/>".utf8), base: address)
    guard case .start(let element)? = reader.next() else { throw TestFailure("no element") }
    #expect(element.base == address)
  }

  @Test func `a long query is no part of the base`() throws {
    let address = try #require(WebAddress("http://h.example/a/b?" + repeated("x", 2_000)))
    var reader = XMLReader(Array("<a/>".utf8), base: address)
    guard case .start(let element)? = reader.next() else { throw TestFailure("no element") }
    #expect(element.base?.text == "http://h.example/a/b")
  }

  @Test func `names without end are compared only so often`() {
    let name = repeated("n", 10_000)
    let open = (0..<100).map { "<\(name)\($0 + 100)>" }.joined()
    let work = work(open + repeated("</\(name)xxx>", 400))
    #expect(work.isExceeded)
  }

  @Test func `both limits grow with the document`() {
    var budget = WorkBudget(documentByteCount: 32 << 20)
    budget.spend(nodes: 2_000_000, bytes: 500 << 20)
    #expect(!budget.isExceeded)
    budget.spend(nodes: 100_000)
    #expect(budget.isExceeded)
    budget.documentByteCount *= 2
    #expect(!budget.isExceeded)
    budget.spend(bytes: 1_000 << 20)
    #expect(budget.isExceeded)
  }

  @Test(arguments: [
    (#"{"\u0061":1,"a":2}"#, 1), (#"{"a":1,"\u0061":2}"#, 1), (#"{"b":0,"\u0061":2}"#, 2),
    (#"{"a":null,"\u0061":2}"#, nil),
  ]) func `the first member with a name decides, however it is spelled`(text: String, expected: Int?) {
    #expect(JSONObject(document: Array(text.utf8))?["a"]?.integer == expected)
  }
}
