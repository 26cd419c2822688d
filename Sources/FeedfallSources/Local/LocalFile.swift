import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

/// An open file, pipe or device.
final class LocalFile: Sendable {
  private let descriptor: Int32
  private let name: String
  /// A pipe or a device can be read only once.
  private let isPipe: Bool

  @Sendable static func exists(_ file: FileAddress) -> Bool { access(file.path.cString, F_OK) == 0 }

  /// Opens a file without blocking, even if it is a pipe without a writer.
  init(_ path: String) throws(FeedFailure) {
    let name = cleanedLine(path, limit: 120)
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      let error = SystemError()
      let isName = !name.isEmpty && !name.contains("/") && !FileExtension.isDocumentName(name)
      throw FeedFailure(error.number == ENOENT && isName ? .unknownName(name) : .file(.notOpened(error), name: name))
    }
    do throws(FeedFailure) { isPipe = try Self.isPipe(descriptor, name) } catch {
      close(descriptor)
      throw error
    }
    (self.descriptor, self.name) = (descriptor, name)
  }

  deinit { close(descriptor) }

  private static func isPipe(_ descriptor: Int32, _ name: String) throws(FeedFailure) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FeedFailure(.file(.notOpened(SystemError()), name: name)) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw FeedFailure(.file(.notOpened(SystemError(EISDIR)), name: name))
    case S_IFREG:
      guard status.st_size <= FeedDocumentReader.maximumByteCount else {
        throw FeedFailure(.file(.tooLarge, name: name))
      }
      return false
    default:
      // Reading it would take the keys from the program.
      guard isatty(descriptor) == 0 else { throw FeedFailure(.file(.terminal, name: name)) }
      return true
    }
  }

  func pipe(_ name: String) -> PipeContent? { isPipe ? PipeContent(descriptor, owner: self, name: name) : nil }

  func bytes() throws(FeedFailure) -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try Files.read(
        descriptor: descriptor, limit: FeedDocumentReader.maximumByteCount, isCancelled: { Task.isCancelled })
    } catch {
      guard case .system(let error) = error else { throw FeedFailure(.file(.tooLarge, name: name)) }
      throw FeedFailure(.file(.notRead(error), name: name))
    }
    if Task.isCancelled { throw .cancelled }
    return bytes
  }
}
