import CFeedfall
import FeedfallText

/// The codings of a body (RFC 9110, 8.4). The first bytes of the body decide where the header contradicts them.
enum ContentCoding: Equatable {
  case gzip
  case deflate
  case brotli
  case zstandard

  private static let names: [String: ContentCoding] = [
    "gzip": .gzip, "x-gzip": .gzip, "deflate": .deflate, "br": .brotli, "zstd": .zstandard,
  ]
  private static let maximumCount = 5

  /// The last coding first. Names that are no coding, such as `none`, `utf-8` or `aws-chunked`, are skipped.
  static func list(in header: String) -> [ContentCoding] {
    let words = header.utf8.split { $0 == 0x2C || $0 == 0x20 || $0 == 0x09 }
    return words.reversed().lazy.compactMap { names[String($0)?.lowercased() ?? ""] }.prefix(maximumCount).map(\.self)
  }

  /// A body that has other bytes than its header says is returned as it is, but a gzip file
  /// is always unpacked unless its content type is that of gzip.
  static func content(
    of body: [UInt8], header: String?, contentType: String, limit: Int
  ) throws(Gzip.Fault) -> Gzip.Unpacked {
    var content = Gzip.Unpacked(bytes: body, isCut: false)
    for coding in header.map(list) ?? [] {
      guard let decoded = try coding.decoded(content.bytes, limit: limit) else { break }
      content = Gzip.Unpacked(bytes: decoded.bytes, isCut: content.isCut || decoded.isCut)
    }
    guard Gzip.isStarted(by: content.bytes), !contentType.lowercased().contains("gzip"),
      let unpacked = try gzip.decoded(content.bytes, limit: limit)
    else { return content }
    return Gzip.Unpacked(bytes: unpacked.bytes, isCut: content.isCut || unpacked.isCut)
  }

  /// In bytes, for the content of the start of a body.
  private static let startLimit = 8 << 20

  /// Playlists have the types of media as well, but are text without null bytes.
  static func isMedium(start: [UInt8], header: String?) -> Bool {
    guard let content = try? content(of: start, header: header, contentType: "", limit: startLimit).bytes
    else { return false }
    // The start of some data cannot be decoded without the rest.
    if content == start, header.map(list)?.isEmpty == false { return MediaStart.isMedium(start) }
    return content.contains(0)
  }

  /// Returns the content, up to the end of the data if they are cut; nil if they are not in this coding.
  private func decoded(_ bytes: [UInt8], limit: Int) throws(Gzip.Fault) -> Gzip.Unpacked? {
    if bytes.isEmpty { return nil }
    switch self {
    case .gzip, .deflate:
      do throws(Gzip.Fault) {
        if Gzip.isStarted(by: bytes) { return try Gzip.unpacked(bytes, limit: limit) }
        return try Gzip.inflated(bytes, limit: limit)
      } catch {
        guard error == .damaged else { throw error }
        return nil
      }
    case .brotli: return try decoded(bytes, by: .brotli, limit: limit)
    case .zstandard: return try decoded(bytes, by: .zstandard, limit: limit)
    }
  }

  private func decoded(_ bytes: [UInt8], by coding: FetchCoding, limit: Int) throws(Gzip.Fault) -> Gzip.Unpacked? {
    let content = Content()
    let result = fetch_decode(
      coding, bytes, bytes.count, limit,
      { context, bytes, count in
        Unmanaged<Content>.fromOpaque(context).takeUnretainedValue().bytes += UnsafeBufferPointer(
          start: bytes, count: count)
      }, Unmanaged.passUnretained(content).toOpaque())
    switch result {
    case .whole: return Gzip.Unpacked(bytes: content.bytes, isCut: false)
    // Other files may begin like valid data, which become longer.
    case .cut, .followed:
      return content.bytes.count < bytes.count ? nil : Gzip.Unpacked(bytes: content.bytes, isCut: result == .cut)
    case .damaged, .impossible: return nil
    case .tooLarge: throw .tooLarge
    }
  }

  private final class Content {
    var bytes: [UInt8] = []
  }
}
