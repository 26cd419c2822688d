/// Where a film or a picture lies: in the web, or on this machine.
///
/// Only a document that lies on this machine itself, and was named by the person, can name files here: see
/// `init(reference:in:)`.
public enum MediaAddress: Hashable, Sendable, CustomStringConvertible {
  case web(WebAddress)
  case file(FileAddress)

  /// The address: https, http or file.
  public var text: String {
    switch self {
    case .web(let address): address.text
    case .file(let address): address.text
    }
  }

  public var description: String { text }

  /// The address in the web, where it is one.
  public var web: WebAddress? {
    if case .web(let address) = self { address } else { nil }
  }

  /// The file on this machine, where it is one.
  public var file: FileAddress? {
    if case .file(let address) = self { address } else { nil }
  }

  /// The path's last part as a person would call it.
  package var name: String? {
    switch self {
    case .web(let address): address.pathSegments.last.map { cleanedLine($0) }.nonEmpty
    case .file(let address): cleanedLine(address.name).nonEmpty
    }
  }
}

extension MediaAddress {
  /// How a document writes addresses.
  package enum Spelling {
    /// As addresses, percent-encoded.
    case address
    /// As lines of a playlist, in which a path stands as it is.
    case path
  }

  /// Resolves a reference found in the document at `document`.
  ///
  /// In a document from the web, or from nowhere, that is an http or https address and nothing else. A file may name
  /// other files too: by a path, from its own folder on, or by a file address.
  package init?(reference text: String, in document: MediaAddress?, _ spelling: Spelling = .address) {
    switch document {
    case .file(let file):
      if let web = WebAddress(text) {
        self = .web(web)
      } else if let named = Self.file(text, in: file, spelling) {
        self = .file(named)
      } else {
        return nil
      }
    case .web, nil:
      guard let web = WebAddress(reference: text, base: document?.web) else { return nil }
      self = .web(web)
    }
  }

  private static func file(_ text: String, in document: FileAddress, _ spelling: Spelling) -> FileAddress? {
    let bytes = Array(text.utf8).trimmingBlanks()
    let schemes = ["file://localhost/", "file:///"]
    if let scheme = schemes.first(where: { bytes.prefix($0.utf8.count).map(\.lowercased).elementsEqual($0.utf8) }) {
      return document.file(at: PercentCoding.decodedBytes(bytes.dropFirst(scheme.utf8.count - 1), plusIsBlank: false))
    }
    guard !bytes.starts(with: "//".utf8) else { return nil }
    switch spelling {
    case .address:
      guard !AddressSyntax.hasScheme(bytes) else { return nil }
      let path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      return document.file(at: PercentCoding.decodedBytes(path, plusIsBlank: false))
    case .path:
      // `Film: 2.mp4` is a name, `rtsp://…` is none.
      guard !bytes.contains(sequence: "://".utf8) else { return nil }
      return document.file(at: bytes)
    }
  }
}
