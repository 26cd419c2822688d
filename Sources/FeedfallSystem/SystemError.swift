import Glibc

package struct SystemError: Error, Equatable, Sendable {
  package var number: Int32

  /// Creates the error of this thread's last system call, or of another number.
  package init(_ number: Int32 = errno) { self.number = number }

  // The system has no numbers for these.
  package static let notAFile = SystemError(-1)
  package static let isLink = SystemError(-4)
  package static let ofAnotherUser = SystemError(-2)
  package static let hasOtherName = SystemError(-3)

  /// Whether something other than a file of the user has its name.
  package var isOfPlace: Bool { number < 0 }

  package var message: String {
    switch self {
    case .notAFile: return "It is not a file"
    case .isLink: return "It is a symbolic link"
    case .ofAnotherUser: return "It belongs to another user"
    case .hasOtherName: return "It has another hard link"
    default: break
    }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, strerror_r(number, start, buffer.count) == 0 else {
        return "error \(number)"
      }
      return String(cString: start)
    }
  }

  /// The number of descriptors that a request or a database needs, at most.
  private static let usualDescriptorCount = 8

  /// Why few or no further files can be opened: `EMFILE` or `ENFILE`; nil where there is room. Libraries that fail for
  /// want of descriptors report something else.
  package static func ofMissingDescriptors() -> SystemError? {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<usualDescriptorCount {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        let error = SystemError()
        return [EMFILE, ENFILE].contains(error.number) ? error : nil
      }
      opened.append(descriptor)
    }
    return nil
  }
}

extension Collection<UInt8> {
  /// The bytes with a terminating zero. C ignores everything after the first zero.
  package var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
