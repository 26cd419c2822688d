import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

/// Documents on this machine that are read whole: files, named pipes and standard input.
enum DocumentFile {
  /// The most bytes of a list of feeds.
  private static let maximumByteCount = 32 << 20

  /// The bytes of a list of feeds; `-` is standard input.
  static func bytes(of path: String) throws(FeedFailure) -> [UInt8] {
    do {
      return try bytes(of: path, limit: maximumByteCount)
    } catch {
      switch error {
      case .tooLarge: throw FeedFailure(.permanent, "it is larger than 32 MB, which no list of feeds is")
      case .system(let error):
        throw FeedFailure(
          .permanent, "it could not be read: \(error.message)", advice: "check its name and permissions")
      case .notRegular: throw FeedFailure(.permanent, "it is no file")
      }
    }
  }

  /// The bytes of any document; `-` is standard input.
  static func bytes(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    guard path != "-" else { return try Files.read(descriptor: STDIN_FILENO, limit: limit) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(SystemError()) }
    defer { close(descriptor) }
    return try Files.read(descriptor: descriptor, limit: limit)
  }
}
