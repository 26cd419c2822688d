import CFeedfallPty
import Glibc
import WaterfallEngine

/// A program in a terminal of its own.
enum PseudoTerminal {
  private static let longestSilenceMilliseconds: Int32 = 20_000

  /// All that it wrote until it ended; nil where it could not be started, failed, or said nothing for long.
  static func output(of command: [String], _ surroundings: [String], size: Size) -> [UInt8]? {
    var process: pid_t = 0
    let arguments = cStrings(command)
    let variables = cStrings(surroundings)
    defer { for string in arguments + variables { free(string) } }
    let master = pty_spawn(arguments, variables, Int32(size.height), Int32(size.width), &process)
    guard master >= 0 else { return nil }
    defer { close(master) }
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = pty_read(master, &piece, piece.count, longestSilenceMilliseconds)
      if count == 0 { kill(process, SIGKILL) }
      guard count > 0 else { break }
      output += piece[..<count]
    }
    var status: Int32 = 0
    return waitpid(process, &status, 0) == process && status == 0 ? output : nil
  }

  private static func cStrings(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
    strings.map { strdup($0) } + [nil]
  }
}
