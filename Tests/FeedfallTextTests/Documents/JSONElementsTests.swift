import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct JSONElementsTests {
  @Test func `a list has the first values up to its limit`() throws {
    var random = SeededGenerator(seed: 61)
    let texts = ["1", "\"a,]}\"", "[1,[2]]", "{\"a\":{}}", "null", "true"]
    for _ in 0..<300 {
      let values = (0..<Int.random(in: 0..<9, using: &random)).map { _ in texts.randomElement(using: &random) ?? "1" }
      let space = ["", " ", "\n\t"].randomElement(using: &random) ?? ""
      let array = "[\(space)" + values.joined(separator: "\(space),\(space)") + "\(space)]"
      let members = values.enumerated().map { "\"k\\\"\($0.offset)\"\(space):\(space)\($0.element)" }
      let object = "{\(space)" + members.joined(separator: "\(space),\(space)") + "\(space)}"
      for limit in [0, 1, 4, values.count, Int.max] {
        for document in [array, object] {
          let list = try #require(JSONValue(document: Array(document.utf8))?.values(limit: limit))
          #expect(list.map { String(decoding: $0.source, as: UTF8.self) } == Array(values.prefix(limit)), "\(document)")
        }
      }
    }
  }

  @Test(arguments: ["1", "\"[1]\"", "null", "true"])
  func `other values have no elements`(document: String) {
    let value = JSONValue(document: Array(document.utf8))
    #expect(value?.values(limit: 9) == nil && value?.elements() == nil)
  }

  @Test(arguments: ["{\"a\"}", "{1:2}", "{\"a\":}", "{\"a", "{,}"])
  func `an invalid object has no values`(document: String) {
    #expect(JSONValue(document: Array((document + "}").utf8))?.values(limit: 9)?.isEmpty != false)
  }
}
