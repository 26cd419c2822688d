import CFeedfallPty
import Glibc
import WaterfallEngine

/// A program that ran in a terminal which takes bytes at a rate, and answers as a terminal does when it has come so far.
struct DrainedProgram {
  var byteCount = 0
  /// Of all its threads and of the children that it waited for.
  var processorMilliseconds = 0.0
  /// When each frame that ends by restoring the cursor was taken, in milliseconds of the steady clock.
  var frameTimes: [Double] = []

  /// - Parameter bytesPerSecond: nil for as fast as it goes.
  /// Nil where it could not be started, failed or went on for too long.
  init?(_ command: [String], size: Size, bytesPerSecond: Int? = nil, answers: Bool = true, limitSeconds: Double = 60) {
    var process: pid_t = 0
    var arguments = command.map { strdup($0) } + [nil]
    let variables = ["TERM=xterm-256color", "COLORTERM=truecolor", "LC_ALL=C.UTF-8"]
    let home = "HOME=" + (getenv("HOME").map { String(cString: $0) } ?? "/")
    let path = "PATH=" + (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin")
    var surroundings = (variables + [home, path]).map { strdup($0) } + [nil]
    defer { for text in arguments + surroundings { free(text) } }
    let master = pty_spawn(&arguments, &surroundings, Int32(size.height), Int32(size.width), &process)
    guard master >= 0 else { return nil }
    defer { close(master) }
    drain(master, bytesPerSecond, answers: answers, until: steadyMilliseconds() + limitSeconds * 1000)
    var status: Int32 = 0
    var usage = rusage()
    // It has ended, or has had its time.
    kill(process, SIGHUP)
    guard wait4(process, &status, 0, &usage) == process, status == 0 else { return nil }
    processorMilliseconds = Subprocess.milliseconds(usage.ru_utime) + Subprocess.milliseconds(usage.ru_stime)
  }

  private mutating func drain(_ master: Int32, _ rate: Int?, answers: Bool, until deadline: Double) {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let start = steadyMilliseconds()
    var allowed = 0.0
    var last = start
    var scanner = SequenceScanner()
    while steadyMilliseconds() < deadline {
      var most = piece.count
      if let rate {
        let now = steadyMilliseconds()
        // What was not used does not gather.
        allowed = min(allowed + (now - last) * Double(rate) / 1000, Double(rate) / 100)
        last = now
        most = min(most, Int(allowed))
        guard most > 0 else {
          usleep(2000)
          continue
        }
      }
      let count = pty_read(master, &piece, most, 200)
      guard count >= 0 else { return }
      allowed -= Double(count)
      byteCount += count
      for found in scanner.scan(piece[..<count]) {
        switch found {
        case .frameEnd: frameTimes.append(steadyMilliseconds())
        case .question: if answers { _ = write(master, "\u{1B}[0n", 4) }
        }
      }
    }
  }
}

/// Finds the two sequences that matter, in whatever pieces they come.
private struct SequenceScanner {
  enum Found { case frameEnd, question }

  private var recent: UInt32 = 0

  mutating func scan(_ bytes: ArraySlice<UInt8>) -> [Found] {
    var found: [Found] = []
    for byte in bytes {
      recent = recent << 8 | UInt32(byte)
      if recent & 0xFFFF == 0x1B38 { found.append(.frameEnd) }
      if recent == 0x1B5B_356E { found.append(.question) }
    }
    return found
  }
}

/// Of the clock that all processes share.
func steadyMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}
