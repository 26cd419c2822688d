import FeedfallText
import Glibc

/// Documents on this machine that are read as a whole.
enum DocumentFile {
  /// The most bytes of a list of feeds that are read.
  private static let maximumByteCount = 32 << 20

  /// The bytes of a file, or of standard input for `-`.
  static func bytes(of path: String) throws(FeedFailure) -> [UInt8] {
    guard let file = path == "-" ? fdopen(STDIN_FILENO, "r") : fopen(path, "re") else { throw unreadable() }
    defer { fclose(file) }
    guard let bytes = read(file, atMost: maximumByteCount) else { throw unreadable() }
    guard bytes.count <= maximumByteCount else {
      throw FeedFailure(.permanent, "it is larger than 32 MB, which no list of feeds is")
    }
    return bytes
  }

  /// All bytes, or a few more than are allowed; nil where they could not be read.
  static func read(_ file: UnsafeMutablePointer<FILE>, atMost maximumByteCount: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= maximumByteCount {
      let count = fread(&piece, 1, piece.count, file)
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return ferror(file) == 0 ? bytes : nil
  }

  private static func unreadable() -> FeedFailure {
    FeedFailure(
      .permanent, "it could not be read: \(String(cString: strerror(errno)))", advice: "check its name and permissions")
  }
}
