import Glibc

/// The time that the terminal's limits are measured by; tests replace it.
protocol TerminalClock {
  /// Milliseconds since a fixed moment; never decreases.
  var now: Int { get }

  /// Waits until a descriptor is ready for one of these `poll` events; returns false if it is not within `milliseconds`.
  func wait(for descriptor: Int32, events: Int32, milliseconds: Int) -> Bool
}

/// The system's steady clock.
struct MonotonicClock: TerminalClock {
  var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  func wait(for descriptor: Int32, events: Int32, milliseconds: Int) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&polled, 1, Int32(clamping: milliseconds)) > 0
  }
}
