import FeedfallScreen
import FeedfallText
import Foundation
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp
@testable import FeedfallFeeds
@testable import FeedfallMedia
@testable import FeedfallWeb

/// Helpers of the cases about the pictures that may be covers.
enum CandidateCases {
  private static func video(
    rss item: String, channel: String = "", type: String = "application/rss+xml"
  ) throws -> Video {
    let body = """
      <rss xmlns:media="http://search.yahoo.com/mrss/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
       xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>\(channel)<item><guid>1</guid>\(item)
      <enclosure url="a.mp4" type="video/mp4"/></item></channel></rss>
      """
    let address = try #require(WebAddress("https://a.example/feed"))
    let document = try FeedDecoder.decode(Array(body.utf8), from: address, contentType: type)
    return try #require(document.videos.first)
  }

  private static func names(_ covers: [Cover]) -> [String] {
    covers.map { $0.url.web.map { String($0.path.dropFirst()) } ?? "" }
  }

  static func expectOrder(_ origins: [Cover.Origin], of elements: String, channel: String) throws {
    #expect(try video(rss: elements, channel: channel).covers.map(\.origin) == origins)
  }

  /// Checks that an entry of Atom with XHTML has these covers.
  static func expect(_ covers: [String], inXHTML markup: String) throws {
    let body = """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><link href="https://a.example/1"/><content type="xhtml">
      <div xmlns="http://www.w3.org/1999/xhtml">\(markup)</div></content></entry></feed>
      """
    let address = try #require(WebAddress("https://a.example/feed"))
    let document = try FeedDecoder.decode(Array(body.utf8), from: address)
    #expect(names(try #require(document.videos.first).covers) == covers)
  }

  /// Checks the addresses that are requested for a card's cover, in their order.
  static func expectRequested(_ paths: [String], of elements: String, channel: String) throws {
    let video = try video(rss: elements, channel: channel)
    let request = CoverRequest(
      for: video, size: Size(width: 20, height: 6), cellSize: Size(width: 8, height: 16), glyphs: .halves,
      wantsPixels: false)
    #expect(request?.addresses.compactMap { $0.web.map { String($0.path.dropFirst()) } } == paths)
  }

  static let channel = "<image><url>c.png</url></image>"

  // MARK: - Loading

  private static let blue = PixelBuffer(
    size: Size(width: 64, height: 36), bytes: (0..<64 * 36).flatMap { _ in [20, 40, 200] as [UInt8] })?.jpeg(
      quality: 90)

