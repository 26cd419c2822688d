import FeedfallSystem
import FeedfallText
import Glibc

/// A picture that is a file on this machine.
enum PictureFile {
  /// Reads it on a thread of its own, as a disk may take its time; what is no regular file, or a larger one than the
  /// limit, counts as no picture.
  static func bytes(of address: FileAddress, limit: Int) async -> PictureAnswer {
    let noThread = FeedFailure(.temporary, "\(name(of: address)) could not be read: there is no thread for it")
    return await DetachedThread.run { isStopped in
      do throws(FeedFailure) {
        let bytes = try read(address, limit: limit, isStopped: isStopped)
        return isStopped() ? .cancelled : .bytes(bytes)
      } catch {
        return .missing(error)
      }
    } ?? .failed(noThread)
  }

  private static func name(of address: FileAddress) -> String { cleanedLine(address.name, limit: 120) }

  private static func read(
    _ address: FileAddress, limit: Int, isStopped: () -> Bool
  ) throws(FeedFailure) -> [UInt8] {
    let name = name(of: address)
    // A pipe would wait for who writes into it.
    let descriptor = open(address.path.cString, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw LocalFile.failure(errno, name) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw LocalFile.failure(errno, name) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw FeedFailure(.permanent, "\(name) is no file of a picture") }
    var bytes: [UInt8] = []
    while !isStopped() {
      guard bytes.count <= limit, facts.st_size <= limit else {
        throw FeedFailure(.permanent, "\(name) is larger than \(limit >> 20) MB")
      }
      let (piece, error) = readPiece(of: descriptor, at: bytes.count)
      guard error == 0 else { throw LocalFile.failure(error, name) }
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }
}
