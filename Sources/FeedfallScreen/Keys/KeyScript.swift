/// An invalid key in a script.
public struct KeyScriptError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The invalid text, as in `<Entr>`.
  public let written: String

  public var description: String {
    let names = namedKeys.map(\.script).joined(separator: " ")
    return
      "\(shown) is not a key. Write characters, \(names) <lt> <C-a> to <C-z> <C-Space> <F1> to <F\(lastFunction)>."
  }

  /// The invalid text, truncated to fit a line.
  private var shown: String { truncated(written, width: 40) }
}

/// Parses a script of keys such as `jj<Enter><C-d>`. A character is its own key, and names are in angle brackets, in
/// upper or lower case; `<lt>` is `<`.
public func keys(typed script: String) throws(KeyScriptError) -> [Key] {
  var keys: [Key] = []
  var rest = Substring(script)
  while let first = rest.popFirst() {
    guard first == "<" else {
      keys.append(try key(character: first))
      continue
    }
    guard let end = rest.firstIndex(of: ">") else { throw KeyScriptError(written: "<" + rest) }
    keys.append(try key(named: rest[..<end]))
    rest = rest[rest.index(after: end)...]
  }
  return keys
}

private let lastFunction = 24

/// The keys with fixed names.
private let namedKeys: [Key] = [
  .enter, .escape, .character(" "), .tab, .backTab, .backspace, .delete, .up, .down, .left, .right,
  .shiftLeft,
  .shiftRight, .pageUp, .pageDown, .home, .end,
]

private func key(character: Character) throws(KeyScriptError) -> Key {
  guard character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
    throw KeyScriptError(written: character.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())
  }
  return .character(character)
}

private func key(named name: Substring) throws(KeyScriptError) -> Key {
  let written = "<\(name)>"
  let wanted = written.lowercased()
  if let key = (namedKeys + [.character("<")]).first(where: { $0.script.lowercased() == wanted }) {
    return key
  }
  if let key = controlKey(named: wanted) ?? functionKey(named: wanted) { return key }
  throw KeyScriptError(written: written)
}

private func controlKey(named name: String) -> Key? {
  guard name.hasPrefix("<c-") else { return nil }
  let held = name.dropFirst(3).dropLast()
  if held == "space" { return .control(" ") }
  guard held.count == 1, let character = held.first, "abcdefghijklmnopqrstuvwxyz@[\\]^_?".contains(character)
  else {
    return nil
  }
  return .control(character)
}

private func functionKey(named name: String) -> Key? {
  (1...lastFunction).first { name == "<f\($0)>" }.map { .function($0) }
}
