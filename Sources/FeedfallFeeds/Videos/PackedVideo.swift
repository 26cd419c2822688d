import FeedfallText

/// A video in one block of memory, for libraries of many thousand: about a third of the size of a `Video`.
public struct PackedVideo: Equatable, Sendable {
  private let bytes: [UInt8]
  private let scope: FeedScope?

  /// Returns nil for a video with facts that few videos have, which would be lost.
  public init?(_ video: Video) {
    var writer = Writer()
    writer.write(video)
    (bytes, scope) = (writer.bytes.withUnsafeBytes { Array($0) }, video.scope)
    guard self.video == video else { return nil }
  }

  /// O(length).
  public var video: Video {
    bytes.withUnsafeBytes { bytes in
      var reader = Reader(rest: bytes[...])
      return reader.video(in: scope)
    }
  }

  public var published: UnixTime? {
    bytes.withUnsafeBytes { bytes in
      var reader = Reader(rest: bytes[...])
      return reader.number().map { UnixTime(seconds: $0) }
    }
  }

  public var title: String {
    bytes.withUnsafeBytes { bytes in
      var reader = Reader(rest: bytes[...])
      _ = reader.number()
      return reader.text() ?? ""
    }
  }

  /// The order of the facts is that of `Reader.video`.
  private struct Writer {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ video: Video) {
      bytes.reserveCapacity(512)
      write(video.published?.seconds)
      write(video.title)
      write(video.id)
      write(Int(video.flags.rawValue))
      write(Int(video.statedFlags.rawValue))
      write(video.isPartial ? 1 : 0)
      write(video.pageURL?.text)
      write(video.playback, of: video.pageURL)
      write(video.duration?.seconds)
      write(video.author)
      write(video.channel == video.author ? 1 : 0)
      if video.channel != video.author { write(video.channel) }
      write(video.channelURL?.text)
      write(video.summary)
      for text in [video.language, video.licence, video.licenceURL?.text, video.group] { write(text) }
      write(video.views)
      write(video.byteCount)
      write(video.pictureSize?.width)
      write(video.pictureSize?.height)
      for cover in video.covers {
        write(cover.url.web?.text)
        write(cover.width)
        write(cover.height)
      }
    }

    private mutating func write(_ playback: Playback, of page: WebAddress?) {
      switch playback {
      case .page(let address) where address == page: write(1)
      case .page(let address):
        write(2)
        write(address.text)
      case .direct(let files):
        write(2 + files.count)
        for file in files {
          write(file.url.web?.text)
          write(file.mimeType)
          write(file.height)
        }
      case .details, .list, .unknown: write(0)
      }
    }

    private mutating func write(_ text: String?) {
      write(text?.utf8.count)
      if let text { bytes += text.utf8 }
    }

    /// In groups of seven bits, the lowest first; 0 is nil.
    private mutating func write(_ number: Int?) {
      var rest = number.map { UInt64(bitPattern: Int64($0)) &+ 1 } ?? 0
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
  }

  private struct Reader {
    var rest: Slice<UnsafeRawBufferPointer>

    mutating func video(in scope: FeedScope?) -> Video {
      let published = number()
      let title = text() ?? ""
      var video = Video(id: text() ?? "", title: title, playback: .unknown)
      video.scope = scope
      video.published = published.map { UnixTime(seconds: $0) }
      video.flags = VideoFlags(rawValue: UInt16(truncatingIfNeeded: number() ?? 0))
      video.statedFlags = VideoFlags(rawValue: UInt16(truncatingIfNeeded: number() ?? 0))
      video.isPartial = number() == 1
      video.pageURL = address()
      video.playback = playback(of: video.pageURL)
      video.duration = number().map { .seconds($0) }
      video.author = text()
      video.channel = number() == 1 ? video.author : text()
      video.channelURL = address()
      video.summary = text()
      video.language = text()
      video.licence = text()
      video.licenceURL = address()
      video.group = text()
      video.views = number()
      video.byteCount = number()
      let (width, height) = (number(), number())
      video.pictureSize = width.flatMap { width in height.flatMap { PixelSize(width: width, height: $0) } }
      while !rest.isEmpty {
        let (url, width, height) = (address(), number(), number())
        if let url { video.covers.append(Cover(url: url, width: width, height: height)) }
      }
      return video
    }

    private mutating func playback(of page: WebAddress?) -> Playback {
      switch number() ?? 0 {
      case 0: return .unknown
      case 1: return page.map { .page($0) } ?? .unknown
      case 2: return address().map { .page($0) } ?? .unknown
      case let count:
        var files: [MediaFile] = []
        for _ in 2..<max(2, count) {
          let (url, type, height) = (address(), text(), number())
          if let url { files.append(MediaFile(url: url, mimeType: type, height: height)) }
        }
        return .direct(files)
      }
    }

    private mutating func address() -> WebAddress? { text().map { WebAddress(unchecked: $0) } }

    mutating func text() -> String? {
      guard let count = number(), count >= 0 else { return nil }
      defer { rest = rest.dropFirst(count) }
      return String(decoding: rest.prefix(count), as: UTF8.self)
    }

    mutating func number() -> Int? {
      var (value, shift) = (UInt64(0), UInt64(0))
      while let byte = rest.popFirst() {
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { break }
        shift += 7
      }
      return value == 0 ? nil : Int(Int64(bitPattern: value &- 1))
    }
  }
}
