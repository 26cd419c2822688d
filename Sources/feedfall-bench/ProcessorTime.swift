import Glibc

/// What work takes of the processor, whatever else the machine does meanwhile.
enum ProcessorTime {
  static func milliseconds(_ work: () -> Void) -> Double {
    let start = now
    work()
    return now - start
  }

  /// Of this thread.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }
}
