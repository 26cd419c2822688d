import CFeedfallGuard
import FeedfallCore
import FeedfallSystem
import FeedfallText
import Glibc

/// What surrounds the program.
enum Surroundings {
  static func hasVariable(_ name: String) -> Bool {
    guard let value = getenv(name) else { return false }
    return value.pointee != 0
  }
}

/// The web browser, by way of xdg-open.
enum Browser {
  /// Whether a browser would open where the person sits: there is a display, and it is not at the far end of ssh.
  static var isAvailable: Bool {
    let hasDisplay = Surroundings.hasVariable("DISPLAY") || Surroundings.hasVariable("WAYLAND_DISPLAY")
    let isRemote = Surroundings.hasVariable("SSH_CONNECTION") || Surroundings.hasVariable("SSH_TTY")
    return hasDisplay && !isRemote && InstalledPrograms.path(of: "xdg-open") != nil
  }

  @Sendable static func open(_ address: WebAddress) {
    guard let program = InstalledPrograms.path(of: "xdg-open") else { return }
    withArguments([program, address.text].map { Array($0.utf8) }) { _ = guard_spawn_detached($0) }
  }
}
