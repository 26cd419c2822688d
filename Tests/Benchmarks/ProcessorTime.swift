import Glibc

/// The processor time of work, which does not include other processes.
enum ProcessorTime {
  /// The time of this thread.
  static func milliseconds(_ work: () -> Void) -> Double {
    let start = now(CLOCK_THREAD_CPUTIME_ID)
    work()
    return now(CLOCK_THREAD_CPUTIME_ID) - start
  }

  static func millisecondsOfAllThreads(_ work: () async -> Void) async -> Double {
    let start = now(CLOCK_PROCESS_CPUTIME_ID)
    await work()
    return now(CLOCK_PROCESS_CPUTIME_ID) - start
  }

  /// The time used by all threads of this process so far.
  static var millisecondsOfProcess: Double { now(CLOCK_PROCESS_CPUTIME_ID) }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }
}
