import CFeedfallPty
import Glibc
import WaterfallEngine

enum PseudoTerminal {
  private static let longestSilenceMilliseconds: Int32 = 20_000

  /// The complete output; nil if the program could not be started, failed, or wrote nothing for 20 s.
  static func output(of command: [String], _ environment: [String], size: Size) -> [UInt8]? {
    var process: pid_t = 0
    let arguments = cStrings(command)
    let variables = cStrings(environment)
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
