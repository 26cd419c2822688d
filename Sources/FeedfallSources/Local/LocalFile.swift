import FeedfallSystem
import FeedfallText
import Glibc

enum LocalFile {
  enum Opened {
    case file(OpenFile)
    /// A pipe or a device, which can be read only once.
    case stream(descriptor: Int32)
  }

  @Sendable static func exists(_ file: FileAddress) -> Bool { access(file.path.cString, F_OK) == 0 }

  /// Opens a file without blocking, even if it is a pipe without a writer.
  static func open(_ path: String) throws(FeedFailure) -> Opened {
    let name = cleanedLine(path, limit: 120)
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      let error = SystemError()
      let isName = !name.isEmpty && !name.contains("/") && !FileExtension.isDocumentName(name)
      throw FeedFailure(error.number == ENOENT && isName ? .unknownName(name) : .file(.notOpened(error), name: name))
    }
    do {
      return try opened(descriptor, name)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func opened(_ descriptor: Int32, _ name: String) throws(FeedFailure) -> Opened {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FeedFailure(.file(.notOpened(SystemError()), name: name)) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw FeedFailure(.file(.notOpened(SystemError(EISDIR)), name: name))
    case S_IFREG:
      guard status.st_size <= LocalDocument.maximumByteCount else {
        throw FeedFailure(.file(.tooLarge, name: name))
      }
      return .file(OpenFile(descriptor: descriptor, name: name))
    default:
      // Reading it would take the keys from the program.
      guard isatty(descriptor) == 0 else { throw FeedFailure(.file(.terminal, name: name)) }
      return .stream(descriptor: descriptor)
    }
  }
}

extension LocalFile {
  final class OpenFile: DocumentBytes {
    private let descriptor: Int32
    private let name: String

    var isGrowing: Bool { false }

    init(descriptor: Int32, name: String) { (self.descriptor, self.name) = (descriptor, name) }

    deinit { close(descriptor) }

    func read(at offset: Int, timeoutMilliseconds: Int?) async -> DocumentPiece {
      if Task.isCancelled { return .failed(.cancelled) }
      do {
        let bytes = try Files.read(descriptor: descriptor, at: offset, count: LocalDocument.pieceByteCount)
        return bytes.isEmpty ? .end : .bytes(bytes)
      } catch {
        return .failed(FeedFailure(.file(.notRead(error), name: name)))
      }
    }
  }
}
