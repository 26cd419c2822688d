import CFeedfall
import Glibc

/// A file in memory that curses writes to, so that a frame is sent to the terminal in one piece.
final class CapturedOutput {
  let stream: UnsafeMutablePointer<FILE>
  private let descriptor: Int32

  init?() {
    descriptor = guard_memory_file()
    guard descriptor >= 0, let stream = fdopen(descriptor, "w+") else { return nil }
    self.stream = stream
  }

  deinit {
    fclose(stream)
  }

  func drain() -> [UInt8] {
    fflush(stream)
    let length = Int(lseek(descriptor, 0, SEEK_CUR))
    guard length > 0 else { return [] }
    lseek(descriptor, 0, SEEK_SET)
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, length, 0))
    }
  }
}
