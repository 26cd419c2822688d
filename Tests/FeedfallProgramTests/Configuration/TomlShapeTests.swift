import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct TomlShapeTests {
  private func fault(_ text: String) -> TextPlace? {
    do throws(ConfigurationFault) { try TomlValue.Shape.check(Array(text.utf8)) } catch { return error.place }
    return nil
  }

  private func repeated(_ text: String, _ count: Int = 10_000) -> String { String(repeating: text, count: count) }

  @Test func `a deep or long document is refused at its place`() {
    #expect(fault("a" + repeated(".b") + " = 1") == TextPlace(line: 1, column: 100))
    #expect(fault("x = 1\n[a" + repeated(".b") + "]") == TextPlace(line: 2, column: 101))
    #expect(fault("é = " + repeated("[")) == TextPlace(line: 1, column: 54))
    #expect(fault("a = " + repeated("{b = ") + "1")?.line == 1)
    #expect(fault("a = [\n" + repeated("[\n"))?.line == 50)
    #expect(fault("[[a" + repeated(".b", 30) + "]]\nc" + repeated(".d", 30) + " = 1")?.line == 2)
    #expect(fault("a = {b" + repeated(".c", 30) + " = {d" + repeated(".e", 30) + " = 1}}") != nil)
    #expect(fault("a = \"" + repeated("x", 70_000) + "\"")?.line == 1)
    #expect(fault("a = \"\"\"\n\"\"\"\"\"\nb" + repeated(".c"))?.line == 3)
  }

  @Test func `brackets and dots in texts and comments do not count as depth`() {
    let brackets = repeated("[.{", 200)
    for text in [
      "# " + repeated(brackets, 500), "a = \"\(brackets)\"", "a = '\(brackets)'",
      "a = \"\"\"\n\(brackets)\"\n\(brackets)\"\"\"", "a = '''\(brackets)''\n'''", "a = \"\\\"\(brackets)\"",
      "\"\(brackets)\" = 1", "a = [\(repeated("1.5, ", 500))]",
      repeated("[[source]]\naddress = \"https://a.b.c/d.xml\"\n", 1_000), repeated("a.b = 1.5\n", 1_000),
    ] {
      #expect(fault(text) == nil, "\(text.prefix(40))")
    }
  }

  private func key(_ count: Int, _ random: inout SeededGenerator) -> String {
    (0..<count).map { _ in ["a", "\"b.[\"", "'c]'"].randomElement(using: &random)! }.joined(separator: ".")
  }

  private func document(_ random: inout SeededGenerator) -> (text: String, depth: Int) {
    var (text, end, depth) = ("", "", 0)
    func add(_ start: String, _ count: Int, _ rest: String) {
      text += start + key(count, &random) + rest
      depth += count
    }
    if Bool.random(using: &random) { add("[", Int.random(in: 1...20, using: &random), "]\n") }
    add("", Int.random(in: 1...20, using: &random), " = ")
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      if Bool.random(using: &random) {
        text += Bool.random(using: &random) ? "[" : "[ 'x', # [[[\n"
        end = "]" + end
        depth += 1
      } else {
        add("{ ", Int.random(in: 1...4, using: &random), " = ")
        end = "}" + end
      }
    }
    return (text + "1" + end + "\n", depth)
  }

  @Test(arguments: 0..<50 as Range<UInt64>) func `a document is refused if and only if it is too deep`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let (text, depth) = document(&random)
      #expect((fault(text) != nil) == (depth > TomlValue.Shape.maximumDepth), "\(text)")
    }
  }
}
