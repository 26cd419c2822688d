import Glibc

/// What the person's environment says.
enum Environment {
  /// The variable's value; nil when it is not set or empty.
  static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Whether it says that the terminal has all colours. GNU Screen passes on what it was started in, and has not.
  static var hasAllColors: Bool {
    guard let colors = value("COLORTERM") else { return false }
    let isScreen = value("TERM")?.hasPrefix("screen") == true && value("TMUX") == nil
    return (colors == "truecolor" || colors == "24bit") && !isScreen
  }
}
