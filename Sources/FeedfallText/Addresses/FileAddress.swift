/// A file on this machine, as an address that is safe to show and to hand to a player: `file:///a%20b.mp4`.
///
/// A path is bytes, in whatever encoding its folder was written: all that is not plain is percent-encoded.
public struct FileAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address, in ASCII.
  public let text: String

  /// The longest path that Linux takes, in bytes.
  public static let maximumPathByteCount = 4_095

  private static let start = "file://"

  /// Takes an absolute path; nil for another, for one that is too long and for one that holds a zero.
  public init?(path: some Collection<UInt8>) {
    guard path.first == .slash, path.count <= Self.maximumPathByteCount, !path.contains(0) else { return nil }
    var bytes = Array(Self.start.utf8)
    for byte in path {
      if byte.isASCIILetter || byte.isASCIIDigit || "-._~/+,=@:".utf8.contains(byte) {
        bytes.append(byte)
      } else {
        PercentCoding.append(byte, to: &bytes)
      }
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The path's bytes, as they are on the disk.
  public var path: [UInt8] {
    PercentCoding.decodedBytes(text.utf8.dropFirst(Self.start.utf8.count), plusIsBlank: false)
  }

  /// The path's last part as text; what is no UTF-8 in it is replaced.
  public var name: String { String(decoding: path.split(separator: .slash).last ?? [], as: UTF8.self) }

  /// The file that a path names which stands in this file: from its folder on, where it is not absolute.
  func file(at path: [UInt8]) -> FileAddress? {
    guard let first = path.first else { return nil }
    if first == .slash { return FileAddress(path: path) }
    let own = self.path
    let folder = own[...(own.lastIndex(of: .slash) ?? 0)]
    return FileAddress(path: folder + path)
  }

  public var description: String { text }
}
