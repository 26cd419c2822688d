import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

/// Reads whole local documents: files, named pipes and standard input.
extension Files {
  /// Returns the content of a feed list of at most 32 MiB; `-` is standard input.
  static func bytes(ofArgument argument: String) throws(FeedFailure) -> [UInt8] {
    do {
      return try bytes(ofArgument: argument, limit: 32 << 20)
    } catch {
      switch error {
      case .tooLarge:
        throw FeedFailure(.permanent, "it is larger than 32 MB", advice: "check whether it is a list of subscriptions")
      case .system(let error):
        throw FeedFailure(.permanent, error.message, advice: "check its name and permissions")
      case .notRegular: throw FeedFailure(.permanent, "it is not a file", advice: "check its name")
      }
    }
  }

  /// Returns the content of a document that an argument of the command names; `-` is standard input.
  static func bytes(ofArgument argument: String, limit: Int) throws(FileError) -> [UInt8] {
    guard argument != "-" else { return try read(descriptor: STDIN_FILENO, limit: limit) }
    return try bytes(ofFile: argument, limit: limit)
  }

  /// Returns the content of a file or a named pipe.
  static func bytes(ofFile path: String, limit: Int) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(SystemError()) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(SystemError()) }
    guard status.st_size <= limit else { throw .tooLarge }
    return try read(descriptor: descriptor, limit: limit)
  }
}
