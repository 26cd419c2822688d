import Glibc

/// What work takes of the processor, whatever else the machine does meanwhile.
enum ProcessorTime {
  /// On this thread.
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

  /// What this process has used so far, with all its threads.
  static var millisecondsOfProcess: Double { now(CLOCK_PROCESS_CPUTIME_ID) }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }
}
