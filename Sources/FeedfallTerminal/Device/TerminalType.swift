import CFeedfallCurses

/// The names of terminal types in terminfo.
public enum TerminalType {
  /// Values of `TERM` that other machines may lack, each with similar types, the best first.
  private static let aliases: [(prefix: String, types: [String])] = [
    ("xterm-ghostty", ["ghostty"]), ("xterm-kitty", ["kitty"]), ("ghostty", ["xterm-ghostty"]),
    ("kitty", ["xterm-kitty"]), ("alacritty", ["alacritty"]), ("foot", ["foot"]), ("wezterm", []),
    ("contour", ["contour"]), ("rio", []), ("st-", ["st-256color", "st"]), ("st", []), ("konsole", ["konsole"]),
    ("vte", ["vte"]), ("gnome", ["gnome"]), ("mlterm", ["mlterm"]), ("mintty", []), ("putty", ["putty"]),
    ("iterm2", []), ("iTerm", []), ("iterm", []), ("ms-terminal", []), ("nsterm", []), ("eterm-color", []),
    ("dtterm", []), ("rxvt", ["rxvt-256color", "rxvt"]), ("linux", ["linux"]), ("xterm", []),
  ]
  /// Terminals inside another terminal, which support fewer sequences than xterm.
  private static let multiplexers = ["tmux": ["tmux-256color", "screen-256color"], "screen": ["screen-256color"]]
  private static let last = ["xterm-256color", "xterm"]

  /// The types to try for the value of `TERM`, in order.
  static func candidates(_ name: String) -> [String] {
    if let types = multiplexers.first(where: { name.hasPrefix($0.key) })?.value { return [name] + types + ["screen"] }
    guard let alias = aliases.first(where: { name == $0.prefix || name.hasPrefix(dashed($0.prefix)) }) else {
      return [name]
    }
    return [name] + alias.types + (alias.prefix == "linux" ? [] : last)
  }

  private static func dashed(_ prefix: String) -> String { prefix.hasSuffix("-") ? prefix : prefix + "-" }

  /// Returns the value of `TERM`, or the first similar type, that this machine's terminfo has; nil if it has none. Do not
  /// call this while a terminal is open.
  public static func known(as name: String) -> String? {
    candidates(name).first { type in
      guard nc_load_entry(type) != 0 else { return false }
      nc_unload_entry()
      return true
    }
  }
}
