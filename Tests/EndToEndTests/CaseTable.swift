import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallCore
@testable import FeedfallTerminal

/// A fault of a kind that users of such programs report, as a check that the program does not have it.
struct Case: Sendable, CustomTestStringConvertible {
  let name: String
  let check: @Sendable () async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable () async throws -> Void) {
    (self.name, self.check) = (name, check)
  }

  var testDescription: String { name }
}

/// All cases by name. Their helpers are in `…Cases.swift`.
@Suite(.hangLimit) struct CaseTable {
  @Test(arguments: walks) func `walks from an address to videos end`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: keys) func `keys and pastes`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: terminals) func `unusual terminals`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: screens) func `what stays on the screen`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: attacks) func `attacks and surroundings`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: configurations) func `configuration files`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: downloads) func `downloads, queue and marks`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: hours) func `a first hour`(_ row: Case) async throws { try await row.check() }

  static let walks: [Case] = []

  static let keys: [Case] = [
    Case("Alt-q sent as ESC and q is no Escape and no quit") {
      #expect(KeyCases.keys("\u{1B}q") == [.alt("q")])
      #expect(KeyCases.prompt("alpha", "\u{1B}q\u{1B}x\u{1B}\r") == "alpha|")
    },
    Case("Alt-Backspace in a path deletes its last name") {
      #expect(KeyCases.prompt("open /srv/films/talks", "\u{1B}\u{7F}") == "open /srv/films/|")
    },
    Case("Option-Left of a Mac, Control-Left of rxvt, xterm, kitty and the old form move by a word") {
      for left in [
        "\u{1B}\u{1B}[D", "\u{1B}Od", "\u{1B}[1;5D", "\u{1B}[1;5:1D", "\u{1B}O5D", "\u{1B}b", "\u{1B}[98;3u",
      ] {
        #expect(KeyCases.prompt("alpha one", left) == "alpha |one", "\(left.dropFirst())")
      }
    },
    Case("a key held down in kitty repeats, and its release does nothing") {
      #expect(KeyCases.keys("\u{1B}[106;1:1u\u{1B}[106;1:2u\u{1B}[106;1:3u") == [.character("j"), .character("j")])
    },
    Case("Num Lock and Caps Lock are no modifiers") {
      #expect(KeyCases.keys("\u{1B}[1;129A\u{1B}[106;65u\u{1B}[99;133u") == [.up, .character("j"), .control("c")])
    },
    Case("Control and a Cyrillic letter are the key of the standard layout") {
      #expect(KeyCases.keys("\u{1B}[1089::99;5u\u{1B}[1092::97;5u") == [.control("c"), .control("a")])
    },
    Case("Control-[ and Control-M in kitty are still Escape and Enter") {
      #expect(
        KeyCases.keys("\u{1B}[91;5u\u{1B}[109;5u\u{1B}[105;5u\u{1B}[104;5u") == [.escape, .enter, .tab, .backspace])
    },
    Case("Control-Shift-C, the copy key of terminals, does not quit") {
      #expect(KeyCases.keys("\u{1B}[99;6u").allSatisfy { GlobalCommand.keymap.command(for: $0) == nil })
      #expect(KeyCases.keys("\u{1B}[27;6;67~").allSatisfy { GlobalCommand.keymap.command(for: $0) == nil })
    },
    Case("an accented letter composed by an input method is typed") {
      #expect(KeyCases.prompt("caf", "\u{1B}[0;;233u\u{1B}[;;101:769u") == "caféé|" && KeyCases.keys("\u{1B}[0u") == [])
    },
    Case("a DA1 answer that ssh splits after its ESC types no letters") {
      #expect(KeyCases.decoded("\u{1B}", "[?64;1;2c").last == .report(.attributes(hasSixel: false)))
      #expect(KeyCases.keys("\u{1B}", "[?64;1;2c") == [.escape])
    },
    Case("the end of a color answer that arrives late, torn in its terminator, is no key") {
      #expect(KeyCases.keys("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}", "\\") == [])
      #expect(KeyCases.keys("\u{1B}]11;rgb:ff", "ff/ffff/ffff\u{7}") == [])
    },
    Case("Alt-] in a terminal without modifiers does not swallow the keys after it") {
      #expect(KeyCases.keys("\u{1B}]", "j", "k") == [.character("j"), .character("k")])
    },
    Case("a paste whose end is torn is one paste, and the key after it is a key") {
      var decoder = InputDecoder()
      let items = ["\u{1B}[20", "0~ab\u{1B}[", "201", "~q"].flatMap { decoder.decode(Array($0.utf8)) }
      #expect(items == [.event(.paste("ab")), .event(.key(.character("q")))])
    },
    Case("a paste that stalls goes on as a paste") {
      #expect(
        KeyCases.decoded("\u{1B}[200~rm ", "xqd\u{1B}[201~") == [.event(.paste("rm ")), .event(.paste("xqd"))])
    },
    Case("a nested end of a paste leaves only text behind, no command and no line end") {
      #expect(KeyCases.prompt("", KeyCases.paste("a\u{1B}[200~b\r\n\u{3}c\t")) == "a[200~b c|")
    },
    Case("an address copied from a terminal of 80 columns is whole") {
      let rows = "https://video.example/feed.xml?token=0123456789\r\nabcdef&x=1\r"
      #expect(
        KeyCases.prompt("open ", KeyCases.paste(rows))
          == "open https://video.example/feed.xml?token=0123456789abcdef&x=1|")
    },
    Case("an address with a byte order mark or a zero-width space is clean") {
      #expect(KeyCases.prompt("", KeyCases.paste("\u{FEFF}https://a.example/\u{200B}")) == "https://a.example/|")
    },
    Case("a family typed piece by piece is one character for Backspace") {
      #expect(KeyCases.prompt("a", "👨\u{200D}👩\u{200D}👧\u{7F}") == "a|")
    },
    Case("the keyboard protocol is popped before the alternate screen is left") {
      let output = try await KeyCases.output(after: ["q"], upTo: "\u{1B}[?1049l")
      #expect(output.contains("\u{1B}[<u"))
    },
    Case("Control-C cancels a prompt instead of quitting, and a paste without a prompt opens one") {
      _ = try await KeyCases.output(
        after: ["/elep", "\u{3}", ":x", "\u{7}", KeyCases.paste("https://a.example/\nx")], upTo: "https://a.example/x")
    },
    Case("answers that arrive in pieces after the last key are not typed into the shell") {
      let unread = try await KeyCases.unread(
        KeyCases.answers, environment: ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"])
      #expect(unread == "")
    },
  ]

  static let terminals: [Case] = []

  static let screens: [Case] = []

  static let attacks: [Case] = []

  static let configurations: [Case] = []

  static let downloads: [Case] = []

  static let hours: [Case] = []
}
