import FeedfallRecords
import FeedfallText

/// The names of the files of a download, which are valid on every file system.
package enum DownloadName {
  /// The limit for the name of a video file, with a number and its extension.
  package static let maximumByteCount = 200
  /// Leaves room for a number and an extension.
  package static let maximumStemByteCount = 180
  /// The bytes of a name that are not its stem: a number, an extension with a language, the ending of a temporary file.
  private static let endingByteCount = 40
  /// Has room for an ID and a few letters.
  private static let minimumStemByteCount = 48
  private static let maximumIDByteCount = 24
  /// Not in names, on Windows or for a shell. yt-dlp replaces variables after a dollar sign.
  private static let reserved = Array("/\\:*?\"<>|$".utf8)

  package static func stem(title: String, key: VideoKey, limit: Int = maximumStemByteCount) -> String {
    let tag = " [\(tag(of: key))]"
    let title = cleaned(title, limit: limit - tag.utf8.count)
    return (title.isEmpty ? "video" : title) + tag
  }

  static func maximumStemByteCount(nameLimit: Int) -> Int {
    max(minimumStemByteCount, min(maximumStemByteCount, nameLimit - endingByteCount))
  }

  static func numbered(_ stem: String, _ number: Int) -> String { number < 2 ? stem : "\(stem) (\(number))" }

  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
      && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
  }

  private static func cleaned(_ title: String, limit: Int) -> String {
    let bytes = cleanedLine(title, limit: 4 * limit).utf8.map { reserved.contains($0) ? UInt8(ascii: "-") : $0 }
    var name = ""
    for character in String(decoding: bytes, as: UTF8.self) {
      guard name.utf8.count + character.utf8.count <= limit else { break }
      name.append(character)
    }
    return name.trimming { $0 == " " || $0 == "." || $0 == "-" }
  }

  private static func tag(of key: VideoKey) -> String {
    let id = key.text.split(separator: " ").last.map(String.init) ?? ""
    let isPlain = id.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    if isPlain, (4...maximumIDByteCount).contains(id.utf8.count) { return id }
    return (FNV1a.hash(key.text) & 0xFFFF_FFFF).hexadecimal(digitCount: 8)
  }
}

extension String {
  fileprivate func trimming(_ isBlank: (Character) -> Bool) -> String {
    var rest = self[...]
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest.drop(while: isBlank))
  }
}
