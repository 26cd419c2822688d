import FeedfallText

/// The answer of a WebDAV server about a folder and its members (RFC 4918, 13).
struct Multistatus: ServedFolderFormat {
  static let rootNames: Set<String> = ["multistatus"]

  var folder: ServedFolder?

  init(_ bytes: [UInt8], address: MediaAddress?) {
    guard let address = address?.web else { return }
    var folder = ServedFolder(at: address)
    var reader = XMLReader(bytes, base: nil)
    while !folder.isCut, let event = reader.next() {
      guard case .start(let element) = event, element.name == "response" else { continue }
      let response = reader.content(of: element) { $0.name == "response" }
      Self.insert(response, in: &folder)
      while let reopened = reader.reopened {
        reader.reopened = nil
        Self.insert(reader.content(of: reopened) { $0.name == "response" }, in: &folder)
      }
    }
    folder.sortByName()
    self.folder = folder
  }

  private static func insert(_ response: XMLElement, in folder: inout ServedFolder) {
    guard var reference = response.child("href")?.text.trimmed.nonEmpty else { return }
    let properties = response.children { $0.name == "propstat" }.compactMap { $0.child("prop") }
    func text(_ name: String) -> String? { properties.firstNonNil { $0.child(name)?.text.trimmed.nonEmpty } }
    let published = text("getlastmodified").flatMap { UnixTime(feedDate: $0) }
    let byteCount = text("getcontentlength").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    if properties.contains(where: { $0.child("resourcetype")?.child("collection") != nil }) {
      // Some servers name folders without the slash at the end.
      if !reference.hasSuffix("/") { reference += "/" }
    } else {
      let type = text("getcontenttype")?.lowercased() ?? ""
      folder.insert(
        fileInPlace: reference, name: text("displayname"),
        isMedium: type.hasPrefix("video/") || type.hasPrefix("audio/"),
        published: published, byteCount: byteCount)
    }
    folder.insert(path: reference, published: published, byteCount: byteCount)
  }
}

extension XMLElement {
  /// The first child with this name in any namespace: servers choose the prefix of `DAV:` freely.
  fileprivate func child(_ name: String) -> XMLElement? { children { $0.name == name }.first }
}

extension String {
  fileprivate var trimmed: String { String(decoding: Array(utf8).trimmingBlanks(), as: UTF8.self) }
}
