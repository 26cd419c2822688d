import FeedfallFeeds
import FeedfallSystem
import Glibc

/// A file of a known size, open for reading.
final class OpenFile: DocumentBytes {
  private let descriptor: Int32
  private let name: String

  var isGrowing: Bool { false }

  /// Takes over an open descriptor.
  init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  deinit {
    close(descriptor)
  }

  func read(at offset: Int, patienceMilliseconds: Int?) async -> DocumentPiece {
    if Task.isCancelled { return .cancelled }
    let (bytes, error) = readPiece(of: descriptor, at: offset)
    if error != 0 {
      return .failed(FeedFailure(.temporary, "\(name) could not be read: \(SystemError(error).message)"))
    }
    return bytes.isEmpty ? .end : .bytes(bytes)
  }
}

/// Reads a piece of a file; no bytes mean its end, or an error where `error` is not 0.
func readPiece(of descriptor: Int32, at offset: Int) -> (bytes: [UInt8], error: Int32) {
  var error: Int32 = 0
  let bytes = [UInt8](unsafeUninitializedCapacity: DocumentLimits.pieceByteCount) { buffer, count in
    var result: Int
    repeat {
      result = pread(descriptor, buffer.baseAddress, buffer.count, offset)
    } while result < 0 && errno == EINTR
    if result < 0 { error = errno }
    count = max(0, result)
  }
  return (bytes, error)
}
