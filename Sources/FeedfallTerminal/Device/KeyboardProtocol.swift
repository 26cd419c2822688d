/// kitty's keyboard protocol, which reports modifiers and Escape without ambiguity. It is switched on in terminals that
/// have answered the query, on the alternate screen, which has its own stack of modes.
struct KeyboardProtocol {
  var isSupported = false

  static let query = Array("\u{1B}[?u".utf8)

  // 1 reports unambiguous keys, 4 adds the keys of the standard layout.
  var push: [UInt8] { isSupported ? Array("\u{1B}[>5u".utf8) : [] }
  /// Changes the mode on top of the stack.
  var set: [UInt8] { isSupported ? Array("\u{1B}[=5u".utf8) : [] }
  var pop: [UInt8] { isSupported ? Array("\u{1B}[<u".utf8) : [] }
}
