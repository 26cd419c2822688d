import FeedfallText

struct FolderListing: Sendable {
  struct File: Sendable {
    /// The index in `folders`.
    var folder: Int
    var name: FileName
    var byteCount: Int
    var modified: UnixTime
  }

  struct Folder: Sendable {
    /// The path relative to the listed folder, which has an empty path.
    var path: [UInt8]
    /// The pictures by their stems in lower case.
    var pictures: [[UInt8]: FileName] = [:]
    /// The modification time of the newest file.
    var newest = UnixTime(seconds: .min)
  }

  var folders = [Folder(path: [])]
  var files: [File] = []
  /// The number of subfolders that could not be read.
  var unreadableCount = 0
  /// Whether there may be more videos than the limits of `FolderWalk` allow.
  var isCut = false

  /// Groups the files by folder, with the newest folder and file first. Files of one time are in the order of their
  /// names, in which numbers follow their values.
  mutating func sort() {
    for file in files { folders[file.folder].newest = max(folders[file.folder].newest, file.modified) }
    files.sort { left, right in
      if left.folder != right.folder {
        let (one, other) = (folders[left.folder].newest, folders[right.folder].newest)
        return one == other ? left.folder < right.folder : one > other
      }
      if left.modified != right.modified { return left.modified > right.modified }
      return left.name.precedes(right.name)
    }
  }

  /// Whether there are files in subfolders.
  var hasSeveralFolders: Bool { files.contains { $0.folder != 0 } }
}

/// The name of a file, as bytes: it need not be valid UTF-8.
struct FileName: Sendable {
  let bytes: [UInt8]

  /// Whether this name is before another one, by the values of the numbers in them.
  func precedes(_ other: FileName) -> Bool { bytes[...].precedesNaturally(other.bytes[...]) }

  var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

  /// The part before the last dot.
  var stem: ArraySlice<UInt8> { bytes[..<(dot ?? bytes.endIndex)] }

  /// Nil if only the content shows that.
  var isVideo: Bool? { FileExtension.isVideo(inFolder: pathExtension) }
  var isPicture: Bool { Self.pictureExtensions.contains(pathExtension) }

  /// The part after the last dot, in lower case.
  var pathExtension: String { dot.map { Self.lowercased(bytes[($0 + 1)...]) } ?? "" }

  /// The index of the last dot; a leading dot starts no extension.
  private var dot: Int? { bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } }

  /// The stem in lower case for comparison: `Video.JPG` belongs to `video.mp4`.
  static func key(_ stem: some Collection<UInt8>) -> [UInt8] { stem.map(lowercased) }

  private static func lowercased(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.map(lowercased), as: UTF8.self)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  private static let pictureExtensions: Set<String> = ["jpeg", "jpg", "png", "webp"]
}
