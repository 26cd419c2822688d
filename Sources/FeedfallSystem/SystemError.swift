import Glibc

/// The error number of a failed system call.
package struct SystemError: Error, Equatable, Sendable {
  package var number: Int32

  /// The error of the last system call of this thread, unless another number is given.
  package init(_ number: Int32 = errno) {
    self.number = number
  }

  /// The system's message for the number, as in `No such file or directory`.
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
  /// The bytes with a terminating zero for C, which sees nothing after a zero among the bytes themselves.
  package var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
