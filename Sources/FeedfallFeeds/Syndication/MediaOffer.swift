import FeedfallDocuments
import FeedfallText

/// One medium as a feed offers it.
struct MediaOffer: Equatable {
  enum Kind: Equatable {
    case stream
    case video
    case audio
    case picture
    /// A page or a program that plays it by itself.
    case player
    /// Nothing tells what it is.
    case unknown
    /// A torrent, a text, a program.
    case unusable
  }

  let url: WebAddress
  private(set) var type: String?
  private(set) var kind: Kind
  let duration: VideoDuration?
  let width: Int?
  let height: Int?
  let byteCount: Int?
  let isDefault: Bool

  /// Nil without an address.
  init?(_ element: XMLElement, address: String?) {
    guard let address, let url = WebAddress(reference: address, base: element.base) else { return nil }
    self.url = url
    let type = Self.cleaned(element.attribute("type"))
    self.type = type
    kind = Self.kind(type: type, medium: element.attribute("medium")?.lowercased(), url: url)
    duration = element.attribute("duration").flatMap { VideoDuration(feedText: $0) }
    width = element.attribute("width").flatMap(Self.length)
    height = element.attribute("height").flatMap(Self.length)
    byteCount = (element.attribute("filesize") ?? element.attribute("length")).flatMap { Int($0) }
      .flatMap { $0 > 0 ? $0 : nil }
    isDefault = ["true", "1", "yes"].contains(
      (element.attribute("isdefault") ?? element.attribute("default"))?.lowercased() ?? "")
  }

  /// Takes a type that is told beside it.
  mutating func setType(_ text: String) {
    type = Self.cleaned(text) ?? type
    kind = Self.kind(type: type, medium: nil, url: url)
  }

  var isPlayable: Bool {
    switch kind {
    case .stream, .video, .audio, .unknown: true
    case .picture, .player, .unusable: false
    }
  }

  var pictureSize: PixelSize? {
    guard let width, let height else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// The lower, the better.
  var rank: Int {
    let base =
      switch kind {
      case .stream: 0
      case .video: 2
      case .unknown: 4
      case .audio: 6
      case .picture, .player, .unusable: 8
      }
    return isDefault ? base : base + 1
  }

  private static func length(_ text: String) -> Int? {
    let digits = text.utf8.prefix(6).prefix(while: \.isASCIIDigit)
    return Int(String(decoding: Array(digits), as: UTF8.self)).flatMap { (1...100_000).contains($0) ? $0 : nil }
  }

  /// The type without its parameters, in lower case.
  private static func cleaned(_ type: String?) -> String? {
    let bytes = type.map { $0.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != .comma }.map(\.lowercased) }
    guard let bytes = bytes?.trimmingBlanks(), !bytes.isEmpty, bytes.count <= 100,
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The type decides before the medium: PeerTube calls sound alone `audio/mp4` with `medium="video"`. What the type
  /// leaves open the address's ending tells.
  static func kind(type: String?, medium: String?, url: WebAddress) -> Kind {
    if let type, let kind = MediaTypes.kind(ofType: type, url: url) { return kind }
    if let kind = MediaTypes.kind(ofPath: url) { return kind }
    switch medium {
    case "video": return .video
    case "audio": return .audio
    case "image": return .picture
    case "document", "executable": return .unusable
    default: return type == nil || type == "application/octet-stream" ? .unknown : .unusable
    }
  }
}
