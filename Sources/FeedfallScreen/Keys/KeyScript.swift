extension Key {
  /// An invalid key in a script.
  public struct ScriptError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The invalid text, as in `<Entr>`.
    public let written: String

    public var description: String {
      let names = namedBases.map { "<\($0.script)>" }.joined(separator: " ")
      return
        "\(shown) is not a key. Write characters, \(names) <F1> to <F\(lastFunction)>, "
        + "with modifiers as in <C-a> <A-b> <S-Left>."
    }

    private var shown: String { excerpt(of: written, width: 40) }
  }
}

/// Parses a script of keys such as `jj<Enter><C-d>`. A character is its own key, and names are in angle brackets, in
/// upper or lower case; `<lt>` is `<`. `C-`, `A-` and others before a name hold modifiers.
public func keys(typed script: String) throws(Key.ScriptError) -> [Key] {
  var keys: [Key] = []
  var rest = Substring(script)
  while let first = rest.popFirst() {
    guard first == "<" else {
      keys.append(try key(character: first))
      continue
    }
    guard let end = rest.firstIndex(of: ">") else { throw Key.ScriptError(written: "<" + rest) }
    keys.append(try key(named: rest[..<end]))
    rest = rest[rest.index(after: end)...]
  }
  return keys
}

private let lastFunction = 24

private let namedBases: [Key.Base] = [
  .enter, .escape, .character(" "), .tab, .backspace, .delete, .up, .down, .left, .right, .pageUp, .pageDown, .home,
  .end, .character("<"),
]

private func key(character: Character) throws(Key.ScriptError) -> Key {
  guard character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
    throw Key.ScriptError(written: character.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())
  }
  return .character(character)
}

private func key(named written: Substring) throws(Key.ScriptError) -> Key {
  var modifiers: Key.Modifiers = []
  var name = written
  while let modifier = modifier(before: name) {
    modifiers.insert(modifier)
    name = name.dropFirst(2)
  }
  guard let base = base(named: name, modifiers) else { throw Key.ScriptError(written: "<\(written)>") }
  return Key(base, modifiers)
}

private func modifier(before name: Substring) -> Key.Modifiers? {
  guard name.dropFirst().first == "-", let letter = name.first?.uppercased() else { return nil }
  return Key.modifierNames.first { String($0.letter) == letter }?.modifier
}

private func base(named name: Substring, _ modifiers: Key.Modifiers) -> Key.Base? {
  let wanted = name.lowercased()
  if let base = namedBases.first(where: { $0.script.lowercased() == wanted }) {
    // Shift and a character are another character.
    if case .character = base, modifiers == .shift { return nil }
    return base
  }
  if let number = (1...lastFunction).first(where: { wanted == "f\($0)" }) { return .function(number) }
  guard !modifiers.isEmpty, name.count == 1, let character = name.first else { return nil }
  guard modifiers.contains(.control) else { return modifiers.contains(.shift) ? nil : .character(character) }
  return wanted.first.flatMap { "abcdefghijklmnopqrstuvwxyz@[\\]^_?".contains($0) ? .character($0) : nil }
}
