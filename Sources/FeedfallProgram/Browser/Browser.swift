import FeedfallFeeds
import FeedfallSystem
import FeedfallText

/// Opens pages in the web browser with xdg-open.
enum Browser {
  /// Whether a browser would open on the user's screen: there is a display, and the session does not run over SSH.
  static var isAvailable: Bool {
    func isSet(_ name: String) -> Bool { Environment.process[name] != nil }
    let hasDisplay = isSet("DISPLAY") || isSet("WAYLAND_DISPLAY")
    return hasDisplay && !Environment.process.isRemote && program != nil
  }

  @Sendable static func open(_ address: WebAddress) {
    guard let program else { return }
    InstalledPrograms.startDetached(program, arguments(for: address))
  }

  /// All users of the machine can read them, so they contain no secret.
  static func arguments(for address: WebAddress) -> [String] { [address.forStorage.text] }

  private static var program: String? { InstalledPrograms.path(of: "xdg-open") }
}
