import AppCore
import CGuard
import Glibc
import Programs
import VideoFeed

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

/// mpv, which is lent the terminal.
enum Player {
  static func play(_ address: MediaAddress, title: String) -> PlayerOutcome {
    guard let program = InstalledPrograms.path(of: "mpv") else { return .missing }
    let hasDisplay = Surroundings.hasVariable("DISPLAY") || Surroundings.hasVariable("WAYLAND_DISPLAY")
    var arguments = [program, "--force-media-title=\(title)"]
    if !hasDisplay { arguments += ["--vo=tct", "--really-quiet"] }
    arguments += ["--", address.text]
    let status = withArguments(arguments.map { Array($0.utf8) }) { guard_spawn_wait($0, keep, keep, keep) }
    return outcome(ofWaitStatus: status)
  }

  private static let keep = Int32(GUARD_KEEP)

  /// A player that a person has quit, by a key or by ^C, has played.
  private static func outcome(ofWaitStatus status: Int32) -> PlayerOutcome {
    let signal = status & 0x7f
    let exitStatus = status >> 8 & 0xff
    if status < 0 { return .missing }
    if signal == SIGINT || signal == 0 && (exitStatus == 0 || exitStatus == interruptedStatus) { return .played }
    return .failed(status: Int(signal == 0 ? exitStatus : 128 + signal))
  }

  /// mpv's status after a person's ^C.
  private static let interruptedStatus: Int32 = 4
}
