import Glibc

/// The error number of a failed system call.
package struct SystemError: Error, Equatable, Sendable {
  package var number: Int32

  /// Creates the error of this thread's last system call, or of another number.
  package init(_ number: Int32 = errno) {
    self.number = number
  }

  /// The system's message, such as `No such file or directory`.
  package var message: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, strerror_r(number, start, buffer.count) == 0 else {
        return "error \(number)"
      }
      return String(cString: start)
    }
  }
}

extension Collection<UInt8> {
  /// The bytes with a terminating zero. C ignores everything after the first zero.
  package var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
