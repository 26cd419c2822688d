import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

/// Reads whole local documents: files, named pipes and standard input.
enum DocumentFile {
  /// The maximum size of a feed list, 32 MiB.
  private static let maximumByteCount = 32 << 20

  /// Returns the content of a feed list; `-` is standard input.
  static func bytes(of path: String) throws(FeedFailure) -> [UInt8] {
    do {
      return try bytes(of: path, limit: maximumByteCount)
    } catch {
      switch error {
      case .tooLarge: throw FeedFailure(.permanent, "it is larger than 32 MB", advice: "give an OPML file")
      case .system(let error):
        throw FeedFailure(
          .permanent, error.message, advice: "check its name and permissions")
      case .notRegular: throw FeedFailure(.permanent, "it is not a file")
      }
    }
  }

  /// Returns the content of a document; `-` is standard input.
  static func bytes(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    guard path != "-" else { return try Files.read(descriptor: STDIN_FILENO, limit: limit) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(SystemError()) }
    defer { close(descriptor) }
    return try Files.read(descriptor: descriptor, limit: limit)
  }
}
