import CFeedfallCurses
import Glibc

/// The person's own terminal, as terminfo would describe it if it were told of all colours and of enough pairs of them.
///
/// The entries that everybody has know of 8 or 256 colours and of 65,536 pairs: enough for text, not for pictures, and
/// xterm says that it is one with 8. This one is made in memory at each start, which takes less than looking for a file, leaves none behind and is never out of date.
struct DirectColorEntry {
  /// `TERMINFO=` and the entry.
  let setting: String
  /// As many colours as terminfo by itself knows of.
  let namedColors: Int

  /// The entry for the terminal of this name; nil where it selects colours in a way of its own.
  init?(name: String) {
    guard nc_load_entry() != 0 else { return nil }
    defer { nc_unload_entry() }
    // The Linux console shows all colours by sixteen, and the others are none of them.
    guard nc_number("colors") >= 8, !name.hasPrefix("linux"),
      let selection = TerminalProfile.string("setaf"), selection.starts(with: [0x1B, UInt8(ascii: "[")])
    else { return nil }
    namedColors = nc_flag("RGB") != 0 ? 1 << 24 : Int(nc_number("colors"))
    setting = "TERMINFO=b64:" + String(decoding: Base64.encode(Self.entry(name: name).compiled), as: UTF8.self)
  }

  private static func entry(name: String) -> TerminalEntry {
    var entry = loaded(name: name)
    entry.addedFlags = ["RGB"] + ["AX", "XT"].filter { nc_flag($0) != 0 }
    // Line drawing as Unicode, where the terminal cannot do it otherwise.
    let unicode = nc_number("U8")
    if unicode >= 0 { entry.addedNumbers = [.init(name: "U8", value: unicode)] }
    entry.set("ccc", to: false)
    entry.set("initc", to: nil)
    entry.set("colors", to: 1 << 24)
    entry.set("pairs", to: 1 << 20)
    entry.set("setaf", to: selection(low: "3", high: "9", extended: "38"))
    entry.set("setab", to: selection(low: "4", high: "10", extended: "48"))
    return entry
  }

  /// Selects a colour: one of the person's own palette by its number below 256, and any other by its parts.
  private static func selection(low: String, high: String, extended: String) -> String {
    "\u{1B}[%?%p1%{8}%<%t\(low)%p1%d%e%p1%{16}%<%t\(high)%p1%{8}%-%d%e%p1%{256}%<%t\(extended);5;%p1%d"
      + "%e\(extended);2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m"
  }

  /// The entry that is loaded, with what terminfo itself defines.
  private static func loaded(name: String) -> TerminalEntry {
    TerminalEntry(
      names: name + "|all colours",
      flags: all(nc_flag_name) { nc_flag($0) != 0 },
      numbers: all(nc_number_name) { nc_number($0) },
      strings: all(nc_string_name) { nc_string($0).map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } }
    )
  }

  private static func all<Value>(
    _ name: (Int32) -> UnsafePointer<CChar>?, _ value: (UnsafePointer<CChar>) -> Value
  ) -> [TerminalEntry.Capability<Value>] {
    var result: [TerminalEntry.Capability<Value>] = []
    while let found = name(Int32(result.count)) {
      result.append(.init(name: String(cString: found), value: value(found)))
    }
    return result
  }
}
