import FeedfallScreen
import TestSupport
import Testing

@Suite(.hangLimit) struct KeyTests {
  static let all: [Key] =
    [
      .up, .down, .left, .right, .shiftLeft, .shiftRight, .pageUp, .pageDown, .home, .end, .enter, .escape,
      .tab,
      .backTab, .backspace, .delete, .character("<"), .character(">"), .character(" "), .character("é"),
      .character("漢"),
      .control(" "), .control("["), .control("d"), .function(1), .function(12), .alt("b"), .alt("B"), .alt("-"),
      .alt("<"), .alt(" "), Key(.left, .control), Key(.right, .alt), Key(.backspace, .alt), Key(.delete, .control),
      Key(.character("x"), .super), Key(.character("c"), [.control, .shift]), Key(.up, [.hyper, .meta, .alt]),
    ] + "abcXYZ019/?+-[]".map { .character($0) }

  @Test func `a script is parsed into keys`() throws {
    let keys = try keys(typed: "jj<Enter><C-d>G <lt>x><Esc><S-Tab><pgdn><F10>")
    #expect(
      keys == [
        .character("j"), .character("j"), .enter, .control("d"), .character("G"), .character(" "),
        .character("<"),
        .character("x"), .character(">"), .escape, .backTab, .pageDown, .function(10),
      ])
  }

  @Test func `every key is parsed from its own notation`() throws {
    #expect(try keys(typed: Self.all.map(\.script).joined()) == Self.all)
  }

  @Test(arguments: [
    "<Entr>", "<>", "<C-ab>", "<C->", "<F0>", "<F25>", "<F-1>", "<F+1>", "<Enter", "<S-a>", "<S-Space>", "<C-é>",
    "<A->", "<A-Entr>", "<a>",
  ])
  func `an unknown name is reported with all valid names`(script: String) {
    let error = #expect(throws: Key.ScriptError.self) { try keys(typed: "jj" + script) }
    #expect(error?.written == script)
    #expect(
      error?.description.hasPrefix("\(script) is not a key. Write characters, <Enter> <Esc>") == true)
  }

  @Test func `a control character in a script is an error`() {
    let error = #expect(throws: Key.ScriptError.self) { try keys(typed: "j\n") }
    #expect(error?.written == "\\n")
  }

  @Test(arguments: [
    (Key.control("d"), "^D"), (.character(" "), "space"), (.character("g"), "g"), (.character("G"), "G"),
    (.pageDown, "PgDn"),
    (.shiftLeft, "⇧←"), (.enter, "Enter"), (.escape, "Esc"), (.function(5), "F5"), (.control("["), "^["),
    (.up, "↑"), (.alt("b"), "Alt-b"), (Key(.left, .control), "^←"), (Key(.backspace, .alt), "Alt-Backspace"),
    (Key(.character("c"), [.control, .shift]), "^⇧C"), (Key(.character("x"), .super), "Super-x"),
  ])
  func `a key has a name for help texts`(key: Key, name: String) {
    #expect(key.name == name)
  }

  @Test func `only a character without modifiers types text`() {
    #expect(Key.character("é").typed == "é")
    for key in Self.all where !key.modifiers.isEmpty { #expect(key.typed == nil) }
  }

  @Test func `no two keys have the same name`() {
    #expect(Set(Self.all.map(\.name)).count == Self.all.count)
  }
}