  /// Checks which addresses a loader requests until it has a cover; pictures are in `answers`, others are missing.
  static func expectLoaded(
    _ paths: [String], _ answers: [String: [UInt8]], requests: [String], isFound: Bool = true
  ) async throws {
    let blue = try #require(blue)
    let server = try TestServer { request in
      guard let bytes = answers[request.path] else { return .answer(.html("", status: 404)) }
      return .answer(TestAnswer(bytes.isEmpty ? blue : bytes, headers: ["Content-Type": "image/png"]))
    }
    defer { server.stop() }
    let loader = CoverLoader(
      cache: AnswerCache(), userAgent: "test", foreignPictures: ForeignPictures(timeLimitSeconds: 600))
    let addresses = try paths.map { MediaAddress.web(try #require(WebAddress(server.origin + $0))) }
    let picture = try? await loader.cover(
      addresses, size: Size(width: 8, height: 4), cellSize: Size(width: 8, height: 16), glyphs: .halves,
      wantsPixels: false)
    #expect((picture != nil) == isFound)
    #expect(server.requests.map(\.path) == requests)
  }

  static let ffmpeg = installedProgram("ffmpeg")

  /// A PNG of one transparent pixel.
  static let pixel =
    Base64.decode(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==") ?? []

  /// Converts a picture by ffmpeg itself; nil if this fails.
  private static func converted(_ bytes: [UInt8]) async -> CoverPicture? {
    guard let picture = ForeignPicture(bytes) else { return nil }
    let png = await Result<[UInt8], CoverFailure>.of { () async throws(CoverFailure) in
      try await ForeignPictures(timeLimitSeconds: 600).png(of: picture)
    }
    guard case .success(let png) = png else { return nil }
    let format = CoverFormat(
      size: Size(width: 8, height: 4), cellSize: Size(width: 8, height: 16), glyphs: .halves, wantsPixels: true)
    return try? CoverPicture.decode(png, in: format).picture
  }

  private static func svg(_ attributes: String, _ content: String) -> [UInt8] {
    Array("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)>\(content)</svg>".utf8)
  }

  private static let greenArea = "<rect width='100%' height='100%' fill='#00ff00'/>"

  @Sendable static func hugeDrawing() async throws {
    guard ffmpeg != nil else { return }
    let drawing = svg("width='100000' height='50000' viewBox='0 0 20 10'", greenArea)
    let picture = try #require(await converted(drawing))
    #expect(picture.originalSize.map { $0.width == 1_280 && $0.height == 640 } == true)
  }

  @Sendable static func longDrawing() async throws {
    guard ffmpeg != nil else { return }
    // Nothing that is painted, because the time of ffmpeg's processor is limited.
    let start = String(repeating: "<desc>a line of about forty-five characters</desc>", count: 20_000)
    let picture = try #require(await converted(svg("viewBox='0 0 20 10'", start + greenArea)))
    #expect(picture.average.green > 240 && picture.average.red < 15)
  }

  /// A drawing that names a red picture in a folder and on a server shows only its own green area.
  @Sendable static func foreignReferences() async throws {
    guard ffmpeg != nil else { return }
    let red = try #require(
      PixelBuffer(size: Size(width: 64, height: 64), bytes: (0..<64 * 64).flatMap { _ in [255, 0, 0] as [UInt8] })?
        .jpeg(quality: 90))
    let server = try TestServer { _ in .answer(TestAnswer(red)) }
    defer { server.stop() }
    try await withFolder { folder in
      let path = "\(folder)/red.jpg"
      try Data(red).write(to: URL(filePath: path))
      for reference in ["file://\(path)", path, "\(server.origin)/red.jpg", "/dev/stdin", "/proc/self/fd/0"] {
        let images = ["href", "xlink:href"].map { "<image \($0)='\(reference)' width='20' height='10'/>" }.joined()
        let drawing = svg(
          "xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 20 10'",
          greenArea + images
            + "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='\(reference)' parse='text'/>")
        let picture = try #require(await converted(drawing), "\(reference)")
        #expect(picture.average.green > 240 && picture.average.red < 15, "\(reference)")
      }
    }
    #expect(server.requests.isEmpty)
  }

  /// An entity with the text of a file is never drawn: either it is left out, or the drawing is refused.
  @Sendable static func foreignEntity() async throws {
    guard ffmpeg != nil else { return }
    try await withFolder { folder in
      let path = "\(folder)/secret"
      try Data("<rect width='100%' height='100%' fill='#ff0000'/>".utf8).write(to: URL(filePath: path))
      let entity = "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file://\(path)'>]>"
      let picture = await converted(Array(entity.utf8) + svg("viewBox='0 0 20 10'", greenArea + "&x;"))
      if let picture { #expect(picture.average.red < 15) }
    }
  }

  /// Ten uses of ten uses of … are ended by the limit on processor time or refused.
  @Sendable static func endlessDrawing() async throws {
    guard ffmpeg != nil else { return }
    var groups = "<g id='a0'>\(greenArea)</g>"
    for level in 1...40 {
      let uses = String(repeating: "<use href='#a\(level - 1)'/>", count: 10)
      groups += "<g id='a\(level)'>\(uses)</g>"
    }
    #expect(await converted(svg("viewBox='0 0 20 10'", "<defs>\(groups)</defs><use href='#a40'/>")) == nil)
  }

  @Sendable static func bitmap() async throws {
    guard ffmpeg != nil else { return }
    let (width, height) = (16, 12)
    func little(_ value: Int, _ count: Int = 4) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
    let pixels = (0..<width * height).flatMap { _ in [200, 40, 20] as [UInt8] }
    let header = little(40) + little(width) + little(height) + little(1, 2) + little(24, 2) + little(0)
    let bmp =
      Array("BM".utf8) + little(54 + pixels.count) + little(0) + little(54) + header
      + little(pixels.count) + little(0) + little(0) + little(0) + little(0) + pixels
    let picture = try #require(await converted(bmp))
    #expect(picture.average.blue > 190 && picture.average.red < 30)
    #expect(picture.originalSize.map { $0.width == width && $0.height == height } == true)
    // Its header promises more than the memory permits.
    let liar = Array(bmp.prefix(18)) + little(60_000) + little(60_000) + Array(bmp.dropFirst(26))
    #expect(await converted(liar) == nil)
  }
}
