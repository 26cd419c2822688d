extension Key {
  /// What help texts call the key, as in `^D`, `PgDn`, `⇧←`.
  public var name: String {
    switch self {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .control(" "): "^space"
    case .control(let character): "^\(character.uppercased())"
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .shiftLeft: "⇧←"
    case .shiftRight: "⇧→"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .home: "Home"
    case .end: "End"
    case .enter: "Enter"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backTab: "⇧Tab"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .function(let number): "F\(number)"
    }
  }

  /// How the key is written in the scripts that `keys(typed:)` reads, as in `<C-d>`.
  public var script: String {
    switch self {
    case .character(" "): "<Space>"
    case .character("<"): "<lt>"
    case .character(let character): String(character)
    case .control(let character): "<C-\(character == " " ? "Space" : String(character))>"
    case .up: "<Up>"
    case .down: "<Down>"
    case .left: "<Left>"
    case .right: "<Right>"
    case .shiftLeft: "<S-Left>"
    case .shiftRight: "<S-Right>"
    case .pageUp: "<PgUp>"
    case .pageDown: "<PgDn>"
    case .home: "<Home>"
    case .end: "<End>"
    case .enter: "<Enter>"
    case .escape: "<Esc>"
    case .tab: "<Tab>"
    case .backTab: "<S-Tab>"
    case .backspace: "<BS>"
    case .delete: "<Del>"
    case .function(let number): "<F\(number)>"
    }
  }
}
