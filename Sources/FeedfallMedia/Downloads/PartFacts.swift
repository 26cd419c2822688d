import FeedfallSystem
import FeedfallText
import FeedfallWeb

extension DownloadPart {
  /// The value of a Content-Range header (RFC 9110, 14.4).
  struct ContentRange: Equatable {
    var start: Int
    /// The place after the last byte.
    var end: Int
    /// Nil if the server does not know it.
    var total: Int?

    init?(_ text: String) {
      let words = text.split(separator: " ")
      guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
      let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
      let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 2, ends.count == 2, let start = ends[0], let end = ends[1], 0 <= start, start <= end,
        end < .max
      else { return nil }
      (self.start, self.end) = (start, end + 1)
      guard parts[1] != "*" else { return }
      guard let total = Int(parts[1]), end < total else { return nil }
      self.total = total
    }
  }

  struct Facts: Equatable {
    var id: String
    var index: Int
    /// Without a user and a query, in which servers put signatures that expire.
    var address: String
    var entityTag: HeaderValue?
    var lastModified: HeaderValue?
    var byteCount: Int?
    var contentType = ""
    /// Those that the server has named for the file, the best first.
    var extensions: [String] = []
    /// Whether the answer itself states its end. Not stored.
    var isChunked = false
    /// All bytes from this address, of other versions of the file as well.
    var receivedByteCount = 0
    /// The length of the longest part of this version.
    var highestByteCount = 0

    private static let maximumByteCount = 64 << 10
    private static let maximumHeaderLength = 500
    private static let maximumExtensionCount = 8

    init(_ id: String, _ index: Int, _ address: WebAddress) {
      (self.id, self.index) = (id, index)
      self.address = address.textWithoutSecrets
    }

    func replaced(by head: FileHead, _ range: ContentRange?) -> Facts {
      var facts = withoutFile
      facts.entityTag = Self.header("etag", head).flatMap { $0.text.hasPrefix("\"") ? $0 : nil }
      facts.lastModified = Self.header("last-modified", head)
      facts.contentType = Self.header("content-type", head)?.text ?? ""
      facts.extensions = Array(DownloadExtension.declared(by: head).prefix(Self.maximumExtensionCount))
      let length = head.headers["content-length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
      facts.byteCount = range == nil ? length : range?.total
      facts.isChunked = head.headers["transfer-encoding"] != nil
      return facts
    }

    var withoutFile: Facts {
      var facts = self
      (facts.entityTag, facts.lastModified, facts.byteCount, facts.contentType) = (nil, nil, nil, "")
      (facts.extensions, facts.isChunked) = ([], false)
      return facts
    }

    private static func header(_ name: String, _ head: FileHead) -> HeaderValue? {
      head.headers[name].flatMap { $0.utf8.count <= maximumHeaderLength ? HeaderValue($0) : nil }
    }

    init?(readFrom path: String) {
      guard let bytes = try? Files.readOwn(path, limit: Self.maximumByteCount),
        let object = JSONObject(document: bytes), let id = object["id"]?.string, let index = object.count("index"),
        let address = object["address"]?.string
      else { return nil }
      (self.id, self.index, self.address) = (id, index, address)
      entityTag = object["etag"]?.string.flatMap { HeaderValue($0) }
      lastModified = object["lastModified"]?.string.flatMap { HeaderValue($0) }
      byteCount = object.count("byteCount")
      contentType = object["contentType"]?.string ?? ""
      extensions = (object["extensions"]?.string ?? "").split(separator: " ").map(String.init)
        .filter(FileExtension.isMedia)
      // Far from an overflow.
      receivedByteCount = min(object.count("received") ?? 0, 1 << 60)
      highestByteCount = min(object.count("highest") ?? 0, 1 << 60)
    }

    func write(to path: String, temporary: String? = nil) throws(SystemError) {
      let line = JSONLine.text([
        ("id", .text(id)), ("index", .number(index)), ("address", .text(address)), ("etag", .text(entityTag?.text)),
        ("lastModified", .text(lastModified?.text)), ("byteCount", .number(byteCount)),
        ("contentType", .text(contentType)), ("extensions", .text(extensions.joined(separator: " ").nonEmpty)),
        ("received", .number(receivedByteCount)), ("highest", .number(highestByteCount)),
      ])
      try Files.replace(path, with: Array((line + "\n").utf8), mode: 0o644, temporary: temporary)
    }

    var validator: HeaderValue? { entityTag ?? lastModified }

    func isSameFile(as other: Facts) -> Bool { (address, id, index) == (other.address, other.id, other.index) }
  }
}

extension FileHead {
  /// Codings of which no part can be played.
  private static let unusableCodings: Set<String> = ["br", "zstd", "deflate", "compress", "x-compress"]

  /// The content's type if it is no video file. The first bytes decide where they contradict the coding.
  func unusableType(start: [UInt8]) -> String? {
    let codings = (headers["content-encoding"] ?? "").lowercased().split { $0 == "," || $0 == " " }.map(String.init)
    if let coding = codings.first(where: Self.unusableCodings.contains), !MediaStart.isMedium(start) {
      return "\(coding) data"
    }
    let type = (headers["content-type"] ?? "").prefix { $0 != ";" }.lowercased()
    let isUnusable =
      ["text/html", "application/xhtml+xml", "application/json", "application/problem+json"].contains(type)
      || MediaKind.isStreamType(type)
    return isUnusable ? cleanedLine(type, limit: 80) : nil
  }
}
