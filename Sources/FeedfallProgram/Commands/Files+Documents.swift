import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

extension Files {
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

  static func bytes(ofArgument argument: String, limit: Int) throws(FileError) -> [UInt8] {
    guard argument != "-" else { return try read(descriptor: STDIN_FILENO, limit: limit) }
    return try bytes(ofFile: argument, limit: limit)
  }

  /// Also of a named pipe.
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
