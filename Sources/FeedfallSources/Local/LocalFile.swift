import FeedfallFeeds
import FeedfallSystem
import Glibc

/// Opens files that a person names, in words for that person where it can't be done.
enum LocalFile {
  enum Opened {
    case file(OpenFile)
    /// A pipe or a device, whose bytes come once.
    case stream(descriptor: Int32)
  }

  /// Opens a file without waiting, even where it is a pipe that nobody writes into yet.
  static func open(_ path: String) throws(FeedFailure) -> Opened {
    let name = cleanedLine(path, limit: 120)
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw failure(errno, name) }
    do {
      return try opened(descriptor, name)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// The path from the root on without links; nil where it leads nowhere.
  static func absolutePath(_ path: String) -> [UInt8]? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  private static func opened(_ descriptor: Int32, _ name: String) throws(FeedFailure) -> Opened {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw failure(errno, name) }
    switch facts.st_mode & S_IFMT {
    case S_IFDIR: throw failure(EISDIR, name)
    case S_IFREG:
      guard facts.st_size <= DocumentLimits.maximumByteCount else {
        throw FeedFailure(
          .permanent, "\(name) is larger than 1 GB, which no feed is", advice: "check the file's name")
      }
      return .file(OpenFile(descriptor: descriptor, name: name))
    default: return .stream(descriptor: descriptor)
    }
  }

  static func failure(_ error: Int32, _ name: String) -> FeedFailure {
    switch error {
    case ENOENT, ENOTDIR:
      FeedFailure(
        .permanent, name.isEmpty ? "the source is an empty word" : "there is no \(name)",
        advice: "check its name; a web address begins with https://")
    case EACCES, EPERM:
      FeedFailure(.permanent, "\(name) may not be read", advice: "check its permissions")
    case EISDIR:
      FeedFailure(.permanent, "\(name) is a folder now", advice: "name it anew")
    default:
      FeedFailure(.permanent, "\(name) could not be opened: \(SystemError(error).message)")
    }
  }
}
