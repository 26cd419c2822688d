import TestSupport
import Testing

@testable import FeedfallSystem

@Suite(.hangLimit) struct CommandWordsTests {
  @Test(arguments: [
    ("pass show cloud", ["pass", "show", "cloud"]), ("  a\t b ", ["a", "b"]), ("a 'b c' \"d e\"", ["a", "b c", "d e"]),
    ("a b'c'\"d\"", ["a", "bcd"]), (#"a b\ c \'"#, ["a", "b c", "'"]), (#"a "b\"\\\c" '\'"#, ["a", #"b"\\c"#, #"\"#]),
    ("a '' $HOME ~ *|;", ["a", "", "$HOME", "~", "*|;"]),
  ])
  func `a command is split like in a shell, without expansions`(text: String, words: [String]) {
    #expect(CommandWords.split(text) == words)
  }

  @Test(arguments: ["", "  ", "a 'b", "a \"b", "a \\", "'' b"])
  func `an incomplete command has no words`(text: String) {
    #expect(CommandWords.split(text) == nil)
  }
}
