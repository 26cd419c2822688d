import FeedfallFilters
import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallCore

@Suite(.hangLimit) struct PromptTests {
  private func edited(_ script: String, _ text: String = "one two", history: [String] = []) throws -> Prompt {
    var texts = PromptHistory()
    for text in history { texts.add(text) }
    var prompt = Prompt(needle: text, history: texts)
    for key in try keys(typed: script) { _ = prompt.handle(key) }
    return prompt
  }

  @Test(arguments: [
    ("<Left>x", "one twxo"), ("<C-b><C-b><C-f>x", "one twxo"), ("<Home>x", "xone two"), ("<C-a>x<End>y", "xone twoy"),
    ("<C-a><C-e>x", "one twox"), ("<Home><Right><BS>", "ne two"), ("<Home><Del>", "ne two"), ("<C-a><C-d>", "ne two"),
    ("<C-w>", "one "), ("<C-w><C-w>", ""), ("<Left><C-w>", "one o"), ("<Left><C-u>", "o"), ("<C-u>", ""),
    ("<Home><Right><C-k>", "o"), ("<Home><BS><Left><C-w>", "one two"), ("<Del><Right>", "one two"),
  ])
  func `a key edits at the cursor`(script: String, text: String) throws { #expect(try edited(script).needle == text) }

  @Test func `the cursor divides the text`() throws {
    let prompt = try edited("<Left><Left>")
    #expect(prompt.textBeforeCursor == "one t" && prompt.textAfterCursor == "wo" && !prompt.isCursorAtEnd)
    var line = Canvas(size: Size(width: 40, height: 1))
    PromptLine("Filter", prompt, result: "2 of 3").draw(in: line.bounds, on: &line)
    #expect(line.text == "Filter: one t▏wo  2 of 3")
  }

  @Test(arguments: 10...60) func `the text at the cursor is visible in each width`(width: Int) throws {
    let text = String(repeating: "a", count: 30) + "XY" + String(repeating: "b", count: 30)
    let prompt = try edited(String(repeating: "<Left>", count: 31), text)
    var line = Canvas(size: Size(width: width, height: 1))
    PromptLine("Filter", prompt, result: "2 of 3").draw(in: line.bounds, on: &line)
    #expect(width < 12 || line.text.contains("X▏"))
    #expect(cellWidth(of: line.text) <= width)
  }

  @Test func `the arrows show earlier texts and return to the typed one`() throws {
    let history = ["first", "second", "first", "third"]
    #expect(try edited("<Up>", "", history: history).needle == "third")
    #expect(try edited("<Up><Up><C-p>", "", history: history).needle == "second")
    #expect(try edited("<Up><Up><Up><Up><Up>", "", history: history).needle == "second")
    #expect(try edited("x<Up><Down>", "", history: history).needle == "x")
    #expect(try edited("<Up>", "third", history: history).needle == "first")
    #expect(try edited("<Down><C-n>x", "", history: history).needle == "x")
  }

  @Test func `a history is limited`() {
    var history = PromptHistory()
    for number in 0..<150 { history.add("\(number)") }
    history.add("")
    #expect(history.texts.count == PromptHistory().maximumCount && history.texts.last == "149")
  }

  @Test func `filters and searches have their own histories, in all tabs`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, sampleVideos(9))
    scenario.answer(1, sampleVideos(9, from: 10))
    scenario.type("2fspring<Enter>/sintel<Enter>3")
    #expect(scenario.typing("f<Up>").status.contains("Filter: spring▏"))
    #expect(scenario.typing("/<Up>").status.contains("Search: sintel▏"))
  }
}
