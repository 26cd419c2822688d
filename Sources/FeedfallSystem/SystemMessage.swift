import Glibc

/// The system's words for an error number.
package func systemMessage(_ error: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let start = buffer.baseAddress, strerror_r(error, start, buffer.count) == 0 else {
      return "error \(error)"
    }
    return String(cString: start)
  }
}
