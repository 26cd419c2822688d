import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

private func decoded(_ text: String, keys: InputDecoder.KeySequences = [:]) -> [InputDecoder.Item] {
  var decoder = InputDecoder(keys: keys)
  return decoder.decode(Array(text.utf8)) + decoder.flush()
}

private func keys(_ text: String) -> [Key] {
  decoded(text).compactMap {
    if case .event(.key(let key)) = $0 { key } else { nil }
  }
}

@Suite(.hangLimit) struct InputDecoderTests {
  @Test(arguments: [
    ("a", Key.character("a")), (" ", .character(" ")), ("é", .character("é")), ("中", .character("中")),
    ("😀", .character("😀")),
    ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace),
    ("\u{1B}", .escape),
    ("\u{1}", .control("a")), ("\u{1A}", .control("z")), ("\u{0}", .control(" ")), ("\u{1F}", .control("_")),
  ])
  func `a character is decoded as a key`(text: String, key: Key) {
    #expect(decoded(text) == [.event(.key(key))])
  }

  @Test(arguments: [
    // Cursor keys: normal, application mode, with Shift, with Control, rxvt's.
    ("[A", Key.up), ("OA", .up), ("[1;5A", Key(.up, .control)), ("Oa", Key(.up, .control)), ("[a", Key(.up, .shift)),
    ("[1;2B", Key(.down, .shift)), ("[C", .right), ("OD", .left), ("[1;2D", .shiftLeft), ("[1;2C", .shiftRight),
    ("[1;6D", Key(.left, [.shift, .control])), ("[d", .shiftLeft), ("[1;5D", Key(.left, .control)),
    ("Od", Key(.left, .control)), ("O5D", Key(.left, .control)), ("O1;2P", Key(.function(1), .shift)),
    ("[1;3D", Key(.left, .alt)), ("[1;9D", Key(.left, .super)), ("[1;65D", .left), ("[1;129A", .up),
    ("[;5A", Key(.up, .control)),
    // Home and End in six spellings, the rest of the block, rxvt's modifiers.
    ("[H", .home), ("OH", .home), ("[1~", .home), ("[7~", .home), ("[7$", Key(.home, .shift)),
    ("[7^", Key(.home, .control)), ("[1;5H", Key(.home, .control)),
    ("[F", .end), ("OF", .end), ("[4~", .end), ("[8~", .end), ("[8@", Key(.end, [.shift, .control])),
    ("[5~", .pageUp), ("[6~", .pageDown), ("[6;5~", Key(.pageDown, .control)), ("[3~", .delete),
    ("[3;2~", Key(.delete, .shift)), ("[3;5~", Key(.delete, .control)), ("[3^", Key(.delete, .control)),
    ("[Z", .backTab), ("[1;2Z", .backTab),
    // Function keys of xterm, vt220, the Linux console.
    ("OP", .function(1)), ("OS", .function(4)), ("[[A", .function(1)), ("[[E", .function(5)),
    ("[11~", .function(1)), ("[15~", .function(5)), ("[17~", .function(6)), ("[24~", .function(12)),
    ("[R", .function(3)), ("[1;2P", Key(.function(1), .shift)), ("[57376u", .function(13)),
    // The keypad, modifyOtherKeys.
    ("OM", .enter), ("Oj", .character("*")), ("Op", .character("0")), ("Oy", .character("9")),
    ("[27;5;100~", .control("d")), ("[27;3;120~", .alt("x")), ("[27;2;65~", .character("A")),
    ("[27;6;67~", Key(.character("c"), [.shift, .control])), ("[27;5;104~", .backspace),
    // kitty's keyboard protocol.
    ("[100;5u", .control("d")), ("[27u", .escape), ("[9;2u", .backTab), ("[97;1:1u", .character("a")),
    ("[97;1:2u", .character("a")), ("[97;2u", .character("A")), ("[97:65;2u", .character("A")),
    ("[47:63;2u", .character("?")), ("[97;2;65u", .character("A")), ("[0;;229u", .character("å")),
    ("[120;3u", .alt("x")), ("[120:88;4u", .alt("X")), ("[113;9u", Key(.character("q"), .super)),
    ("[113;17u", Key(.character("q"), .hyper)), ("[113;33u", Key(.character("q"), .meta)),
    ("[99;6u", Key(.character("c"), [.shift, .control])), ("[106;65u", .character("j")),
    ("[1089::99;5u", .control("c")), ("[1089;1;1089u", .character("с")), ("[223;2u", .character("ß")),
    ("[127;2u", .backspace), ("[13;2u", .enter), ("[127;5u", Key(.backspace, .control)), ("[32;5u", .control(" ")),
    ("[109;5u", .enter), ("[91;5u", .escape), ("[105;5u", .tab), ("[57401u", .character("2")),
    ("[57401;129u", .character("2")), ("[57414u", .enter), ("[57426;5u", Key(.delete, .control)),
    ("[1;1:1B", .down), ("[6;1:2~", .pageDown),
  ])
  func `a sequence is decoded as a key`(sequence: String, key: Key) {
    #expect(decoded("\u{1B}" + sequence) == [.event(.key(key))])
  }

  @Test(arguments: [
    ("j", Key.alt("j")), ("A", .alt("A")), ("é", .alt("é")), ("\u{7F}", Key(.backspace, .alt)),
    ("\r", Key(.enter, .alt)),
    ("\u{2}", Key(.character("b"), [.alt, .control])), ("\u{1B}[D", Key(.left, .alt)), ("\u{1B}OD", Key(.left, .alt)),
    ("\u{1B}Od", Key(.left, [.alt, .control])), ("\u{1B}[3~", Key(.delete, .alt)),
  ])
  func `ESC and a key are the key with Alt`(text: String, key: Key) { #expect(keys("\u{1B}" + text) == [key]) }

  @Test(arguments: ["[106;1:3u", "[1;1:3B", "[6;1:3~", "[120;5:3u", "[27;1:3u", "[57401;1:3u", "[97;2:3;65u"])
  func `releasing a key is not a key press`(sequence: String) { #expect(decoded("\u{1B}" + sequence) == []) }

  @Test func `Escape before a report stays a key`() {
    #expect(decoded("\u{1B}\u{1B}[?62c") == [.event(.key(.escape)), .report(.attributes(hasSixel: false))])
    #expect(decoded("\u{1B}\u{1B}]11;#000000\u{7}").first == .event(.key(.escape)))
    #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
    #expect(keys("\u{1B}\u{1B}j") == [.escape, .alt("j")])
    #expect(keys("\u{1B}\u{1B}[2~") == [])
  }

  @Test func `every sequence keeps its modifiers`() {
    for bits: UInt8 in 1..<64 {
      let modifiers = Key.Modifiers(rawValue: bits)
      #expect(keys("\u{1B}[1;\(bits + 1)A") == [Key(.up, modifiers)])
      #expect(keys("\u{1B}[3;\(bits + 1):1~") == [Key(.delete, modifiers)])
      for key in keys("\u{1B}[120;\(bits + 1)u") + keys("\u{1B}[27;\(bits + 1);120~") {
        #expect(modifiers == .shift ? key == .character("X") : key != .character("x"), "\(modifiers)")
      }
    }
  }

  @Test func `the terminal's own sequences have priority`() {
    let own: InputDecoder.KeySequences = [Array("\u{1B}[A".utf8): .down, Array("\u{1B}P".utf8): .function(1)]
    #expect(decoded("\u{1B}[A\u{1B}P", keys: own) == [.event(.key(.down)), .event(.key(.function(1)))])
  }

  @Test func `bytes that are not UTF-8 are dropped`() {
    var decoder = InputDecoder()
    let bytes: [UInt8] = [
      0x80, 0x61, 0xC3, 0x62, 0xC0, 0xAF, 0xED, 0xA0, 0x80, 0xF5, 0x80, 0x80, 0x80, 0xFF, 0xE4, 0xB8, 0x63,
    ]
    #expect(decoder.decode(bytes).map(\.self) == "abc".map { .event(.key(.character($0))) })
  }

  @Test func `C1 controls are ignored`() {
    #expect(decoded("\u{80}\u{9B}A\u{9F}") == [.event(.key(.character("A")))])
  }

  @Test func `Control-C ends an incomplete sequence and is a key`() {
    #expect(keys("\u{1B}[1;\u{3}") == [.control("c")])
    #expect(keys("\u{1B}]11;\u{3}") == [.control("c")])
  }

  @Test(arguments: [
    "[99z", "[?1;2x", "[1;2;3;4;5q", "[2~", "[200;5u", "OE", "[57358u", "[<0;1M", "[999999999999~",
  ])
  func `an unknown sequence is skipped as a whole`(sequence: String) {
    #expect(keys("\u{1B}" + sequence + "x").suffix(1) == [.character("x")])
    #expect(keys("\u{1B}" + sequence + "x").count <= 2)
  }

  @Test(arguments: ["\u{1B}[1;2", "\u{1B}O5", "\u{1B}[[", "\u{1B}]11;rgb:ff", "\u{1B}P", "\u{1B}_G", "\u{1B}[M"])
  func `an incomplete sequence is not a key`(start: String) { #expect(keys(start) == []) }

  @Test(arguments: ["[", "O"] as [Character])
  func `Alt and the start of a sequence are a key after the time-out, and the next key is its own`(start: Character) {
    for next in "j1q ~;" {
      var decoder = InputDecoder()
      #expect(decoder.decode(Array("\u{1B}\(start)".utf8)) == [] && decoder.pending == .escape)
      #expect(decoder.flush() == [.event(.key(.alt(start)))])
      #expect(decoder.pending == nil && decoder.flush() == [])
      #expect(decoder.decode(Array(String(next).utf8)) == [.event(.key(.character(next)))])
    }
    #expect(keys("\u{1B}\u{1B}\(start)") == [.escape, .alt(start)])
    #expect(keys("\u{1B}\(start)\u{1B}\(start)").last == .alt(start))
  }

  @Test func `the rest of a split sequence is not a key after the time-out`() {
    for (rest, key) in [("5~", Key.pageUp), ("1;5A", Key(.up, .control)), ("H", .home)] {
      var decoder = InputDecoder()
      let start = decoder.decode(Array("\u{1B}[".utf8)) + decoder.flush()
      #expect(start + decoder.decode(Array(rest.utf8)) == [.event(.key(.alt("["))), .event(.key(key))])
      #expect(decoder.decode([0x6A]) == [.event(.key(.character("j")))])
    }
  }

  @Test func `the rest of a split arrow key is not a key`() {
    for arrow in ["\u{1B}[A", "\u{1B}OA"] {
      for count in 1...2 {
        var decoder = InputDecoder()
        let bytes = Array(arrow.utf8)
        let events = decoder.decode(bytes[..<count]) + decoder.flush() + decoder.decode(bytes[count...])
        #expect(events.suffix(1) == [.event(.key(.up))] && !events.contains(.event(.key(.character("A")))))
      }
    }
  }

  @Test func `a sequence that is too long is skipped as a whole`() {
    #expect(keys("\u{1B}[" + String(repeating: "1;", count: 5000) + "Ax") == [.character("x")])
    #expect(keys("\u{1B}]" + String(repeating: "y", count: 5000) + "\u{7}x") == [.character("x")])
  }

  // MARK: Mouse, paste and reports

  private func mouse(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int) -> [InputDecoder.Item] {
    [.event(.mouse(MouseEvent(kind, at: Point(x: x, y: y))))]
  }

  @Test func `three mouse protocols are decoded`() {
    #expect(decoded("\u{1B}[<0;10;5M") == mouse(.press, 9, 4))
    #expect(decoded("\u{1B}[<64;300;5M") == mouse(.wheelUp, 299, 4))
    #expect(decoded("\u{1B}[<81;1;1M") == mouse(.wheelDown, 0, 0))
    #expect(decoded("\u{1B}[M !\"") == mouse(.press, 0, 1))
    #expect(decoded("\u{1B}[Ma!!") == mouse(.wheelDown, 0, 0))
    #expect(decoded("\u{1B}[32;3;4M") == mouse(.press, 2, 3))
  }

  @Test func `drags and releases are decoded`() {
    #expect(decoded("\u{1B}[<32;10;5M") == mouse(.drag, 9, 4))
    #expect(decoded("\u{1B}[<0;10;5m") == mouse(.release, 9, 4))
    #expect(decoded("\u{1B}[M@!!") == mouse(.drag, 0, 0))
    #expect(decoded("\u{1B}[M#!!") == mouse(.release, 0, 0))
    #expect(decoded("\u{1B}[64;3;4M") == mouse(.drag, 2, 3))
  }

  @Test func `other buttons, motion without a button, and invalid positions are ignored`() {
    for sequence in [
      "<2;10;5m", "<34;10;5M", "<35;10;5M", "<2;1;1M", "<64;1;1m", "<0;0;5M", "<0;10M", "M\u{1}\u{1}\u{1}",
    ] {
      #expect(decoded("\u{1B}[" + sequence) == [], "\(sequence)")
    }
  }

  @Test func `pasted text is one event`() {
    let pasted = decoded("\u{1B}[200~a\u{1B}[A中\r\nb\rc\u{1B}[201\u{1B}[201~q")
    #expect(pasted == [.event(.paste("a\u{1B}[A中\nb\nc\u{1B}[201")), .event(.key(.character("q")))])
  }

  @Test func `a paste is truncated, and its rest is not typed`() {
    let long = String(repeating: "x", count: 100_000)
    let pasted = decoded("\u{1B}[200~" + long + "\u{1B}[201~")
    #expect(pasted == [.event(.paste(String(long.prefix(64 * 1024))))])
  }

  @Test func `an incomplete paste ends after its time-out, and its rest is not typed`() {
    var decoder = InputDecoder()
    _ = decoder.decode(Array("\u{1B}[200~ab".utf8))
    #expect(decoder.pending == .paste)
    #expect(decoder.flush() == [.event(.paste("ab"))] && decoder.pending == nil)
    #expect(decoder.decode(Array("qq\u{1B}[201~".utf8)) == [.event(.paste("qq"))])
    _ = decoder.decode(Array("\u{1B}[200~ab".utf8)) + decoder.flush()
    #expect(decoder.decode(Array("q".utf8)) == [.event(.key(.character("q")))])
  }

  @Test(arguments: [
    ("[?62;22c", TerminalReport.attributes(hasSixel: false)), ("[?62;4;22c", .attributes(hasSixel: true)),
    ("[?4c", .attributes(hasSixel: false)), ("[?1;0;256S", .colorRegisters(256)), ("[?1;3;0S", .other),
    ("[>41;330;0c", .kind(41, version: 330)),
    ("[?2026;2$y", .mode(2026, setting: 2)), ("[?2026;0$y", .mode(2026, setting: 0)),
    ("[6;17;9t", .cell(Size(width: 9, height: 17))), ("[4;600;800t", .other), ("[8;24;80t", .other),
    ("]11;rgb:ffff/8080/0000\u{7}", .background(RGB(red: 255, green: 128, blue: 0))),
    ("]11;rgb:ffff/8080/0000\u{1B}\\", .background(RGB(red: 255, green: 128, blue: 0))),
    ("]11;#102030\u{7}", .background(RGB(red: 16, green: 32, blue: 48))),
    ("]10;rgb:ff/ff/ff\u{7}", .other), ("]11;nonsense\u{7}", .other),
    ("[12;40R", .cursor(column: 40)), ("[1;5R", .cursor(column: 5)), ("[1;99999999R", .other),
    ("P>|XTerm(380)\u{1B}\\", .name("XTerm(380)")),
    ("[?5u", .keyboardProtocol), ("[?0u", .keyboardProtocol),
    ("_Gi=31;OK\u{1B}\\", .graphics(number: 31, isOK: true)),
    ("_Gi=7,p=1;ENOENT:x\u{1B}\\", .graphics(number: 7, isOK: false)),
    ("_Gi=x;OK\u{1B}\\", .other), ("_GOK\u{1B}\\", .other), ("_\u{1B}\\", .other),
    ("[0n", .status), ("[3n", .other), ("[n", .other),
    ("P1$r0;48:2::1:2:3m\u{1B}\\", .rendition(hasQueriedColor: true)),
    ("P1$r48:2:1:2:3m\u{1B}\\", .rendition(hasQueriedColor: true)),
    ("P1$r0;48;2;1;2;3m\u{1B}\\", .rendition(hasQueriedColor: true)),
    ("P1$r0;48:5:16m\u{1B}\\", .rendition(hasQueriedColor: false)), ("P0$r\u{1B}\\", .other),
    ("P1+r524742\u{1B}\\", .other), ("[I", nil), ("[O", nil), ("_Xi=1;OK\u{1B}\\", .other),
  ])
  func `reports are not keys`(sequence: String, report: TerminalReport?) {
    #expect(decoded("\u{1B}" + sequence) == (report.map { [.report($0)] } ?? []))
  }

  // MARK: Chunks

  private static let pieces: [[UInt8]] = [
    "\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}P", "\u{1B}\\", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}[M",
    "\u{1B}[<0;",
    "\u{1B}[[", "\u{7}", "11;rgb:", "99999999999", ";", "?", "$", "y", "M", "~", "中", "\u{1B}", ":", "c",
    "\u{18}",
  ].map { Array($0.utf8) }

  private static func bytes(using generator: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 1...60, using: &generator)).flatMap { _ in
      Bool.random(using: &generator)
        ? pieces.randomElement(using: &generator) ?? [] : [UInt8.random(in: 0...255, using: &generator)]
    }
  }

  @Test func `the result does not depend on chunks`() {
    var generator = SeededGenerator(seed: 42)
    for _ in 0..<2000 {
      let bytes = Self.bytes(using: &generator)
      var whole = InputDecoder()
      let expected = whole.decode(bytes) + whole.flush()
      var cut = InputDecoder()
      var events: [InputDecoder.Item] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...min(5, rest.count), using: &generator)
        events += cut.decode(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      events += cut.flush()
      #expect(events == expected, "\(bytes)")
    }
  }

  @Test func `after a flush and a letter, letters are keys`() {
    var generator = SeededGenerator(seed: 7)
    var decoder = InputDecoder()
    for _ in 0..<5000 {
      _ = decoder.decode(Self.bytes(using: &generator)) + decoder.flush()
      #expect(decoder.pending == nil)
      // A letter ends a control sequence, or is one of the bytes of an old mouse event.
      for _ in 0..<3 { _ = decoder.decode([0x61]) + decoder.flush() }
      #expect(decoder.decode([0x61]) == [.event(.key(.character("a")))])
    }
  }

  private static let answers = [
    "\u{1B}]11;rgb:ffff/8080/0000\u{1B}\\", "\u{1B}]11;#102030\u{7}", "\u{1B}[?2026;2$y", "\u{1B}P>|XTerm(380)\u{1B}\\",
    "\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\", "\u{1B}[6;17;9t", "\u{1B}[?62;4;22c", "\u{1B}[>41;380;0c", "\u{1B}[?5u",
    "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[0n", "\u{1B}[?1;0;256S",
  ]

  @Test func `an answer never becomes a key, however it is split or delayed`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<3000 {
      let answers = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        Self.answers.randomElement(using: &generator) ?? ""
      }
      var decoder = InputDecoder()
      var events: [InputDecoder.Item] = []
      var rest = Array(answers.joined().utf8)[...]
      while !rest.isEmpty {
        // A single byte in the middle of a string, after a pause, would be a key of the user.
        let count = min(Int.random(in: 2...9, using: &generator), rest.count == 3 ? 3 : rest.count)
        events += decoder.decode(rest.prefix(count))
        rest = rest.dropFirst(count)
        if decoder.pending != .escape || Bool.random(using: &generator) { events += decoder.flush() }
      }
      // Only the start alone may be a key: Escape or Alt-[.
      #expect(
        events.allSatisfy { [.event(.key(.escape)), .event(.key(.alt("[")))].contains($0) || $0.isReport },
        "\(answers) \(events)")
    }
  }
}

extension InputDecoder.Item {
  fileprivate var isReport: Bool { if case .report = self { true } else { false } }
}
