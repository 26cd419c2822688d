import Glibc

/// A pipe whose ends are closed in children; nil where there are no descriptors left.
package func makePipe() -> (reading: Int32, writing: Int32)? {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { return nil }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}
