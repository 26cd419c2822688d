import FeedfallText

/// The films in a folder and in those below it.
struct FolderListing: Sendable {
  struct Film: Sendable {
    /// Its place in `folders`.
    var folder: Int
    var name: FileName
    var byteCount: Int
    var modified: UnixTime
  }

  struct Folder: Sendable {
    /// From the first folder on, for which it is empty.
    var path: [UInt8]
    /// The names of the pictures in it by their stems in lower case.
    var pictures: [[UInt8]: FileName] = [:]
    /// When the newest film in it was changed.
    var newest = UnixTime(seconds: .min)
  }

  var folders = [Folder(path: [])]
  var films: [Film] = []
  /// How many folders below the first one could not be read.
  var unreadableCount = 0

  /// Puts the films of each folder together, and the newest first, of folders as of films.
  mutating func sort() {
    for film in films { folders[film.folder].newest = max(folders[film.folder].newest, film.modified) }
    films.sort { left, right in
      if left.folder != right.folder {
        let (one, other) = (folders[left.folder].newest, folders[right.folder].newest)
        return one == other ? left.folder < right.folder : one > other
      }
      if left.modified != right.modified { return left.modified > right.modified }
      return left.name.bytes.lexicographicallyPrecedes(right.name.bytes)
    }
  }

  /// Whether there are films in another folder than the first one.
  var hasSeveralFolders: Bool { films.contains { $0.folder != 0 } }
}

/// The name of a file: bytes, which need not be text.
struct FileName: Sendable {
  let bytes: [UInt8]

  var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

  /// What stands before the last point.
  var stem: ArraySlice<UInt8> { bytes[..<(point ?? bytes.endIndex)] }

  var isFilm: Bool { FileExtension.isVideo(inFolder: ending) }
  var isPicture: Bool { Self.pictureEndings.contains(ending) }

  /// What stands after the last point, in lower case.
  private var ending: String { point.map { Self.lowercased(bytes[($0 + 1)...]) } ?? "" }

  /// A point at the start ends no name.
  private var point: Int? { bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } }

  /// As stems are compared: `Film.JPG` goes with `film.mp4`.
  static func key(_ stem: some Collection<UInt8>) -> [UInt8] { stem.map(lowercased) }

  private static func lowercased(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.map(lowercased), as: UTF8.self)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  private static let pictureEndings: Set<String> = ["jpeg", "jpg", "png", "webp"]
}
