import Glibc

/// The processor time of work, which does not include other processes.
enum ProcessorTime {
  /// The time of this thread.
  static func milliseconds(_ work: () -> Void) -> Double {
    let start = now(CLOCK_THREAD_CPUTIME_ID)
    work()
    return now(CLOCK_THREAD_CPUTIME_ID) - start
  }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }
}

/// The time of the monotonic clock, which all processes share.
func steadyMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}
