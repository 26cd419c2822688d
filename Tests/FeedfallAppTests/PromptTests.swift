import FeedfallFilters
import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct PromptTests {
  private func edited(_ script: String, _ text: String = "one two", history: [String] = []) throws -> Prompt {
    var texts = Prompt.History()
    for text in history { texts.add(text) }
    var prompt = Prompt(needle: text, history: texts)
    for key in try keys(typed: script) { _ = prompt.handle(Prompt.Input(key, .standard)) }
    return prompt
  }

  @Test(arguments: [
    ("<Left>x", "one twxo"), ("<C-b><C-b><C-f>x", "one twxo"), ("<Home>x", "xone two"), ("<C-a>x<End>y", "xone twoy"),
    ("<C-a><C-e>x", "one twox"), ("<Home><Right><BS>", "ne two"), ("<Home><Del>", "ne two"), ("<C-a><C-d>", "ne two"),
    ("<C-w>", "one "), ("<C-w><C-w>", ""), ("<Left><C-w>", "one o"), ("<Left><C-u>", "o"), ("<C-u>", ""),
    ("<C-Left>x", "one xtwo"), ("<A-b><A-b>x", "xone two"), ("<A-Left><A-Left><A-Left>x", "xone two"),
    ("<Home><C-Right>x", "onex two"), ("<Home><A-f><A-f>x", "one twox"), ("<Home><A-Right>x", "onex two"),
    ("<A-BS>", "one "), ("<A-BS><A-BS><A-BS>", ""), ("<C-BS>", "one "), ("<Home><A-d>", " two"),
    ("<Home><C-Del><C-Del><C-Del>", ""), ("<A-x><A-q><D-x><C-Up><S-Del><A-Enter><A-Esc>", "one two"),
    ("<Home><Right><C-k>", "o"), ("<Home><BS><Left><C-w>", "one two"), ("<Del><Right>", "one two"),
  ])
  func `a key edits at the cursor`(script: String, text: String) throws { #expect(try edited(script).needle == text) }

  @Test(arguments: [
    ("<A-BS>", "open /srv/films/"), ("<A-b><A-b>x", "open /srv/xfilms/talks"), ("<C-w>", "open "),
    ("<Home><A-d>", " /srv/films/talks"), ("<Home><A-f><A-f>x", "open /srvx/films/talks"),
  ])
  func `a word of a path is letters and digits`(script: String, text: String) throws {
    #expect(try edited(script, "open /srv/films/talks").needle == text)
  }

  // MARK: Characters

  private func typed(_ text: String, _ script: String = "") throws -> Prompt {
    var prompt = Prompt()
    for scalar in text.unicodeScalars { _ = prompt.handle(.character(Character(scalar))) }
    for key in try keys(typed: script) { _ = prompt.handle(Prompt.Input(key, .standard)) }
    return prompt
  }

  @Test(arguments: ["e\u{301}", "👨‍👩‍👧", "🇩🇪", "👍🏽", "한", "\u{1112}\u{1161}\u{11AB}"])
  func `separately typed scalars form one character`(character: String) throws {
    #expect(try typed("a" + character + "b", "<BS><BS>").needle == "a")
    #expect(try typed("a" + character + "b", "<Left><Left>x").needle == "ax" + character + "b")
  }

  @Test func `a mark joins the character before the cursor, and the cursor stays behind it`() throws {
    var prompt = try typed("ab", "<Left>")
    _ = prompt.handle(.character("\u{301}"))
    #expect(prompt.textBeforeCursor == "a\u{301}" && prompt.textAfterCursor == "b")
    // Deleting between two characters can join them, too.
    #expect(try typed("🇩x🇪", "<Left><BS>").needle.count == 1)
    #expect(try typed("🇩x🇪", "<Left><BS><BS>").needle == "")
  }

  @Test func `any keys and pastes keep the characters whole and the cursor among them`() throws {
    var generator = SeededGenerator(seed: 3)
    let pieces = ["a", " ", "\u{301}", "👨", "\u{200D}", "👩", "🇩", "🇪", "ᄒ", "ᅡ", "日", "https://a", "\n", "\t", "ש"]
    let edits = try keys(typed: "<Left><Right><Home><End><BS><Del><C-w><A-b><A-f><A-BS><A-d><C-k><C-u>")
    for _ in 0..<300 {
      var prompt = Prompt()
      for _ in 0..<60 {
        let piece = pieces.randomElement(using: &generator) ?? ""
        let edit = edits.randomElement(using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0: edit.map { _ = prompt.handle(Prompt.Input($0, .standard)) }
        case 1: prompt.paste(piece + (pieces.randomElement(using: &generator) ?? ""))
        default: for scalar in piece.unicodeScalars { _ = prompt.handle(.character(Character(scalar))) }
        }
        let (before, after) = (prompt.textBeforeCursor, prompt.textAfterCursor)
        #expect(before + after == prompt.needle && before.count + after.count == prompt.needle.count)
      }
    }
  }

  // MARK: Paste

  @Test(arguments: [
    ("https://a.example/feed?\ntoken=abc", "https://a.example/feed?token=abc"),
    ("https://a.example/\nb/\n  c.xml\n", "https://a.example/b/c.xml"),
    ("\nhttps://a.example/\n", "https://a.example/"),
    ("  \n\t\n  feed.json\n\n", "feed.json"), ("alpha\nq\nbravo", "alpha q bravo"), ("a\n\n\nb", "a b"),
    ("https://a.example/\nhttps://b.example/", "https://a.example/ https://b.example/"),
    ("see https://a.example/\nand more", "see https://a.example/ and more"),
    ("https://a.example/?next=\nx/https://b.example/", "https://a.example/?next=x/https://b.example/"),
    ("yt-dlp:https://a.example/\nwatch", "yt-dlp:https://a.example/watch"), ("alpha\tone", "alpha one"),
    (" one ", " one "), ("\n \n", ""), ("", ""), ("a\u{2028}b\u{85}c", "a b c"), ("a\u{1B}[A\u{7}\u{9B}b", "a[Ab"),
    ("\u{FEFF}https://a.example/\u{200B}\u{202E}", "https://a.example/"), ("👨‍👩‍👧‍👦日本é", "👨‍👩‍👧‍👦日本é"),
  ])
  func `a paste is one line`(pasted: String, line: String) { #expect(Prompt.line(of: pasted) == line) }

  @Test func `a break joins an address that began before the paste`() {
    var prompt = Prompt(needle: "open https://a.exa")
    prompt.paste("mple/feed\n?x=1\n")
    #expect(prompt.needle == "open https://a.example/feed?x=1")
  }

  @Test func `a paste that is too long is truncated, with a message until the next change`() throws {
    var scenario = Scenario.showing().typing(":")
    scenario.handle(.input(.paste("https://a.example/" + String(repeating: "b", count: 1_000_000))))
    #expect(scenario.state.commandPrompt.prompt?.needle.count == Prompt.maximumLength)
    #expect(scenario.screen.contains("Could not insert all of the text: a prompt holds at most 8,192 characters."))
    #expect(scenario.typing("x").screen.contains("Could not insert all"))
    #expect(!scenario.typing("<BS>").screen.contains("Could not insert all"))
    for key in ["/", "f", "?/"] {
      var scenario = Scenario.showing().typing(key)
      scenario.handle(.input(.paste(String(repeating: "b", count: 9_000))))
      #expect(scenario.screen.contains("Could not insert all"), "\(key)")
    }
  }

  @Test func `without a prompt an address is pasted into the command prompt, and other text does nothing`() {
    for place in ["", "<Enter>", " ", " f"] {
      var scenario = Scenario.showing().typing(place)
      let effectCount = scenario.effects.count
      scenario.handle(.input(.paste("https://a.example/\nfeed.xml\n")))
      #expect(scenario.state.commandPrompt.prompt?.needle == "https://a.example/feed.xml")
      #expect(scenario.effects.count == effectCount)
    }
    var handle = Scenario.showing()
    handle.handle(.input(.paste("@blender\n")))
    #expect(handle.state.commandPrompt.prompt?.needle == "@blender")
    var scenario = Scenario.showing()
    scenario.handle(.input(.paste("xqd\nxx")))
    #expect(scenario.state.commandPrompt.prompt == nil && !scenario.effects.contains(.quit))
    #expect(scenario.screen.contains("Could not paste: no prompt is open. Press : for a command"))
  }

  @Test func `the cursor divides the text`() throws {
    let prompt = try edited("<Left><Left>")
    #expect(prompt.textBeforeCursor == "one t" && prompt.textAfterCursor == "wo" && !prompt.isCursorAtEnd)
    var line = Canvas(size: Size(width: 40, height: 1))
    Prompt.Line("Filter", prompt, result: "2 of 3").draw(in: line.bounds, on: &line)
    #expect(line.text == "Filter: one t▏wo  2 of 3")
  }

  @Test(arguments: 10...60) func `the text at the cursor is visible in each width`(width: Int) throws {
    let text = String(repeating: "a", count: 30) + "XY" + String(repeating: "b", count: 30)
    let prompt = try edited(String(repeating: "<Left>", count: 31), text)
    var line = Canvas(size: Size(width: width, height: 1))
    Prompt.Line("Filter", prompt, result: "2 of 3").draw(in: line.bounds, on: &line)
    #expect(width < 12 || line.text.contains("X▏"))
    #expect(TextWidths().width(of: line.text) <= width)
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
    var history = Prompt.History()
    for number in 0..<150 { history.add("\(number)") }
    history.add("")
    #expect(history.texts.count == Prompt.History().maximumCount && history.texts.last == "149")
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
