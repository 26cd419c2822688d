import Glibc

/// What the person's environment says.
enum Environment {
  /// The variable's value; nil when it is not set or empty.
  static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
