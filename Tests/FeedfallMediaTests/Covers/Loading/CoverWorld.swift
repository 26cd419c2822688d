import FeedfallMedia
import FeedfallScreen
import FeedfallText
import FeedfallWeb
import FoundationEssentials
import TestServer
import TestSupport
import WaterfallEngine

/// A server with covers, and a folder for their cache.
struct CoverWorld {
  var server: TestServer
  var folder: String

  /// A loader as in a newly started program.
  func loader(_ cache: AnswerCache? = nil) -> CoverLoader {
    CoverLoader(cache: cache ?? AnswerCache(folder: folder), userAgent: "test")
  }

  func address(_ path: String) -> MediaAddress { .web(WebAddress(server.origin + path)!) }

  var requestedPaths: [String] { server.requests.map(\.path) }

  /// Loads a cover in 8 by 4 cells.
  func cover(_ paths: String..., by loader: CoverLoader? = nil) async -> Result<CoverPicture, CoverFailure> {
    await (loader ?? self.loader()).cover(paths.map(address))
  }

  func waitForRequests(_ count: Int) async throws {
    try await eventually("\(count) requests") { server.requests.count >= count }
  }
}

extension CoverLoader {
  func cover(
    _ addresses: [MediaAddress], on terms: CoverLoader.Terms = CoverLoader.Terms(),
    size: Size = Size(width: 8, height: 4),
    wantsPixels: Bool = false
  ) async -> Result<CoverPicture, CoverFailure> {
    do {
      return .success(
        try await cover(
          addresses, on: terms, size: size, cellSize: Size(width: 8, height: 16), glyphs: .halves,
          wantsPixels: wantsPixels))
    } catch {
      return .failure(error)
    }
  }
}

/// Runs a test with a server and the path of a folder, which is removed afterwards.
func withCovers(
  _ answering: @escaping TestServer.Answering, _ body: (CoverWorld) async throws -> Void
) async throws {
  let folder = FileManager.default.temporaryDirectory.path + "/feedfall-covers-\(UInt64.random(in: .min ... .max))"
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let server = try TestServer(answering)
  defer { server.stop() }
  try await body(CoverWorld(server: server, folder: folder))
}

extension TestBehaviour {
  static func picture(_ bytes: [UInt8]) -> TestBehaviour {
    .answer(TestAnswer(bytes, headers: ["Content-Type": "image/jpeg"]))
  }

  static let noPicture = TestBehaviour.answer(.html("<title>Nothing here</title>", status: 404))
}

extension PixelBuffer {
  static func plain(_ color: RGB, _ size: Size) -> PixelBuffer {
    let pixel = [color.red, color.green, color.blue]
    return PixelBuffer(size: size, bytes: (0..<size.width * size.height).flatMap { _ in pixel })!
  }
}

extension Sample {
  static let blue = RGB(red: 20, green: 40, blue: 200)

  /// 640 by 360 pixels.
  static let blueJPEG = blueJPEG(Size(width: 640, height: 360))

  /// The animations on a canvas of 8 by 8 pixels.
  static let largerGIF = replacing([6: 8, 8: 8], in: offsetGIF)
  static let largerWebP = replacing([24: 7, 27: 7], in: animatedWebP)

  private static func replacing(_ values: [Int: UInt8], in bytes: [UInt8]) -> [UInt8] {
    bytes.enumerated().map { values[$0.offset] ?? $0.element }
  }

  static func blueJPEG(_ size: Size) -> [UInt8] {
    PixelBuffer.plain(blue, size).jpeg(quality: 90)!
  }
}

extension Result where Success == CoverPicture {
  var average: RGB? { try? get().average }
  var pixels: PixelBuffer? { try? get().pixels }
}
