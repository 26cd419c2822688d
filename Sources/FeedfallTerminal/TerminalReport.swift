import FeedfallScreen
import WaterfallEngine

/// What a terminal says about itself when asked.
enum TerminalReport: Hashable, Sendable {
  /// The answer that every terminal gives (DA1), so the last of a batch.
  case attributes(hasSixel: Bool)
  /// Name and version (XTVERSION).
  case name(String)
  /// How it would write now (DECRPSS of SGR), with the colour that was asked about or another.
  case rendition(hasAskedColor: Bool)
  /// How many colours a picture in sixels may have (XTSMGRAPHICS).
  case colorRegisters(Int)
  /// That all is well with it (DSR 5), when it has come so far.
  case status
  /// The colour behind the text (OSC 11).
  case background(RGB)
  /// A private mode (DECRPM): 1 or 2 when it can be set and reset, 0 when it is unknown.
  case mode(Int, setting: Int)
  /// One cell in pixels (CSI 6 t).
  case cell(Size)
  /// Something that nobody needs to know.
  case other
}

/// One thing that the bytes of a terminal say.
enum DecodedInput: Hashable, Sendable {
  case event(InputEvent)
  case report(TerminalReport)
}
