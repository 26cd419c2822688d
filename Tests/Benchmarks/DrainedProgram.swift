import CFeedfallPty
import Glibc
import WaterfallEngine

/// A finished program and its cost. It ran in a pseudo-terminal that reads at a limited rate, and that answers a status
/// request when it has read it.
struct DrainedProgram {
  var byteCount = 0
  /// The processor time of all its threads and of the children it waited for.
  var processorMilliseconds = 0.0
  /// When the end of each frame (restoring the cursor) was read, in milliseconds of the steady clock.
  var frameTimes: [Double] = []

  /// Runs the program; nil if it could not be started, failed or exceeded its time limit.
  ///
  /// - Parameter bytesPerSecond: nil for no limit.
  init?(_ command: [String], size: Size, bytesPerSecond: Int? = nil, answers: Bool = true, limitSeconds: Double = 60) {
    var process: pid_t = 0
    var arguments = command.map { strdup($0) } + [nil]
    let variables = ["TERM=xterm-256color", "COLORTERM=truecolor", "LC_ALL=C.UTF-8"]
    let home = "HOME=" + (getenv("HOME").map { String(cString: $0) } ?? "/")
    let path = "PATH=" + (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin")
    var environment = (variables + [home, path]).map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    let master = pty_spawn(&arguments, &environment, Int32(size.height), Int32(size.width), &process)
    guard master >= 0 else { return nil }
    defer { close(master) }
    drain(master, bytesPerSecond, answers: answers, until: steadyMilliseconds() + limitSeconds * 1000)
    var status: Int32 = 0
    var usage = rusage()
    // It has ended or exceeded its time limit.
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
        // An unused allowance accumulates for at most 10 ms.
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
        case .statusRequest: if answers { _ = write(master, "\u{1B}[0n", 4) }
        }
      }
    }
  }
}

/// Finds the ends of frames and the status requests, also if they are split between pieces.
private struct SequenceScanner {
  enum Found { case frameEnd, statusRequest }

  private var recent: UInt32 = 0

  mutating func scan(_ bytes: ArraySlice<UInt8>) -> [Found] {
    var found: [Found] = []
    for byte in bytes {
      recent = recent << 8 | UInt32(byte)
      if recent & 0xFFFF == 0x1B38 { found.append(.frameEnd) }
      if recent == 0x1B5B_356E { found.append(.statusRequest) }
    }
    return found
  }
}

/// The time of the monotonic clock, which all processes share.
func steadyMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}
