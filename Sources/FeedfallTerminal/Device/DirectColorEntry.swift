import CFeedfallCurses
import FeedfallText
import Glibc

/// A terminfo entry for the user's terminal, extended by direct colors and enough color pairs.
///
/// Installed entries have 8 or 256 colors and 65,536 pairs: enough for text, but not for pictures; xterm identifies
/// itself as one with 8. This entry is built in memory at each start, which is faster than finding a file, leaves none
/// behind and is never out of date.
///
/// Curses scrolls only if more than half of the rows remain, so the entry lacks its sequences if the painter can
/// scroll.
///
/// The Linux console maps all colors to its few, so its entry only gets more pairs: one for each two colors.
struct DirectColorEntry {
  /// `TERMINFO=` and the entry.
  let setting: String
  let namedColors: Int
  /// The sequences that the painter writes itself; nil if the terminal has others.
  let sequences: CellWriter.Sequences?

  /// Fails if the terminal does not select colors by ECMA-48 sequences.
  init?(name: String) {
    guard nc_load_entry(name) != 0 else { return nil }
    defer { nc_unload_entry() }
    // The others have no colors.
    guard nc_number("colors") >= 8,
      let selection = TerminalProfile.string("setaf"), selection.starts(with: [0x1B, UInt8(ascii: "[")])
    else { return nil }
    namedColors = nc_flag("RGB") != 0 ? 1 << 24 : Int(nc_number("colors"))
    guard !name.hasPrefix("linux") else {
      sequences = nil
      setting = Self.loadedWithPairs(name: name).setting
      return
    }
    var entry = Self.entry(name: name)
    if entry.has(CellWriter.Sequences.required) {
      sequences = CellWriter.Sequences(
        canErase: nc_flag("bce") != 0 && entry.has(["ech": "\u{1B}[%p1%dX"]),
        canRepeat: entry.has(["rep": "%p1%c\u{1B}[%p2%{1}%-%db"]))
      entry.removeScrolling()
    } else {
      sequences = nil
    }
    setting = entry.setting
  }

  /// Also for the default colors, which count as one more.
  private static func loadedWithPairs(name: String) -> TerminalEntry {
    var entry = loaded(name: name)
    let colors = nc_number("colors") + 1
    entry.set("pairs", to: max(nc_number("pairs"), min(colors, 256) * min(colors, 256)))
    return entry
  }

  private static func entry(name: String) -> TerminalEntry {
    var entry = loaded(name: name)
    entry.addedFlags = ["RGB"] + ["AX", "XT"].filter { nc_flag($0) != 0 }
    // U8: line drawing only as Unicode.
    let unicode = nc_number("U8")
    if unicode >= 0 { entry.addedNumbers = [("U8", unicode)] }
    entry.set("ccc", to: false)
    entry.set("initc", to: nil)
    entry.set("colors", to: 1 << 24)
    entry.set("pairs", to: 1 << 20)
    entry.set("setaf", to: selection(low: "3", high: "9", extended: "38"))
    entry.set("setab", to: selection(low: "4", high: "10", extended: "48"))
    return entry
  }

  /// Selects a color: numbers below 256 are the user's palette, others are red, green and blue.
  private static func selection(low: String, high: String, extended: String) -> String {
    "\u{1B}[%?%p1%{8}%<%t\(low)%p1%d%e%p1%{16}%<%t\(high)%p1%{8}%-%d%e%p1%{256}%<%t\(extended);5;%p1%d"
      + "%e\(extended);2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m"
  }

  private static func loaded(name: String) -> TerminalEntry {
    var entry = TerminalEntry(
      names: name + "|all colours",
      flags: all(nc_flag_name) { nc_flag($0) != 0 },
      numbers: all(nc_number_name) { nc_number($0) },
      strings: all(nc_string_name) { nc_string($0).map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } }
    )
    // The real size may be enormous, and curses would reserve memory for it. It is set later.
    entry.set("lines", to: 24)
    entry.set("cols", to: 80)
    return entry
  }

  private static func all<Value>(
    _ name: (Int32) -> UnsafePointer<CChar>?, _ value: (UnsafePointer<CChar>) -> Value
  ) -> [TerminalEntry.Capability<Value>] {
    var result: [TerminalEntry.Capability<Value>] = []
    while let found = name(Int32(result.count)) {
      result.append((String(cString: found), value(found)))
    }
    return result
  }
}

extension DirectColorEntry {
  struct TerminalEntry {
    typealias Capability<Value> = (name: String, value: Value)

    /// The terminal's names, separated by `|`.
    var names: String
    // All predefined capabilities in terminfo's order; -1 and nil mark missing ones.
    var flags: [Capability<Bool>]
    var numbers: [Capability<Int32>]
    var strings: [Capability<[UInt8]?>]
    // User-defined capabilities, in any order.
    var addedFlags: [String] = []
    var addedNumbers: [Capability<Int32>] = []

    mutating func set(_ name: String, to flag: Bool) {
      for index in flags.indices where flags[index].name == name { flags[index].value = flag }
    }

    mutating func set(_ name: String, to number: Int32) {
      for index in numbers.indices where numbers[index].name == name { numbers[index].value = number }
    }

    mutating func set(_ name: String, to string: String?) {
      for index in strings.indices where strings[index].name == name {
        strings[index].value = string.map { Array($0.utf8) }
      }
    }

    func has(_ wanted: [String: String]) -> Bool {
      wanted.allSatisfy { name, value in strings.contains { $0.name == name && $0.value == Array(value.utf8) } }
    }

    /// Removes all that curses needs for scrolling, and lets it move the cursor down by VT, as it never does by LF.
    mutating func removeScrolling() {
      for name in ["ri", "rin", "il", "il1"] { set(name, to: nil as String?) }
      if has(["cud1": "\n"]) { set("cud1", to: "\u{B}") }
    }
  }
}

extension DirectColorEntry.TerminalEntry {
  fileprivate var setting: String { "TERMINFO=b64:" + String(decoding: Base64.encode(compiled), as: UTF8.self) }

  /// The compiled entry with 32-bit numbers (term(5), "Extended number format").
  var compiled: [UInt8] {
    var table: [UInt8] = []
    var offsets: [Int] = []
    for string in strings {
      offsets.append(string.value == nil ? -1 : table.count)
      if let value = string.value { table += value + [0] }
    }
    let names = Array(names.utf8) + [0]
    var bytes: [UInt8] = []
    for number in [0o1036, names.count, flags.count, numbers.count, strings.count, table.count] {
      bytes.appendShort(number)
    }
    bytes += names + flags.map { $0.value ? 1 : 0 }
    bytes.padToEven()
    for number in numbers { bytes.appendLong(number.value) }
    for offset in offsets { bytes.appendShort(offset) }
    bytes += table
    bytes.padToEven()
    return bytes + compiledAdditions
  }

  private var compiledAdditions: [UInt8] {
    let names = addedFlags + addedNumbers.map(\.name)
    var table: [UInt8] = []
    var offsets: [Int] = []
    for name in names {
      offsets.append(table.count)
      table += Array(name.utf8) + [0]
    }
    var bytes: [UInt8] = []
    for number in [addedFlags.count, addedNumbers.count, 0, names.count, table.count] { bytes.appendShort(number) }
    bytes += addedFlags.map { _ in 1 }
    bytes.padToEven()
    for number in addedNumbers { bytes.appendLong(number.value) }
    for offset in offsets { bytes.appendShort(offset) }
    return bytes + table
  }
}

extension [UInt8] {
  fileprivate mutating func appendShort(_ number: Int) {
    let bits = UInt16(truncatingIfNeeded: number)
    append(UInt8(truncatingIfNeeded: bits))
    append(UInt8(truncatingIfNeeded: bits >> 8))
  }

  fileprivate mutating func appendLong(_ number: Int32) {
    appendShort(Int(number))
    appendShort(Int(number >> 16))
  }

  fileprivate mutating func padToEven() {
    if !count.isMultiple(of: 2) { append(0) }
  }
}
